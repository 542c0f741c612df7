//! Expressions that may be without a value: which they are, and whether they are in a given case.

use super::site::SiteId;
use specwright_model::interp::Evaluator;
use specwright_model::op::{BinaryOp, UnaryOp};
use specwright_model::{Domain, ExprId, Model, Node, State, Ty, Value, VarId};

/// An expression that must have a value in every case and, if it is assigned, one that its variable can have.
#[derive(Clone, Copy)]
pub(super) struct Unit {
    pub(super) expr: ExprId,
    /// The variable that it is assigned to.
    pub(super) var: Option<VarId>,
}

/// The expressions of a site that are evaluated on their own, if the site is this expression.
pub(super) fn units(model: &Model, site: SiteId, expr: ExprId) -> Vec<Unit> {
    match site {
        SiteId::Assign(index) => vec![Unit { expr, var: Some(model.assigns[index].var) }],
        // Nobody evaluates a define by itself.
        SiteId::Define(_) => Vec::new(),
        SiteId::Init(_) | SiteId::Invar(_) => vec![Unit { expr, var: None }],
        SiteId::Trans(_) | SiteId::Property(_) => {
            let mut units = Vec::new();
            let mut stack = vec![expr];
            while let Some(expr) = stack.pop() {
                match &model[expr] {
                    node if is_split(site, node) => node.for_each_child(|child| stack.push(child)),
                    _ => units.push(Unit { expr, var: None }),
                }
            }
            units
        }
    }
}

/// Whether the parts of a node are evaluated on their own.
fn is_split(site: SiteId, node: &Node) -> bool {
    use BinaryOp::{And, Iff, Implies, Or, Xnor, Xor};
    match node {
        Node::Binary(And, ..) => true,
        _ if !site.is_property() => false,
        Node::Unary(op, _) => *op != UnaryOp::Neg,
        Node::Binary(op, ..) => op.logic().is_some() || matches!(op, Or | Implies | Iff | Xor | Xnor),
        Node::Bounded(..) | Node::BoundedUntil(..) => true,
        _ => false,
    }
}

/// Whether an expression may fail, as far as can be seen at a glance.
pub(super) fn may_fail(model: &Model, unit: Unit) -> bool {
    let is_partial = |node: &Node| match node {
        Node::Binary(BinaryOp::Div | BinaryOp::Mod | BinaryOp::Shl | BinaryOp::Shr, ..) | Node::Index(..) => true,
        Node::Case(branches) => !is_exhaustive(model, branches),
        _ => false,
    };
    let strays = || unit.var.is_some_and(|var| !stays_within(model, unit.expr, &model[var].domain));
    strays() || model.mentions(unit.expr, is_partial)
}

/// Whether a `case` can be seen to have a branch for everything.
pub(super) fn is_exhaustive(model: &Model, branches: &[(ExprId, ExprId)]) -> bool {
    branches.iter().any(|(guard, _)| model[*guard] == Node::Const(Value::Bool(true)))
}

/// Whether an expression fails in a case.
pub(super) fn fails_in(model: &Model, unit: Unit, now: &State, next: &State) -> bool {
    let mut evaluator = Evaluator::new(model, now, Some(next));
    match unit.var {
        Some(var) => {
            let domain = &model[var].domain;
            !evaluator.set(unit.expr).is_ok_and(|set| set.iter().all(|value| domain.contains(value)))
        }
        None if matches!(model.exprs.ty(unit.expr), Ty::One(_)) => evaluator.value(unit.expr).is_err(),
        None => false,
    }
}

/// Whether the values of an expression can be seen to belong to a domain.
fn stays_within(model: &Model, expr: ExprId, domain: &Domain) -> bool {
    if matches!(domain, Domain::Bool | Domain::Word { .. } | Domain::Integer) {
        return true;
    }
    let mut seen = rustc_hash::FxHashSet::default();
    let mut stack = vec![expr];
    while let Some(expr) = stack.pop() {
        if !seen.insert(expr) {
            continue;
        }
        match &model[expr] {
            Node::Const(value) if domain.contains(*value) => {}
            Node::Var(var) if is_subset(&model[*var].domain, domain) => {}
            Node::Define(define) => stack.push(model.body(*define)),
            Node::Next(inner) => stack.push(*inner),
            Node::Ite(_, a, b) | Node::Binary(BinaryOp::Union, a, b) => stack.extend([a, b]),
            Node::Case(branches) => stack.extend(branches.iter().map(|(_, value)| value)),
            Node::Set(items) => stack.extend(items.iter()),
            Node::Range(a, b) if matches!(domain, Domain::Range(..)) && is_constant(model, *a, *b) => {
                stack.extend([a, b]);
            }
            _ => return false,
        }
    }
    true
}

fn is_constant(model: &Model, a: ExprId, b: ExprId) -> bool {
    matches!((&model[a], &model[b]), (Node::Const(_), Node::Const(_)))
}

fn is_subset(inner: &Domain, outer: &Domain) -> bool {
    match (inner, outer) {
        (inner, outer) if inner == outer => true,
        (Domain::Range(low, high), Domain::Range(first, last)) => first <= low && high <= last,
        (Domain::Enum(values), outer) => values.iter().all(|value| outer.contains(*value)),
        _ => false,
    }
}
