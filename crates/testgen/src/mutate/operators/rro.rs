//! RRO, relational operator replacement: a relation between numbers becomes another one.
//!
//! The opposite relation is left out unless selected: it is the negation.

use crate::mutate::cx::Cx;
use crate::mutate::mutant::Change;
use crate::mutate::selection::Part;
use crate::mutate::tree::At;
use specwright_model::op::BinaryOp::{self, Eq, Ge, Gt, Le, Lt, Ne};
use specwright_model::{Node, Scalar};

pub(in crate::mutate) fn mutate(cx: &mut Cx<'_>, at: At) {
    let &Node::Binary(op, left, right) = cx.node(at) else { return };
    let is_number = |side| matches!(cx.model.context.exprs.ty(side).scalar(), Some(Scalar::Int | Scalar::Word { .. }));
    if !op.is_relational() || !is_number(left) || !is_number(right) {
        return;
    }
    for other in [Lt, Le, Eq, Ne, Ge, Gt] {
        if other != op && (other != opposite(op) || cx.has(Part::RroOpposite)) {
            cx.propose(at, Node::Binary(other, left, right), Change::Operator(op.symbol(), other.symbol()));
        }
    }
}

fn opposite(op: BinaryOp) -> BinaryOp {
    match op {
        Lt => Ge,
        Ge => Lt,
        Le => Gt,
        Gt => Le,
        Eq => Ne,
        Ne => Eq,
        other => other,
    }
}
