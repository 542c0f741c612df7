//! The finite focus as a reduction.

use super::reduce::Reduced;
use super::rewrite::Reach;
use specwright_mc::reduction::{Extent, Lifted, NotLifted, Reduction};
use specwright_mc::{Proof, Query};
use specwright_model::model::VarKind;
use specwright_model::{State, Trace, TransitionSystem, Value, VarId};

impl Reduction for Reduced {
    fn system(&self) -> &TransitionSystem {
        &self.model.system
    }

    fn map_query(&self, query: Query) -> Query {
        self.target(query, Reach::Inside)
    }

    /// A proof inside of the focus says nothing of what is outside. [`decide_outside`](super::decide_outside) turns it
    /// into one that does, or into no proof; what it leaves carries over.
    fn preserves(&self, _: &TransitionSystem, _: Query, _: &Proof) -> bool {
        true
    }

    /// States outside of the focus are cut off.
    fn lift(&self, whole: &TransitionSystem, trace: &Trace) -> Result<Lifted, NotLifted> {
        let n_sound = trace.states.iter().take_while(|state| self.is_sound(state)).count();
        if n_sound == 0 {
            return Err(NotLifted::OutsideFocus);
        }
        let extent = if n_sound == trace.states.len() { Extent::Same } else { Extent::Prefix };
        Ok(Lifted { trace: restore(whole, trace, n_sound), origins: (0..n_sound).map(Some).collect(), extent })
    }

    /// The execution stays in focus.
    fn project(&self, trace: &Trace) -> Trace {
        let reduced = |state: &State| {
            let mut reduced = State::empty(self.model.vars.len());
            for (index, value) in (0..).map(VarId).zip(state.values()) {
                reduced.set(index, *value);
            }
            reduced.set(self.sound, Value::Bool(true));
            reduced
        };
        Trace { states: trace.states.iter().map(reduced).collect(), loop_start: trace.loop_start }
    }
}

impl Reduced {
    fn is_sound(&self, state: &State) -> bool {
        state.get(self.sound) == Some(Value::Bool(true))
    }
}

/// The first `n` states of an execution without the new variables.
fn restore(whole: &TransitionSystem, trace: &Trace, n: usize) -> Trace {
    let cut = n < trace.states.len();
    let mut states = Vec::with_capacity(n);
    for (index, state) in trace.states[..n].iter().enumerate() {
        let mut restored = State::empty(whole.vars.len());
        let is_last = cut && index + 1 == n;
        for (var, declared) in whole.vars() {
            // The last state has no step, and so no inputs.
            let open = is_last && declared.kind == VarKind::Input;
            restored.set(var, state.get(var).filter(|_| !open));
        }
        states.push(restored);
    }
    Trace { states, loop_start: trace.loop_start.filter(|_| !cut) }
}
