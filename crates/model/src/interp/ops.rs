//! Operators on values, independent of states and expressions.
//!
//! Integer division truncates towards zero, and the remainder has the sign of the dividend; the same holds for signed
//! words. Words wrap around. All this agrees with NuSMV 2.6.

use super::error::EvalReason;
use crate::expr::Node;
use crate::op::{BinaryOp, Builtin, UnaryOp};
use crate::value::{Value, Word};

type Result = std::result::Result<Value, EvalReason>;

/// Applies an operator to the values of its operands; nothing if the result has no value. Operators that need no value of some
/// operand, choices, and temporal operators are not applied.
pub fn apply(node: &Node, operands: &[Value]) -> Option<Value> {
    match (node, operands) {
        (Node::Unary(op, _), [a]) => unary(*op, *a),
        (Node::Binary(op, ..), [a, b]) => binary(*op, *a, *b),
        (Node::Slice(_, high, low), [a]) => slice(*a, *high, *low),
        (Node::Call(builtin, _), _) => call(*builtin, operands),
        _ => return None,
    }
    .ok()
}

/// Applies a prefix operator.
pub(super) fn unary(op: UnaryOp, a: Value) -> Result {
    match (op, a) {
        (UnaryOp::Not, Value::Bool(a)) => Ok(Value::Bool(!a)),
        (UnaryOp::Not, Value::Word(a)) => Ok(word(a, i128::from(!a.bits))),
        (UnaryOp::Neg, Value::Int(a)) => int(a.checked_neg()),
        (UnaryOp::Neg, Value::Word(a)) => Ok(word(a, -i128::from(a.bits))),
        _ if op.logic().is_some() => Err(EvalReason::Temporal),
        _ => Err(EvalReason::IllTyped),
    }
}

/// Applies an infix operator, other than temporal and set operators.
pub(crate) fn binary(op: BinaryOp, a: Value, b: Value) -> Result {
    match op {
        BinaryOp::Eq => return Ok(Value::Bool(a == b)),
        BinaryOp::Ne => return Ok(Value::Bool(a != b)),
        BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => return compare(op, a, b),
        BinaryOp::Shl | BinaryOp::Shr => return shift(op, a, b),
        BinaryOp::Concat => return concat(a, b),
        _ => {}
    }
    match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => booleans(op, a, b),
        (Value::Int(a), Value::Int(b)) => integers(op, a, b),
        (Value::Word(a), Value::Word(b)) if (a.signed, a.width) == (b.signed, b.width) => words(op, a, b),
        _ => Err(EvalReason::IllTyped),
    }
}

/// Applies a built-in function.
pub(super) fn call(builtin: Builtin, args: &[Value]) -> Result {
    match (builtin, args) {
        (Builtin::Count, args) => {
            let mut count = 0;
            for arg in args {
                count += i64::from(*arg == Value::Bool(true));
                if !matches!(arg, Value::Bool(_)) {
                    return Err(EvalReason::IllTyped);
                }
            }
            Ok(Value::Int(count))
        }
        (Builtin::Abs, [Value::Int(a)]) => int(a.checked_abs()),
        (Builtin::Min, [a, b]) => Ok(if compare(BinaryOp::Lt, *a, *b)? == Value::Bool(true) { *a } else { *b }),
        (Builtin::Max, [a, b]) => Ok(if compare(BinaryOp::Lt, *a, *b)? == Value::Bool(true) { *b } else { *a }),
        (Builtin::Bool, [Value::Bool(a)]) => Ok(Value::Bool(*a)),
        (Builtin::Bool, [Value::Int(a)]) => Ok(Value::Bool(*a != 0)),
        (Builtin::Bool, [Value::Word(a)]) => Ok(Value::Bool(a.bits != 0)),
        (Builtin::Word1, [Value::Bool(a)]) => Ok(Value::Word(Word::new(false, 1, u64::from(*a)))),
        (Builtin::ToInt, [Value::Bool(a)]) => Ok(Value::Int(i64::from(*a))),
        (Builtin::ToInt, [Value::Int(a)]) => Ok(Value::Int(*a)),
        (Builtin::ToInt, [Value::Word(a)]) => int(i64::try_from(a.to_int()).ok()),
        (Builtin::Signed, [Value::Word(a)]) => Ok(Value::Word(Word { signed: true, ..*a })),
        (Builtin::Unsigned, [Value::Word(a)]) => Ok(Value::Word(Word { signed: false, ..*a })),
        (Builtin::Extend, [Value::Word(a), Value::Int(more)]) => {
            let width = i64::from(a.width).checked_add(*more).ok_or(EvalReason::Width)?;
            resize(*a, width)
        }
        (Builtin::Resize, [Value::Word(a), Value::Int(width)]) => resize(*a, *width),
        _ => Err(EvalReason::IllTyped),
    }
}

/// The bits of a word from the high to the low one, always unsigned.
pub(super) fn slice(a: Value, high: u8, low: u8) -> Result {
    match a {
        Value::Word(a) if low <= high && high < a.width => {
            Ok(Value::Word(Word::new(false, high - low + 1, a.bits >> low)))
        }
        _ => Err(EvalReason::IllTyped),
    }
}

fn booleans(op: BinaryOp, a: bool, b: bool) -> Result {
    Ok(Value::Bool(match op {
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::Xnor | BinaryOp::Iff => a == b,
        BinaryOp::Implies => !a | b,
        _ if op.logic().is_some() => return Err(EvalReason::Temporal),
        _ => return Err(EvalReason::IllTyped),
    }))
}

fn integers(op: BinaryOp, a: i64, b: i64) -> Result {
    match op {
        BinaryOp::Add => int(a.checked_add(b)),
        BinaryOp::Sub => int(a.checked_sub(b)),
        BinaryOp::Mul => int(a.checked_mul(b)),
        BinaryOp::Div | BinaryOp::Mod if b == 0 => Err(EvalReason::DivisionByZero),
        BinaryOp::Div => int(a.checked_div(b)),
        // The one remainder that overflows is zero.
        BinaryOp::Mod => Ok(Value::Int(a.checked_rem(b).unwrap_or(0))),
        _ => Err(EvalReason::IllTyped),
    }
}

fn words(op: BinaryOp, a: Word, b: Word) -> Result {
    let (x, y) = (a.to_int(), b.to_int());
    let value = match op {
        BinaryOp::Add => x + y,
        BinaryOp::Sub => x - y,
        BinaryOp::Mul => x.wrapping_mul(y),
        BinaryOp::Div | BinaryOp::Mod if y == 0 => return Err(EvalReason::DivisionByZero),
        BinaryOp::Div => x / y,
        BinaryOp::Mod => x % y,
        BinaryOp::And => x & y,
        BinaryOp::Or => x | y,
        BinaryOp::Xor => x ^ y,
        BinaryOp::Xnor | BinaryOp::Iff => !(x ^ y),
        BinaryOp::Implies => !x | y,
        _ => return Err(EvalReason::IllTyped),
    };
    Ok(word(a, value))
}

fn compare(op: BinaryOp, a: Value, b: Value) -> Result {
    let order = match (a, b) {
        (Value::Int(a), Value::Int(b)) => a.cmp(&b),
        (Value::Word(a), Value::Word(b)) => a.to_int().cmp(&b.to_int()),
        _ => return Err(EvalReason::IllTyped),
    };
    Ok(Value::Bool(match op {
        BinaryOp::Lt => order.is_lt(),
        BinaryOp::Le => order.is_le(),
        BinaryOp::Gt => order.is_gt(),
        _ => order.is_ge(),
    }))
}

/// A shift by 0 up to the width; to the right, signed words keep their sign.
fn shift(op: BinaryOp, a: Value, b: Value) -> Result {
    let (Value::Word(a), amount) = (a, number(b)?) else { return Err(EvalReason::IllTyped) };
    let Some(bits) = u32::try_from(amount).ok().filter(|bits| *bits <= u32::from(a.width)) else {
        return Err(EvalReason::Shift { amount, width: a.width });
    };
    Ok(word(a, if op == BinaryOp::Shl { i128::from(a.bits) << bits } else { a.to_int() >> bits }))
}

fn concat(a: Value, b: Value) -> Result {
    let (Value::Word(a), Value::Word(b)) = (a, b) else { return Err(EvalReason::IllTyped) };
    let width = a.width + b.width;
    if u32::from(width) > Word::MAX_WIDTH {
        return Err(EvalReason::Width);
    }
    Ok(Value::Word(Word::new(false, width, a.bits << b.width | b.bits)))
}

/// Widening extends the sign. Narrowing keeps the low bits; a signed word keeps its sign bit and one low bit less.
fn resize(a: Word, width: i64) -> Result {
    let Some(width) = u8::try_from(width).ok().filter(|width| (1..=Word::MAX_WIDTH).contains(&u32::from(*width)))
    else {
        return Err(EvalReason::Width);
    };
    let bits = if a.signed && width < a.width {
        let sign = a.bits >> (a.width - 1) & 1;
        sign << (width - 1) | a.bits & (Word::mask(width) >> 1)
    } else {
        truncate(a.to_int())
    };
    Ok(Value::Word(Word::new(a.signed, width, bits)))
}

fn number(value: Value) -> std::result::Result<i128, EvalReason> {
    match value {
        Value::Int(number) => Ok(number.into()),
        Value::Word(word) => Ok(word.to_int()),
        _ => Err(EvalReason::IllTyped),
    }
}

fn int(value: Option<i64>) -> Result {
    value.map(Value::Int).ok_or(EvalReason::Overflow)
}

/// A word of the same type.
fn word(like: Word, value: i128) -> Value {
    Value::Word(Word::new(like.signed, like.width, truncate(value)))
}

#[expect(clippy::cast_sign_loss, reason = "two's complement is what is meant")]
fn truncate(value: i128) -> u64 {
    value as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signed(width: u8, value: i128) -> Value {
        Value::Word(Word::new(true, width, truncate(value)))
    }

    fn unsigned(width: u8, value: u64) -> Value {
        Value::Word(Word::new(false, width, value))
    }

    #[test]
    fn integers_divide_towards_zero() {
        let check = |a: i64, b: i64, quotient: i64, rest: i64| {
            assert_eq!(binary(BinaryOp::Div, Value::Int(a), Value::Int(b)), Ok(Value::Int(quotient)), "{a} / {b}");
            assert_eq!(binary(BinaryOp::Mod, Value::Int(a), Value::Int(b)), Ok(Value::Int(rest)), "{a} mod {b}");
        };
        check(7, 2, 3, 1);
        check(-7, 2, -3, -1);
        check(7, -2, -3, 1);
        check(-7, -2, 3, -1);
        check(-7, 3, -2, -1);
        assert_eq!(binary(BinaryOp::Div, Value::Int(1), Value::Int(0)), Err(EvalReason::DivisionByZero));
        assert_eq!(binary(BinaryOp::Mod, Value::Int(1), Value::Int(0)), Err(EvalReason::DivisionByZero));
        assert_eq!(binary(BinaryOp::Mod, Value::Int(i64::MIN), Value::Int(-1)), Ok(Value::Int(0)));
    }

    #[test]
    fn integers_overflow_with_an_error() {
        let max = Value::Int(i64::MAX);
        for (op, a, b) in [
            (BinaryOp::Add, max, Value::Int(1)),
            (BinaryOp::Sub, Value::Int(-2), max),
            (BinaryOp::Mul, max, Value::Int(2)),
            (BinaryOp::Div, Value::Int(i64::MIN), Value::Int(-1)),
        ] {
            assert_eq!(binary(op, a, b), Err(EvalReason::Overflow), "{op:?}");
        }
        assert_eq!(unary(UnaryOp::Neg, Value::Int(i64::MIN)), Err(EvalReason::Overflow));
        assert_eq!(call(Builtin::Abs, &[Value::Int(i64::MIN)]), Err(EvalReason::Overflow));
    }

    #[test]
    fn words_wrap_shift_and_resize_as_in_nusmv() {
        for (op, a, b, expected) in [
            (BinaryOp::Div, signed(4, -7), signed(4, 2), signed(4, -3)),
            (BinaryOp::Mod, signed(4, -7), signed(4, 2), signed(4, -1)),
            (BinaryOp::Mod, signed(4, 7), signed(4, -3), signed(4, 1)),
            (BinaryOp::Div, signed(4, -8), signed(4, -1), signed(4, -8)),
            (BinaryOp::Shr, signed(4, -7), Value::Int(1), signed(4, -4)),
            (BinaryOp::Shr, signed(4, -7), Value::Int(4), signed(4, -1)),
            (BinaryOp::Shl, unsigned(4, 7), unsigned(3, 4), unsigned(4, 0)),
            (BinaryOp::Shl, unsigned(64, 1), Value::Int(64), unsigned(64, 0)),
            (BinaryOp::Concat, signed(2, -1), unsigned(3, 2), unsigned(5, 0b11010)),
            (BinaryOp::Implies, unsigned(3, 0b101), unsigned(3, 0b001), unsigned(3, 0b011)),
            (BinaryOp::Xnor, unsigned(3, 0b101), unsigned(3, 0b001), unsigned(3, 0b011)),
        ] {
            assert_eq!(binary(op, a, b), Ok(expected), "{a:?} {op:?} {b:?}");
        }
        assert_eq!(unary(UnaryOp::Neg, unsigned(8, 1)), Ok(unsigned(8, 255)));
        assert_eq!(unary(UnaryOp::Neg, signed(4, -8)), Ok(signed(4, -8)));
        assert_eq!(binary(BinaryOp::Lt, signed(4, -8), signed(4, 7)), Ok(Value::Bool(true)));
        assert!(matches!(
            binary(BinaryOp::Shl, unsigned(4, 1), Value::Int(5)),
            Err(EvalReason::Shift { amount: 5, width: 4 })
        ));
        for (value, width, expected) in [(-7, 2u8, -1), (7, 2, 1), (2, 2, 0), (-8, 2, -2), (-3, 6, -3), (5, 4, 5)] {
            let resized = call(Builtin::Resize, &[signed(4, value), Value::Int(width.into())]);
            assert_eq!(resized, Ok(signed(width, expected)), "resize({value}, {width})");
        }
        assert_eq!(call(Builtin::Extend, &[signed(3, -1), Value::Int(2)]), Ok(signed(5, -1)));
        assert_eq!(call(Builtin::Extend, &[unsigned(3, 7), Value::Int(2)]), Ok(unsigned(5, 7)));
        assert_eq!(slice(signed(4, -7), 3, 1), Ok(unsigned(3, 0b100)));
    }

    /// All small unsigned words, and some large ones, compared with plain arithmetic.
    #[test]
    fn unsigned_words_agree_with_wide_integers() {
        let samples = [0, 1, 2, 3, 7, 0x8000_0000, 0xffff_ffff, u64::MAX - 1, u64::MAX, 0x0123_4567_89ab_cdef];
        for width in [1u8, 2, 3, 5, 31, 32, 63, 64] {
            let modulus = 1u128 << width;
            for (&x, &y) in samples.iter().flat_map(|x| samples.iter().map(move |y| (x, y))) {
                let (a, b) = (x & Word::mask(width), y & Word::mask(width));
                let (p, q) = (u128::from(a), u128::from(b));
                let check = |op, expected: u128| {
                    let expected = unsigned(width, (expected % modulus) as u64);
                    assert_eq!(
                        binary(op, unsigned(width, a), unsigned(width, b)),
                        Ok(expected),
                        "{a} {op:?} {b} [{width}]"
                    );
                };
                check(BinaryOp::Add, p + q);
                check(BinaryOp::Sub, p + modulus - q);
                check(BinaryOp::Mul, p * q);
                check(BinaryOp::And, p & q);
                check(BinaryOp::Or, p | q);
                check(BinaryOp::Xor, p ^ q);
                if let (Some(quotient), Some(rest)) = (p.checked_div(q), p.checked_rem(q)) {
                    check(BinaryOp::Div, quotient);
                    check(BinaryOp::Mod, rest);
                }
                for amount in 0..=width {
                    let shift = |op| binary(op, unsigned(width, a), Value::Int(amount.into()));
                    let left = if amount == width { 0 } else { (p << amount) % modulus };
                    assert_eq!(shift(BinaryOp::Shl), Ok(unsigned(width, left as u64)));
                    assert_eq!(shift(BinaryOp::Shr), Ok(unsigned(width, (p >> amount) as u64)));
                }
            }
        }
    }

    #[test]
    fn conversions() {
        assert_eq!(call(Builtin::ToInt, &[signed(4, -3)]), Ok(Value::Int(-3)));
        assert_eq!(call(Builtin::ToInt, &[unsigned(64, u64::MAX)]), Err(EvalReason::Overflow));
        assert_eq!(call(Builtin::ToInt, &[Value::Bool(true)]), Ok(Value::Int(1)));
        assert_eq!(call(Builtin::Bool, &[Value::Int(2)]), Ok(Value::Bool(true)));
        assert_eq!(call(Builtin::Bool, &[unsigned(1, 0)]), Ok(Value::Bool(false)));
        assert_eq!(call(Builtin::Word1, &[Value::Bool(true)]), Ok(unsigned(1, 1)));
        assert_eq!(call(Builtin::Signed, &[unsigned(2, 3)]), Ok(signed(2, -1)));
        assert_eq!(call(Builtin::Unsigned, &[signed(2, -1)]), Ok(unsigned(2, 3)));
        assert_eq!(call(Builtin::Count, &[true, false, true].map(Value::Bool)), Ok(Value::Int(2)));
        assert_eq!(call(Builtin::Min, &[2, -1].map(Value::Int)), Ok(Value::Int(-1)));
        assert_eq!(call(Builtin::Max, &[2, -1].map(Value::Int)), Ok(Value::Int(2)));
    }
}
