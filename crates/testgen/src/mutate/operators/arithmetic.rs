//! ARO, arithmetic operator replacement: sums, differences and products are exchanged, as are quotients and remainders,
//! shifts, the operators on bits, `min` and `max`; a sign is dropped.
//!
//! Not from the papers. No new quotients are made: their divisors could be zero.

use crate::mutate::cx::Cx;
use crate::mutate::mutant::Change;
use crate::mutate::tree::At;
use specwright_model::op::BinaryOp::{Add, And, Div, Mod, Mul, Or, Shl, Shr, Sub, Xnor, Xor};
use specwright_model::op::{BinaryOp, Builtin, UnaryOp};
use specwright_model::{Node, Scalar};

pub(in crate::mutate) fn mutate(cx: &mut Cx<'_>, at: At) {
    match cx.node(at).clone() {
        Node::Unary(UnaryOp::Neg, inner) => cx.propose_expr(at, inner, Change::DropOperator("-")),
        Node::Binary(op, a, b) => {
            let is_word = matches!(cx.model.context.exprs.ty(a).scalar(), Some(Scalar::Word { .. }));
            let others: &[BinaryOp] = match op {
                Add | Sub | Mul => &[Add, Sub, Mul],
                Div | Mod => &[Div, Mod, Mul],
                Shl | Shr => &[Shl, Shr],
                And | Or | Xor | Xnor if is_word => &[And, Or, Xor, Xnor],
                _ => &[],
            };
            for &other in others.iter().filter(|other| **other != op) {
                cx.propose(at, Node::Binary(other, a, b), Change::Operator(op.symbol(), other.symbol()));
            }
        }
        Node::Call(builtin @ (Builtin::Min | Builtin::Max), args) => {
            let other = if builtin == Builtin::Min { Builtin::Max } else { Builtin::Min };
            cx.propose(at, Node::Call(other, args), Change::Operator(builtin.name(), other.name()));
        }
        _ => {}
    }
}
