//! Infection: where a changed part of a mutant of the machine has another value than in the model.
//!
//! Where the assignments of model and mutant determine their steps, a mutant follows a test until it is infected. So only tests that
//! infect a mutant can kill it. Whether they do is judged for all mutants and all states of a test at once.

use crate::goal::MachineMutant;
use specwright_mc::Place;
use specwright_model::model::AssignKind;
use specwright_model::op::{BinaryOp, UnaryOp};
use specwright_model::{ExprId, Node, TransitionSystem, Ty, Value};

/// The condition, on a state or a step, that some changed part may have another value.
pub(super) fn infection(model: &TransitionSystem, mutant: &MachineMutant) -> ExprId {
    any_change(model, mutant, |_, differ| differ)
}

/// The condition that some changed part has an effect: on the state, or on the step that takes the value.
pub(super) fn effect(model: &TransitionSystem, mutant: &MachineMutant) -> ExprId {
    any_change(model, mutant, |place, differ| match place {
        // A step of the model takes the value of the model.
        Place::Assign(index) if model.assigns[index].kind == AssignKind::Next => {
            let assign = &model.assigns[index];
            let taken = model.make(Node::Var(assign.var)).and_then(|var| model.make(Node::Next(var)));
            let taken = taken.and_then(|next| model.make(Node::Binary(BinaryOp::Eq, next, assign.value.expr)));
            taken.map_or(differ, |taken| and(model, differ, taken))
        }
        _ => differ,
    })
}

fn any_change(model: &TransitionSystem, mutant: &MachineMutant, effect: impl Fn(Place, ExprId) -> ExprId) -> ExprId {
    mutant.changes.iter().fold(constant(model, false), |any, (place, new)| {
        let old = match *place {
            Place::Define(define) => model.body(define),
            Place::Assign(index) => model.assigns[index].value.expr,
            Place::Init(index) => model.init[index].expr,
            Place::Invar(index) => model.invar[index].expr,
            Place::Trans(index) => model.trans.get(index).map_or_else(|| constant(model, true), |sourced| sourced.expr),
            // No test shows it.
            Place::Fairness(_) => return any,
        };
        or(model, any, effect(*place, differ(model, old, *new)))
    })
}

/// A condition that holds wherever two expressions have different values.
fn differ(model: &TransitionSystem, old: ExprId, new: ExprId) -> ExprId {
    let always = || constant(model, true);
    match (&model[old], &model[new]) {
        _ if old == new => constant(model, false),
        (Node::Case(old), Node::Case(new)) if old.len() == new.len() => {
            let mut all = constant(model, false);
            // From the last branch to the first: the first guard that holds decides.
            for ((guard, value), (other_guard, other_value)) in old.iter().zip(new).rev() {
                all = and(model, not(model, *guard), all);
                all = or(model, all, and(model, *guard, differ(model, *value, *other_value)));
                all = or(model, all, differ(model, *guard, *other_guard));
            }
            all
        }
        (Node::Ite(guard, yes, no), Node::Ite(other, other_yes, other_no)) if guard == other => {
            let yes = and(model, *guard, differ(model, *yes, *other_yes));
            or(model, yes, and(model, not(model, *guard), differ(model, *no, *other_no)))
        }
        _ => {
            let ty = model.context.exprs.ty(old);
            let op = if *ty == Ty::BOOL { BinaryOp::Xor } else { BinaryOp::Ne };
            model.make(Node::Binary(op, old, new)).unwrap_or_else(|_| always())
        }
    }
}

pub(super) fn constant(model: &TransitionSystem, value: bool) -> ExprId {
    model.make(Node::Const(Value::Bool(value))).expect("constants have types")
}

fn not(model: &TransitionSystem, expr: ExprId) -> ExprId {
    model.make(Node::Unary(UnaryOp::Not, expr)).expect("guards are conditions")
}

fn and(model: &TransitionSystem, one: ExprId, other: ExprId) -> ExprId {
    match (&model[one], &model[other]) {
        (Node::Const(Value::Bool(true)), _) | (_, Node::Const(Value::Bool(false))) => other,
        (Node::Const(Value::Bool(false)), _) | (_, Node::Const(Value::Bool(true))) => one,
        _ => model.make(Node::Binary(BinaryOp::And, one, other)).expect("both are conditions"),
    }
}

fn or(model: &TransitionSystem, one: ExprId, other: ExprId) -> ExprId {
    match (&model[one], &model[other]) {
        (Node::Const(Value::Bool(false)), _) | (_, Node::Const(Value::Bool(true))) => other,
        (Node::Const(Value::Bool(true)), _) | (_, Node::Const(Value::Bool(false))) => one,
        _ => model.make(Node::Binary(BinaryOp::Or, one, other)).expect("both are conditions"),
    }
}
