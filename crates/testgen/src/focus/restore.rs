//! From the reduced model back to the whole one.

use super::reduce::Reduced;
use crate::suite::{Misfit, Test, fit};
use specwright_model::{Model, State, Trace, Value};

/// Why an execution of the reduced model is none of the whole one. That never happens, and is checked all the same.
#[derive(Clone, Debug)]
pub enum Unsound {
    /// It leaves the kept part.
    Leaves {
        /// The first state outside, counted from 0.
        state: usize,
    },
    /// The whole model has no such execution.
    Misfit(Misfit),
}

/// The same execution in the whole model, replayed there.
pub fn restore(whole: &Model, reduced: &Reduced, trace: &Trace) -> Result<Trace, Unsound> {
    if let Some(state) = trace.states.iter().position(|state| state.get(reduced.sound) != Some(Value::Bool(true))) {
        return Err(Unsound::Leaves { state });
    }
    let mut states = Vec::with_capacity(trace.states.len());
    for state in &trace.states {
        let mut restored = State::empty(whole.vars.len());
        for (var, _) in whole.vars() {
            restored.set(var, state.get(var));
        }
        states.push(restored);
    }
    let trace = Trace { states, loop_start: trace.loop_start };
    match fit(whole, &Test::new("", trace.clone())) {
        Ok(_) => Ok(trace),
        Err(misfit) => Err(Unsound::Misfit(misfit)),
    }
}

impl Reduced {
    /// An execution of the whole model that stays in the kept part, in the reduced one.
    pub fn focus_on(&self, trace: &Trace) -> Trace {
        let mut states = Vec::with_capacity(trace.states.len());
        for state in &trace.states {
            let mut reduced = State::empty(self.model.vars.len());
            for (index, value) in state.values().iter().enumerate() {
                reduced.set(specwright_model::VarId(index as u32), *value);
            }
            reduced.set(self.sound, Value::Bool(true));
            states.push(reduced);
        }
        Trace { states, loop_start: trace.loop_start }
    }
}
