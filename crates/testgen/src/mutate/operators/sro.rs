//! SRO, simple expression replacement: a simple expression becomes every other one over the vocabulary of the model.
//!
//! Some of these combine several mistakes, and there are very many: for analysis only, off by default.

use crate::mutate::cx::Cx;
use crate::mutate::mutant::Change;
use crate::mutate::tree::{At, Role, strip_negations};

pub(in crate::mutate) fn mutate(cx: &mut Cx<'_>, at: At) {
    if cx.role(at) != Role::Simple {
        return;
    }
    let original = strip_negations(cx.model, cx.tree.expr(at));
    for simple in &cx.words.simple {
        let is_allowed = simple.vars.iter().flatten().all(|var| cx.allows(at, *var));
        if simple.expr != original && is_allowed {
            cx.propose_expr(at, simple.expr, Change::Replace);
        }
    }
}
