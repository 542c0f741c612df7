//! Construction of model expressions with constant folding.

use super::value::{Const, Single, Sym, Values};
use super::{Lowering, Stop};
use crate::expr::{ExprId, Node};
use crate::op::{BinaryOp, UnaryOp};
use crate::value::Value;
use specwright_syntax::asm::codes;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::span::Span;

/// The symbol that stands for `undef`.
pub(super) const UNDEF: &str = "undef";

impl Lowering<'_> {
    pub(super) fn node(&mut self, node: Node) -> ExprId {
        self.model.budget.look();
        self.model.make(node).expect("what is lowered is well-typed")
    }

    pub(super) fn truth_of(&self, expr: ExprId) -> Option<bool> {
        match self.model[expr] {
            Node::Const(Value::Bool(value)) => Some(value),
            _ => None,
        }
    }

    pub(super) fn boolean(&mut self, value: bool) -> ExprId {
        self.node(Node::Const(Value::Bool(value)))
    }

    pub(super) fn int(&mut self, value: i64) -> ExprId {
        self.node(Node::Const(Value::Int(value)))
    }

    pub(super) fn atom(&mut self, name: &str) -> ExprId {
        let symbol = self.model.context.symbols.intern(name);
        self.node(Node::Const(Value::Symbol(symbol)))
    }

    pub(super) fn not(&mut self, a: ExprId) -> ExprId {
        match self.model[a] {
            Node::Const(Value::Bool(value)) => self.boolean(!value),
            Node::Unary(UnaryOp::Not, inner) => inner,
            Node::Binary(BinaryOp::Eq, x, y) => self.node(Node::Binary(BinaryOp::Ne, x, y)),
            Node::Binary(BinaryOp::Ne, x, y) => self.node(Node::Binary(BinaryOp::Eq, x, y)),
            _ => self.node(Node::Unary(UnaryOp::Not, a)),
        }
    }

    /// Whether one expression is written as the negation of the other.
    fn are_opposite(&self, a: ExprId, b: ExprId) -> bool {
        match (&self.model[a], &self.model[b]) {
            (Node::Unary(UnaryOp::Not, inner), _) if *inner == b => true,
            (_, Node::Unary(UnaryOp::Not, inner)) => *inner == a,
            (Node::Binary(BinaryOp::Eq, left, right), Node::Binary(BinaryOp::Ne, other_left, other_right))
            | (Node::Binary(BinaryOp::Ne, left, right), Node::Binary(BinaryOp::Eq, other_left, other_right)) => {
                (left, right) == (other_left, other_right)
            }
            _ => false,
        }
    }

    pub(super) fn and(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (self.truth_of(a), self.truth_of(b)) {
            (Some(true), _) | (_, Some(false)) => b,
            (_, Some(true)) | (Some(false), _) => a,
            _ if a == b => a,
            _ if self.are_opposite(a, b) => self.boolean(false),
            _ => self.node(Node::Binary(BinaryOp::And, a, b)),
        }
    }

    pub(super) fn or(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (self.truth_of(a), self.truth_of(b)) {
            (Some(false), _) | (_, Some(true)) => b,
            (_, Some(false)) | (Some(true), _) => a,
            _ if a == b => a,
            _ if self.are_opposite(a, b) => self.boolean(true),
            _ => self.node(Node::Binary(BinaryOp::Or, a, b)),
        }
    }

    /// The conjunction as a balanced tree: a chain of thousands would be nested too deeply.
    pub(super) fn all(&mut self, items: &[ExprId]) -> ExprId {
        match items {
            [] => self.boolean(true),
            [one] => *one,
            _ => {
                let (left, right) = items.split_at(items.len() / 2);
                let (left, right) = (self.all(left), self.all(right));
                self.and(left, right)
            }
        }
    }

    /// The disjunction as a balanced tree.
    pub(super) fn any(&mut self, items: &[ExprId]) -> ExprId {
        match items {
            [] => self.boolean(false),
            [one] => *one,
            _ => {
                let (left, right) = items.split_at(items.len() / 2);
                let (left, right) = (self.any(left), self.any(right));
                self.or(left, right)
            }
        }
    }

    pub(super) fn implies(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (self.truth_of(a), self.truth_of(b)) {
            (Some(true), _) => b,
            (Some(false), _) | (_, Some(true)) => self.boolean(true),
            (_, Some(false)) => self.not(a),
            _ => self.node(Node::Binary(BinaryOp::Implies, a, b)),
        }
    }

    pub(super) fn iff(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (self.truth_of(a), self.truth_of(b)) {
            (Some(true), _) => b,
            (_, Some(true)) => a,
            (Some(false), _) => self.not(b),
            (_, Some(false)) => self.not(a),
            _ if a == b => self.boolean(true),
            _ => self.node(Node::Binary(BinaryOp::Iff, a, b)),
        }
    }

    /// `c ? a : b`
    pub(super) fn choose(&mut self, c: ExprId, a: ExprId, b: ExprId) -> ExprId {
        match (self.truth_of(c), self.truth_of(a), self.truth_of(b)) {
            (Some(true), ..) => a,
            (Some(false), ..) => b,
            _ if a == b => a,
            (_, Some(true), _) => self.or(c, b),
            (_, _, Some(false)) => self.and(c, a),
            (_, Some(false), _) => {
                let c = self.not(c);
                self.and(c, b)
            }
            (_, _, Some(true)) => {
                let c = self.not(c);
                self.or(c, a)
            }
            _ => self.node(Node::Ite(c, a, b)),
        }
    }

    /// A boolean value that depends on the state.
    pub(super) fn truth(&mut self, value: ExprId) -> Sym {
        if let Some(value) = self.truth_of(value) {
            return Sym::bool(value);
        }
        let defined = self.boolean(true);
        Sym::One(Single { value, defined, values: Values::Bool })
    }

    /// A value as a single expression, unless it is composite.
    pub(super) fn single(&mut self, sym: &Sym) -> Option<Single> {
        let yes = self.boolean(true);
        Some(match sym {
            Sym::One(single) => single.clone(),
            Sym::Known(Const::Bool(value)) => {
                Single { value: self.boolean(*value), defined: yes, values: Values::Bool }
            }
            Sym::Known(Const::Int(value)) => {
                Single { value: self.int(*value), defined: yes, values: Values::Int(*value, *value) }
            }
            Sym::Known(Const::Atom(name)) => {
                Single { value: self.atom(name), defined: yes, values: Values::Atoms([name.clone()].into()) }
            }
            _ => return None,
        })
    }

    /// Whether a condition holds: it is defined and true.
    pub(super) fn holds(&mut self, sym: &Sym, span: Span) -> Result<ExprId, Stop> {
        match sym {
            Sym::Known(Const::Bool(value)) => Ok(self.boolean(*value)),
            Sym::Known(Const::Undef) => Ok(self.boolean(false)),
            Sym::One(Single { value, defined, values: Values::Bool }) => {
                let (value, defined) = (*value, *defined);
                Ok(self.and(defined, value))
            }
            Sym::Either(cases) => {
                let mut parts = Vec::new();
                for (case, guard) in cases {
                    let holds = self.holds(case, span)?;
                    parts.push(self.and(*guard, holds));
                }
                Ok(self.any(&parts))
            }
            _ => Err(self.wrong_kind(span, "a boolean", sym)),
        }
    }

    pub(super) fn wrong_kind(&mut self, span: Span, wanted: &str, found: &Sym) -> Stop {
        let found = match found {
            Sym::Known(value) => format!("`{value}`"),
            Sym::One(Single { values: Values::Bool, .. }) => "a boolean".into(),
            Sym::One(Single { values: Values::Int(..), .. }) => "a number".into(),
            Sym::One(Single { values: Values::Atoms(_), .. }) => "an element of a domain".into(),
            Sym::Ratio(..) => "a number with a fraction".into(),
            Sym::Tuple(_) => "a tuple".into(),
            Sym::Set(_) => "a set".into(),
            Sym::Seq(_) => "a sequence".into(),
            Sym::Map(_) => "a map".into(),
            Sym::Either(_) => "one of several kinds of values".into(),
        };
        self.stop(Diagnostic::error(codes::WRONG_KIND, span, format!("expected {wanted}, found {found}")))
    }

    /// Whether a value is defined.
    pub(super) fn is_defined(&mut self, sym: &Sym) -> ExprId {
        match sym {
            Sym::One(single) => single.defined,
            Sym::Ratio(numerator, _) => self.is_defined(numerator),
            Sym::Known(Const::Undef) => self.boolean(false),
            // A tuple in which every component is `undef` stands for `undef` at a location of tuples.
            Sym::Tuple(items) => {
                let defined: Vec<ExprId> = items.iter().map(|item| self.is_defined(item)).collect();
                self.any(&defined)
            }
            Sym::Either(cases) => {
                let mut parts = Vec::new();
                for (case, guard) in cases {
                    let defined = self.is_defined(case);
                    parts.push(self.and(*guard, defined));
                }
                self.any(&parts)
            }
            _ => self.boolean(true),
        }
    }

    /// A comparison; comparing an expression with itself, or two constants, gives a constant.
    pub(super) fn compare(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        if a == b {
            return self.boolean(matches!(op, BinaryOp::Eq | BinaryOp::Le | BinaryOp::Ge));
        }
        if let (Node::Const(Value::Int(x)), Node::Const(Value::Int(y))) = (&self.model[a], &self.model[b]) {
            let truth = match op {
                BinaryOp::Eq => Some(x == y),
                BinaryOp::Ne => Some(x != y),
                BinaryOp::Lt => Some(x < y),
                BinaryOp::Le => Some(x <= y),
                BinaryOp::Gt => Some(x > y),
                BinaryOp::Ge => Some(x >= y),
                _ => None,
            };
            if let Some(truth) = truth {
                return self.boolean(truth);
            }
        }
        self.node(Node::Binary(op, a, b))
    }
}
