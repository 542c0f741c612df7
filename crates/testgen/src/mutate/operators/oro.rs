//! ORO, operand replacement: another variable or constant of the same domain.
//!
//! A symbolic constant becomes every other constant of the domain of what it is compared with or assigned to; a
//! variable every other variable of the same domain; a symbolic integer every other symbolic integer. A number is never
//! replaced by a number: there would be too many mutants. Comparisons of an expression with itself are left out: the
//! stuck-at operator makes equivalent mutants.

use crate::mutate::cx::Cx;
use crate::mutate::mutant::Change;
use crate::mutate::selection::Part;
use crate::mutate::tree::{At, Role};
use crate::mutate::vocabulary::is_symbolic_integer;
use specwright_model::{Node, Value};

pub(in crate::mutate) fn mutate(cx: &mut Cx<'_>, at: At) {
    if cx.role(at) == Role::GuardVar && !cx.tree.shows_guards() {
        return;
    }
    match *cx.node(at) {
        Node::Var(var) if cx.has(Part::OroVariables) => {
            for &other in cx.words.like(cx.model, var) {
                if other != var && cx.allows(at, other) {
                    replace(cx, at, Node::Var(other));
                }
            }
        }
        Node::Const(value) if cx.has(constants(cx, at)) => {
            for other in cx.constants_at(at) {
                if other != value && !(is_number(value) && is_number(other)) {
                    cx.propose(at, Node::Const(other), Change::Replace);
                }
            }
        }
        Node::Define(define) if cx.has(constants(cx, at)) && is_symbolic_integer(cx.model, define) => {
            for &other in &cx.words.symbolic_integers {
                if other != define && cx.scope.allows_define(other) {
                    replace(cx, at, Node::Define(other));
                }
            }
        }
        _ => {}
    }
}

/// The part of the operator that the constants at a node belong to.
fn constants(cx: &Cx<'_>, at: At) -> Part {
    if cx.relation_of(at).is_none() && cx.is_value_of_site(at) { Part::OroResults } else { Part::OroConstants }
}

fn replace(cx: &mut Cx<'_>, at: At, node: Node) {
    if let Ok(other) = cx.model.make(node)
        && !cx.is_reflexive(at, other)
    {
        cx.propose_expr(at, other, Change::Replace);
    }
}

fn is_number(value: Value) -> bool {
    matches!(value, Value::Int(_) | Value::Word(_))
}
