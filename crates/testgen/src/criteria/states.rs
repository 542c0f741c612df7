//! State coverage: every value of every variable, including inputs of steps.

use super::cx::{Cx, Draft};
use crate::goal::Target;

pub(super) fn goals(cx: &mut Cx<'_>) {
    for var in cx.variables(|_| true, cx.options.max_values) {
        let expr = cx.var(var);
        let (name, span) = (cx.name(var), cx.model()[var].span);
        for value in cx.values(var) {
            let shown = cx.model().show(value);
            let target = Target::Reach(cx.has_value(expr, value));
            cx.add(Draft {
                key: Some(format!("{name}={shown}")),
                group: name.clone(),
                description: format!("`{name}` is {shown}"),
                span,
                target,
            });
        }
    }
}
