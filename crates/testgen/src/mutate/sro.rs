//! SRO, simple expression replacement: a simple expression becomes every other one over the vocabulary of the model.
//!
//! Some of these combine several mistakes, and there are very many: for analysis only, off by default.

use super::cx::Cx;
use super::mutant::Change;
use super::tree::{At, Role, strip_negations};

pub(super) fn mutate(cx: &mut Cx<'_>, at: At) {
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
