//! The typing rules, all in one place: which operators take which operands, and what they give.
//!
//! The rules are those of NuSMV: booleans, numbers and symbols are different things, nothing is converted in silence,
//! and a set is not a value. Whoever makes an expression makes it here, so an expression of a model is well-typed.
//! Whether *values* fit (a `case` without a branch, a number outside a range) is not a matter of types.

mod rules;

use crate::expr::{ExprId, Node};
use crate::model::{Model, VarId};
use crate::op::{BinaryOp, UnaryOp};
use crate::ty::{Scalar, Ty};
use crate::value::{Domain, Value, Word};
use rules::{Rules, converts, mix};

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
    ///
    /// Whatever builds something large comes by here, so this is where the budget is looked at.
    pub fn make(&mut self, node: Node) -> Result<ExprId, TypeError> {
        self.budget.look();
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
        Rules { model: self, node }.ty_of_node()
    }

    /// The rules that are not about types.
    fn check_structure(&self, node: &Node) -> Result<(), TypeError> {
        let problem = |operand, child, problem| TypeError { operand, found: self.exprs.ty(child).clone(), problem };
        match node {
            Node::Next(a) if self.mentions(*a, |node| matches!(node, Node::Next(_))) => {
                Err(problem(0, *a, Problem::NestedNext))
            }
            _ if takes_formulas(node) || !self.exprs.has_temporal() => Ok(()),
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
