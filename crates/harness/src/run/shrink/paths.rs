//! Shorter executions that end as a test does.

use crate::policy::{SHRINK_JUMPS, SHRINK_STARTS, SHRINK_WORK};
use crate::run::recovery_path::recovery_path;
use crate::run::script::agrees;
use specwright_model::interp::{Explorer, check_initial, check_step};
use specwright_model::model::VarKind;
use specwright_model::{Model, State};

/// Shorter executions with the same end, the shortest first. Without a specification, only cycles are removed.
pub(super) fn shorter(model: Option<&Model>, states: &[State]) -> Vec<Vec<State>> {
    let mut found = Vec::new();
    for (from, state) in states.iter().enumerate() {
        for to in (from + 1..states.len()).rev().filter(|to| is_same(model, state, &states[*to])) {
            found.push([&states[..from], &states[to..]].concat());
        }
    }
    if let Some(model) = model {
        jumps(model, states, &mut found);
        other_ways(model, states, &mut found);
    }
    found.retain(|shorter| shorter.len() < states.len());
    found.sort_by_key(Vec::len);
    found.dedup();
    found
}

/// Executions that skip states.
fn jumps(model: &Model, states: &[State], found: &mut Vec<Vec<State>>) {
    for to in 1..states.len() {
        if check_initial(model, &states[to]).is_ok() {
            found.push(states[to..].to_vec());
        }
    }
    let pairs = (0..states.len()).flat_map(|from| (from + 2..states.len()).rev().map(move |to| (from, to)));
    for (from, to) in pairs.take(SHRINK_JUMPS) {
        if check_step(model, &states[from], &states[to]).is_ok() {
            found.push([&states[..=from], &states[to..]].concat());
        }
    }
}

/// Other ways to the last step, which fails.
fn other_ways(model: &Model, states: &[State], found: &mut Vec<Vec<State>>) {
    let Some(target) = states.len().checked_sub(2).filter(|target| *target > 0) else { return };
    let explorer = Explorer::new(model);
    for start in explorer.initial().limit(SHRINK_WORK).take(SHRINK_STARTS).map_while(Result::ok) {
        if let Some((_, steps)) = recovery_path(model, &explorer, &start.next, &[&states[target]], &|_| false) {
            let mut path: Vec<State> = steps.iter().map(|step| step.now.clone()).collect();
            path.extend_from_slice(&states[target..]);
            found.push(path);
        }
    }
}

/// Whether two states are equal, except for inputs of the steps from them.
fn is_same(model: Option<&Model>, a: &State, b: &State) -> bool {
    match model {
        Some(model) => {
            let is_full = |state: &State| {
                model.vars().all(|(var, declared)| declared.kind == VarKind::Input || state.get(var).is_some())
            };
            is_full(a) && is_full(b) && agrees(model, a, b)
        }
        None => a == b,
    }
}
