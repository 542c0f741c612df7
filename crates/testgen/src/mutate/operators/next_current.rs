//! NCO, next and current value confused: `next(x)` becomes `x`, and `x` becomes `next(x)` where that is allowed; in
//! properties, `AX p`, `EX p` and `X p` become `p`.
//!
//! Not from the papers.

use crate::mutate::cx::Cx;
use crate::mutate::mutant::Change;
use crate::mutate::tree::At;
use specwright_model::Node;
use specwright_model::model::VarKind;
use specwright_model::op::UnaryOp;

pub(in crate::mutate) fn mutate(cx: &mut Cx<'_>, at: At) {
    match *cx.node(at) {
        Node::Next(inner) => cx.propose_expr(at, inner, Change::Replace),
        Node::Unary(op @ (UnaryOp::AX | UnaryOp::EX | UnaryOp::X), inner) => {
            cx.propose_expr(at, inner, Change::DropOperator(op.symbol()));
        }
        Node::Var(var) if cx.scope.next && !cx.tree.is_in_next(at) => {
            let is_allowed = cx.model[var].kind == VarKind::State && cx.scope.allows(cx.model, var, true);
            if is_allowed && cx.model[var].span.is_some() {
                cx.propose(at, Node::Next(cx.tree.expr(at)), Change::Replace);
            }
        }
        _ => {}
    }
}
