//! State estimation: the states that agree with what was observed of an execution so far.

use crate::answer::Reason;
use crate::bdd::{Bdd, Limit};
use crate::encode::Time;
use crate::symbolic::Symbolic;
use crate::symbolic::witness::choose;
use specwright_model::model::VarKind;
use specwright_model::{State, VarId};

/// A set of states.
#[derive(Clone)]
pub struct StateEstimate(Bdd);

impl StateEstimate {
    /// Whether no state agrees.
    pub fn is_empty(&self) -> bool {
        self.0.is_false()
    }
}

impl Symbolic {
    /// The initial states that agree with a partly given one.
    pub fn believe_initial(&mut self, like: &State) -> Result<StateEstimate, Reason> {
        let _clock = self.start_clock();
        let believe = || Ok(StateEstimate(self.manager.and(&self.machine.init, &self.given(like, false)?)?));
        believe().map_err(Reason::Limit)
    }

    /// Just these states.
    pub fn believe_all(&mut self, states: &[State]) -> Result<StateEstimate, Reason> {
        let _clock = self.start_clock();
        let believe = || {
            states
                .iter()
                .try_fold(self.manager.constant(false), |all, state| self.manager.or(&all, &self.given(state, false)?))
        };
        believe().map(StateEstimate).map_err(Reason::Limit)
    }

    /// The states after a step from one that agrees with `now`, inputs of the step included, if they agree with `next`.
    pub fn believe_step(&mut self, from: &StateEstimate, now: &State, next: &State) -> Result<StateEstimate, Reason> {
        let _clock = self.start_clock();
        let believe = || {
            let from = self.manager.and(&from.0, &self.given(now, true)?)?;
            let after = self.machine.relation.image(&from)?;
            Ok(StateEstimate(self.manager.and(&after, &self.given(next, false)?)?))
        };
        believe().map_err(Reason::Limit)
    }

    /// The members that agree with a partly given state.
    pub fn believe_like(&mut self, belief: &StateEstimate, like: &State) -> Result<StateEstimate, Reason> {
        let _clock = self.start_clock();
        let believe = || Ok(StateEstimate(self.manager.and(&belief.0, &self.given(like, false)?)?));
        believe().map_err(Reason::Limit)
    }

    /// The first member in the declared order, if there is one.
    pub fn believed_state(&self, belief: &StateEstimate) -> Option<State> {
        (!belief.is_empty()).then(|| self.decode(&choose(&belief.0, &self.state_wishes())))
    }

    /// What is given of a state, and of the step that leaves it if that is wanted.
    fn given(&self, state: &State, with_inputs: bool) -> Result<Bdd, Limit> {
        let vars = self.system.vars().filter(|(_, var)| with_inputs || var.kind != VarKind::Input);
        let vars: Vec<VarId> = vars.map(|(id, _)| id).collect();
        vars.into_iter().try_fold(self.manager.constant(true), |all, var| match state.get(var) {
            Some(value) => self.manager.and(&all, &self.layout.equals(&self.manager, var, Time::Now, value)?),
            None => Ok(all),
        })
    }
}
