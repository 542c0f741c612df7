//! Totality of expressions: whether an expression has a value in all cases, decided by its shape or by trying all
//! cases.

use super::cases::Cases;
use super::eval::Evaluator;
use super::value_set::ValueSet;
use crate::expr::{ExprId, Node};
use crate::model::{TransitionSystem, VarId};
use crate::op::BinaryOp;
use crate::state::State;
use crate::ty::Ty;
use crate::value::{Domain, Value};

/// An expression that must be defined in all cases; if it is assigned, its values must be in the domain of the
/// variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Demand {
    /// The expression.
    pub expr: ExprId,
    /// The variable that it is assigned to.
    pub var: Option<VarId>,
}

impl Demand {
    /// Whether it may fail, judged by the shape of the expression; errs towards `true`.
    pub fn may_fail(self, model: &TransitionSystem) -> bool {
        let strays = || self.var.is_some_and(|var| !stays_within(model, self.expr, &model[var].domain));
        strays() || model.mentions(self.expr, |node| is_partial(model, node))
    }

    /// Whether it fails in a case.
    pub fn fails_in(self, model: &TransitionSystem, now: &State, next: &State) -> bool {
        let mut evaluator = Evaluator::new(model, now, Some(next));
        match self.var {
            Some(var) => {
                let domain = &model[var].domain;
                let fits = |set: ValueSet| !set.is_empty() && set.is_within(domain);
                !evaluator.set(self.expr).is_ok_and(fits)
            }
            None if matches!(model.context.exprs.ty(self.expr), Ty::One(_)) => evaluator.value(self.expr).is_err(),
            None => false,
        }
    }

    /// Whether it never fails, in reachable and unreachable states. `None` (undecided) if there are more than
    /// `max_cases` cases.
    pub fn is_met(self, model: &TransitionSystem, max_cases: u128) -> Option<bool> {
        if !self.may_fail(model) {
            return Some(true);
        }
        let cases = Cases::new(model, self.expr);
        (cases.count() <= max_cases).then(|| !cases.any(model, |now, next| self.fails_in(model, now, next)))
    }
}

/// Whether a node may have no value although its parts have values, judged by its shape.
pub(crate) fn is_partial(model: &TransitionSystem, node: &Node) -> bool {
    match node {
        Node::Binary(BinaryOp::Div | BinaryOp::Mod | BinaryOp::Shl | BinaryOp::Shr, ..) | Node::Index(..) => true,
        Node::Case(branches) => !is_exhaustive(model, branches),
        // An empty range has no value.
        Node::Range(first, last) => match (&model[*first], &model[*last]) {
            (Node::Const(first), Node::Const(last)) => first > last,
            _ => true,
        },
        _ => false,
    }
}

/// Whether a `case` obviously has a branch for every state.
pub fn is_exhaustive(model: &TransitionSystem, branches: &[(ExprId, ExprId)]) -> bool {
    branches.iter().any(|(guard, _)| model[*guard] == Node::Const(Value::Bool(true)))
}

/// Whether the values of an expression are obviously in a domain.
fn stays_within(model: &TransitionSystem, expr: ExprId, domain: &Domain) -> bool {
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

fn is_constant(model: &TransitionSystem, a: ExprId, b: ExprId) -> bool {
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
