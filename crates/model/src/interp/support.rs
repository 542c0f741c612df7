//! Support of expressions: the variables that they read, and whether they are temporal.

use super::eval::eval;
use crate::expr::{ExprId, Node};
use crate::model::{TransitionSystem, VarId, VarKind};
use crate::state::State;
use crate::value::Value;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// The support of an expression, with defines resolved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Support {
    /// The variables whose present values it reads.
    pub now: BTreeSet<VarId>,
    /// The variables whose next values it reads.
    pub next: BTreeSet<VarId>,
    /// Whether it has a temporal operator.
    pub temporal: bool,
}

/// The support of an expression.
pub fn support(model: &TransitionSystem, expr: ExprId) -> Support {
    support_of(model, [expr])
}

/// The common support of some expressions; shared parts are visited once.
pub fn support_of(model: &TransitionSystem, exprs: impl IntoIterator<Item = ExprId>) -> Support {
    let mut support = Support::default();
    let mut seen = FxHashSet::default();
    let mut stack: Vec<(ExprId, bool)> = exprs.into_iter().map(|expr| (expr, false)).collect();
    while let Some((expr, next)) = stack.pop() {
        if !seen.insert((expr, next)) {
            continue;
        }
        match &model[expr] {
            Node::Var(var) => {
                // The next value of a frozen variable is its present value.
                let next = next && model[*var].kind != VarKind::Frozen;
                if next { &mut support.next } else { &mut support.now }.insert(*var);
            }
            Node::Define(define) => stack.push((model.body(*define), next)),
            Node::Next(a) => stack.push((*a, true)),
            // Of an array with a constant index only that element counts.
            Node::Index(array, index) => match element(model, *array, *index) {
                Some((element, later)) => stack.push((element, next || later)),
                None => stack.extend([(*array, next), (*index, next)]),
            },
            node => {
                support.temporal |= is_temporal(node);
                node.for_each_child(|child| stack.push((child, next)));
            }
        }
    }
    support
}

/// The element of an array at a constant index, and whether it is taken in the next state.
fn element(model: &TransitionSystem, array: ExprId, index: ExprId) -> Option<(ExprId, bool)> {
    let nowhere = State::empty(model.vars.len());
    let Ok(Value::Int(index)) = eval(model, index, &nowhere, None) else { return None };
    let (mut array, mut later) = (array, false);
    loop {
        match &model[array] {
            Node::Define(define) => array = model.body(*define),
            Node::Next(a) => (array, later) = (*a, true),
            Node::Index(outer, place) => {
                let (element, next) = super::eval::grow(|| element(model, *outer, *place))?;
                (array, later) = (element, later || next);
            }
            Node::Array(first, items) => {
                let place = usize::try_from(index.checked_sub(*first)?).ok()?;
                return items.get(place).map(|item| (*item, later));
            }
            _ => return None,
        }
    }
}

/// Whether the operator of a node is temporal.
pub(crate) fn is_temporal(node: &Node) -> bool {
    match node {
        Node::Unary(op, _) => op.logic().is_some(),
        Node::Binary(op, ..) => op.logic().is_some(),
        Node::Bounded(..) | Node::BoundedUntil(..) => true,
        _ => false,
    }
}
