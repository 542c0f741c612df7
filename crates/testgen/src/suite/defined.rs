//! Values of defines in tests. They follow from the variables where a state is complete; where it is not, they are what
//! the test says.

use super::test::{Suite, Test};
use specwright_model::model::DefineId;
use specwright_model::{Model, State, Trace, TransitionSystem, Value, VarId};
use std::borrow::Cow;
use std::collections::BTreeSet;

impl Test {
    /// The value that the test gives to a define in a state.
    pub fn given(&self, state: usize, define: DefineId) -> Option<Value> {
        let given = self.defined.get(state)?;
        given.iter().find(|(other, _)| *other == define).map(|(_, value)| *value)
    }

    /// The value of a define in a state: the given one, or the one that follows from the variables.
    pub fn value_of(&self, model: &TransitionSystem, state: usize, define: DefineId) -> Option<Value> {
        self.given(state, define).or_else(|| model.define_value(define, &self.trace.states[state]))
    }

    /// The defines to which it gives values.
    pub(super) fn defines(&self) -> impl Iterator<Item = DefineId> {
        self.defined.iter().flatten().map(|(define, _)| *define)
    }

    /// Gives defines values in a state.
    pub fn give(&mut self, state: usize, values: Vec<(DefineId, Value)>) {
        if !values.is_empty() {
            self.defined.resize(self.defined.len().max(state + 1), Vec::new());
            self.defined[state] = values;
        }
    }
}

impl Suite {
    /// The defines whose values the tests show: the outputs of the model, and those that the tests mention.
    pub fn defines(&self, model: &Model) -> Vec<DefineId> {
        let mentioned = self.tests.iter().flat_map(Test::defines);
        model.interface.defined_outputs().chain(mentioned).collect::<BTreeSet<_>>().into_iter().collect()
    }
}

/// A test over the variables of a model and variables for the defines that it mentions.
pub(super) struct Widened<'m> {
    /// The model with these variables.
    pub(super) model: Cow<'m, TransitionSystem>,
    /// The test over them.
    pub(super) trace: Trace,
    /// The defines, in the order of their variables, which come after all others.
    pub(super) defines: Vec<DefineId>,
    n_vars: usize,
}

impl<'m> Widened<'m> {
    pub(super) fn new(model: &'m TransitionSystem, test: &Test, trace: &Trace) -> Widened<'m> {
        let defines: Vec<DefineId> = test.defines().collect::<BTreeSet<_>>().into_iter().collect();
        let n_vars = model.vars.len();
        let states = trace.states.iter().enumerate().map(|(index, state)| {
            let mut wide = State::empty(n_vars + defines.len());
            for (var, _) in model.vars() {
                wide.set(var, state.get(var));
            }
            for (var, define) in (n_vars as u32..).zip(&defines) {
                wide.set(VarId(var), test.given(index, *define));
            }
            wide
        });
        let trace = Trace { states: states.collect(), loop_start: trace.loop_start };
        let model =
            if defines.is_empty() { Cow::Borrowed(model) } else { Cow::Owned(model.with_variables_for(&defines)) };
        Widened { model, trace, defines, n_vars }
    }

    /// An execution without the added variables.
    pub(super) fn narrow(&self, trace: Trace) -> Trace {
        let states = trace.states.into_iter().map(|wide| {
            let mut state = State::empty(self.n_vars);
            for var in (0..self.n_vars as u32).map(VarId) {
                state.set(var, wide.get(var));
            }
            state
        });
        Trace { states: states.collect(), loop_start: trace.loop_start }
    }
}
