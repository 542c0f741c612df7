//! Decision coverage: every decision true and false when it is made.

use super::cx::{Cx, Draft};

pub(super) fn goals(cx: &mut Cx<'_>) {
    for decision in cx.decisions() {
        let text = cx.text(decision.expr);
        for (outcome, word) in [(true, "true"), (false, "false")] {
            let predicate = if outcome { decision.expr } else { cx.not(decision.expr) };
            let target = cx.when_decided(&decision, predicate);
            cx.add(Draft {
                key: None,
                group: decision.owner.clone(),
                description: format!("{}: `{text}` is {word}", decision.owner),
                span: decision.span,
                target,
            });
        }
    }
}
