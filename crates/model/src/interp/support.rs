//! Which variables an expression depends on, and whether it is temporal.

use crate::expr::{ExprId, Node};
use crate::model::{Model, VarId, VarKind};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// What an expression looks at, defines included.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Support {
    /// The variables whose present value matters.
    pub now: BTreeSet<VarId>,
    /// The variables whose next value matters.
    pub next: BTreeSet<VarId>,
    /// Whether there is a temporal operator in it.
    pub temporal: bool,
}

/// What an expression looks at.
pub fn support(model: &Model, expr: ExprId) -> Support {
    let mut support = Support::default();
    let mut seen = FxHashSet::default();
    let mut stack = vec![(expr, false)];
    while let Some((expr, next)) = stack.pop() {
        if !seen.insert((expr, next)) {
            continue;
        }
        match &model[expr] {
            Node::Var(var) => {
                // The next value of what is frozen is the present one.
                let next = next && model[*var].kind != VarKind::Frozen;
                if next { &mut support.next } else { &mut support.now }.insert(*var);
            }
            Node::Define(define) => stack.push((model.body(*define), next)),
            Node::Next(a) => stack.push((*a, true)),
            node => {
                support.temporal |= is_temporal(node);
                node.for_each_child(|child| stack.push((child, next)));
            }
        }
    }
    support
}

/// Whether the operator of a node is temporal.
pub(super) fn is_temporal(node: &Node) -> bool {
    match node {
        Node::Unary(op, _) => op.logic().is_some(),
        Node::Binary(op, ..) => op.logic().is_some(),
        Node::Bounded(..) | Node::BoundedUntil(..) => true,
        _ => false,
    }
}
