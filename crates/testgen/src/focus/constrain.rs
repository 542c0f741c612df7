//! Constraints of the reduced model: exact within the focus, and permissive about leaving it.

use super::other_value::Draft;
use super::reduce::Unreducible;
use specwright_model::op::BinaryOp;
use specwright_model::{ExprId, Node, Ty, VarId};

impl Draft {
    /// A constraint that holds wherever the original one holds for some values that "other" stands for.
    ///
    /// Conjunctions, disjunctions and implications are decomposed, so that `next(x) = x + 1` still determines when `x`
    /// leaves the focus.
    pub(super) fn constraint(&mut self, expr: ExprId) -> Result<ExprId, Unreducible> {
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || self.compute_constraint(expr))
    }

    fn compute_constraint(&mut self, expr: ExprId) -> Result<ExprId, Unreducible> {
        match self.model[expr] {
            Node::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) if *self.model.context.exprs.ty(a) == Ty::BOOL => {
                let (a, b) = (self.constraint(a)?, self.constraint(b)?);
                Ok(self.make(Node::Binary(op, a, b)))
            }
            Node::Binary(BinaryOp::Implies, condition, then) => {
                let trusted = self.trusted(condition);
                let condition = self.all(trusted.into_iter().chain([condition])).unwrap_or(condition);
                let then = self.constraint(then)?;
                Ok(self.make(Node::Binary(BinaryOp::Implies, condition, then)))
            }
            Node::Binary(op @ (BinaryOp::Eq | BinaryOp::In), left, right) => {
                match (self.in_focus(left), self.in_focus(right)) {
                    (Some(var), _) if !self.mentions_same(left, var, right) => self.assignment(op, var, left, right),
                    (_, Some(var)) if op == BinaryOp::Eq && !self.mentions_same(right, var, left) => {
                        self.assignment(op, var, right, left)
                    }
                    _ => Ok(self.guarded(expr)),
                }
            }
            _ => Ok(self.guarded(expr)),
        }
    }

    /// The variable in focus that an expression denotes, now or next.
    fn in_focus(&self, expr: ExprId) -> Option<VarId> {
        let inner = match self.model[expr] {
            Node::Next(inner) => inner,
            _ => expr,
        };
        match self.model[inner] {
            Node::Var(var) => self.focus.contains_key(&var).then_some(var),
            _ => None,
        }
    }

    /// Whether an expression reads the value that `place` denotes.
    fn mentions_same(&self, place: ExprId, var: VarId, expr: ExprId) -> bool {
        let mentions = self.mentions(expr);
        let next = matches!(self.model[place], Node::Next(_));
        if next { mentions.next.contains(&var) } else { mentions.now.contains(&var) }
    }

    fn assignment(&mut self, op: BinaryOp, var: VarId, place: ExprId, value: ExprId) -> Result<ExprId, Unreducible> {
        let trusted = self.trusted(value);
        let value = self.kept(var, value)?;
        let claim = self.make(Node::Binary(op, place, value));
        Ok(self.implied(trusted, claim))
    }

    /// A condition that is required only where it has its value of the whole model.
    fn guarded(&mut self, expr: ExprId) -> ExprId {
        let trusted = self.trusted(expr);
        self.implied(trusted, expr)
    }

    fn implied(&mut self, condition: Option<ExprId>, then: ExprId) -> ExprId {
        match condition {
            Some(condition) => self.make(Node::Binary(BinaryOp::Implies, condition, then)),
            None => then,
        }
    }
}
