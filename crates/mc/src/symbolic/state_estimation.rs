//! State estimation: the states that agree with what was observed of an execution so far.

use crate::answer::Reason;
use crate::bdd::{Bdd, Limit};
use crate::encode::Time;
use crate::search::EstimateState;
use crate::symbolic::Symbolic;
use crate::symbolic::witness::choose;
use specwright_model::model::VarKind;
use specwright_model::{State, VarId};
use specwright_syntax::budget::Budget;

/// A set of states.
#[derive(Clone)]
pub struct StateEstimate(Bdd);

impl StateEstimate {
    /// Whether no state agrees.
    pub fn is_empty(&self) -> bool {
        self.0.is_false()
    }
}

impl EstimateState for Symbolic {
    type Estimate = StateEstimate;

    fn estimate_initial(&mut self, like: &State, budget: &Budget) -> Result<StateEstimate, Reason> {
        self.estimated(budget, |engine| engine.manager.and(&engine.machine.init, &engine.given(like, false)?))
    }

    fn estimate_of(&mut self, states: &[State], budget: &Budget) -> Result<StateEstimate, Reason> {
        self.estimated(budget, |engine| {
            let manager = &engine.manager;
            let none = manager.constant(false);
            states.iter().try_fold(none, |all, state| manager.or(&all, &engine.given(state, false)?))
        })
    }

    fn estimate_after(
        &mut self,
        from: &StateEstimate,
        now: &State,
        next: &State,
        budget: &Budget,
    ) -> Result<StateEstimate, Reason> {
        self.estimated(budget, |engine| {
            let from = engine.manager.and(&from.0, &engine.given(now, true)?)?;
            let after = engine.machine.relation.image(&from)?;
            engine.manager.and(&after, &engine.given(next, false)?)
        })
    }

    fn estimate_like(
        &mut self,
        estimate: &StateEstimate,
        like: &State,
        budget: &Budget,
    ) -> Result<StateEstimate, Reason> {
        self.estimated(budget, |engine| engine.manager.and(&estimate.0, &engine.given(like, false)?))
    }

    fn first_state(&self, estimate: &StateEstimate) -> Option<State> {
        (!estimate.is_empty()).then(|| self.decode(&choose(&estimate.0, &self.state_wishes())))
    }
}

impl Symbolic {
    /// A set of states that is computed within a budget.
    fn estimated(
        &mut self,
        budget: &Budget,
        compute: impl FnOnce(&Symbolic) -> Result<Bdd, Limit>,
    ) -> Result<StateEstimate, Reason> {
        self.within(&budget.for_query(), |engine| {
            let _clock = engine.start_clock();
            compute(engine).map(StateEstimate).map_err(Reason::Limit)
        })
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
