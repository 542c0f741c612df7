//! Walks through a model, at random or as a caller chooses.

use crate::policy::WALK_WORK;
use crate::session::Session;
use specwright_model::interp::{Evaluator, Explorer, Random, Search, SearchError, Step};
use specwright_model::model::{DefineId, VarKind};
use specwright_model::trace::{Defines, TraceJson, define_text};
use specwright_model::{Domain, Model, State, Trace, Value, VarId};
use std::collections::BTreeSet;

/// A walk through a model, which starts before the first state.
pub struct Walk<'m> {
    model: &'m Model,
    explorer: Explorer<'m>,
    /// All states, or only the last two.
    states: Vec<State>,
    n_states: usize,
    keeps_all: bool,
    /// The defines that are shown, too.
    defines: Vec<DefineId>,
    /// The variables without end, and the numbers that a walk gives them where nothing determines them.
    unbounded: Vec<VarId>,
    numbers: Vec<i64>,
}

/// Attempts at a random step with other numbers for variables without end.
const ATTEMPTS: usize = 32;

impl Session {
    /// A walk through the model. If it does not keep all states, it knows the last two.
    pub fn walk(&self, keeps_all: bool) -> Walk<'_> {
        let (model, explorer) = (&self.model, Explorer::new(&self.model));
        let unbounded: Vec<VarId> =
            model.vars().filter(|(_, var)| var.domain == Domain::Integer).map(|(id, _)| id).collect();
        let numbers: BTreeSet<i64> = if unbounded.is_empty() {
            BTreeSet::new()
        } else {
            (0..=10).chain(model.numbers_in(&model.parts())).collect()
        };
        let numbers = numbers.into_iter().collect();
        Walk { model, explorer, states: Vec::new(), n_states: 0, keeps_all, defines: Vec::new(), unbounded, numbers }
    }
}

impl<'m> Walk<'m> {
    /// The model.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// The number of states so far.
    pub fn n_states(&self) -> usize {
        self.n_states
    }

    /// The last state; none before the first step.
    pub fn last(&self) -> Option<&State> {
        self.states.last()
    }

    /// The steps from the last state on, or into initial states.
    pub fn steps(&self) -> Search<'_> {
        let search = self.last().map_or_else(|| self.explorer.initial(), |now| self.explorer.steps(now));
        let search = search.limit(WALK_WORK);
        if self.unbounded.is_empty() { search } else { search.otherwise(&self.guesses(|_| None)) }
    }

    /// Values for the variables without end: others than they have, or the same.
    fn guesses(&self, mut other: impl FnMut(&[i64]) -> Option<i64>) -> State {
        let mut values = State::empty(self.model.vars.len());
        for var in &self.unbounded {
            let kept = self.last().and_then(|state| state.get(*var)).unwrap_or(Value::Int(0));
            values.set(*var, other(&self.numbers).map_or(kept, Value::Int));
        }
        values
    }

    /// One of the steps from the last state on, at random; none if there is none.
    pub fn random_step(&self, random: &mut Random) -> Option<Result<Step, SearchError>> {
        let attempts = if self.unbounded.is_empty() { 1 } else { ATTEMPTS };
        let mut found = None;
        for _ in 0..attempts {
            let mut search = self.steps();
            if !self.unbounded.is_empty() {
                let values = self.guesses(|numbers| random.percent(50).then(|| *random.pick(numbers)));
                search = search.otherwise(&values);
            }
            found = search.shuffled(Random::new(random.next_u64())).next();
            if matches!(found, Some(Ok(_))) {
                break;
            }
        }
        found
    }

    /// Takes a step: fills in the inputs of the state that is left, and goes on to the one that follows.
    pub fn take(&mut self, step: Step) {
        if let Some(last) = self.states.last_mut() {
            last.clone_from(&step.now);
        }
        if !self.keeps_all && self.states.len() > 1 {
            self.states.remove(0);
        }
        self.states.push(step.next);
        self.n_states += 1;
    }

    /// Takes the last step back. Returns whether there was one.
    pub fn back(&mut self) -> bool {
        if self.states.len() < 2 {
            return false;
        }
        self.states.pop();
        self.n_states -= 1;
        // The inputs of the state belong to the step that was taken back.
        if let Some(last) = self.states.last_mut() {
            for (var, _) in self.model.vars().filter(|(_, var)| var.kind == VarKind::Input) {
                last.set(var, None);
            }
        }
        true
    }

    /// The inputs of the last step: names and values.
    pub fn last_inputs(&self) -> Vec<(&'m str, String)> {
        self.states.iter().rev().nth(1).map(|state| inputs(self.model, state)).unwrap_or_default()
    }

    /// The values of the last state; only those that differ from the state before, unless all are wanted.
    pub fn last_values(&self, all: bool) -> Vec<(&'m str, String)> {
        let before = if all { None } else { self.states.iter().rev().nth(1) };
        let Some(state) = self.last() else { return Vec::new() };
        let mut values = changes(self.model, before, state);
        let mut evaluator = Evaluator::new(self.model, state, None);
        let mut earlier = before.map(|before| Evaluator::new(self.model, before, None));
        for define in &self.defines {
            let value = define_text(self.model, *define, &mut evaluator);
            let known = earlier.as_mut().and_then(|earlier| define_text(self.model, *define, earlier));
            if let Some(value) = value.filter(|value| known.as_ref() != Some(value)) {
                values.push((self.model[*define].name.as_str(), value));
            }
        }
        values
    }

    /// The same walk, which shows the values of some defines, too.
    #[must_use]
    pub fn with_defines(self, which: Defines) -> Walk<'m> {
        Walk { defines: self.model.shown_defines(which), ..self }
    }

    /// The states as a trace.
    pub fn into_trace(self) -> Trace {
        Trace { states: self.states, loop_start: None }
    }

    /// The states as a document.
    pub fn into_document(self) -> TraceJson {
        let (model, defines) = (self.model, self.defines.clone());
        let trace = self.into_trace();
        TraceJson::document(model, &trace).with_defines(model, &trace, &defines)
    }
}

/// The values in which a state differs from the one before, in declared order; inputs are not part of it.
pub fn changes<'m>(model: &'m Model, before: Option<&State>, state: &State) -> Vec<(&'m str, String)> {
    let of_state = model.vars().filter(|(_, var)| var.kind != VarKind::Input);
    let changed = of_state.filter(|(id, _)| before.is_none_or(|before| before.get(*id) != state.get(*id)));
    changed.filter_map(|(id, var)| Some((var.name.as_str(), model.show_of(id, state.get(id)?)))).collect()
}

/// The inputs with which a state is left.
pub fn inputs<'m>(model: &'m Model, state: &State) -> Vec<(&'m str, String)> {
    let inputs = model.vars().filter(|(_, var)| var.kind == VarKind::Input);
    inputs.filter_map(|(id, var)| Some((var.name.as_str(), model.show_of(id, state.get(id)?)))).collect()
}
