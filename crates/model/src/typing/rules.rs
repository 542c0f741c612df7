//! The typing rule of each kind of node.

use super::{Expected, Problem, TypeError};
use crate::expr::{ExprId, Node};
use crate::model::TransitionSystem;
use crate::op::{BinaryOp, Builtin, UnaryOp};
use crate::ty::{Scalar, Ty};
use crate::value::{Value, Word};
use std::sync::Arc;

/// The least common supertype of two types other than booleans and words.
pub(super) fn mix(a: Scalar, b: Scalar) -> Scalar {
    if a == b { a } else { Scalar::Mixed }
}

/// Whether a value of type `from` may be used as `to`.
pub(super) fn converts(to: Scalar, from: Scalar) -> bool {
    to == from || to == Scalar::Mixed && matches!(from, Scalar::Int | Scalar::Symbol)
}

/// Whether values of this type may be elements of sets.
fn is_member(scalar: Scalar) -> bool {
    !matches!(scalar, Scalar::Word { .. })
}

/// The common type of two alternatives: branches of a `case`, elements of an array.
fn common(a: &Ty, b: &Ty) -> Option<Ty> {
    use Scalar::{Int, Mixed, Symbol};
    match (a, b) {
        (a, b) if a == b => Some(a.clone()),
        (Ty::One(a), Ty::One(b)) if [a, b].iter().all(|ty| matches!(ty, Int | Symbol | Mixed)) => {
            Some(Ty::One(mix(*a, *b)))
        }
        (Ty::Set(a), Ty::Set(b) | Ty::One(b)) | (Ty::One(a), Ty::Set(b)) if is_member(*a) && is_member(*b) => {
            Some(Ty::Set(mix(*a, *b)))
        }
        (Ty::Array(a_first, a_last, a), Ty::Array(b_first, b_last, b)) if (a_first, a_last) == (b_first, b_last) => {
            Some(Ty::Array(*a_first, *a_last, Arc::new(common(a, b)?)))
        }
        _ => None,
    }
}

/// The value of a word; words that exceed 64 signed bits are out of any range.
fn number(word: Word) -> i64 {
    word.to_int().try_into().unwrap_or(i64::MAX)
}

/// A node and the types of its children.
pub(super) struct Rules<'a> {
    pub(super) model: &'a TransitionSystem,
    pub(super) node: &'a Node,
}

impl Rules<'_> {
    /// The type of the node.
    pub(super) fn ty_of_node(&self) -> Result<Ty, TypeError> {
        match self.node {
            Node::Const(value) => Ok(Ty::One(value.scalar())),
            Node::Var(var) => Ok(self.model.var_ty(*var)),
            Node::Define(define) => Ok(self.model.context.exprs.ty(self.model.body(*define)).clone()),
            Node::Next(a) => Ok(self.model.context.exprs.ty(*a).clone()),
            Node::Unary(UnaryOp::Not, _) => self.one(0, Expected::BooleanOrWord),
            Node::Unary(UnaryOp::Neg, _) => self.one(0, Expected::IntegerOrWord),
            Node::Unary(_, _) => self.one(0, Expected::Boolean),
            Node::Binary(op, _, b) => self.binary(*op, *b),
            Node::Bounded(_, low, high, _) => {
                self.bounds(*low, *high)?;
                self.one(0, Expected::Boolean)
            }
            Node::BoundedUntil(_, low, high, ..) => {
                self.bounds(*low, Some(*high))?;
                self.one(0, Expected::Boolean)?;
                self.one(1, Expected::Boolean)
            }
            Node::Ite(..) => {
                self.one(0, Expected::Boolean)?;
                self.branches(&[1, 2])
            }
            Node::Case(branches) => {
                for index in 0..branches.len() {
                    self.one(2 * index, Expected::Boolean)?;
                }
                self.branches(&(0..branches.len()).map(|index| 2 * index + 1).collect::<Vec<_>>())
            }
            Node::Set(items) => match items.len() {
                // As in NuSMV, braces around a single value are parentheses.
                1 => Ok(self.ty(0).clone()),
                n => self.union(n),
            },
            Node::Range(..) => {
                self.one(0, Expected::Integer)?;
                self.one(1, Expected::Integer)?;
                Ok(Ty::Set(Scalar::Int))
            }
            Node::Array(first, items) => self.array(*first, items.len()),
            Node::Index(_, index) => self.index(*index),
            Node::Slice(_, high, low) => self.slice(*high, *low),
            Node::Call(builtin, args) => self.call(*builtin, args),
        }
    }

    fn child(&self, operand: usize) -> ExprId {
        match self.node {
            Node::Case(branches) => {
                let (guard, value) = branches[operand / 2];
                if operand.is_multiple_of(2) { guard } else { value }
            }
            Node::Set(items) | Node::Array(_, items) | Node::Call(_, items) => items[operand],
            Node::Binary(_, a, b) | Node::BoundedUntil(_, _, _, a, b) | Node::Range(a, b) | Node::Index(a, b) => {
                [*a, *b][operand]
            }
            Node::Ite(a, b, c) => [*a, *b, *c][operand],
            node => node.children()[operand],
        }
    }

    fn ty(&self, operand: usize) -> &Ty {
        self.model.context.exprs.ty(self.child(operand))
    }

    fn error<T>(&self, operand: usize, problem: Problem) -> Result<T, TypeError> {
        Err(TypeError { operand, found: self.ty(operand).clone(), problem })
    }

    fn mismatch<T>(&self, operand: usize, other: usize) -> Result<T, TypeError> {
        self.error(operand, Problem::Mismatch { other, ty: self.ty(other).clone() })
    }

    /// The type of an operand that must be a single value of a given type.
    fn one(&self, operand: usize, expected: Expected) -> Result<Ty, TypeError> {
        let fits = match (self.ty(operand), expected) {
            (Ty::Array(..), Expected::Array) | (Ty::One(_), Expected::Single) => true,
            (Ty::One(Scalar::Bool), expected) => matches!(
                expected,
                Expected::Boolean
                    | Expected::BooleanOrWord
                    | Expected::BooleanOrIntegerOrWord
                    | Expected::BooleanOrIntegerOrBit
                    | Expected::Member
            ),
            (Ty::One(Scalar::Int), Expected::Constant) => {
                matches!(self.model.context.exprs[self.child(operand)], Node::Const(Value::Int(_)))
            }
            (Ty::One(Scalar::Int), expected) => matches!(
                expected,
                Expected::Integer
                    | Expected::IntegerOrWord
                    | Expected::BooleanOrIntegerOrWord
                    | Expected::IntegerOrUnsignedWord
                    | Expected::BooleanOrIntegerOrBit
                    | Expected::Member
            ),
            (Ty::One(Scalar::Word { signed, width }), expected) => match expected {
                Expected::BooleanOrWord
                | Expected::IntegerOrWord
                | Expected::BooleanOrIntegerOrWord
                | Expected::Word => true,
                Expected::SignedWord => *signed,
                Expected::UnsignedWord | Expected::IntegerOrUnsignedWord => !*signed,
                Expected::BooleanOrIntegerOrBit => !*signed && *width == 1,
                _ => false,
            },
            (Ty::One(_) | Ty::Set(_), Expected::Member) => true,
            _ => false,
        };
        if fits { Ok(self.ty(operand).clone()) } else { self.error(operand, Problem::Expected(expected)) }
    }

    /// The common type of two operands that must have the same type.
    fn same(&self, expected: Expected) -> Result<Ty, TypeError> {
        let ty = self.one(0, expected)?;
        let other = self.one(1, expected)?;
        if ty == other { Ok(ty) } else { self.mismatch(1, 0) }
    }

    fn binary(&self, op: BinaryOp, right: ExprId) -> Result<Ty, TypeError> {
        use BinaryOp as Op;
        match op {
            Op::And | Op::Or | Op::Xor | Op::Xnor | Op::Implies | Op::Iff => self.same(Expected::BooleanOrWord),
            Op::Eq | Op::Ne => match (self.one(0, Expected::Single)?, self.one(1, Expected::Single)?) {
                (Ty::One(a), Ty::One(b)) if converts(a, b) || converts(b, a) => Ok(Ty::BOOL),
                _ => self.mismatch(1, 0),
            },
            Op::Lt | Op::Le | Op::Gt | Op::Ge => self.same(Expected::IntegerOrWord).map(|_| Ty::BOOL),
            Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod => self.same(Expected::IntegerOrWord),
            Op::Shl | Op::Shr => {
                let ty = self.one(0, Expected::Word)?;
                self.one(1, Expected::IntegerOrUnsignedWord)?;
                let amount = match self.model.context.exprs[right] {
                    Node::Const(Value::Int(amount)) => amount,
                    Node::Const(Value::Word(word)) => number(word),
                    _ => 0,
                };
                let width = self.width(0);
                if (0..=width).contains(&amount) {
                    Ok(ty)
                } else {
                    self.error(1, Problem::OutOfRange { what: "shift by", value: amount, low: 0, high: width })
                }
            }
            Op::Concat => {
                self.one(0, Expected::Word)?;
                self.one(1, Expected::Word)?;
                self.word(1, false, self.width(0) + self.width(1))
            }
            Op::Union => self.union(2),
            Op::In => {
                let (a, b) = (self.one(0, Expected::Member)?, self.one(1, Expected::Member)?);
                match (a.scalar(), b.scalar()) {
                    // A set of mixed elements may be compared with any set.
                    (Some(a), Some(b)) if a == b || a == Scalar::Mixed || b == Scalar::Mixed => Ok(Ty::BOOL),
                    _ => self.mismatch(1, 0),
                }
            }
            Op::EU | Op::AU | Op::U | Op::V | Op::S | Op::T => {
                self.one(0, Expected::Boolean)?;
                self.one(1, Expected::Boolean)
            }
        }
    }

    /// The width of an operand that is a word.
    fn width(&self, operand: usize) -> i64 {
        match self.ty(operand) {
            Ty::One(Scalar::Word { width, .. }) => i64::from(*width),
            _ => 0,
        }
    }

    /// The word type of a computed width; the error blames the operand.
    fn word(&self, operand: usize, signed: bool, width: i64) -> Result<Ty, TypeError> {
        let high = i64::from(Word::MAX_WIDTH);
        if let (Ok(bits), true) = (u8::try_from(width), (1..=high).contains(&width)) {
            return Ok(Ty::One(Scalar::Word { signed, width: bits }));
        }
        self.error(operand, Problem::OutOfRange { what: "word width", value: width, low: 1, high })
    }

    fn bounds(&self, low: u64, high: Option<u64>) -> Result<(), TypeError> {
        match high {
            Some(high) if high < low => self.error(
                0,
                Problem::OutOfRange {
                    what: "lower bound",
                    value: low.try_into().unwrap_or(i64::MAX),
                    low: 0,
                    high: high.try_into().unwrap_or(i64::MAX),
                },
            ),
            _ => Ok(()),
        }
    }

    /// The type of an alternative of several operands.
    fn branches(&self, operands: &[usize]) -> Result<Ty, TypeError> {
        let (Some(&last), n) = (operands.last(), operands.len()) else {
            return Err(TypeError { operand: 0, found: Ty::BOOL, problem: Problem::Parts });
        };
        let mut ty = self.ty(last).clone();
        for &operand in operands[..n - 1].iter().rev() {
            let Some(wider) = common(self.ty(operand), &ty) else {
                let clashes = |other: &&usize| common(self.ty(operand), self.ty(**other)).is_none();
                return self.mismatch(operand, *operands.iter().find(clashes).unwrap_or(&last));
            };
            ty = wider;
        }
        Ok(ty)
    }

    /// The type of the union of all operands.
    fn union(&self, n: usize) -> Result<Ty, TypeError> {
        let mut members: Option<Scalar> = None;
        for operand in 0..n {
            let scalar = self.one(operand, Expected::Member)?.scalar();
            members = members.map_or(scalar, |members| scalar.map(|scalar| mix(members, scalar)));
        }
        members.map(Ty::Set).ok_or(TypeError { operand: 0, found: Ty::BOOL, problem: Problem::Parts })
    }

    fn array(&self, first: i64, n: usize) -> Result<Ty, TypeError> {
        // An array without elements cannot be indexed, so any element type is valid.
        let mut element = if n == 0 { Ty::BOOL } else { self.ty(0).clone() };
        for operand in 1..n {
            match common(&element, self.ty(operand)) {
                Some(wider) => element = wider,
                None => return self.mismatch(operand, 0),
            }
        }
        Ok(Ty::Array(first, first.saturating_add_unsigned(n as u64).saturating_sub(1), Arc::new(element)))
    }

    fn index(&self, index: ExprId) -> Result<Ty, TypeError> {
        self.one(0, Expected::Array)?;
        self.one(1, Expected::IntegerOrUnsignedWord)?;
        let Ty::Array(first, last, element) = self.ty(0) else {
            return self.error(0, Problem::Expected(Expected::Array));
        };
        let (low, high) = (*first, *last);
        let value = match self.model.context.exprs[index] {
            Node::Const(Value::Int(value)) => value,
            Node::Const(Value::Word(word)) => number(word),
            _ => return Ok((**element).clone()),
        };
        if (low..=high).contains(&value) {
            return Ok((**element).clone());
        }
        self.error(1, Problem::OutOfRange { what: "index", value, low, high })
    }

    fn slice(&self, high: u8, low: u8) -> Result<Ty, TypeError> {
        self.one(0, Expected::Word)?;
        let width = self.width(0);
        if i64::from(high) >= width || low > high {
            let value = i64::from(high.max(low));
            return self.error(0, Problem::OutOfRange { what: "bit", value, low: 0, high: width - 1 });
        }
        self.word(0, false, i64::from(high - low) + 1)
    }

    fn call(&self, builtin: Builtin, args: &[ExprId]) -> Result<Ty, TypeError> {
        let n_args = match builtin {
            Builtin::Count => args.len().max(1),
            Builtin::Min | Builtin::Max | Builtin::Extend | Builtin::Resize => 2,
            // Lowering replaces these by constants.
            Builtin::UwConst | Builtin::SwConst | Builtin::SizeOf => usize::MAX,
            _ => 1,
        };
        if args.len() != n_args {
            return Err(TypeError { operand: 0, found: Ty::BOOL, problem: Problem::Parts });
        }
        let bit = Ty::One(Scalar::Word { signed: false, width: 1 });
        match builtin {
            Builtin::Count => {
                (0..args.len()).try_for_each(|operand| self.one(operand, Expected::Boolean).map(|_| ()))?;
                Ok(Ty::INT)
            }
            Builtin::Abs => self.one(0, Expected::Integer),
            Builtin::Min | Builtin::Max => self.same(Expected::IntegerOrWord),
            Builtin::Bool => self.one(0, Expected::BooleanOrIntegerOrBit).map(|_| Ty::BOOL),
            Builtin::Word1 => self.one(0, Expected::Boolean).map(|_| bit),
            Builtin::ToInt => self.one(0, Expected::BooleanOrIntegerOrWord).map(|_| Ty::INT),
            Builtin::Signed => self.one(0, Expected::UnsignedWord).and_then(|_| self.word(0, true, self.width(0))),
            Builtin::Unsigned => self.one(0, Expected::SignedWord).and_then(|_| self.word(0, false, self.width(0))),
            Builtin::Extend | Builtin::Resize => {
                let ty = self.one(0, Expected::Word)?;
                self.one(1, Expected::Constant)?;
                let Node::Const(Value::Int(bits)) = self.model.context.exprs[args[1]] else {
                    return self.error(1, Problem::Expected(Expected::Constant));
                };
                let signed = matches!(ty, Ty::One(Scalar::Word { signed: true, .. }));
                match bits {
                    width if builtin == Builtin::Resize => self.word(1, signed, width),
                    extra if extra < 0 => {
                        let high = i64::from(Word::MAX_WIDTH) - self.width(0);
                        self.error(1, Problem::OutOfRange { what: "extension by", value: extra, low: 0, high })
                    }
                    extra => self.word(1, signed, self.width(0).saturating_add(extra)),
                }
            }
            Builtin::UwConst | Builtin::SwConst | Builtin::SizeOf => {
                Err(TypeError { operand: 0, found: Ty::BOOL, problem: Problem::Parts })
            }
        }
    }
}
