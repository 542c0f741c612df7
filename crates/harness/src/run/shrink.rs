//! Shrinking of failing tests: removes everything after the failure, and steps that are not needed to reach it.

use super::outcome::{Outcome, Verdict};
use super::recovery_path::recovery_path;
use super::script::agrees;
use crate::policy::SHRINK_RUNS;
use specwright_model::interp::{Explorer, check_initial, check_step};
use specwright_model::model::VarKind;
use specwright_model::{Model, State, Trace};
use specwright_testgen::suite::{Expect, Test};

/// The shortest failing test that was found, if the failure is reproducible. With the specification, paths other than
/// those of the test are tried.
pub(super) fn shrink(model: Option<&Model>, test: &Test, run: &mut dyn FnMut(&Trace) -> Outcome) -> Option<Trace> {
    let failure = run(&test.trace);
    if failure.verdict != Verdict::Fail {
        return None;
    }
    let mut best = cut(&test.trace, failure.step, test.expect);
    let mut runs = 1;
    'again: while runs < SHRINK_RUNS {
        for shorter in candidates(model, &best) {
            runs += 1;
            let outcome = run(&shorter);
            if outcome.verdict == Verdict::Fail && outcome.step.is_some_and(|step| step < shorter.states.len()) {
                best = cut(&shorter, outcome.step, test.expect);
                continue 'again;
            }
            if runs >= SHRINK_RUNS {
                break;
            }
        }
        break;
    }
    Some(best)
}

/// The test up to the failure. A loop is opened if the failure comes before it closes.
fn cut(trace: &Trace, step: Option<usize>, expect: Expect) -> Trace {
    match step {
        Some(step) if step < trace.states.len() && expect == Expect::Accept => {
            Trace { states: trace.states[..=step].to_vec(), loop_start: None }
        }
        _ => trace.clone(),
    }
}

/// Shorter candidates with the same end, the shortest first.
fn candidates(model: Option<&Model>, trace: &Trace) -> Vec<Trace> {
    if trace.loop_start.is_some() {
        return Vec::new();
    }
    let states = &trace.states;
    let mut found = Vec::new();
    // Cycles are removed.
    for (from, state) in states.iter().enumerate() {
        for to in (from + 1..states.len()).rev().filter(|to| same(model, state, &states[*to])) {
            found.push([&states[..from], &states[to..]].concat());
        }
    }
    if let Some(model) = model {
        shortcuts(model, states, &mut found);
    }
    found.retain(|shorter| shorter.len() < states.len());
    found.sort_by_key(Vec::len);
    found.dedup();
    found.into_iter().map(|states| Trace { states, loop_start: None }).collect()
}

/// Paths that skip states, and other paths to the last states.
fn shortcuts(model: &Model, states: &[State], found: &mut Vec<Vec<State>>) {
    for to in 1..states.len() {
        if check_initial(model, &states[to]).is_ok() {
            found.push(states[to..].to_vec());
        }
    }
    for from in 0..states.len() {
        for to in from + 2..states.len() {
            if check_step(model, &states[from], &states[to]).is_ok() {
                found.push([&states[..=from], &states[to..]].concat());
            }
        }
    }
    // The last step fails; any path to it will do.
    let Some(target) = states.len().checked_sub(2).filter(|target| *target > 0) else { return };
    let explorer = Explorer::new(model);
    for start in explorer.initial().limit(100_000).take(64).map_while(Result::ok) {
        if let Some((_, steps)) = recovery_path(model, &explorer, &start.next, &[&states[target]], &|_| false) {
            let mut path: Vec<State> = steps.iter().map(|step| step.now.clone()).collect();
            path.extend_from_slice(&states[target..]);
            found.push(path);
        }
    }
}

/// Whether two states are equal, except for inputs of the steps from them.
fn same(model: Option<&Model>, a: &State, b: &State) -> bool {
    match model {
        Some(model) => {
            let full = |state: &State| {
                model.vars().all(|(var, declared)| declared.kind == VarKind::Input || state.get(var).is_some())
            };
            full(a) && full(b) && agrees(model, a, b)
        }
        None => a == b,
    }
}
