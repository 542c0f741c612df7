//! The typing rules, all in one place: which operators take which operands, and what they give.
//!
//! The rules are those of NuSMV: booleans, numbers and symbols are different things, nothing is converted in silence,
//! and a set is not a value. Whoever makes an expression makes it here, so an expression of a model is well-typed.
//! Whether *values* fit (a `case` without a branch, a number outside a range) is not a matter of types.

use crate::expr::{ExprId, Node};
use crate::model::{Model, VarId};
use crate::op::{BinaryOp, Builtin, UnaryOp};
use crate::ty::{Scalar, Ty};
use crate::value::{Domain, Value, Word};
use std::sync::Arc;

/// Why an expression cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeError {
    /// Which of the node's children is to blame, counted from 0 in the order of [`Node::children`].
    pub operand: usize,
    /// The type of that child.
    pub found: Ty,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What is wrong with an operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// Something else is wanted.
    Expected(Expected),
    /// It does not agree with another operand.
    Mismatch {
        /// The other operand, counted like [`TypeError::operand`].
        other: usize,
        /// The type of that one.
        ty: Ty,
    },
    /// It is `next` of something that already speaks of the next state.
    NestedNext,
    /// It is a temporal formula where only a plain expression may stand.
    Temporal,
    /// It makes a number that is too small or too large for its place: an index, a shift, bits, a width, a bound.
    OutOfRange {
        /// What the number is.
        what: &'static str,
        /// The number.
        value: i64,
        /// The smallest that will do.
        low: i64,
        /// The largest that will do.
        high: i64,
    },
    /// The node has not as many parts as it needs.
    Parts,
}

/// What an operand should have been.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// A truth value.
    Boolean,
    /// A truth value or a word.
    BooleanOrWord,
    /// A number.
    Integer,
    /// A number or a word.
    IntegerOrWord,
    /// A truth value, a number or a word.
    BooleanOrIntegerOrWord,
    /// A number or an unsigned word.
    IntegerOrUnsignedWord,
    /// A truth value, a number or an unsigned word of one bit.
    BooleanOrIntegerOrBit,
    /// A word.
    Word,
    /// A signed word.
    SignedWord,
    /// An unsigned word.
    UnsignedWord,
    /// A constant number.
    Constant,
    /// Anything but a set or an array.
    Single,
    /// Something that may be a member of a set.
    Member,
    /// An array.
    Array,
}

impl std::fmt::Display for Expected {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Expected::Boolean => "a boolean",
            Expected::BooleanOrWord => "a boolean or a word",
            Expected::Integer => "an integer",
            Expected::IntegerOrWord => "an integer or a word",
            Expected::BooleanOrIntegerOrWord => "a boolean, an integer or a word",
            Expected::IntegerOrUnsignedWord => "an integer or an unsigned word",
            Expected::BooleanOrIntegerOrBit => "a boolean, an integer or an unsigned word[1]",
            Expected::Word => "a word",
            Expected::SignedWord => "a signed word",
            Expected::UnsignedWord => "an unsigned word",
            Expected::Constant => "a constant number",
            Expected::Single => "a single value",
            Expected::Member => "a boolean, an integer or a symbol",
            Expected::Array => "an array",
        })
    }
}

impl std::fmt::Display for TypeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.problem {
            Problem::Expected(expected) => write!(f, "expected {expected}, found {}", self.found),
            Problem::Mismatch { ty, .. } => write!(f, "{ty} does not go with {}", self.found),
            Problem::NestedNext => f.write_str("`next` inside `next`"),
            Problem::Temporal => f.write_str("a temporal formula cannot be an operand here"),
            Problem::OutOfRange { what, value, low, high } => {
                write!(f, "{what} {value} is outside of {low}..{high}")
            }
            Problem::Parts => f.write_str("wrong number of operands"),
        }
    }
}

impl Domain {
    /// The type of its values.
    pub fn ty(&self) -> Ty {
        Ty::One(match self {
            Domain::Bool => Scalar::Bool,
            Domain::Range(..) | Domain::Integer => Scalar::Int,
            Domain::Word { signed, width } => Scalar::Word { signed: *signed, width: *width },
            Domain::Enum(values) => values.iter().map(|value| value.scalar()).reduce(mix).unwrap_or(Scalar::Symbol),
        })
    }
}

impl Value {
    /// The type of a value.
    pub fn scalar(self) -> Scalar {
        match self {
            Value::Bool(_) => Scalar::Bool,
            Value::Int(_) => Scalar::Int,
            Value::Symbol(_) => Scalar::Symbol,
            Value::Word(Word { signed, width, .. }) => Scalar::Word { signed, width },
        }
    }
}

impl Ty {
    /// Whether a variable of this type may be given a value of that one, or any member of a set of them.
    pub fn accepts(&self, value: &Ty) -> bool {
        match (self, value) {
            (Ty::One(var), Ty::One(value) | Ty::Set(value)) => converts(*var, *value),
            _ => false,
        }
    }
}

impl Model {
    /// The expression made of these parts, new or old, if it is well-typed.
    pub fn make(&mut self, node: Node) -> Result<ExprId, TypeError> {
        if let Some(expr) = self.exprs.get(&node) {
            return Ok(expr);
        }
        let ty = self.type_of(&node)?;
        self.check_structure(&node)?;
        Ok(self.exprs.intern(node, ty))
    }

    /// The type of a variable.
    pub fn var_ty(&self, var: VarId) -> Ty {
        self[var].domain.ty()
    }

    /// The type of the expression made of these parts. `next` inside `next` and misplaced temporal operators, which
    /// are not a matter of types, are left to [`Model::make`].
    pub fn type_of(&self, node: &Node) -> Result<Ty, TypeError> {
        let rules = Rules { model: self, node };
        match node {
            Node::Const(value) => Ok(Ty::One(value.scalar())),
            Node::Var(var) => Ok(self.var_ty(*var)),
            Node::Define(define) => Ok(self.exprs.ty(self.body(*define)).clone()),
            Node::Next(a) => Ok(self.exprs.ty(*a).clone()),
            Node::Unary(UnaryOp::Not, _) => rules.one(0, Expected::BooleanOrWord),
            Node::Unary(UnaryOp::Neg, _) => rules.one(0, Expected::IntegerOrWord),
            Node::Unary(_, _) => rules.one(0, Expected::Boolean),
            Node::Binary(op, _, b) => rules.binary(*op, *b),
            Node::Bounded(_, low, high, _) => {
                rules.bounds(*low, *high)?;
                rules.one(0, Expected::Boolean)
            }
            Node::BoundedUntil(_, low, high, ..) => {
                rules.bounds(*low, Some(*high))?;
                rules.one(0, Expected::Boolean)?;
                rules.one(1, Expected::Boolean)
            }
            Node::Ite(..) => {
                rules.one(0, Expected::Boolean)?;
                rules.branches(&[1, 2])
            }
            Node::Case(branches) => {
                for index in 0..branches.len() {
                    rules.one(2 * index, Expected::Boolean)?;
                }
                rules.branches(&(0..branches.len()).map(|index| 2 * index + 1).collect::<Vec<_>>())
            }
            Node::Set(items) => match items.len() {
                // As in NuSMV, braces around a single value are just parentheses.
                1 => Ok(rules.ty(0).clone()),
                n => rules.union(n),
            },
            Node::Range(..) => {
                rules.one(0, Expected::Integer)?;
                rules.one(1, Expected::Integer)?;
                Ok(Ty::Set(Scalar::Int))
            }
            Node::Array(first, items) => rules.array(*first, items.len()),
            Node::Index(_, index) => rules.index(*index),
            Node::Slice(_, high, low) => rules.slice(*high, *low),
            Node::Call(builtin, args) => rules.call(*builtin, args),
        }
    }

    /// The rules that are not about types.
    fn check_structure(&self, node: &Node) -> Result<(), TypeError> {
        let problem = |operand, child, problem| TypeError { operand, found: self.exprs.ty(child).clone(), problem };
        match node {
            Node::Next(a) if self.mentions(*a, |node| matches!(node, Node::Next(_))) => {
                Err(problem(0, *a, Problem::NestedNext))
            }
            _ if takes_formulas(node) => Ok(()),
            _ => match node.children().into_iter().enumerate().find(|(_, child)| self.mentions(*child, is_temporal)) {
                Some((operand, child)) => Err(problem(operand, child, Problem::Temporal)),
                None => Ok(()),
            },
        }
    }

    /// Whether a node of that kind occurs in an expression or in what its defines stand for.
    pub fn mentions(&self, expr: ExprId, wanted: impl Fn(&Node) -> bool) -> bool {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack = vec![expr];
        while let Some(expr) = stack.pop() {
            let node = &self.exprs[expr];
            if wanted(node) {
                return true;
            }
            if let Node::Define(define) = node {
                let body = self.body(*define);
                if seen.insert(body) {
                    stack.push(body);
                }
            }
            node.for_each_child(|child| {
                if seen.insert(child) {
                    stack.push(child);
                }
            });
        }
        false
    }
}

/// Whether a node is a temporal operator.
pub fn is_temporal(node: &Node) -> bool {
    match node {
        Node::Unary(op, _) => op.logic().is_some(),
        Node::Binary(op, ..) => op.logic().is_some(),
        Node::Bounded(..) | Node::BoundedUntil(..) => true,
        _ => false,
    }
}

/// Whether the parts of a node may be temporal formulas: those of temporal operators and boolean connectives may.
pub fn takes_formulas(node: &Node) -> bool {
    use BinaryOp::{And, Iff, Implies, Or, Xnor, Xor};
    match node {
        Node::Unary(op, _) => *op != UnaryOp::Neg,
        Node::Binary(op, ..) => op.logic().is_some() || matches!(op, And | Or | Xor | Xnor | Implies | Iff),
        Node::Bounded(..) | Node::BoundedUntil(..) => true,
        _ => false,
    }
}

/// The smallest type that has all values of both, if they are not booleans or words.
fn mix(a: Scalar, b: Scalar) -> Scalar {
    if a == b { a } else { Scalar::Mixed }
}

/// Whether a value of type `from` may stand where `to` is wanted.
fn converts(to: Scalar, from: Scalar) -> bool {
    to == from || to == Scalar::Mixed && matches!(from, Scalar::Int | Scalar::Symbol)
}

/// Whether a value of that type may be a member of a set.
fn is_member(scalar: Scalar) -> bool {
    !matches!(scalar, Scalar::Word { .. })
}

/// The type of something that is either of these two: branches of a `case`, elements of an array.
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

/// The number that a word stands for; words that are wider than numbers are out of any range.
fn number(word: Word) -> i64 {
    word.to_int().try_into().unwrap_or(i64::MAX)
}

/// The children of a node as the rules see them.
struct Rules<'a> {
    model: &'a Model,
    node: &'a Node,
}

impl Rules<'_> {
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
        self.model.exprs.ty(self.child(operand))
    }

    fn error<T>(&self, operand: usize, problem: Problem) -> Result<T, TypeError> {
        Err(TypeError { operand, found: self.ty(operand).clone(), problem })
    }

    fn mismatch<T>(&self, operand: usize, other: usize) -> Result<T, TypeError> {
        self.error(operand, Problem::Mismatch { other, ty: self.ty(other).clone() })
    }

    /// The type of an operand that must be a single value of a certain kind.
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
                matches!(self.model.exprs[self.child(operand)], Node::Const(Value::Int(_)))
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

    /// Two operands of one type: the type.
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
                let amount = match self.model.exprs[right] {
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
                    // A set of mixed members may be compared with any set.
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

    /// The type of words of a computed width; the operand is to blame if there is none.
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

    /// The type of something that is one of several operands.
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
        // Nothing can be taken out of an array without elements, so any type will do for them.
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
        let value = match self.model.exprs[index] {
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
            // These are constants, which the languages make before there is a model.
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
                let Node::Const(Value::Int(bits)) = self.model.exprs[args[1]] else {
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
