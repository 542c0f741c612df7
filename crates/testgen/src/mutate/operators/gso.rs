//! GSO, gate stuck at: a compound expression, such as a gate of a circuit, is replaced by `FALSE` and by `TRUE`.
//!
//! Not from the papers on specifications. With STO it gives the stuck-at faults of circuits: those of the wires between gates,
//! and those of the outputs of gates.

use crate::mutate::cx::Cx;
use crate::mutate::mutant::Change;
use crate::mutate::tree::{At, Role};
use specwright_model::{Node, Value};

pub(in crate::mutate) fn mutate(cx: &mut Cx<'_>, at: At) {
    if cx.role(at) == Role::Compound {
        for value in [false, true] {
            cx.propose(at, Node::Const(Value::Bool(value)), Change::Replace);
        }
    }
}
