//! MCO, missing condition: a simple expression is dropped from a conjunction, disjunction or implication, on either
//! side. A fairness constraint is dropped as a whole.

use crate::mutate::cx::Cx;
use crate::mutate::mutant::Change;
use crate::mutate::site::SiteId;
use crate::mutate::tree::{At, Role};
use specwright_model::op::BinaryOp::{And, Implies, Or};
use specwright_model::{Node, Value};

pub(in crate::mutate) fn mutate(cx: &mut Cx<'_>, at: At) {
    if at == 0 && matches!(cx.scope.site, SiteId::Fairness(_)) {
        let constraint = cx.tree.expr(at);
        cx.propose(at, Node::Const(Value::Bool(true)), Change::Drop(constraint));
    }
    let &Node::Binary(And | Or | Implies, left, right) = cx.node(at) else { return };
    match cx.role(at) {
        Role::Compound => {
            for (ordinal, operand, other) in [(0, left, right), (1, right, left)] {
                if cx.role(cx.tree.unguarded(cx.tree.child(at, ordinal))) == Role::Simple {
                    cx.propose_expr(at, other, Change::Drop(operand));
                }
            }
        }
        // Without its guard a claim can be violated in unsound states, but the paper did it.
        Role::Guard if cx.tree.shows_guards() => cx.propose_expr(at, right, Change::Drop(left)),
        _ => {}
    }
}
