//! ASO, associative shift: an implication is applied to one operand of an adjacent conjunction or disjunction.
//!
//! `a & b -> c` becomes `a & (b -> c)`, and `x -> y & z` becomes `(x -> y) & z`; in longer chains, to the operand next
//! to the arrow.

use crate::mutate::cx::Cx;
use crate::mutate::mutant::Change;
use crate::mutate::tree::{At, Role};
use specwright_model::op::BinaryOp::{self, And, Implies, Or};
use specwright_model::{ExprId, Node};

pub(in crate::mutate) fn mutate(cx: &mut Cx<'_>, at: At) {
    let is_candidate = match cx.role(at) {
        Role::Compound => true,
        Role::Guard => cx.tree.shows_guards(),
        _ => false,
    };
    let &Node::Binary(Implies, left, right) = cx.node(at) else { return };
    if !is_candidate {
        return;
    }
    if let Node::Binary(op @ (And | Or), first, last) = cx.model[left]
        && let Ok(inner) = cx.model.make(Node::Binary(Implies, last, right))
    {
        cx.propose(at, Node::Binary(op, first, inner), Change::Replace);
    }
    if let Node::Binary(op @ (And | Or), ..) = cx.model[right]
        && let Some(shifted) = shift_into(cx, left, right, op)
    {
        cx.propose_expr(at, shifted, Change::Replace);
    }
}

/// The chain of operands with an implication applied to the first of them.
fn shift_into(cx: &mut Cx<'_>, antecedent: ExprId, chain: ExprId, op: BinaryOp) -> Option<ExprId> {
    let (mut first, mut rest) = (chain, Vec::new());
    while let Node::Binary(inner, left, right) = cx.model[first] {
        if inner != op {
            break;
        }
        rest.push(right);
        first = left;
    }
    let mut made = cx.model.make(Node::Binary(Implies, antecedent, first)).ok()?;
    while let Some(operand) = rest.pop() {
        made = cx.model.make(Node::Binary(op, made, operand)).ok()?;
    }
    Some(made)
}
