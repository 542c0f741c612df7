//! ENO, expression negation: every simple and every compound expression is negated.
//!
//! Temporal formulas are not: a model checker finds no counterexample for the negation of one. A compound expression
//! that contains one is.

use super::cx::Cx;
use super::sno::negate;
use super::tree::{At, Role};
use specwright_model::Node;
use specwright_model::op::UnaryOp;

pub(super) fn mutate(cx: &mut Cx<'_>, at: At) {
    let negates = |at: At| matches!(cx.node(at), Node::Unary(UnaryOp::Not, _)) && cx.tree.span(at).is_some();
    let is_candidate = match cx.role(at) {
        Role::Simple => true,
        // The negation of what is already negated is the thing itself, which is made where the negation stands.
        Role::Compound => !cx.tree.parent(at).is_some_and(|(parent, _)| negates(parent)),
        Role::Other => negates(at) && cx.role(cx.tree.child(at, 0)) == Role::Compound,
        _ => false,
    };
    if is_candidate {
        negate(cx, at);
    }
}
