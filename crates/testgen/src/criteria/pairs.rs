//! Combinatorial coverage: every combination of values of `ways` inputs, two by default.

use super::builder::{Builder, Draft};
use crate::policy::PAIR_COMBINATIONS;
use specwright_mc::Query;
use specwright_model::interface::Role;
use specwright_model::{Value, VarId};
use specwright_syntax::span::Span;

pub(super) fn goals(builder: &mut Builder<'_>) {
    let inputs = builder.variables(|model, var| model.role(var) == Role::Input, builder.options.max_values);
    let ways = builder.options.ways.max(1);
    if inputs.len() < ways {
        let few = match inputs.len() {
            0 => "no input has few values, so `pairs` has no goals".to_owned(),
            1 => "only one input has few values: `pairs` asks for each of them".to_owned(),
            n => format!("only {n} inputs have few values: `pairs` asks for all combinations of them"),
        };
        builder.note(Span::NONE, few);
    }
    let ways = ways.min(inputs.len());
    if ways > 0 {
        for chosen in subsets(&inputs, ways) {
            combine(builder, &chosen);
        }
    }
}

/// All combinations of the values of some inputs.
fn combine(builder: &mut Builder<'_>, inputs: &[VarId]) {
    let group = inputs.iter().map(|var| builder.name(*var)).collect::<Vec<_>>().join(", ");
    let span = builder.model()[inputs[0]].span;
    let values: Vec<Vec<Value>> = inputs.iter().map(|var| builder.values(*var)).collect();
    let n_combinations = values.iter().map(Vec::len).try_fold(1usize, usize::checked_mul);
    if n_combinations.is_none_or(|n| n > PAIR_COMBINATIONS) {
        builder.note(
            span,
            format!("{group} have more than {PAIR_COMBINATIONS} combinations of values: they are left out"),
        );
        return;
    }
    let mut places = vec![0; inputs.len()];
    loop {
        let mut parts = Vec::new();
        let mut words = Vec::new();
        for (at, var) in inputs.iter().enumerate() {
            let value = values[at][places[at]];
            let expr = builder.var(*var);
            parts.push(builder.has_value(expr, value));
            words.push(format!("{}={}", builder.name(*var), builder.model().show(value)));
        }
        let target = Query::Reach(builder.all(parts));
        let (key, description) = (Some(words.join(",")), words.join(" with "));
        builder.add(Draft { key, group: group.clone(), description, span, target });
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
