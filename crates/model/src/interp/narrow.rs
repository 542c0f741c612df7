//! Which values of an open variable a constraint leaves, before any of them is tried.
//!
//! It only saves work: whatever is kept is checked afterwards, and a value is left out only if the constraint is false
//! with it, whatever the other open variables will be.

use super::eval::{Evaluator, grow};
use super::plan::stands_for;
use super::value_set::ValueSet;
use crate::expr::{ExprId, Node};
use crate::model::Model;
use crate::op::{BinaryOp, UnaryOp};
use crate::value::Value;

/// The values that a variable can have where an expression is true; nothing if that may be any.
///
/// The variable is open in the evaluator's states, and `variable` is how it is written.
pub(super) fn candidates(
    model: &Model,
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

/// Both are right, so the smaller one will do.
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
