//! The states of the specification in which the implementation may be, as far as can be seen.
//!
//! As long as they are few they are listed, by the explicit interpreter. When they become many, or hard to find, a symbolic
//! engine takes over for the rest of the test.

use super::script::{agrees, with};
use rustc_hash::FxHashSet;
use specwright_mc::{self as engine, BuildError, Symbolic};
use specwright_model::interp::{Explorer, SearchError, Step};
use specwright_model::model::VarKind;
use specwright_model::{Model, State, Value, VarId};

/// So many states are listed.
const MOST_STATES: usize = 1000;
/// So many values and constraints are tried to find the next ones.
const MOST_WORK: u64 = 1_000_000;

/// Steps of decision diagrams for each question, about 20 seconds' work.
const EFFORT: u64 = 100_000_000;

/// A set of states.
pub struct Belief<'m> {
    model: &'m Model,
    explorer: Explorer<'m>,
    set: Set,
    most_states: usize,
}

enum Set {
    /// States without inputs, each once.
    Listed(Vec<State>),
    Symbolic(Box<Symbolic>, engine::StateEstimate),
}

/// Why nothing can be said any more.
pub(super) enum Lost {
    /// The specification has no value somewhere.
    Undefined(String),
    /// There are too many states to keep track of.
    Limit(String),
}

impl<'m> Belief<'m> {
    /// Nothing is believed yet.
    pub(super) fn new(model: &'m Model) -> Belief<'m> {
        Belief { model, explorer: Explorer::new(model), set: Set::Listed(Vec::new()), most_states: MOST_STATES }
    }

    /// With an engine from the first step on, or after so many states.
    #[cfg(test)]
    pub(super) fn listing(model: &'m Model, most_states: usize) -> Belief<'m> {
        Belief { most_states, ..Belief::new(model) }
    }

    /// The initial states that agree with what is given.
    pub(super) fn start(&mut self, like: &State) -> Result<(), Lost> {
        let searches = [self.explorer.initial().like(like)];
        if let Some(states) = collect(self.model, searches, self.most_states)? {
            self.set = Set::Listed(states);
            return Ok(());
        }
        let mut engine = engine(self.model)?;
        let belief = engine.believe_initial(like)?;
        self.set = Set::Symbolic(Box::new(engine), belief);
        Ok(())
    }

    /// Takes a step, if it can be taken: from a state that agrees with `now`, to one that agrees with `next`. If it cannot
    /// be taken, nothing changes.
    pub(super) fn step(&mut self, now: &State, next: &State) -> Result<bool, Lost> {
        if let Set::Listed(states) = &self.set {
            let from = states.iter().filter(|state| agrees(self.model, state, now));
            let searches = from.map(|state| self.explorer.steps(&with_inputs(self.model, state, now)).like(next));
            if let Some(states) = collect(self.model, searches, self.most_states)? {
                let possible = !states.is_empty();
                if possible {
                    self.set = Set::Listed(states);
                }
                return Ok(possible);
            }
            let mut engine = engine(self.model)?;
            let belief = engine.believe_all(states)?;
            self.set = Set::Symbolic(Box::new(engine), belief);
        }
        let Set::Symbolic(engine, belief) = &mut self.set else { return Ok(false) };
        engine.allow_steps(EFFORT);
        let after = engine.believe_step(belief, now, next)?;
        let possible = !after.is_empty();
        if possible {
            *belief = after;
        }
        Ok(possible)
    }

    /// Whether no state agrees with what was seen.
    pub(super) fn is_empty(&self) -> bool {
        match &self.set {
            Set::Listed(states) => states.is_empty(),
            Set::Symbolic(_, belief) => belief.is_empty(),
        }
    }

    /// A member that agrees with what is given, if there is one.
    pub(super) fn like(&mut self, like: &State) -> Result<Option<State>, Lost> {
        match &mut self.set {
            Set::Listed(states) => Ok(states.iter().find(|state| agrees(self.model, state, like)).cloned()),
            Set::Symbolic(engine, belief) => {
                engine.allow_steps(EFFORT);
                let found = engine.believe_like(belief, like)?;
                Ok(engine.believed_state(&found))
            }
        }
    }

    /// A step from a member to a state that agrees with what is given, with the inputs of the step that are given, and that
    /// is not barred.
    pub(super) fn step_like(
        &mut self,
        now: &State,
        next: &State,
        is_barred: &dyn Fn(&Step) -> bool,
    ) -> Result<Option<Step>, Lost> {
        let from: Vec<State> = match &mut self.set {
            Set::Listed(states) => states.iter().filter(|state| agrees(self.model, state, now)).cloned().collect(),
            Set::Symbolic(engine, belief) => {
                engine.allow_steps(EFFORT);
                let found = engine.believe_like(belief, now)?;
                engine.believed_state(&found).into_iter().collect()
            }
        };
        for state in from {
            let search = self.explorer.steps(&with_inputs(self.model, &state, now)).like(next).limit(MOST_WORK);
            let mut found = search.filter(|found| !found.as_ref().is_ok_and(is_barred));
            match found.next() {
                Some(Ok(step)) => return Ok(Some(step)),
                None | Some(Err(SearchError::Limit)) => {}
                Some(Err(error)) => return Err(Lost::Undefined(error.describe(self.model))),
            }
        }
        Ok(None)
    }

    /// Some of the values that a variable can have after a step.
    pub(super) fn values_after(&self, now: &State, next: &State, var: VarId) -> Vec<Value> {
        const SHOWN: usize = 5;
        let mut values = Vec::new();
        let Set::Listed(states) = &self.set else { return values };
        for state in states.iter().filter(|state| agrees(self.model, state, now)) {
            let search = self.explorer.steps(&with_inputs(self.model, state, now)).like(next).limit(MOST_WORK);
            add_values(&mut values, search.map_while(Result::ok).filter_map(|step| step.next.get(var)), SHOWN);
        }
        values
    }

    /// Some of the values that a variable can have at the start.
    pub(super) fn first_values(&self, like: &State, var: VarId) -> Vec<Value> {
        let mut values = Vec::new();
        let search = self.explorer.initial().like(like).limit(MOST_WORK);
        add_values(&mut values, search.map_while(Result::ok).filter_map(|step| step.next.get(var)), 5);
        values
    }
}

fn add_values(values: &mut Vec<Value>, found: impl Iterator<Item = Value>, most: usize) {
    for value in found {
        if !values.contains(&value) {
            values.push(value);
        }
        if values.len() == most {
            return;
        }
    }
}

/// A state with the inputs that a step from it takes, as far as they are given.
fn with_inputs(model: &Model, state: &State, given: &State) -> State {
    let mut inputs = State::empty(model.vars.len());
    for (var, _) in model.vars().filter(|(_, var)| var.kind == VarKind::Input) {
        inputs.set(var, given.get(var));
    }
    with(state, &inputs)
}

/// The states that are found; nothing if there are too many.
fn collect<'e>(
    model: &Model,
    searches: impl IntoIterator<Item = specwright_model::interp::Search<'e>>,
    most: usize,
) -> Result<Option<Vec<State>>, Lost> {
    let (mut states, mut seen) = (Vec::new(), FxHashSet::default());
    for search in searches {
        for (n_found, found) in search.limit(MOST_WORK).enumerate() {
            match found {
                // Many steps with other inputs lead to the same state.
                Ok(_) if states.len() >= most || n_found > 100 * most => return Ok(None),
                Ok(step) => {
                    if seen.insert(step.next.clone()) {
                        states.push(step.next);
                    }
                }
                Err(SearchError::Limit) => return Ok(None),
                Err(error) => return Err(Lost::Undefined(error.describe(model))),
            }
        }
    }
    Ok(Some(states))
}

/// An engine, with an effort for the first question.
fn engine(model: &Model) -> Result<Symbolic, Lost> {
    let options = engine::Options { max_memory: 1 << 30, max_steps: Some(EFFORT), ..engine::Options::default() };
    Symbolic::new(model.clone(), &options).map_err(|error| match error {
        BuildError::Limit(limit) => Lost::Limit(limit.to_string()),
        BuildError::Unbounded(var) => Lost::Limit(format!("`{}` can be any integer", model[var].name)),
        BuildError::Undefined(_) => Lost::Undefined("a part of the model has no value somewhere".into()),
    })
}

impl From<engine::Reason> for Lost {
    fn from(reason: engine::Reason) -> Lost {
        match reason {
            engine::Reason::Undefined(_) => Lost::Undefined("a part of the model has no value here".into()),
            reason => Lost::Limit(reason.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use specwright_model::interp::Random;
    use specwright_model::testing::random_model;

    /// Random observations of random models: a listed belief and a symbolic one agree in everything that can be asked.
    #[test]
    fn listing_states_and_computing_with_sets_agree() {
        let mut n_compared = 0;
        for seed in 0..150 {
            let model = random_model(seed);
            let mut random = Random::new(seed);
            let visible: Vec<VarId> = model.vars().map(|(var, _)| var).filter(|_| random.percent(50)).collect();
            let glimpse = |state: &State| {
                let mut seen = State::empty(model.vars.len());
                for var in &visible {
                    seen.set(*var, state.get(*var));
                }
                seen
            };
            let explorer = Explorer::new(&model);
            let shuffle = |random: &mut Random| Random::new(random.next_u64());
            let Some(Ok(first)) = explorer.initial().shuffled(shuffle(&mut random)).limit(20_000).next() else {
                continue;
            };
            let (mut listed, mut symbolic) = (Belief::new(&model), Belief::listing(&model, 0));
            let nothing = State::empty(model.vars.len());
            let (a, b) = (listed.start(&glimpse(&first.next)).is_ok(), symbolic.start(&glimpse(&first.next)).is_ok());
            if !(a && b && matches!(symbolic.set, Set::Symbolic(..))) {
                continue;
            }
            let mut at = first.next;
            for _ in 0..4 {
                let Some(Ok(step)) = explorer.steps(&at).shuffled(shuffle(&mut random)).limit(20_000).next() else {
                    break;
                };
                let mut seen = glimpse(&step.next);
                if random.percent(30) {
                    // Something that may be wrong.
                    let (var, declared) = model.vars().nth(random.index(model.vars.len())).expect("not empty");
                    seen.set(var, declared.domain.value_at(0));
                }
                let now = glimpse(&step.now);
                let (Ok(a), Ok(b)) = (listed.step(&now, &seen), symbolic.step(&now, &seen)) else { break };
                assert_eq!(a, b, "seed {seed}");
                n_compared += 1;
                let Set::Listed(states) = &listed.set else { break };
                for state in states.clone() {
                    assert_eq!(symbolic.like(&state).ok().flatten(), Some(state), "seed {seed}");
                }
                let Ok(Some(some)) = symbolic.like(&nothing) else { panic!("seed {seed}: a belief with no member") };
                assert_eq!(listed.like(&some).ok().flatten(), Some(some.clone()), "seed {seed}");
                at = some;
            }
        }
        assert!(n_compared > 100, "{n_compared}");
    }
}
