//! Mutually exclusive conditions.

use super::Lowering;
use crate::expr::{ExprId, Node};
use crate::value::Value;

impl Lowering<'_> {
    /// Whether two conditions are obviously exclusive.
    pub(super) fn exclusive(&mut self, a: ExprId, b: ExprId) -> bool {
        let (a, b) = (self.literals(a), self.literals(b));
        a.iter().any(|x| {
            b.iter().any(|y| match (x, y) {
                (Literal::Is(x, value), Literal::Is(y, other)) => x == y && value != other,
                (Literal::Holds(x, truth), Literal::Holds(y, other)) => x == y && truth != other,
                (Literal::Is(x, value), Literal::Not(y, other)) | (Literal::Not(y, other), Literal::Is(x, value)) => {
                    x == y && value == other
                }
                _ => false,
            })
        })
    }

    /// The conjuncts of a condition.
    fn literals(&self, expr: ExprId) -> Vec<Literal> {
        use crate::op::{BinaryOp, UnaryOp};
        let mut found = Vec::new();
        let mut stack = vec![expr];
        while let Some(expr) = stack.pop() {
            let constant = |expr: ExprId| match self.model[expr] {
                Node::Const(value) => Some(value),
                _ => None,
            };
            match self.model[expr] {
                Node::Binary(BinaryOp::And, a, b) if found.len() < 64 => {
                    found.push(Literal::Holds(expr, true));
                    stack.extend([a, b]);
                }
                Node::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), a, b) => {
                    found.push(Literal::Holds(expr, true));
                    let (expr, value) = match (constant(a), constant(b)) {
                        (None, Some(value)) => (a, value),
                        (Some(value), None) => (b, value),
                        _ => continue,
                    };
                    found.push(if op == BinaryOp::Eq { Literal::Is(expr, value) } else { Literal::Not(expr, value) });
                }
                Node::Unary(UnaryOp::Not, inner) => found.push(Literal::Holds(inner, false)),
                _ => found.push(Literal::Holds(expr, true)),
            }
        }
        found
    }
}

/// A conjunct.
enum Literal {
    Is(ExprId, Value),
    Not(ExprId, Value),
    Holds(ExprId, bool),
}
