//! SNO, simple expression negation: `x` becomes `!x`, and `!x` becomes `x`.

use super::cx::Cx;
use super::mutant::Change;
use super::tree::{At, Role};
use specwright_model::Node;
use specwright_model::op::UnaryOp;

pub(super) fn mutate(cx: &mut Cx<'_>, at: At) {
    if cx.role(at) == Role::Simple {
        negate(cx, at);
    }
}

/// Proposes the negation of what is at a place; of a negation, what it negates.
pub(super) fn negate(cx: &mut Cx<'_>, at: At) {
    match *cx.node(at) {
        Node::Unary(UnaryOp::Not, inner) => cx.propose_expr(at, inner, Change::Replace),
        _ => cx.propose(at, Node::Unary(UnaryOp::Not, cx.tree.expr(at)), Change::Negate),
    }
}
