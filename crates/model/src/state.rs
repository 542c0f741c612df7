//! States and traces.

use crate::model::{TransitionSystem, VarId};
use crate::value::{Domain, Value};

/// A value for each variable, including the inputs of the step from this state.
///
/// A variable may have no value: an input in the last state of a finite trace, or any variable in a hand-written test.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State(Box<[Option<Value>]>);

impl State {
    /// A state of `n_vars` variables without values.
    pub fn empty(n_vars: usize) -> State {
        State(vec![None; n_vars].into())
    }

    /// The value of a variable.
    pub fn get(&self, var: VarId) -> Option<Value> {
        self.0[var.0 as usize]
    }

    /// Sets or removes the value of a variable.
    pub fn set(&mut self, var: VarId, value: impl Into<Option<Value>>) {
        self.0[var.0 as usize] = value.into();
    }

    /// The sort key of states in declared order of variables and values. A missing value comes first.
    pub fn rank(&self, model: &TransitionSystem) -> Vec<Option<u64>> {
        let place = |(var, value): (&crate::model::Var, &Option<Value>)| match (value, &var.domain) {
            (Some(Value::Int(number)), Domain::Integer) => Some(number.abs_diff(i64::MIN)),
            (Some(value), domain) => domain.index_of(*value),
            (None, _) => None,
        };
        model.vars.iter().zip(&*self.0).map(place).collect()
    }

    /// All values in declared order of the variables.
    pub fn values(&self) -> &[Option<Value>] {
        &self.0
    }
}

/// A finite execution, or an infinite one in the form of a lasso.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Trace {
    /// The states; the first one is initial.
    pub states: Vec<State>,
    /// For a lasso, the index of the successor of the last state.
    pub loop_start: Option<usize>,
}

impl Trace {
    /// The index of the successor of a state; `None` at the end of a finite trace.
    pub fn next(&self, index: usize) -> Option<usize> {
        if index + 1 < self.states.len() { Some(index + 1) } else { self.loop_start }
    }

    /// The number of steps, including the one that closes the loop.
    pub fn n_steps(&self) -> usize {
        self.states.len() - usize::from(self.loop_start.is_none())
    }

    /// The same infinite execution with the fewest states: the loop is shortest and starts as early as possible. Finite
    /// traces are unchanged.
    #[must_use]
    pub fn folded(mut self) -> Trace {
        let Some(mut start) = self.loop_start else { return self };
        let body = &self.states[start..];
        let is_period = |n: usize| body.len().is_multiple_of(n) && (n..body.len()).all(|at| body[at] == body[at - n]);
        let period = (1..=body.len()).find(|n| is_period(*n)).unwrap_or(body.len());
        self.states.truncate(start + period);
        while start > 0 && self.states[start - 1] == self.states[self.states.len() - 1] {
            self.states.pop();
            start -= 1;
        }
        Trace { states: self.states, loop_start: Some(start) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace(values: &[i64], loop_start: Option<usize>) -> Trace {
        let state = |value: &i64| {
            let mut state = State::empty(1);
            state.set(VarId(0), Value::Int(*value));
            state
        };
        Trace { states: values.iter().map(state).collect(), loop_start }
    }

    #[test]
    fn loops_are_folded() {
        for (long, start, short, short_start) in [
            (&[1, 2, 2][..], 2, &[1, 2][..], 1),
            (&[1, 2, 3, 2, 3], 1, &[1, 2, 3], 1),
            (&[3, 1, 2, 3], 1, &[3, 1, 2], 0),
            (&[0, 2, 3, 1, 2, 3], 3, &[0, 2, 3, 1], 1),
            (&[1, 1, 2, 1], 1, &[1, 1, 2], 0),
            (&[5, 5, 5], 0, &[5], 0),
        ] {
            assert_eq!(trace(long, Some(start)).folded(), trace(short, Some(short_start)));
        }
        assert_eq!(trace(&[1, 1], None).folded(), trace(&[1, 1], None));
    }
}
