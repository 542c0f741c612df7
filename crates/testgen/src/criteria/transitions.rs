//! Transition coverage: every change of a state variable from one value to another.

use super::builder::{Builder, Draft};
use crate::policy::TRANSITION_VALUES;
use specwright_mc::Query;
use specwright_model::Node;
use specwright_model::model::VarKind;

pub(super) fn goals(builder: &mut Builder<'_>) {
    let most = builder.options.max_values.min(TRANSITION_VALUES);
    for var in builder.variables(|model, var| model[var].kind == VarKind::State, most) {
        let now = builder.var(var);
        let next = builder.make(Node::Next(now));
        let (name, span) = (builder.name(var), builder.model()[var].span);
        let values = builder.values(var);
        for &from in &values {
            for &to in values.iter().filter(|to| **to != from) {
                let (before, after) = (builder.has_value(now, from), builder.has_value(next, to));
                let (from, to) = (builder.model().show(from), builder.model().show(to));
                let target = Query::Reach(builder.all([before, after]));
                builder.add(Draft {
                    key: Some(format!("{name}:{from}->{to}")),
                    group: name.clone(),
                    description: format!("`{name}` changes from {from} to {to}"),
                    span,
                    target,
                });
            }
        }
    }
}
