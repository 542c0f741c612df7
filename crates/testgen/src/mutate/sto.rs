//! STO, stuck at: a simple expression is replaced by `FALSE` and by `TRUE`.

use super::cx::Cx;
use super::mutant::Change;
use super::tree::{At, Role};
use specwright_model::{Node, Value};

pub(super) fn mutate(cx: &mut Cx<'_>, at: At) {
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
