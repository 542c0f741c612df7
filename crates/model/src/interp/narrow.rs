//! Narrowing: the values of an unassigned variable that satisfy a constraint, computed before any value is tried.
//!
//! Narrowing is an optimization: kept values are checked afterwards, and a value is removed only if the constraint is
//! false with it for all values of the other unassigned variables.

use super::eval::{Evaluator, grow};
use super::plan::stands_for;
use super::value_set::ValueSet;
use crate::expr::{ExprId, Node};
use crate::model::TransitionSystem;
use crate::op::{BinaryOp, UnaryOp};
use crate::value::Value;

/// The values of a variable for which an expression can be true; `None` if there is no restriction.
///
/// The variable is unassigned in the evaluator's states; `variable` is the expression that denotes it.
pub(super) fn candidates(
    model: &TransitionSystem,
    evaluator: &mut Evaluator<'_>,
    variable: ExprId,
    expr: ExprId,
) -> Option<ValueSet> {
    let is_variable = |expr: &ExprId| stands_for(model, *expr) == variable;
    if is_variable(&expr) {
        return Some(ValueSet::one(Value::Bool(true)));
    }
    match evaluator.truth(expr) {
        Ok(true) => return None,
        Ok(false) => return Some(ValueSet::default()),
        Err(_) => {}
    }
    let inside = |evaluator: &mut Evaluator<'_>, part| grow(|| candidates(model, evaluator, variable, part));
    match &model[expr] {
        Node::Define(define) => inside(evaluator, model.body(*define)),
        Node::Unary(UnaryOp::Not, a) if is_variable(a) => Some(ValueSet::one(Value::Bool(false))),
        Node::Binary(BinaryOp::Eq | BinaryOp::Iff, a, b) if is_variable(a) => evaluator.set(*b).ok(),
        Node::Binary(BinaryOp::Eq | BinaryOp::Iff, a, b) if is_variable(b) => evaluator.set(*a).ok(),
        Node::Binary(BinaryOp::In, a, b) if is_variable(a) => evaluator.set(*b).ok(),
        Node::Binary(BinaryOp::And, a, b) => smaller(inside(evaluator, *a), inside(evaluator, *b)),
        Node::Binary(BinaryOp::Or, a, b) => union(inside(evaluator, *a)?, &inside(evaluator, *b)?),
        Node::Binary(BinaryOp::Implies, a, b) if evaluator.truth(*a) == Ok(true) => inside(evaluator, *b),
        Node::Ite(condition, a, b) => match evaluator.truth(*condition) {
            Ok(true) => inside(evaluator, *a),
            Ok(false) => inside(evaluator, *b),
            Err(_) => union(inside(evaluator, *a)?, &inside(evaluator, *b)?),
        },
        _ => None,
    }
}

/// The smaller of two sound restrictions.
pub(super) fn smaller(a: Option<ValueSet>, b: Option<ValueSet>) -> Option<ValueSet> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if b.len() < a.len() { b } else { a }),
        (a, b) => a.or(b),
    }
}

#[expect(clippy::unnecessary_wraps, reason = "it ends the chain of those that may be nothing")]
fn union(mut a: ValueSet, b: &ValueSet) -> Option<ValueSet> {
    a.extend(b);
    Some(a)
}
