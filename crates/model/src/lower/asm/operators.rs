//! Operators on truth values and numbers, with interval arithmetic for their bounds.

use super::texts::may_be_text;
use super::value::{Const, Single, Sym, Values};
use super::{Lowering, Stop};
use crate::expr::Node;
use crate::op::{BinaryOp as Op, UnaryOp};
use specwright_syntax::asm::ast::BinaryOp;
use specwright_syntax::span::Span;

impl Lowering<'_> {
    pub(super) fn negate(&mut self, value: &Sym, span: Span) -> Result<Sym, Stop> {
        match value {
            Sym::Known(Const::Bool(value)) => Ok(Sym::bool(!value)),
            Sym::Known(Const::Undef) => Ok(Sym::UNDEF),
            Sym::One(Single { value, defined, values: Values::Bool }) => {
                let (value, defined) = (self.not(*value), *defined);
                Ok(Sym::One(Single { value, defined, values: Values::Bool }))
            }
            Sym::Either(_) => self.lift(value, span, |lowering, case| lowering.negate(case, span)),
            other => Err(self.wrong_kind(span, "a boolean", other)),
        }
    }

    pub(super) fn binary(&mut self, op: BinaryOp, a: &Sym, b: &Sym, span: Span) -> Result<Sym, Stop> {
        match op {
            BinaryOp::Eq => {
                let same = self.equal(a, b);
                Ok(self.truth(same))
            }
            BinaryOp::Ne => {
                let same = self.equal(a, b);
                let differ = self.not(same);
                Ok(self.truth(differ))
            }
            BinaryOp::In | BinaryOp::NotIn => {
                let Some(members) = self.members_of(b) else { return Err(self.wrong_kind(span, "a set", b)) };
                let inside = self.is_member(a, &members);
                let result = if op == BinaryOp::In { inside } else { self.not(inside) };
                Ok(self.truth(result))
            }
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Implies | BinaryOp::Iff => {
                // An undefined operand counts as false.
                let (a, b) = (self.holds(a, span)?, self.holds(b, span)?);
                let result = match op {
                    BinaryOp::And => self.and(a, b),
                    BinaryOp::Or => self.or(a, b),
                    BinaryOp::Implies => self.implies(a, b),
                    BinaryOp::Iff => self.iff(a, b),
                    _ => {
                        let same = self.iff(a, b);
                        self.not(same)
                    }
                };
                Ok(self.truth(result))
            }
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => self.order(op, a, b, span),
            _ => self.arithmetic(op, a, b, span),
        }
    }

    /// A comparison of numbers.
    fn order(&mut self, op: BinaryOp, a: &Sym, b: &Sym, span: Span) -> Result<Sym, Stop> {
        if matches!(a, Sym::Either(_)) || matches!(b, Sym::Either(_)) {
            return self.lift_pair(a, b, span, |lowering, a, b| lowering.order(op, a, b, span));
        }
        if may_be_text(a) {
            // Characters have an order, and are texts.
            let name = match op {
                BinaryOp::Lt => "lt",
                BinaryOp::Le => "le",
                BinaryOp::Gt => "gt",
                _ => "ge",
            };
            let compared = self.on_texts(name, &[a.clone(), b.clone()], span)?;
            return compared.ok_or_else(|| self.wrong_kind(span, "a number", a));
        }
        if matches!((a, b), (Sym::Ratio(..), _) | (_, Sym::Ratio(..))) {
            let (a, b) = self.over_one_denominator(a, b, span)?;
            return self.order(op, &a, &b, span);
        }
        let Some((a, b)) = self.numbers(a, b, span)? else { return Ok(Sym::UNDEF) };
        let (Values::Int(a_low, a_high), Values::Int(b_low, b_high)) = (&a.values, &b.values) else {
            return Err(Stop);
        };
        // Disjoint intervals decide the comparison; an unbounded end decides nothing.
        let below = |a: i64, b: i64| a < b && a < i64::MAX && b > i64::MIN;
        let upto = |a: i64, b: i64| a <= b && a < i64::MAX && b > i64::MIN;
        let (a_low, a_high, b_low, b_high) = (*a_low, *a_high, *b_low, *b_high);
        let (op, sure, never) = match op {
            BinaryOp::Lt => (Op::Lt, below(a_high, b_low), upto(b_high, a_low)),
            BinaryOp::Le => (Op::Le, upto(a_high, b_low), below(b_high, a_low)),
            BinaryOp::Gt => (Op::Gt, below(b_high, a_low), upto(a_high, b_low)),
            _ => (Op::Ge, upto(b_high, a_low), below(a_high, b_low)),
        };
        let value = if sure || never { self.boolean(sure) } else { self.compare(op, a.value, b.value) };
        let defined = self.and(a.defined, b.defined);
        if self.truth_of(defined) == Some(true) {
            return Ok(self.truth(value));
        }
        Ok(Sym::One(Single { value, defined, values: Values::Bool }))
    }

    /// Two numbers; `None` if one of them is always undefined.
    fn numbers(&mut self, a: &Sym, b: &Sym, span: Span) -> Result<Option<(Single, Single)>, Stop> {
        let mut found = Vec::new();
        for sym in [a, b] {
            if matches!(sym, Sym::Known(Const::Undef)) {
                return Ok(None);
            }
            match self.single(sym) {
                Some(single) if matches!(single.values, Values::Int(..)) => found.push(single),
                _ => return Err(self.wrong_kind(span, "a number", sym)),
            }
        }
        Ok(Some((found[0].clone(), found[1].clone())))
    }

    pub(super) fn arithmetic(&mut self, op: BinaryOp, a: &Sym, b: &Sym, span: Span) -> Result<Sym, Stop> {
        if matches!(a, Sym::Either(_)) || matches!(b, Sym::Either(_)) {
            return self.lift_pair(a, b, span, |lowering, a, b| lowering.arithmetic(op, a, b, span));
        }
        if op == BinaryOp::Add && (may_be_text(a) || may_be_text(b)) {
            return match self.on_texts("plus", &[a.clone(), b.clone()], span)? {
                Some(text) => Ok(text),
                None => Err(self.unsupported(span, "this text is unbounded")),
            };
        }
        if op == BinaryOp::Power {
            return self.power(a, b, span);
        }
        if op == BinaryOp::Div || matches!((a, b), (Sym::Ratio(..), _) | (_, Sym::Ratio(..))) {
            return self.fraction(op, a, b, span);
        }
        let Some((a, b)) = self.numbers(a, b, span)? else { return Ok(Sym::UNDEF) };
        let (Values::Int(a_low, a_high), Values::Int(b_low, b_high)) = (a.values.clone(), b.values.clone()) else {
            return Err(Stop);
        };
        let known = a_low == a_high && b_low == b_high;
        let symbol = match op {
            BinaryOp::Add => Op::Add,
            BinaryOp::Sub => Op::Sub,
            BinaryOp::Mul => Op::Mul,
            BinaryOp::IntDiv => Op::Div,
            BinaryOp::Mod => Op::Mod,
            _ => return Err(Stop),
        };
        let defined = self.and(a.defined, b.defined);
        // Division by 0 is undefined.
        let (divisor, defined) = if matches!(symbol, Op::Div | Op::Mod) && b_low <= 0 && b_high >= 0 {
            if b_low == b_high {
                return Ok(Sym::UNDEF);
            }
            let (zero, one) = (self.int(0), self.int(1));
            let some = self.compare(Op::Ne, b.value, zero);
            (self.choose(some, b.value, one), self.and(defined, some))
        } else {
            (b.value, defined)
        };
        let (low, high) = bounds(symbol, (a_low, a_high), (b_low, b_high));
        // `i64::MIN` and `i64::MAX` stand for unbounded ends, so they are no results.
        let fits = i64::MIN < low && low < i64::MAX;
        if low == high && known && fits && self.truth_of(defined) == Some(true) {
            return Ok(Sym::Known(Const::Int(low)));
        }
        let value = match (symbol, a_low == a_high, b_low == b_high) {
            (Op::Add | Op::Sub, _, true) if b_low == 0 => a.value,
            (Op::Add, true, _) if a_low == 0 => b.value,
            (Op::Sub, true, _) if a_low == 0 => self.node(Node::Unary(UnaryOp::Neg, b.value)),
            _ => self.node(Node::Binary(symbol, a.value, divisor)),
        };
        Ok(Sym::One(Single { value, defined, values: Values::Int(low, high) }))
    }

    /// Applies a function to all pairs of cases of two values.
    fn lift_pair(
        &mut self,
        a: &Sym,
        b: &Sym,
        span: Span,
        made: impl Fn(&mut Self, &Sym, &Sym) -> Result<Sym, Stop>,
    ) -> Result<Sym, Stop> {
        self.lift(a, span, |lowering, a| lowering.lift(b, span, |lowering, b| made(lowering, a, b)))
    }

    /// A power whose exponent has few values.
    fn power(&mut self, a: &Sym, b: &Sym, span: Span) -> Result<Sym, Stop> {
        let Some(exponents) = self.spread(b) else {
            return Err(self.unsupported(span, "a power needs a bounded exponent"));
        };
        let mut cases = Vec::new();
        for (exponent, guard) in exponents {
            let power = match exponent {
                Const::Undef => Sym::UNDEF,
                Const::Int(n) if (0..=64).contains(&n) => {
                    let mut power = Sym::Known(Const::Int(1));
                    for _ in 0..n {
                        power = self.arithmetic(BinaryOp::Mul, &power, a, span)?;
                    }
                    power
                }
                _ => return Err(self.unsupported(span, "a power needs an exponent from 0 to 64")),
            };
            cases.push((power, guard));
        }
        self.one_of(cases, span)
    }
}

/// The bounds of the result of an operation; `i64::MIN` and `i64::MAX` stand for unbounded ends.
fn bounds(op: Op, (a, b): (i64, i64), (c, d): (i64, i64)) -> (i64, i64) {
    /// Absolute value beyond which bounds count as unbounded; products of bounds stay representable.
    const MAX_BOUND: i64 = 1 << 40;
    let (low, high) = match op {
        Op::Add => (lower(a, c), higher(b, d)),
        Op::Sub => (lower(a, opposite(d)), higher(b, opposite(c))),
        Op::Mul if [a, b, c, d].iter().all(|end| end.abs_diff(0) <= MAX_BOUND as u64) => {
            let corners = [a.saturating_mul(c), a.saturating_mul(d), b.saturating_mul(c), b.saturating_mul(d)];
            corners.iter().fold((i64::MAX, i64::MIN), |(low, high), corner| (low.min(*corner), high.max(*corner)))
        }
        Op::Div if c == d && c > 0 && a > i64::MIN && b < i64::MAX => (a / c, b / c),
        Op::Div => {
            let most = a.saturating_abs().max(b.saturating_abs());
            (opposite(most), most)
        }
        Op::Mod if a == b && c == d && c != 0 => {
            let rest = a.wrapping_rem(c);
            (rest, rest)
        }
        Op::Mod => {
            // The remainder has the sign of the dividend, and its absolute value is below that of the divisor.
            let most = c.saturating_abs().max(d.saturating_abs()).saturating_sub(1).max(0);
            (if a < 0 { opposite(most).max(a) } else { 0 }, if b > 0 { most.min(b) } else { 0 })
        }
        _ => (i64::MIN, i64::MAX),
    };
    (if low < -MAX_BOUND { i64::MIN } else { low }, if high > MAX_BOUND { i64::MAX } else { high })
}

/// The sum of two lower bounds.
fn lower(a: i64, b: i64) -> i64 {
    if a == i64::MIN || b == i64::MIN { i64::MIN } else { a.saturating_add(b) }
}

/// The sum of two upper bounds.
fn higher(a: i64, b: i64) -> i64 {
    if a == i64::MAX || b == i64::MAX { i64::MAX } else { a.saturating_add(b) }
}

/// The negation of a bound.
fn opposite(end: i64) -> i64 {
    match end {
        i64::MIN => i64::MAX,
        i64::MAX => i64::MIN,
        end => -end,
    }
}
