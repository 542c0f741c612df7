//! Combinatorial coverage: every combination of values of `ways` inputs, two by default.

use super::cx::{Cx, Draft};
use crate::goal::Target;
use specwright_model::model::Role;
use specwright_model::{Value, VarId};
use specwright_syntax::span::Span;

/// Maximal number of combinations for one set of inputs; more are left out, with a note.
const MOST_COMBINATIONS: usize = 4096;

pub(super) fn goals(cx: &mut Cx<'_>) {
    let inputs = cx.variables(|declared| declared.role == Role::Input, cx.options.max_values);
    let ways = cx.options.ways.max(1);
    if inputs.len() < ways {
        let n = inputs.len();
        cx.note(
            Span::NONE,
            format!("there are only {n} inputs with few values to combine: `pairs` asks for all of them"),
        );
    }
    let ways = ways.min(inputs.len());
    if ways > 0 {
        for chosen in subsets(&inputs, ways) {
            combine(cx, &chosen);
        }
    }
}

/// All combinations of the values of some inputs.
fn combine(cx: &mut Cx<'_>, inputs: &[VarId]) {
    let group = inputs.iter().map(|var| cx.name(*var)).collect::<Vec<_>>().join(", ");
    let span = cx.model()[inputs[0]].span;
    let values: Vec<Vec<Value>> = inputs.iter().map(|var| cx.values(*var)).collect();
    let n_combinations = values.iter().map(Vec::len).try_fold(1usize, usize::checked_mul);
    if n_combinations.is_none_or(|n| n > MOST_COMBINATIONS) {
        cx.note(span, format!("{group} have more than {MOST_COMBINATIONS} combinations of values: they are left out"));
        return;
    }
    let mut places = vec![0; inputs.len()];
    loop {
        let mut parts = Vec::new();
        let mut words = Vec::new();
        for (at, var) in inputs.iter().enumerate() {
            let value = values[at][places[at]];
            let expr = cx.var(*var);
            parts.push(cx.has_value(expr, value));
            words.push(format!("{}={}", cx.name(*var), cx.model().show(value)));
        }
        let target = Target::Reach(cx.all(parts));
        let (key, description) = (Some(words.join(",")), words.join(" with "));
        cx.add(Draft { key, group: group.clone(), description, span, target });
        // The last input varies fastest.
        let Some(at) = (0..inputs.len()).rev().find(|at| places[*at] + 1 < values[*at].len()) else { return };
        places[at] += 1;
        places[at + 1..].fill(0);
    }
}

/// The subsets of a given size, in order.
fn subsets(items: &[VarId], size: usize) -> Vec<Vec<VarId>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (at, first) in items.iter().enumerate() {
        for mut rest in subsets(&items[at + 1..], size - 1) {
            rest.insert(0, *first);
            all.push(rest);
        }
    }
    all
}
