//! CBO, case branch missing or swapped: a branch is dropped, two adjacent branches are swapped, or their results are;
//! `c ? a : b` becomes `a` and `b`.
//!
//! Not from the papers. A final branch that applies always is not dropped: the `case` must stay total.

use crate::mutate::cx::Cx;
use crate::mutate::mutant::Change;
use crate::mutate::tree::At;
use specwright_model::{Node, Value};

pub(in crate::mutate) fn mutate(cx: &mut Cx<'_>, at: At) {
    match cx.node(at).clone() {
        Node::Ite(_, yes, no) => {
            cx.propose_expr(at, yes, Change::Replace);
            cx.propose_expr(at, no, Change::Replace);
        }
        Node::Case(branches) => {
            // Lowering may have added a branch that is not in the source.
            let in_source = branches_in_source(cx, at, branches.len());
            for index in (0..branches.len()).filter(|index| in_source[*index]) {
                let is_last = index + 1 == branches.len();
                let catches_all = cx.model[branches[index].0] == Node::Const(Value::Bool(true));
                if branches.len() > 1 && !(is_last && catches_all) {
                    let mut fewer = branches.to_vec();
                    let (guard, _) = fewer.remove(index);
                    cx.propose(at, Node::Case(fewer.into()), Change::DropBranch(guard));
                }
                if is_last || !in_source[index + 1] {
                    continue;
                }
                let ((guard, result), (next_guard, next_result)) = (branches[index], branches[index + 1]);
                let change = Change::SwapBranches(guard, next_guard);
                let mut swapped = branches.clone();
                swapped.swap(index, index + 1);
                cx.propose(at, Node::Case(swapped), change);
                let mut mixed = branches.clone();
                mixed[index] = (guard, next_result);
                mixed[index + 1] = (next_guard, result);
                cx.propose(at, Node::Case(mixed), Change::SwapResults(guard, next_guard));
            }
        }
        _ => {}
    }
}

fn branches_in_source(cx: &Cx<'_>, at: At, n_branches: usize) -> Vec<bool> {
    let mut in_source = Vec::with_capacity(n_branches);
    let mut guard = at + 1;
    for _ in 0..n_branches {
        let result = cx.tree.end(guard);
        in_source.push(cx.tree.span(guard).is_some() && cx.tree.span(result).is_some());
        guard = cx.tree.end(result);
    }
    in_source
}
