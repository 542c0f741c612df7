//! Whether a mutant violates what the model satisfies of all states or steps, from what the mutant has in addition.
//!
//! The states and steps of the model satisfy it. So only new steps from its states and steps from new states can violate it; often
//! none of them does, and then no search is needed.

use crate::answer::Reason;
use crate::conform::Changes;
use crate::encode::Time;
use crate::symbolic::ctl::Stop;
use crate::symbolic::{Symbolic, Truth};
use specwright_model::ExprId;

impl Symbolic {
    /// Whether a mutant reaches a state in which a claim is false, or a step if the claim speaks of steps. It must be true in
    /// all of the model, the mutant must not have other defines in it, and [`invalid`](Self::invalid) comes first. Nothing if
    /// the claim has no value somewhere.
    pub fn violates(
        &mut self,
        mutant: &mut Symbolic,
        changes: &Changes,
        claim: ExprId,
    ) -> Result<Option<bool>, Reason> {
        let _clock = self.start_clock();
        self.find_violation(mutant, changes, claim).map_err(Reason::from)
    }

    fn find_violation(
        &mut self,
        mutant: &mut Symbolic,
        changes: &Changes,
        claim: ExprId,
    ) -> Result<Option<bool>, Stop> {
        let manager = self.manager.clone();
        let Truth { yes, no } = self.truth(claim, Time::Now)?;
        let Some(states) = mutant.reach.known().cloned() else { return Ok(None) };
        if !manager.is_subset(&states, &manager.or(&yes, &no)?)? {
            return Ok(None);
        }
        let beyond = manager.diff(&states, &self.reached())?;
        if !self.mentions_step(claim) {
            let bad = manager.and(&beyond, &no)?;
            return Ok(Some(mutant.is_any_reached(&bad)?));
        }
        let changed = self.changed(changes)?;
        let (added, _) = self.candidates(&changed)?;
        let bad = manager.and(&manager.or(&added, &beyond)?, &no)?;
        // Where new steps could violate it, the search that all properties of the mutant share is cheaper than one for these steps.
        Ok(bad.is_false().then_some(false))
    }
}
