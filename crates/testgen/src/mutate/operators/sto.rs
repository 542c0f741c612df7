//! STO, stuck at: a simple expression is replaced by `FALSE` and by `TRUE`.

use crate::mutate::cx::Cx;
use crate::mutate::mutant::Change;
use crate::mutate::tree::{At, Role};
use specwright_model::{Node, Value};

pub(in crate::mutate) fn mutate(cx: &mut Cx<'_>, at: At) {
    let is_candidate = match cx.role(at) {
        Role::Simple => true,
        Role::GuardVar => cx.tree.shows_guards(),
        _ => false,
    };
    if is_candidate {
        for value in [false, true] {
            cx.propose(at, Node::Const(Value::Bool(value)), Change::Replace);
        }
    }
}
