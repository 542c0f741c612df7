//! The inputs of each step, from the states of a test.

use super::protocol::{Hello, Timing};
use specwright_model::interface::Role;
use specwright_model::model::VarKind;
use specwright_model::{Model, State, Trace, VarId};

/// The states of a test; a loop is repeated `turns` times, followed by its first state.
pub(crate) fn unrolled(trace: &Trace, turns: usize) -> Vec<State> {
    let mut states = trace.states.clone();
    if let Some(start) = trace.loop_start.filter(|start| *start < trace.states.len()) {
        for _ in 1..turns.max(1) {
            states.extend_from_slice(&trace.states[start..]);
        }
        states.push(trace.states[start].clone());
    }
    states
}

/// The inputs of the reset that enters a state.
pub(crate) fn first_inputs(model: &Model, hello: &Hello, first: &State) -> State {
    keep(model, first, |var, kind| kind == VarKind::Frozen || is_entering(hello, var, kind))
}

/// The inputs of the step from one state to another.
pub(crate) fn step_inputs(model: &Model, hello: &Hello, now: &State, next: &State) -> State {
    let inputs = keep(model, now, |var, kind| kind != VarKind::Frozen && !is_entering(hello, var, kind));
    with(&inputs, &keep(model, next, |var, kind| is_entering(hello, var, kind)))
}

/// The values of the two states of a step that follow from the inputs that were sent with it.
pub(crate) fn known(model: &Model, hello: &Hello, inputs: &State) -> (State, State) {
    let now = keep(model, inputs, |var, kind| !is_entering(hello, var, kind));
    let next = keep(model, inputs, |var, kind| is_entering(hello, var, kind));
    (now, next)
}

/// Whether an input comes with the step that enters its state.
fn is_entering(hello: &Hello, var: VarId, kind: VarKind) -> bool {
    kind == VarKind::State && hello.timing_of(var) == Timing::Entering
}

/// A state with the values of another one added.
pub(crate) fn with(state: &State, more: &State) -> State {
    let mut all = state.clone();
    for (index, value) in (0..).zip(more.values()) {
        if value.is_some() {
            all.set(VarId(index), *value);
        }
    }
    all
}

/// Whether a state agrees with the values of another one, except for inputs of the step from it.
pub(crate) fn agrees(model: &Model, state: &State, like: &State) -> bool {
    let says_otherwise = |(var, kind): (VarId, VarKind)| {
        kind != VarKind::Input && like.get(var).is_some_and(|value| state.get(var).is_some_and(|own| own != value))
    };
    !model.vars().map(|(id, var)| (id, var.kind)).any(says_otherwise)
}

fn inputs_of(model: &Model) -> impl Iterator<Item = (VarId, VarKind)> {
    model.vars().filter(|(id, _)| model.role(*id) == Role::Input).map(|(id, var)| (id, var.kind))
}

fn keep(model: &Model, state: &State, wanted: impl Fn(VarId, VarKind) -> bool) -> State {
    let mut kept = State::empty(model.vars.len());
    for (var, _) in inputs_of(model).filter(|(var, kind)| wanted(*var, *kind)) {
        kept.set(var, state.get(var));
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use specwright_model::Value;
    use specwright_model::testing::model;

    /// The inputs sent with the reset, and with the step after it.
    fn sent(timing: Timing) -> [String; 2] {
        let mut model =
            model("MODULE main FROZENVAR f : 0..9; VAR s : 0..9; x : 0..9; IVAR i : 0..9; ASSIGN next(x) := s;");
        let frozen = model.var_named("f").expect("declared");
        model.set_role(frozen, Role::Input);
        let state = |first: i64| {
            let mut state = State::empty(model.vars.len());
            for (number, (var, _)) in (first..).zip(model.vars()) {
                state.set(var, Value::Int(number));
            }
            state.set(frozen, Value::Int(0));
            state
        };
        let timings = model.timed_inputs().map(|var| (var, timing)).collect();
        let hello = Hello { timings, ..Hello::default() };
        let (now, next) = (state(0), state(4));
        [first_inputs(&model, &hello, &now), step_inputs(&model, &hello, &now, &next)].map(|inputs| {
            let given =
                model.vars().filter_map(|(id, var)| Some(format!("{}={}", var.name, model.show(inputs.get(id)?))));
            given.collect::<Vec<_>>().join(" ")
        })
    }

    #[test]
    fn frozen_inputs_are_sent_once_and_others_with_their_step() {
        assert_eq!(sent(Timing::Entering), ["f=0 s=1", "s=5 i=3"]);
        assert_eq!(sent(Timing::Leaving), ["f=0", "s=1 i=3"]);
    }
}
