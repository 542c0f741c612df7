//! State coverage: every value of every variable, including inputs of steps.

use super::builder::{Builder, Draft};
use specwright_mc::Query;

pub(super) fn goals(builder: &mut Builder<'_>) {
    for var in builder.variables(|_, _| true, builder.options.max_values) {
        let expr = builder.var(var);
        let (name, span) = (builder.name(var), builder.model()[var].span);
        for value in builder.values(var) {
            let shown = builder.model().show(value);
            let target = Query::Reach(builder.has_value(expr, value));
            builder.add(Draft {
                key: Some(format!("{name}={shown}")),
                group: name.clone(),
                description: format!("`{name}` is {shown}"),
                span,
                target,
            });
        }
    }
}
