//! Condition coverage: every condition of every decision true and false when the decision is made.

use super::cx::{Cx, Draft};

pub(super) fn goals(cx: &mut Cx<'_>) {
    for decision in cx.decisions() {
        for condition in decision.conditions(cx.model()) {
            let text = cx.text(condition);
            for (outcome, word) in [(true, "true"), (false, "false")] {
                let predicate = if outcome { condition } else { cx.not(condition) };
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
}
