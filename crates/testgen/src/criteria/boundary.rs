//! Boundary values: the ends of integer ranges, and constants in comparisons with their neighbours.

use super::builder::{Builder, Draft};
use specwright_mc::Query;
use specwright_model::op::BinaryOp;
use specwright_model::{Domain, ExprId, Model, Node, SourcedExpr, Ty, Value, VarId};
use specwright_syntax::span::Span;

pub(super) fn goals(builder: &mut Builder<'_>) {
    let is_number = |model: &Model, var: VarId| matches!(model[var].domain, Domain::Range(..) | Domain::Integer);
    for var in builder.variables(is_number, usize::MAX) {
        let Domain::Range(first, last) = *builder.domain(var) else { continue };
        let (expr, span) = (builder.var(var), builder.model()[var].span);
        for number in [first, last] {
            add(builder, expr, number, span);
        }
    }
    for (expr, constant, span) in comparisons(builder.model()) {
        for number in [constant.checked_sub(1), Some(constant), constant.checked_add(1)].into_iter().flatten() {
            if can_be(builder.model(), expr, number) {
                add(builder, expr, number, span);
            }
        }
    }
}

fn add(builder: &mut Builder<'_>, expr: ExprId, number: i64, span: Span) {
    let text = builder.text(expr);
    let target = Query::Reach(builder.has_value(expr, Value::Int(number)));
    let description = format!("`{text}` is {number}");
    builder.add(Draft { key: Some(format!("{text}={number}")), group: text, description, span, target });
}

/// Whether a number is in the domain of a variable; true for other expressions, whose values only the engine knows.
fn can_be(model: &Model, expr: ExprId, number: i64) -> bool {
    match &model[expr] {
        Node::Var(var) => model[*var].domain.contains(Value::Int(number)),
        Node::Next(inner) => can_be(model, *inner, number),
        _ => true,
    }
}

/// All comparisons of a number with a constant in the machine, in source order.
fn comparisons(model: &Model) -> Vec<(ExprId, i64, Span)> {
    let assigned = model.assigns.iter().map(|assign| &assign.value);
    let defined = model.defines.iter().map(|define| &define.body);
    let constrained = model.init.iter().chain(&model.invar).chain(&model.trans);
    let mut found = Vec::new();
    for sourced in assigned.chain(defined).chain(constrained) {
        walk(model, sourced, sourced.expr, &mut 0, &mut found);
    }
    found
}

fn walk(model: &Model, sourced: &SourcedExpr, expr: ExprId, at: &mut usize, found: &mut Vec<(ExprId, i64, Span)>) {
    use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
    let span = sourced.spans.get(*at).copied().unwrap_or(Span::NONE);
    *at += 1;
    if let Node::Binary(Eq | Ne | Lt | Le | Gt | Ge, a, b) = model[expr] {
        for (side, other) in [(a, b), (b, a)] {
            let counts = *model.context.exprs.ty(side) == Ty::INT && constant(model, side).is_none();
            if let Some(number) = constant(model, other).filter(|_| counts) {
                found.push((side, number, span));
            }
        }
    }
    for child in model[expr].children() {
        walk(model, sourced, child, at, found);
    }
}

/// The value of a constant or of a define of one.
fn constant(model: &Model, expr: ExprId) -> Option<i64> {
    match &model[expr] {
        Node::Const(Value::Int(number)) => Some(*number),
        Node::Define(define) => constant(model, model.body(*define)),
        _ => None,
    }
}
