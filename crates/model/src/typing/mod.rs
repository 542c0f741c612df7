//! Typing rules: the operand types and result types of all operators.
//!
//! The rules are those of NuSMV: booleans, integers and symbols are different types, there are no implicit conversions,
//! and a set is not a value. Every expression is created by [`TransitionSystem::make`], so all expressions of a model are
//! well-typed. Whether *values* are valid (a `case` without a branch, a number out of range) is not a matter of types.

mod rules;

use crate::expr::{ExprId, Node};
use crate::model::{TransitionSystem, VarId};
use crate::op::{BinaryOp, UnaryOp};
use crate::ty::{Scalar, Ty};
use crate::value::{Domain, Value, Word};
use rules::{Rules, converts, mix};

/// Why an expression is not well-typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeError {
    /// The child with the error, counted from 0 in the order of [`Node::children`].
    pub operand: usize,
    /// The type of that child.
    pub found: Ty,
    /// The error.
    pub problem: Problem,
}

/// A type error of an operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// Another type is expected.
    Expected(Expected),
    /// It is incompatible with another operand.
    Mismatch {
        /// The other operand, counted like [`TypeError::operand`].
        other: usize,
        /// The type of that operand.
        ty: Ty,
    },
    /// `next` of an expression that has `next` already.
    NestedNext,
    /// A temporal formula where only a plain expression is allowed.
    Temporal,
    /// A number out of the range that its context allows: an index, a shift, bits, a width, a bound.
    OutOfRange {
        /// The role of the number.
        what: &'static str,
        /// The number.
        value: i64,
        /// The smallest allowed number.
        low: i64,
        /// The largest allowed number.
        high: i64,
    },
    /// The node has a wrong number of parts.
    Parts,
}

/// The expected type of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// A boolean.
    Boolean,
    /// A boolean or a word.
    BooleanOrWord,
    /// An integer.
    Integer,
    /// An integer or a word.
    IntegerOrWord,
    /// A boolean, an integer or a word.
    BooleanOrIntegerOrWord,
    /// An integer or an unsigned word.
    IntegerOrUnsignedWord,
    /// A boolean, an integer or an unsigned word of one bit.
    BooleanOrIntegerOrBit,
    /// A word.
    Word,
    /// A signed word.
    SignedWord,
    /// An unsigned word.
    UnsignedWord,
    /// A constant integer.
    Constant,
    /// A single value: neither a set nor an array.
    Single,
    /// An element of a set.
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
            Problem::Mismatch { ty, .. } => write!(f, "{ty} is incompatible with {}", self.found),
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
    /// Whether a variable of this type may be assigned a value, or a choice of values, of that type.
    pub fn accepts(&self, value: &Ty) -> bool {
        match (self, value) {
            (Ty::One(var), Ty::One(value) | Ty::Set(value)) => converts(*var, *value),
            _ => false,
        }
    }
}

impl TransitionSystem {
    /// The id of this node, which is added if it is new and well-typed.
    ///
    /// All large constructions call this, so it checks the budget.
    pub fn make(&self, node: Node) -> Result<ExprId, TypeError> {
        self.budget.look();
        let expr = self.context.exprs.intern(node, |node| {
            let ty = self.type_of(node)?;
            self.check_structure(node)?;
            Ok(ty)
        })?;
        debug_assert!(self.agrees_with_context(expr), "a context with another type of {:?}", self[expr]);
        Ok(expr)
    }

    /// Whether a name has the type that the context has for it. A reduced domain may have fewer types than the whole one.
    fn agrees_with_context(&self, expr: ExprId) -> bool {
        let (node, known) = (&self[expr], self.context.exprs.ty(expr));
        !matches!(node, Node::Var(_) | Node::Define(_))
            || self.type_of(node).is_ok_and(|ty| *known == ty || known.accepts(&ty))
    }

    /// The type of a variable.
    pub fn var_ty(&self, var: VarId) -> Ty {
        self[var].domain.ty()
    }

    /// The type of a node. [`TransitionSystem::make`] also checks nested `next` and misplaced temporal operators, which are no
    /// type errors.
    pub fn type_of(&self, node: &Node) -> Result<Ty, TypeError> {
        Rules { model: self, node }.ty_of_node()
    }

    /// The rules that are not about types.
    fn check_structure(&self, node: &Node) -> Result<(), TypeError> {
        let problem =
            |operand, child, problem| TypeError { operand, found: self.context.exprs.ty(child).clone(), problem };
        match node {
            Node::Next(a) if self.mentions(*a, |node| matches!(node, Node::Next(_))) => {
                Err(problem(0, *a, Problem::NestedNext))
            }
            _ if takes_formulas(node) || !self.context.exprs.has_temporal() => Ok(()),
            _ => {
                let exprs = &self.context.exprs;
                // Only defines with temporal operators are worth a look into what an expression uses.
                let by_define = self.defines.iter().any(|define| exprs.is_temporal(define.body.expr));
                let mut children = node.children().into_iter().enumerate();
                let is_wrong = |(_, child): &(usize, ExprId)| {
                    if by_define { self.mentions(*child, is_temporal) } else { exprs.is_temporal(*child) }
                };
                match children.find(is_wrong) {
                    Some((operand, child)) => Err(problem(operand, child, Problem::Temporal)),
                    None => Ok(()),
                }
            }
        }
    }

    /// Whether an expression, with defines resolved, has a node that satisfies `wanted`.
    pub fn mentions(&self, expr: ExprId, wanted: impl Fn(&Node) -> bool) -> bool {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack = vec![expr];
        while let Some(expr) = stack.pop() {
            let node = &self.context.exprs[expr];
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
