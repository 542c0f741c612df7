//! Condition coverage: every condition of every decision true and false when the decision is made.

use super::builder::{Builder, Draft};

pub(super) fn goals(builder: &mut Builder<'_>) {
    for decision in builder.decisions() {
        for condition in decision.conditions(builder.model()) {
            let text = builder.text(condition);
            for (outcome, word) in [(true, "true"), (false, "false")] {
                let predicate = if outcome { condition } else { builder.not(condition) };
                let target = builder.when_decided(&decision, predicate);
                builder.add(Draft {
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
