//! Completion of partial tests: a breadth-first search of all states of the model that agree with the given values.

use crate::policy::{AGREEING_STATES, COMPARED_STATES, COMPLETION_WORK};
use specwright_model::interp::{Explorer, SearchError};
use specwright_model::model::VarKind;
use specwright_model::{State, Trace, TransitionSystem, Value, VarId};

/// The executions that a partial trace stands for.
pub(super) enum Completion {
    /// One execution.
    One(Trace),
    /// None: no state agrees with this one after those before it.
    None { state: usize, conflict: Option<(VarId, Value, Value)> },
    /// Several executions, which differ in this state.
    Several { state: usize, var: VarId, values: (Value, Value) },
    /// Too many to enumerate.
    TooMany { state: usize },
}

/// The completion of a partial trace.
pub(super) fn complete(model: &TransitionSystem, trace: &Trace) -> Completion {
    let explorer = Explorer::new(model);
    let start = match trace.loop_start {
        None => return decide(model, vec![walk(model, &explorer, trace, None)], trace),
        Some(start) if start < trace.states.len() => start,
        Some(_) => return Completion::None { state: trace.states.len(), conflict: None },
    };
    // First without the loop, to find the possible loop starts.
    let open = Trace { states: trace.states.clone(), loop_start: None };
    let candidates = match walk(model, &explorer, &open, None) {
        Ok(layers) => layers[start].states.clone(),
        Err(stop) => return stop,
    };
    let ends = candidates.into_iter().map(|state| walk(model, &explorer, trace, Some(&(start, state)))).collect();
    decide(model, ends, trace)
}

/// All executions that agree with a trace, if there are at most `most`. Missing inputs of the last state stay missing.
pub(super) fn all_executions(model: &TransitionSystem, trace: &Trace, most: usize) -> Option<Vec<Trace>> {
    let explorer = Explorer::new(model);
    let walks = match trace.loop_start {
        None => vec![walk(model, &explorer, trace, None)],
        Some(start) if start < trace.states.len() => {
            let open = Trace { states: trace.states.clone(), loop_start: None };
            let candidates = walk(model, &explorer, &open, None).ok()?.swap_remove(start).states;
            candidates.into_iter().map(|state| walk(model, &explorer, trace, Some(&(start, state)))).collect()
        }
        Some(_) => return None,
    };
    let mut all_executions: Vec<Trace> = Vec::new();
    for layers in walks {
        let layers = match layers {
            Ok(layers) => layers,
            Err(Completion::TooMany { .. }) => return None,
            Err(_) => continue,
        };
        // The paths to each state of a layer.
        let mut paths: Vec<(Vec<State>, usize)> = (0..layers[0].states.len()).map(|at| (Vec::new(), at)).collect();
        for (index, layer) in layers.iter().enumerate() {
            if index + 1 == layers.len() {
                break;
            }
            let mut longer = Vec::new();
            for (path, at) in paths {
                for (_, now, to) in layer.steps.iter().filter(|(from, ..)| *from == at) {
                    longer.push(([&path[..], std::slice::from_ref(now)].concat(), *to));
                    if longer.len() > most {
                        return None;
                    }
                }
            }
            paths = longer;
        }
        for (mut states, at) in paths {
            if trace.loop_start.is_none() {
                let last = &layers[layers.len() - 1].states[at];
                states.push(with_given_inputs(model, last, &trace.states[states.len()]));
            }
            all_executions.push(Trace { states, loop_start: trace.loop_start });
        }
        if all_executions.len() > most {
            return None;
        }
    }
    Some(all_executions)
}

/// The states, without inputs, that agree with one state of the trace, and the steps to the next layer.
#[derive(Default)]
struct Layer {
    states: Vec<State>,
    /// Source state, inputs, and target state in the next layer.
    steps: Vec<(usize, State, usize)>,
}

/// All states that agree with the trace; with a loop, it returns to this state.
fn walk(
    model: &TransitionSystem,
    explorer: &Explorer<'_>,
    trace: &Trace,
    back: Option<&(usize, State)>,
) -> Result<Vec<Layer>, Completion> {
    let mut layers: Vec<Layer> = vec![Layer::default()];
    for found in explorer.initial().like(&trace.states[0]).limit(COMPLETION_WORK) {
        let found = found.map_err(|error| stop(&error, 0))?;
        add(&mut layers[0], found.next, 0)?;
    }
    let n = trace.states.len();
    for index in 0..n {
        if let Some((_, at)) = back.filter(|(start, _)| *start == index) {
            // Restricts the layer of the loop start to this state.
            let place = layers[index].states.iter().position(|state| state == at);
            layers[index].states.retain(|state| state == at);
            if let Some(before) = index.checked_sub(1) {
                layers[before].steps.retain(|(_, _, to)| Some(*to) == place);
                layers[before].steps.iter_mut().for_each(|(_, _, to)| *to = 0);
            }
        }
        if layers[index].states.is_empty() {
            let before = index.checked_sub(1).map(|before| &layers[before].states[..]);
            return Err(Completion::None { state: index, conflict: conflict(model, explorer, before, trace, index) });
        }
        let target = match (back, trace.states.get(index + 1)) {
            (_, Some(next)) => next,
            (Some((_, at)), None) => at,
            (None, None) => break,
        };
        let mut next = Layer::default();
        let states = layers[index].states.clone();
        for (from, state) in states.into_iter().enumerate() {
            let mut with_inputs = state;
            for (var, _) in model.vars().filter(|(_, var)| var.kind == VarKind::Input) {
                with_inputs.set(var, trace.states[index].get(var));
            }
            for step in explorer.steps(&with_inputs).like(target).limit(COMPLETION_WORK) {
                let step = step.map_err(|error| stop(&error, index + 1))?;
                let to = add(&mut next, step.next, index + 1)?;
                layers[index].steps.push((from, step.now, to));
                if layers[index].steps.len() > AGREEING_STATES {
                    return Err(Completion::TooMany { state: index });
                }
            }
        }
        layers.push(next);
    }
    if layers.len() > n && layers[n].states.is_empty() {
        return Err(Completion::None { state: n, conflict: None });
    }
    Ok(layers)
}

fn stop(error: &SearchError, state: usize) -> Completion {
    match error {
        SearchError::Limit | SearchError::Unbounded(_) => Completion::TooMany { state },
        _ => Completion::None { state, conflict: None },
    }
}

fn add(layer: &mut Layer, state: State, index: usize) -> Result<usize, Completion> {
    if let Some(known) = layer.states.iter().position(|known| *known == state) {
        return Ok(known);
    }
    if layer.states.len() == AGREEING_STATES {
        return Err(Completion::TooMany { state: index });
    }
    layer.states.push(state);
    Ok(layer.states.len() - 1)
}

/// The first difference to the closest state that the model would have.
fn conflict(
    model: &TransitionSystem,
    explorer: &Explorer<'_>,
    before: Option<&[State]>,
    trace: &Trace,
    index: usize,
) -> Option<(VarId, Value, Value)> {
    let wanted = &trace.states[index];
    let differs = |found: &State| {
        let differs = |var: &VarId| wanted.get(*var).zip(found.get(*var)).is_some_and(|(a, b)| a != b);
        model.vars().map(|(var, _)| var).filter(differs).collect::<Vec<_>>()
    };
    // What nothing assigns can be as it is given, so the difference is elsewhere, if possible.
    let mut free = wanted.clone();
    for assign in &model.assigns {
        free.set(assign.var, None);
    }
    let found: Vec<State> = match before {
        None => {
            let initial = |like: &State| -> Vec<State> {
                let found = explorer.initial().like(like).limit(COMPLETION_WORK).take(COMPARED_STATES);
                found.map_while(Result::ok).map(|step| step.next).collect()
            };
            let found = initial(&free);
            if found.is_empty() { initial(&State::empty(model.vars.len())) } else { found }
        }
        Some(before) => {
            let mut from = before.first()?.clone();
            for (var, _) in model.vars().filter(|(_, var)| var.kind == VarKind::Input) {
                from.set(var, trace.states[index - 1].get(var));
            }
            let steps = |like: &State| -> Vec<State> {
                let steps = explorer.steps(&from).like(like).limit(COMPLETION_WORK).take(COMPARED_STATES);
                steps.map_while(Result::ok).map(|step| step.next).collect()
            };
            let found = steps(&free);
            if found.is_empty() { steps(&State::empty(model.vars.len())) } else { found }
        }
    };
    let nearest = found.iter().min_by_key(|state| differs(state).len())?;
    let var = *differs(nearest).first()?;
    Some((var, wanted.get(var)?, nearest.get(var)?))
}

/// Removes states without a continuation, and decides whether one execution remains.
fn decide(model: &TransitionSystem, walks: Vec<Result<Vec<Layer>, Completion>>, trace: &Trace) -> Completion {
    let mut states: Vec<Vec<State>> = vec![Vec::new(); trace.states.len()];
    let mut failure: Option<Completion> = None;
    for layers in walks {
        let layers = match layers {
            Ok(layers) => layers,
            Err(many @ Completion::TooMany { .. }) => return many,
            Err(stop) => {
                failure = Some(stop);
                continue;
            }
        };
        let mut alive: Vec<bool> = vec![true; layers.last().map_or(0, |layer| layer.states.len())];
        for (index, layer) in layers.iter().enumerate().rev() {
            let mut reaches = vec![layer.steps.is_empty() && index + 1 == layers.len(); layer.states.len()];
            for (from, now, to) in &layer.steps {
                if alive[*to] {
                    reaches[*from] = true;
                    if !states[index].contains(now) {
                        states[index].push(now.clone());
                    }
                }
            }
            if index + 1 == layers.len() && index < states.len() {
                for state in &layer.states {
                    states[index].push(with_given_inputs(model, state, &trace.states[index]));
                }
            }
            alive = reaches;
        }
    }
    if states.iter().any(Vec::is_empty) {
        return failure.unwrap_or(Completion::None { state: trace.states.len(), conflict: None });
    }
    for (index, all_executions) in states.iter().enumerate() {
        if let [one, other, ..] = &all_executions[..] {
            let differs = |var: &VarId| one.get(*var) != other.get(*var);
            let var = model.vars().map(|(var, _)| var).find(differs).expect("equal states are kept once");
            let values = one.get(var).zip(other.get(var)).expect("found states have all values");
            return Completion::Several { state: index, var, values };
        }
    }
    let states = states.into_iter().map(|mut all_executions| all_executions.remove(0)).collect();
    Completion::One(Trace { states, loop_start: trace.loop_start })
}

/// The last state of a finite trace keeps its given inputs, although no step takes them.
fn with_given_inputs(model: &TransitionSystem, state: &State, given: &State) -> State {
    let mut state = state.clone();
    for (var, _) in model.vars().filter(|(_, var)| var.kind == VarKind::Input) {
        state.set(var, given.get(var));
    }
    state
}
