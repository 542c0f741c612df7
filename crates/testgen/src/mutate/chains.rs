//! Mutated formulas that share what their mutants have in common.
//!
//! A constraint may be a choice between hundreds of events, `a | b | c | …`, read from the left. A mutant of the first one would
//! have every `|` of it anew, and an engine would evaluate each of them. As `&` and `|` are associative, the operands beside the
//! mutated one can be joined with each other first: all mutants of an operand share them.

use super::cx::with_child;
use super::mutant::Mutant;
use crate::policy::LONG_CHAIN;
use rustc_hash::FxHashMap;
use specwright_model::op::BinaryOp;
use specwright_model::{ExprId, Model, Node, Ty};

/// The joined operands of chains, for the mutants of one model.
#[derive(Default)]
pub(crate) struct Chains {
    /// By the outermost node of a chain, the node that has the mutant below it, and whether that is its left operand.
    others: FxHashMap<(ExprId, ExprId, bool), ExprId>,
}

impl Chains {
    /// The whole site of a mutant with the change applied, or a formula with the same value: it has the same operands in the same
    /// order.
    pub(crate) fn mutated(&mut self, model: &Model, mutant: &Mutant) -> ExprId {
        let way = mutant.way(model);
        let (mut expr, mut end) = (mutant.replacement, way.len());
        while end > 0 {
            let length = chain(model, &way[..end], &mutant.path);
            let node = if length < LONG_CHAIN {
                end -= 1;
                with_child(&model[way[end]], mutant.path[end] as usize, expr)
            } else {
                let is_left = mutant.path[end - 1] == 0;
                let outer = &way[end - length..end];
                end -= length;
                let (op, others) = self.others(model, outer, is_left);
                if is_left { Node::Binary(op, expr, others) } else { Node::Binary(op, others, expr) }
            };
            expr = model.make(node).expect("mutants are well-typed");
        }
        expr
    }

    /// The other operands of nodes, each of which is the same operand of the one before, as one.
    fn others(&mut self, model: &Model, outer: &[ExprId], is_left: bool) -> (BinaryOp, ExprId) {
        let operand = |at: usize| match model[outer[at]] {
            Node::Binary(op, left, right) => (op, if is_left { right } else { left }),
            _ => unreachable!("chains are of binary operators"),
        };
        let (op, first) = operand(0);
        let key = |at: usize| (outer[0], outer[at], is_left);
        let known = (1..outer.len()).rev().find_map(|at| Some((at, *self.others.get(&key(at))?)));
        let (from, mut all) = known.unwrap_or((0, first));
        for at in from + 1..outer.len() {
            let (_, other) = operand(at);
            let node = if is_left { Node::Binary(op, other, all) } else { Node::Binary(op, all, other) };
            all = model.make(node).expect("operands of a chain are truth values");
            self.others.insert(key(at), all);
        }
        (op, all)
    }
}

/// The number of nodes at the end of a way that are the same associative operator, and that go on in the same operand.
fn chain(model: &Model, way: &[ExprId], path: &[u32]) -> usize {
    let link = |at: usize| match model[way[at]] {
        Node::Binary(op @ (BinaryOp::And | BinaryOp::Or), ..) if *model.context.exprs.ty(way[at]) == Ty::BOOL => {
            Some((op, path[at]))
        }
        _ => None,
    };
    let Some(last) = way.len().checked_sub(1).and_then(link) else { return 0 };
    (0..way.len()).rev().take_while(|at| link(*at) == Some(last)).count()
}
