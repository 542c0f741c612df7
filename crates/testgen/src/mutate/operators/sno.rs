//! SNO, simple expression negation: `x` becomes `!x`, and `!x` becomes `x`.

use crate::mutate::cx::{Cx, with_child};
use crate::mutate::mutant::Change;
use crate::mutate::tree::{At, Role};
use specwright_model::op::{BinaryOp, UnaryOp};
use specwright_model::{ExprId, Model, Node, VarId};

pub(in crate::mutate) fn mutate(cx: &mut Cx<'_>, at: At) {
    if cx.role(at) == Role::Simple {
        negate(cx, at);
    }
}

/// Proposes the negation of an expression; for a negation, its operand.
pub(super) fn negate(cx: &mut Cx<'_>, at: At) {
    let (inner, change) = match *cx.node(at) {
        Node::Unary(UnaryOp::Not, inner) => (inner, Change::Replace),
        _ => (cx.tree.expr(at), Change::Negate),
    };
    let inner = cx.tree.hidden_guard().map_or(inner, |guard| turn_guards(cx.model, inner, guard));
    match change {
        Change::Negate => cx.propose(at, Node::Unary(UnaryOp::Not, inner), change),
        _ => cx.propose_expr(at, inner, change),
    }
}

/// Guards exclude unsound states: `Sound -> f` in positive and `Sound & f` in negative positions. A negation exchanges
/// the two.
fn turn_guards(model: &Model, expr: ExprId, guard: VarId) -> ExprId {
    stacker::maybe_grow(64 << 10, 1 << 20, || {
        let mut node = model[expr].clone();
        if let Node::Binary(op @ (BinaryOp::Implies | BinaryOp::And), left, right) = node
            && model[left] == Node::Var(guard)
        {
            let turned = if op == BinaryOp::And { BinaryOp::Implies } else { BinaryOp::And };
            node = Node::Binary(turned, left, right);
        }
        for (ordinal, child) in model[expr].children().into_iter().enumerate() {
            let turned = turn_guards(model, child, guard);
            node = with_child(&node, ordinal, turned);
        }
        model.make(node).unwrap_or(expr)
    })
}
