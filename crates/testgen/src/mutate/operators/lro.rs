//! LRO, logical operator replacement: `&`, `|` and `->` are exchanged, and also `<->` if selected.

use crate::mutate::cx::Cx;
use crate::mutate::mutant::Change;
use crate::mutate::selection::Part;
use crate::mutate::tree::{At, Role};
use specwright_model::op::BinaryOp::{self, And, Iff, Implies, Or, Xnor, Xor};
use specwright_model::{ExprId, Node};

pub(in crate::mutate) fn mutate(cx: &mut Cx<'_>, at: At) {
    let reproduces = cx.tree.shows_guards();
    let is_candidate = match cx.role(at) {
        Role::Compound => true,
        Role::Guard => reproduces,
        _ => false,
    };
    let &Node::Binary(op, left, right) = cx.node(at) else { return };
    let others: &[BinaryOp] = match op {
        _ if !is_candidate => return,
        And | Or if cx.has(Part::Lro) && !cx.has(Part::LroImplies) => &[And, Or],
        And | Or | Implies if cx.has(Part::LroImplies) && !cx.has(Part::LroIff) => &[And, Or, Implies],
        And | Or | Implies | Iff | Xor | Xnor if cx.has(Part::LroIff) => &[And, Or, Implies, Iff],
        _ => return,
    };
    for &other in others.iter().filter(|other| **other != op) {
        let change = Change::Operator(op.symbol(), other.symbol());
        match (op, other) {
            // `Sound & f` has counterexamples in unsound states, so the paper must have excluded it.
            (Implies, And) if reproduces => {}
            // This mutant is made at the implication.
            (And, Implies) if reproduces && is_antecedent(cx, at) => {}
            _ => cx.propose(at, Node::Binary(other, left, right), change),
        }
    }
    if let (true, Implies, Node::Binary(And, first, second)) = (reproduces, op, &cx.model[left]) {
        unparenthesized(cx, at, *first, *second, right);
    }
}

/// Whether a node is the antecedent of an implication.
fn is_antecedent(cx: &Cx<'_>, at: At) -> bool {
    let is_implication = |(parent, ordinal)| ordinal == 0 && matches!(cx.node(parent), Node::Binary(Implies, ..));
    cx.tree.parent(at).is_some_and(is_implication)
}

/// `a & b -> c` with the first operator replaced in the text, which parses as `a -> (b -> c)`: the numbers of the paper
/// show that its authors did this.
fn unparenthesized(cx: &mut Cx<'_>, at: At, first: ExprId, second: ExprId, third: ExprId) {
    if let Ok(inner) = cx.model.make(Node::Binary(Implies, second, third)) {
        cx.propose(at, Node::Binary(Implies, first, inner), Change::Operator(And.symbol(), Implies.symbol()));
    }
}
