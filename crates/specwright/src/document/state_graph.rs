//! The state graph of a small machine, with the steps that tests take.

use crate::Graded;
use specwright_harness::report::page::{MAX_STATES, StateGraphView};
use specwright_model::{State, Trace};
use specwright_testgen::fsm::{Explicit, Form};
use specwright_testgen::grade::Group;
use specwright_testgen::suite::{Validated, validate};
use std::collections::{BTreeMap, BTreeSet};

/// Maximal number of valuations of all variables: listing the machine must cost nothing beside grading.
const MAX_VALUATIONS: u128 = 4096;

/// The graph; `None` for a model that is not small, or whose inputs do not determine its steps.
pub(super) fn state_graph(outcome: &Graded) -> Option<StateGraphView> {
    let model = &outcome.model;
    let mut sizes = model.vars().map(|(_, var)| var.domain.size());
    let valuations = sizes.try_fold(1u128, |product, size| product.checked_mul(size?))?;
    if valuations > MAX_VALUATIONS {
        return None;
    }
    let explicit = Explicit::new(model, Form::Values).ok()?;
    let n_states = explicit.machine.n_states();
    if n_states > MAX_STATES {
        return None;
    }
    let traces = outcome.read.suite.tests.iter().filter_map(|test| match validate(model, test) {
        Ok(Validated::Execution(trace)) => Some(trace),
        _ => None,
    });
    let taken: BTreeSet<(usize, usize)> = traces.flat_map(|trace| steps(&explicit, &trace)).collect();
    let mut edges: BTreeMap<(usize, usize), Group> = BTreeMap::new();
    for from in 0..n_states {
        for (letter, step) in explicit.machine.moves_of(from) {
            let share = edges.entry((from, step.to)).or_default();
            share.total += 1;
            share.reached += usize::from(taken.contains(&(from, letter)));
        }
    }
    Some(StateGraphView {
        states: (0..n_states).map(|state| explicit.state_text(model, state)).collect(),
        initial: explicit.machine.resets.iter().map(|reset| reset.to).collect(),
        edges: edges.into_iter().map(|((from, to), share)| (from, to, share)).collect(),
    })
}

/// The states and inputs of the steps of an execution.
fn steps(explicit: &Explicit, trace: &Trace) -> Vec<(usize, usize)> {
    let agrees = |part: &State, whole: &State| {
        part.values().iter().zip(whole.values()).all(|(given, value)| given.is_none() || given == value)
    };
    let mut steps = Vec::new();
    let back = trace.loop_start.map(|start| &trace.states[start]);
    let following = trace.states.iter().skip(1).chain(back);
    for (now, next) in trace.states.iter().zip(following) {
        let Some(state) = explicit.states.iter().position(|state| agrees(state, now)) else { continue };
        for (letter, (leaving, entering)) in explicit.letters.iter().enumerate() {
            if agrees(leaving, now) && agrees(entering, next) && explicit.machine.moves[state][letter].is_some() {
                steps.push((state, letter));
            }
        }
    }
    steps
}
