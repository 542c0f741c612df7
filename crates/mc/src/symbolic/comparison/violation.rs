//! Whether a mutant violates what the model satisfies of all states or steps, from what the mutant has in addition.
//!
//! The states and steps of the model satisfy it. So only new steps from its states and steps from new states can violate it; often
//! none of them does, and then no search is needed.

use crate::answer::Reason;
use crate::bdd::{Bdd, Limit};
use crate::conform::Changes;
use crate::encode::Time;
use crate::symbolic::ctl::Stop;
use crate::symbolic::witness::choose;
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
        let everywhere = manager.constant(true);
        let beyond = manager.diff(&states, &self.reached())?;
        let added = if let Some(known) = &mutant.comparison.new_steps {
            known.clone()
        } else {
            let changed = self.changed(changes)?;
            self.candidates(&changed)?.0
        };
        if !self.mentions_step(claim) {
            let bad = manager.and(&beyond, &no)?;
            if bad.is_false() {
                return Ok(Some(false));
            }
            // Mostly a new step leads there at once.
            let before = manager.and(&mutant.machine.relation.preimage_by(&added, &bad)?, &self.reached())?;
            let is_known = self.shows_a_way(mutant, &before)?;
            return Ok(Some(is_known || mutant.is_any_reached(&bad)?));
        }
        let bad = manager.and(&manager.or(&added, &beyond)?, &no)?;
        if bad.is_false() {
            return Ok(Some(false));
        }
        let before = manager.and(&mutant.machine.relation.preimage_by(&bad, &everywhere)?, &states)?;
        Ok(Some(self.shows_a_way(mutant, &before)? || mutant.is_any_reached(&before)?))
    }

    /// Whether a shortest way to one of some states is a way of the mutant, too. It is one step after the other, which takes far less
    /// than to search all states of the mutant.
    fn shows_a_way(&self, mutant: &Symbolic, states: &Bdd) -> Result<bool, Limit> {
        let manager = &self.manager;
        let relation = &mutant.machine.relation;
        for (distance, ring) in self.reach.rings.iter().enumerate() {
            let mut at = manager.and(ring, states)?;
            if at.is_false() {
                continue;
            }
            let wishes = self.state_wishes();
            for ring in self.reach.rings[..distance].iter().rev() {
                at = relation.preimage_within(&choose(&at, &wishes).set(manager)?, ring)?;
                if at.is_false() {
                    return Ok(false);
                }
            }
            return Ok(!manager.and(&at, &mutant.machine.init)?.is_false());
        }
        Ok(false)
    }
}
