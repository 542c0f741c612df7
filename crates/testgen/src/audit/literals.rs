//! Conditions that describe single states, to be generalized.

use specwright_model::model::VarKind;
use specwright_model::op::{BinaryOp, UnaryOp};
use specwright_model::{ExprId, Model, Node, State, Value, VarId};

/// The value of each variable in a state: `x`, `!x` or `x = 3`.
pub(super) fn literals(model: &Model, state: &State, vars: &[VarId]) -> Vec<ExprId> {
    vars.iter().filter_map(|var| state.get(*var).and_then(|value| literal(model, *var, value))).collect()
}

fn literal(model: &Model, var: VarId, value: Value) -> Option<ExprId> {
    with_value(model, model.make(Node::Var(var)).ok()?, value)
}

/// That an expression has a value.
pub(super) fn with_value(model: &Model, expr: ExprId, value: Value) -> Option<ExprId> {
    match value {
        Value::Bool(true) => Some(expr),
        Value::Bool(false) => model.make(Node::Unary(UnaryOp::Not, expr)).ok(),
        value => {
            let value = model.make(Node::Const(value)).ok()?;
            model.make(Node::Binary(BinaryOp::Eq, expr, value)).ok()
        }
    }
}

/// The variables of states.
pub(super) fn state_vars(model: &Model) -> Vec<VarId> {
    model.vars().filter(|(_, var)| var.kind != VarKind::Input).map(|(var, _)| var).collect()
}

/// The conjunction of conditions; nothing for none.
pub(super) fn all(model: &Model, conditions: &[ExprId]) -> Option<ExprId> {
    let mut conditions = conditions.iter().copied();
    let first = conditions.next()?;
    Some(conditions.fold(first, |all, condition| make(model, Node::Binary(BinaryOp::And, all, condition))))
}

/// The negation of a conjunction, as a person would write it.
pub(super) fn none(model: &Model, conditions: &[ExprId]) -> Option<ExprId> {
    if let [condition] = conditions {
        return Some(match model[*condition] {
            Node::Unary(UnaryOp::Not, inner) => inner,
            Node::Binary(BinaryOp::Eq, a, b) => make(model, Node::Binary(BinaryOp::Ne, a, b)),
            _ => make(model, Node::Unary(UnaryOp::Not, *condition)),
        });
    }
    Some(make(model, Node::Unary(UnaryOp::Not, all(model, conditions)?)))
}

/// `AG (when -> claim)`, or `AG claim` without a condition.
pub(super) fn always(model: &Model, when: Option<ExprId>, claim: ExprId) -> ExprId {
    let body = when.map_or(claim, |when| make(model, Node::Binary(BinaryOp::Implies, when, claim)));
    make(model, Node::Unary(UnaryOp::AG, body))
}

pub(super) fn make(model: &Model, node: Node) -> ExprId {
    model.make(node).expect("conditions are truth values")
}
