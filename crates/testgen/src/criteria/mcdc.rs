//! Modified condition/decision coverage: every condition decides its decision, once true and once false.
//!
//! A condition decides if the decision would come out otherwise were the condition otherwise and all else the same (the
//! boolean difference). What asks for the same is asked once.

use super::cx::{Cx, Draft};
use specwright_model::op::BinaryOp;

pub(super) fn goals(cx: &mut Cx<'_>) {
    for decision in cx.decisions() {
        let whole = cx.text(decision.expr);
        for condition in decision.conditions(cx.model()) {
            // A decision of one condition is always decided by it.
            let alone = condition == decision.expr || cx.not(condition) == decision.expr;
            let decides = if alone {
                cx.all([])
            } else {
                let (with, without) = (cx.fix(decision.expr, condition, true), cx.fix(decision.expr, condition, false));
                cx.binary(BinaryOp::Xor, with, without)
            };
            let text = cx.text(condition);
            for (outcome, word) in [(true, "true"), (false, "false")] {
                let value = if outcome { condition } else { cx.not(condition) };
                let predicate = cx.all([value, decides]);
                let target = cx.when_decided(&decision, predicate);
                let of = if alone { String::new() } else { format!(" decides `{whole}`") };
                cx.add(Draft {
                    key: None,
                    group: decision.owner.clone(),
                    description: format!("{}: `{text}` is {word}{of}", decision.owner),
                    span: decision.span,
                    target,
                });
            }
        }
    }
}
