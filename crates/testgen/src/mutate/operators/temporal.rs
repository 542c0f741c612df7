//! TRO, temporal operator replacement: another operator of the same logic and arity.
//!
//! Not from the papers. Past and future operators are not exchanged, nor are bounded and unbounded ones.

use crate::mutate::cx::Cx;
use crate::mutate::mutant::Change;
use crate::mutate::tree::At;
use specwright_model::Node;
use specwright_model::op::{BinaryOp, BoundedOp, BoundedUntilOp, UnaryOp};

const UNARY: [&[UnaryOp]; 3] = [
    &[UnaryOp::AX, UnaryOp::AF, UnaryOp::AG, UnaryOp::EX, UnaryOp::EF, UnaryOp::EG],
    &[UnaryOp::X, UnaryOp::F, UnaryOp::G],
    &[UnaryOp::Y, UnaryOp::Z, UnaryOp::O, UnaryOp::H],
];
const BINARY: [&[BinaryOp]; 3] =
    [&[BinaryOp::AU, BinaryOp::EU], &[BinaryOp::U, BinaryOp::V], &[BinaryOp::S, BinaryOp::T]];
const BOUNDED: [&[BoundedOp]; 3] = [
    &[BoundedOp::ABF, BoundedOp::ABG, BoundedOp::EBF, BoundedOp::EBG],
    &[BoundedOp::F, BoundedOp::G],
    &[BoundedOp::O, BoundedOp::H],
];

pub(in crate::mutate) fn mutate(cx: &mut Cx<'_>, at: At) {
    match *cx.node(at) {
        Node::Unary(op, a) => {
            for &other in others(&UNARY, op) {
                cx.propose(at, Node::Unary(other, a), Change::Operator(op.symbol(), other.symbol()));
            }
        }
        Node::Binary(op, a, b) => {
            for &other in others(&BINARY, op) {
                let change = match op {
                    BinaryOp::AU | BinaryOp::EU => Change::Operator(quantifier(op), quantifier(other)),
                    _ => Change::Operator(op.symbol(), other.symbol()),
                };
                cx.propose(at, Node::Binary(other, a, b), change);
            }
        }
        Node::Bounded(op, low, high, a) => {
            for &other in others(&BOUNDED, op) {
                let change = Change::Operator(op.symbol(), other.symbol());
                cx.propose(at, Node::Bounded(other, low, high, a), change);
            }
        }
        Node::BoundedUntil(op, low, high, a, b) => {
            let (other, from, to) = match op {
                BoundedUntilOp::EBU => (BoundedUntilOp::ABU, "E", "A"),
                BoundedUntilOp::ABU => (BoundedUntilOp::EBU, "A", "E"),
            };
            cx.propose(at, Node::BoundedUntil(other, low, high, a, b), Change::Operator(from, to));
        }
        _ => {}
    }
}

/// The other operators of the same family.
fn others<T: Copy + PartialEq>(families: &[&'static [T]], op: T) -> impl Iterator<Item = &'static T> {
    let family = families.iter().find(|family| family.contains(&op)).copied().unwrap_or_default();
    family.iter().filter(move |other| **other != op)
}

fn quantifier(op: BinaryOp) -> &'static str {
    if op == BinaryOp::AU { "A" } else { "E" }
}
