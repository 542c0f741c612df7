//! Decision coverage: every decision true and false when it is made.

use super::builder::{Builder, Draft};

pub(super) fn goals(builder: &mut Builder<'_>) {
    for decision in builder.decisions() {
        let text = builder.text(decision.expr);
        for (outcome, word) in [(true, "true"), (false, "false")] {
            let predicate = if outcome { decision.expr } else { builder.not(decision.expr) };
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
