//! State estimation: the states of the specification that agree with what was observed of the implementation.
//!
//! A small set of states is a list, computed by the explicit interpreter. If it gets too large or too expensive, a
//! symbolic engine takes over for the rest of the test.

use super::script::{agrees, with};
use crate::policy::{ESTIMATE_STATES, ESTIMATE_STEPS, ESTIMATE_WORK};
use rustc_hash::FxHashSet;
use specwright_mc::{self as engine, Budget, BuildError, EstimateState, Symbolic};
use specwright_model::interp::{Explorer, SearchError, Step};
use specwright_model::model::VarKind;
use specwright_model::{Model, State, Value, VarId};

/// A set of states.
pub struct StateEstimate<'m> {
    model: &'m Model,
    explorer: Explorer<'m>,
    set: Set,
    most_states: usize,
}

enum Set {
    /// Distinct states without inputs.
    Listed(Vec<State>),
    Symbolic(Box<Symbolic>, engine::StateEstimate),
}

/// Why the state cannot be estimated any more.
pub(super) enum EstimateError {
    /// The specification is undefined somewhere.
    Undefined(String),
    /// A limit was reached.
    Limit(String),
}

impl<'m> StateEstimate<'m> {
    /// The empty estimate.
    pub(super) fn new(model: &'m Model) -> StateEstimate<'m> {
        StateEstimate {
            model,
            explorer: Explorer::new(model),
            set: Set::Listed(Vec::new()),
            most_states: ESTIMATE_STATES,
        }
    }

    /// An estimate that lists at most this number of states before it uses an engine.
    #[cfg(test)]
    pub(super) fn listing(model: &'m Model, most_states: usize) -> StateEstimate<'m> {
        StateEstimate { most_states, ..StateEstimate::new(model) }
    }

    /// Starts with the initial states that agree with the given values.
    pub(super) fn start(&mut self, like: &State) -> Result<(), EstimateError> {
        let searches = [self.explorer.initial().like(like)];
        if let Some(states) = collect(self.model, searches, self.most_states)? {
            self.set = Set::Listed(states);
            return Ok(());
        }
        let mut engine = engine(self.model)?;
        let estimate = engine.estimate_initial(like, &budget())?;
        self.set = Set::Symbolic(Box::new(engine), estimate);
        Ok(())
    }

    /// Takes a step from a state that agrees with `now` to one that agrees with `next`. Returns whether there is such a
    /// step; if not, the estimate is unchanged.
    pub(super) fn step(&mut self, now: &State, next: &State) -> Result<bool, EstimateError> {
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
            let estimate = engine.estimate_of(states, &budget())?;
            self.set = Set::Symbolic(Box::new(engine), estimate);
        }
        let Set::Symbolic(engine, estimate) = &mut self.set else { return Ok(false) };
        let after = engine.estimate_after(estimate, now, next, &budget())?;
        let possible = !after.is_empty();
        if possible {
            *estimate = after;
        }
        Ok(possible)
    }

    /// Whether no state agrees with the observations.
    pub(super) fn is_empty(&self) -> bool {
        match &self.set {
            Set::Listed(states) => states.is_empty(),
            Set::Symbolic(_, estimate) => estimate.is_empty(),
        }
    }

    /// A state of the estimate that agrees with the given values, if there is one.
    pub(super) fn like(&mut self, like: &State) -> Result<Option<State>, EstimateError> {
        match &mut self.set {
            Set::Listed(states) => Ok(states.iter().find(|state| agrees(self.model, state, like)).cloned()),
            Set::Symbolic(engine, estimate) => {
                let found = engine.estimate_like(estimate, like, &budget())?;
                Ok(engine.first_state(&found))
            }
        }
    }

    /// A step from a state of the estimate to a state that agrees with the given values, with the given inputs, and
    /// that is not excluded.
    pub(super) fn step_like(
        &mut self,
        now: &State,
        next: &State,
        is_barred: &dyn Fn(&Step) -> bool,
    ) -> Result<Option<Step>, EstimateError> {
        let from: Vec<State> = match &mut self.set {
            Set::Listed(states) => states.iter().filter(|state| agrees(self.model, state, now)).cloned().collect(),
            Set::Symbolic(engine, estimate) => {
                let found = engine.estimate_like(estimate, now, &budget())?;
                engine.first_state(&found).into_iter().collect()
            }
        };
        for state in from {
            let search = self.explorer.steps(&with_inputs(self.model, &state, now)).like(next).limit(ESTIMATE_WORK);
            let mut found = search.filter(|found| !found.as_ref().is_ok_and(is_barred));
            match found.next() {
                Some(Ok(step)) => return Ok(Some(step)),
                None | Some(Err(SearchError::Limit)) => {}
                Some(Err(error)) => return Err(EstimateError::Undefined(error.describe(self.model))),
            }
        }
        Ok(None)
    }

    /// Some possible values of a variable after a step.
    pub(super) fn values_after(&self, now: &State, next: &State, var: VarId) -> Vec<Value> {
        const SHOWN: usize = 5;
        let mut values = Vec::new();
        let Set::Listed(states) = &self.set else { return values };
        for state in states.iter().filter(|state| agrees(self.model, state, now)) {
            let search = self.explorer.steps(&with_inputs(self.model, state, now)).like(next).limit(ESTIMATE_WORK);
            add_values(&mut values, search.map_while(Result::ok).filter_map(|step| step.next.get(var)), SHOWN);
        }
        values
    }

    /// Some possible values of a variable initially.
    pub(super) fn first_values(&self, like: &State, var: VarId) -> Vec<Value> {
        let mut values = Vec::new();
        let search = self.explorer.initial().like(like).limit(ESTIMATE_WORK);
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

/// A state with the given inputs of the step from it.
fn with_inputs(model: &Model, state: &State, given: &State) -> State {
    let mut inputs = State::empty(model.vars.len());
    for (var, _) in model.vars().filter(|(_, var)| var.kind == VarKind::Input) {
        inputs.set(var, given.get(var));
    }
    with(state, &inputs)
}

/// The states of a search; `None` if there are too many.
fn collect<'e>(
    model: &Model,
    searches: impl IntoIterator<Item = specwright_model::interp::Search<'e>>,
    most: usize,
) -> Result<Option<Vec<State>>, EstimateError> {
    let (mut states, mut seen) = (Vec::new(), FxHashSet::default());
    for search in searches {
        for (n_found, found) in search.limit(ESTIMATE_WORK).enumerate() {
            match found {
                // Many steps with different inputs lead to the same state.
                Ok(_) if states.len() >= most || n_found > 100 * most => return Ok(None),
                Ok(step) => {
                    if seen.insert(step.next.clone()) {
                        states.push(step.next);
                    }
                }
                Err(SearchError::Limit) => return Ok(None),
                Err(error) => return Err(EstimateError::Undefined(error.describe(model))),
            }
        }
    }
    Ok(Some(states))
}

/// The budget of each query.
fn budget() -> Budget {
    Budget::default().limited(ESTIMATE_STEPS)
}

/// An engine.
fn engine(model: &Model) -> Result<Symbolic, EstimateError> {
    let options = engine::Options { max_memory: 1 << 30, budget: budget(), ..engine::Options::default() };
    Symbolic::new(model.system.clone(), &options).map_err(|error| match error {
        BuildError::Limit(limit) => EstimateError::Limit(limit.to_string()),
        BuildError::Unbounded(var) => {
            EstimateError::Limit(format!("`{}` can be any {}", model[var].name, model.number_kind(var)))
        }
        BuildError::Undefined(_) => EstimateError::Undefined("a part of the model has no value somewhere".into()),
    })
}

impl From<engine::Reason> for EstimateError {
    fn from(reason: engine::Reason) -> EstimateError {
        match reason {
            engine::Reason::Undefined(_) => EstimateError::Undefined("a part of the model has no value here".into()),
            reason => EstimateError::Limit(reason.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use specwright_model::interp::Random;
    use specwright_model::testing::random_model;

    /// On random observations of random models, explicit and symbolic estimates agree.
    #[test]
    fn explicit_and_symbolic_estimates_agree() {
        let mut n_compared = 0;
        for seed in 0..150 {
            // A part of the outputs is defined.
            let mut model = random_model(seed);
            model.infer_outputs();
            let model = model.tester_view();
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
            let (mut listed, mut symbolic) = (StateEstimate::new(&model), StateEstimate::listing(&model, 0));
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
                    // A value that may be wrong.
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
                let Ok(Some(some)) = symbolic.like(&nothing) else { panic!("seed {seed}: an estimate with no member") };
                assert_eq!(listed.like(&some).ok().flatten(), Some(some.clone()), "seed {seed}");
                at = some;
            }
        }
        assert!(n_compared > 100, "{n_compared}");
    }
}
