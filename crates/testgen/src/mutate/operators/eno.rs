//! ENO, expression negation: every simple and every compound expression is negated.
//!
//! Temporal formulas are not negated: a model checker finds no counterexample for the negation of one. A compound
//! expression with temporal parts is.

use super::sno::negate;
use crate::mutate::cx::Cx;
use crate::mutate::tree::{At, Role};
use specwright_model::Node;
use specwright_model::op::UnaryOp;

pub(in crate::mutate) fn mutate(cx: &mut Cx<'_>, at: At) {
    let negates = |at: At| matches!(cx.node(at), Node::Unary(UnaryOp::Not, _)) && cx.tree.span(at).is_some();
    let is_candidate = match cx.role(at) {
        Role::Simple => true,
        // The negation of a negated expression is the expression itself, which is made at the negation.
        Role::Compound => !cx.tree.parent(at).is_some_and(|(parent, _)| negates(parent)),
        Role::Other => negates(at) && cx.role(cx.tree.child(at, 0)) == Role::Compound,
        _ => false,
    };
    if is_candidate {
        negate(cx, at);
    }
}
