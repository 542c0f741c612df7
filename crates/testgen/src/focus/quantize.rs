//! Quantizing: of an input that is only compared with constants, a few values are as good as all of them.
//!
//! The constants and their neighbours cut the values into regions, within which nothing can tell one value from another
//! but that the input has changed. So the two ends of every region stand for all of it, and no test is lost.

use super::keep::Keep;
use rustc_hash::FxHashSet;
use specwright_model::model::{AssignKind, Var};
use specwright_model::op::BinaryOp;
use specwright_model::{Domain, ExprId, Model, Node, State, Value, VarId};
use std::collections::BTreeSet;

/// An input with fewer values than this stays as it is.
const FEW: u128 = 64;

/// For each input that can be quantized the values that stand for all.
pub fn quantize(model: &Model) -> Vec<Keep> {
    let mut keeps = Vec::new();
    for (var, declared) in candidates(model) {
        let Domain::Range(first, last) = declared.domain else { continue };
        if obstacle(model, var).is_some() {
            continue;
        }
        let mut points: BTreeSet<i64> = compared_constants(model, var).into_iter().collect();
        let nowhere = State::empty(model.vars.len());
        if let Some(init) = model.assign(AssignKind::Init, var) {
            let Ok(set) = specwright_model::interp::eval_set(model, init.value.expr, &nowhere, None) else { continue };
            if set.len() > 16 {
                continue;
            }
            points.extend(set.iter().filter_map(|value| match value {
                Value::Int(number) => Some(number),
                _ => None,
            }));
        }
        // Mutants may be off by one, so neighbours are regions of their own.
        let around = |point: &i64| (-2..=2).filter_map(|by| point.checked_add(by)).collect::<Vec<_>>();
        let ends: BTreeSet<i64> = points.iter().flat_map(around).chain([first, last]).collect();
        let values: Vec<Value> = ends.range(first..=last).map(|number| Value::Int(*number)).collect();
        if (values.len() as u128) < declared.domain.size().unwrap_or(u128::MAX)
            && let Ok(keep) = Keep::of(model, var, values)
        {
            keeps.push(keep);
        }
    }
    keeps
}

/// For each input with many values that cannot be quantized what is done with it that keeps it from that.
pub fn unquantizable(model: &Model) -> Vec<(VarId, ExprId)> {
    candidates(model).filter_map(|(var, _)| obstacle(model, var).map(|expr| (var, expr))).collect()
}

/// The variables with many values that nothing but the environment drives.
fn candidates(model: &Model) -> impl Iterator<Item = (VarId, &Var)> {
    model.vars().filter(|(var, declared)| {
        let driven = [AssignKind::Next, AssignKind::Always].iter().any(|kind| model.assign(*kind, *var).is_some());
        let many = matches!(declared.domain, Domain::Range(..)) && declared.domain.size().is_some_and(|n| n >= FEW);
        many && !driven
    })
}

/// Everything that a model says, as expressions.
fn roots(model: &Model) -> Vec<ExprId> {
    let written = model.assigns.iter().map(|assign| &assign.value);
    let written = written.chain(model.defines.iter().map(|define| &define.body));
    let written = written.chain(&model.init).chain(&model.trans).chain(&model.invar).chain(&model.justice);
    let written = written.chain(model.compassion.iter().flat_map(|(p, q)| [p, q]));
    let written = written.chain(
        model
            .properties
            .iter()
            .flat_map(|property| [Some(&property.formula), property.target.as_ref()].into_iter().flatten()),
    );
    let elements = model.elements.iter().flat_map(|element| element.instances.iter().copied());
    written.map(|written| written.expr).chain(elements).collect()
}

/// What is done with a variable other than to compare it with constants, or with itself before a step.
fn obstacle(model: &Model, var: VarId) -> Option<ExprId> {
    let parts = model.exprs.parts(roots(model));
    let is_comparison = |part: &ExprId| {
        let part = *part;
        let node = &model[part];
        let mentions = node.children().into_iter().filter(|child| is_value_of(model, *child, var)).count();
        match node {
            _ if mentions == 0 => true,
            Node::Next(_) => true,
            Node::Binary(BinaryOp::Eq | BinaryOp::Ne, ..) if mentions == 2 => true,
            Node::Binary(op, a, b) if op.is_relational() => {
                mentions == 1 && [a, b].into_iter().any(|side| constant(model, *side).is_some())
            }
            _ => false,
        }
    };
    let bodies = model.defines.iter().map(|define| define.body.expr);
    let mut copies = bodies.chain(model.assigns.iter().map(|assign| assign.value.expr));
    let copied = copies.find(|expr| is_value_of(model, *expr, var));
    parts.into_iter().find(|part| !is_comparison(part)).or(copied)
}

/// Whether an expression is the value of a variable, now or next.
fn is_value_of(model: &Model, expr: ExprId, var: VarId) -> bool {
    match model[expr] {
        Node::Var(other) => other == var,
        Node::Next(inner) => model[inner] == Node::Var(var),
        _ => false,
    }
}

/// The constants that a variable is compared with, and those that have names, which mutants may compare it with.
pub(super) fn compared_constants(model: &Model, var: VarId) -> Vec<i64> {
    let mut numbers = FxHashSet::default();
    for part in model.exprs.parts(roots(model)) {
        if let Node::Binary(op, a, b) = model[part]
            && op.is_relational()
        {
            for (side, other) in [(a, b), (b, a)] {
                if is_value_of(model, side, var) {
                    numbers.extend(constant(model, other));
                }
            }
        }
    }
    if !numbers.is_empty() {
        numbers.extend(model.defines.iter().filter_map(|define| constant(model, define.body.expr)));
    }
    let mut numbers: Vec<i64> = numbers.into_iter().collect();
    numbers.sort_unstable();
    numbers
}

fn constant(model: &Model, expr: ExprId) -> Option<i64> {
    match &model[expr] {
        Node::Const(Value::Int(number)) => Some(*number),
        Node::Unary(specwright_model::op::UnaryOp::Neg, inner) => constant(model, *inner)?.checked_neg(),
        Node::Define(define) => constant(model, model.body(*define)),
        _ => None,
    }
}
