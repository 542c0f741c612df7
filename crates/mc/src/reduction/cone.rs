//! The cone of influence as a reduction.

use super::{Extent, Lifted, NotLifted, Reduction};
use crate::answer::Proof;
use crate::query::Query;
use specwright_model::cone::Cone;
use specwright_model::{State, Trace, TransitionSystem, Value, VarId};

/// The part of a system that can matter for some queries.
#[derive(Clone, Debug)]
pub struct ConeOfInfluence {
    system: TransitionSystem,
    cone: Cone,
    /// Values for unbounded variables that nothing determines.
    values: State,
}

impl ConeOfInfluence {
    /// The reduction of a system to a cone.
    pub fn new(whole: &TransitionSystem, cone: Cone) -> ConeOfInfluence {
        ConeOfInfluence { system: cone.reduce(whole), cone, values: State::empty(whole.vars.len()) }
    }

    /// Chooses the value of a variable outside of the cone that nothing determines.
    pub fn choose(&mut self, var: VarId, value: Option<Value>) {
        self.values.set(var, value);
    }

    /// The variables of the cone.
    pub fn cone(&self) -> &Cone {
        &self.cone
    }
}

impl Reduction for ConeOfInfluence {
    fn system(&self) -> &TransitionSystem {
        &self.system
    }

    fn preserves(&self, _: &TransitionSystem, _: Query, _: &Proof) -> bool {
        true
    }

    fn lift(&self, whole: &TransitionSystem, trace: &Trace) -> Result<Lifted, NotLifted> {
        let too_long = || NotLifted::TooLong { known: self.cone.project(trace) };
        let lifted = self.cone.lift_with(whole, trace, &self.values).ok_or_else(too_long)?;
        // The states of a loop that has to go round several times have no origin of their own.
        let origins = (0..lifted.states.len()).map(|at| (at < trace.states.len()).then_some(at)).collect();
        Ok(Lifted { trace: lifted, origins, extent: Extent::Same })
    }

    /// Variables outside of the cone have one value in the reduced system.
    fn project(&self, trace: &Trace) -> Trace {
        let mut projected = trace.clone();
        for state in &mut projected.states {
            for var in self.cone.dropped() {
                state.set(var, state.get(var).and(self.system[var].domain.value_at(0)));
            }
        }
        projected
    }
}
