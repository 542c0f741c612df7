//! States, and the traces that they line up to.

use crate::model::{Model, VarId};
use crate::value::{Domain, Value};

/// A value for each variable, inputs included: those that are taken when the state is left.
///
/// A variable may be without a value: an input in the last state of a finite trace, or what a hand-written test
/// leaves open.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State(Box<[Option<Value>]>);

impl State {
    /// A state of so many variables, none of which has a value.
    pub fn empty(n_vars: usize) -> State {
        State(vec![None; n_vars].into())
    }

    /// The value of a variable.
    pub fn get(&self, var: VarId) -> Option<Value> {
        self.0[var.0 as usize]
    }

    /// Gives a variable a value, or takes it away.
    pub fn set(&mut self, var: VarId, value: impl Into<Option<Value>>) {
        self.0[var.0 as usize] = value.into();
    }

    /// What states are sorted by in the declared order of variables and values. No value comes first.
    pub fn rank(&self, model: &Model) -> Vec<Option<u64>> {
        let place = |(var, value): (&crate::model::Var, &Option<Value>)| match (value, &var.domain) {
            (Some(Value::Int(number)), Domain::Integer) => Some(number.abs_diff(i64::MIN)),
            (Some(value), domain) => domain.index_of(*value),
            (None, _) => None,
        };
        model.vars.iter().zip(&*self.0).map(place).collect()
    }

    /// All values in the order of the variables.
    pub fn values(&self) -> &[Option<Value>] {
        &self.0
    }
}

/// A finite execution, or an infinite one that ends in a loop.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Trace {
    /// The states, the first one initial.
    pub states: Vec<State>,
    /// For an infinite execution, the index of the state that follows the last one.
    pub loop_start: Option<usize>,
}

impl Trace {
    /// The index of the state after the given one, unless the trace ends there.
    pub fn next(&self, index: usize) -> Option<usize> {
        if index + 1 < self.states.len() { Some(index + 1) } else { self.loop_start }
    }

    /// The number of steps, the one that closes the loop included.
    pub fn n_steps(&self) -> usize {
        self.states.len() - usize::from(self.loop_start.is_none())
    }
}
