//! Transition coverage: every change of a state variable from one value to another.

use super::cx::{Cx, Draft};
use crate::goal::Target;
use specwright_model::Node;
use specwright_model::model::VarKind;

/// Maximal number of values of a variable: the number of changes is quadratic.
const MOST_VALUES: usize = 32;

pub(super) fn goals(cx: &mut Cx<'_>) {
    let most = cx.options.max_values.min(MOST_VALUES);
    for var in cx.variables(|declared| declared.kind == VarKind::State, most) {
        let now = cx.var(var);
        let next = cx.make(Node::Next(now));
        let (name, span) = (cx.name(var), cx.model()[var].span);
        let values = cx.values(var);
        for &from in &values {
            for &to in values.iter().filter(|to| **to != from) {
                let (before, after) = (cx.has_value(now, from), cx.has_value(next, to));
                let (from, to) = (cx.model().show(from), cx.model().show(to));
                let target = Target::Reach(cx.all([before, after]));
                cx.add(Draft {
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
