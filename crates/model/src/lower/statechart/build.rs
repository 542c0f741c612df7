//! Construction of model expressions with constant folding.

use super::Lowering;
use crate::expr::{ExprId, Node};
use crate::op::{BinaryOp, UnaryOp};
use crate::ty::Ty;
use crate::value::{Domain, Value};

impl Lowering<'_> {
    pub(super) fn node(&mut self, node: Node) -> ExprId {
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

    pub(super) fn symbol(&mut self, name: &str) -> ExprId {
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

    pub(super) fn and(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (self.truth_of(a), self.truth_of(b)) {
            (Some(true), _) | (_, Some(false)) => b,
            (_, Some(true)) | (Some(false), _) => a,
            _ if a == b => a,
            _ if self.not(a) == b => self.boolean(false),
            _ => self.node(Node::Binary(BinaryOp::And, a, b)),
        }
    }

    pub(super) fn or(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (self.truth_of(a), self.truth_of(b)) {
            (Some(false), _) | (_, Some(true)) => b,
            (_, Some(false)) | (Some(true), _) => a,
            _ if a == b => a,
            _ if self.not(a) == b => self.boolean(true),
            _ => self.node(Node::Binary(BinaryOp::Or, a, b)),
        }
    }

    /// `a` and not `b`.
    pub(super) fn without(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let b = match self.model[b] {
            Node::Binary(BinaryOp::And, x, rest) if x == a => rest,
            _ => b,
        };
        if self.truth_of(b).is_none() && self.truth_of(a).is_none() {
            let both = self.and(a, b);
            // Where both cannot hold, nothing has to be excluded.
            if !self.prune.can_hold(&self.model, both) {
                return a;
            }
        }
        let b = self.not(b);
        self.and(a, b)
    }

    /// The disjunction as a balanced tree.
    pub(super) fn any(&mut self, items: &[ExprId]) -> ExprId {
        self.joined(items, false, Self::or)
    }

    /// The conjunction as a balanced tree.
    pub(super) fn all(&mut self, items: &[ExprId]) -> ExprId {
        self.joined(items, true, Self::and)
    }

    fn joined(&mut self, items: &[ExprId], empty: bool, join: fn(&mut Self, ExprId, ExprId) -> ExprId) -> ExprId {
        match items {
            [] => self.boolean(empty),
            [one] => *one,
            _ => {
                let (left, right) = items.split_at(items.len() / 2);
                let (left, right) = (self.joined(left, empty, join), self.joined(right, empty, join));
                join(self, left, right)
            }
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

    /// A comparison or an arithmetic operation; constants are folded.
    pub(super) fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        if let (Node::Const(x), Node::Const(y)) = (&self.model[a], &self.model[b])
            && let Ok(value) = crate::interp::binary_op(op, *x, *y)
        {
            return self.node(Node::Const(value));
        }
        if a == b
            && matches!(op, BinaryOp::Eq | BinaryOp::Le | BinaryOp::Ge | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Gt)
        {
            return self.boolean(matches!(op, BinaryOp::Eq | BinaryOp::Le | BinaryOp::Ge));
        }
        // A variable is different from what is not in its enumeration.
        for (var, constant) in [(a, b), (b, a)] {
            if let (Node::Var(var), Node::Const(value)) = (&self.model[var], &self.model[constant])
                && matches!(op, BinaryOp::Eq | BinaryOp::Ne)
                && matches!(self.model[*var].domain, Domain::Enum(_))
                && !self.model[*var].domain.contains(*value)
            {
                return self.boolean(op == BinaryOp::Ne);
            }
        }
        // Numbers and symbols are different.
        let is_number = |of: ExprId| *self.model.context.exprs.ty(of) == Ty::INT;
        let is_symbol = |of: ExprId| matches!(self.model[of], Node::Const(Value::Symbol(_)));
        if matches!(op, BinaryOp::Eq | BinaryOp::Ne) && (is_number(a) && is_symbol(b) || is_number(b) && is_symbol(a)) {
            return self.boolean(op == BinaryOp::Ne);
        }
        // A choice of constants compared with a constant is a choice of truth values. Choices share their parts, so each one
        // is compared once.
        if let Node::Ite(c, x, y) = self.model[a]
            && matches!(self.model[b], Node::Const(_))
            && matches!(op, BinaryOp::Eq | BinaryOp::Ne)
        {
            if let Some(known) = self.compared.get(&(op, a, b)) {
                return *known;
            }
            let compared = crate::interp::grow(|| {
                let (x, y) = (self.binary(op, x, b), self.binary(op, y, b));
                self.choose(c, x, y)
            });
            self.compared.insert((op, a, b), compared);
            return compared;
        }
        self.node(Node::Binary(op, a, b))
    }

    /// An expression that cannot be true is false, and of those that hold in the same states the first one stands for all.
    /// That keeps what is unfolded small, and tells where it ends.
    pub(super) fn pruned(&mut self, expr: ExprId) -> ExprId {
        if self.truth_of(expr).is_some() {
            return expr;
        }
        match self.prune.first_equal(&self.model, expr) {
            Some(expr) => expr,
            None => self.boolean(false),
        }
    }
}
