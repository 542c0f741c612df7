//! The reachable states, in rings of equal distance from the initial ones.

use crate::bdd::{Bdd, Limit, Manager};
use crate::symbolic::relation::Relation;
use specwright_model::State;
use std::cell::OnceCell;

/// Reachable states by distance, as far as they are explored.
#[derive(Clone, Debug)]
pub(crate) struct Reach {
    /// The states whose shortest path from an initial state has as many steps as the ring's index.
    pub(crate) rings: Vec<Bdd>,
    /// All of them.
    pub(crate) states: Bdd,
    /// Whether no more can be reached.
    pub(crate) is_complete: bool,
    /// Everything that can be reached, if that was found before the rings. It may have further states, as long as no step
    /// leaves it.
    pub(crate) closure: Option<Bdd>,
    /// Whether `closure` may have states that are not reached.
    pub(crate) is_enclosed: bool,
    /// Steps of diagrams that are known not to be enough for the next ring.
    pub(super) too_few_steps: u64,
}

/// What is known about the reachable states beside their rings.
#[derive(Default)]
pub(crate) struct Reachable {
    /// The steps as far as they start in reachable states.
    pub(crate) care_relation: Option<Relation>,
    /// The reachable states from which a fair path starts.
    pub(crate) fair: Option<Bdd>,
    /// The reachable states without successors.
    pub(crate) deadlock_states: Option<Bdd>,
    /// The same one by one; the inner `None` means that they are too many.
    pub(crate) deadlock_list: OnceCell<Option<Vec<(State, Bdd)>>>,
    /// The transitions from reachable states; the inner `None` means that their diagram is too large.
    pub(crate) transitions: OnceCell<Option<Bdd>>,
}

impl Reach {
    /// Nothing but the start.
    pub(crate) fn new(start: &Bdd) -> Reach {
        Reach {
            rings: vec![start.clone()],
            states: start.clone(),
            is_complete: start.is_false(),
            closure: None,
            is_enclosed: false,
            too_few_steps: 0,
        }
    }

    /// The first rings, within a set that no step leaves.
    pub(crate) fn within(manager: &Manager, rings: Vec<Bdd>, closure: Bdd) -> Result<Reach, Limit> {
        let states = rings.iter().try_fold(manager.constant(false), |all, ring| manager.or(&all, ring))?;
        Ok(Reach { rings, states, is_complete: false, closure: Some(closure), is_enclosed: true, too_few_steps: 0 })
    }

    /// The rings, then everything that can be reached if that was found before them.
    pub(crate) fn sets(&self) -> impl Iterator<Item = &Bdd> {
        self.rings.iter().chain(&self.closure)
    }

    /// The states of [`sets`](Self::sets).
    pub(crate) fn from_sets(
        manager: &Manager,
        mut sets: Vec<Bdd>,
        n_rings: usize,
        is_complete: bool,
    ) -> Result<Reach, Limit> {
        let closure = sets.split_off(n_rings).pop();
        let states = sets.iter().try_fold(manager.constant(false), |all, ring| manager.or(&all, ring))?;
        Ok(Reach { rings: sets, states, is_complete, closure, is_enclosed: false, too_few_steps: 0 })
    }

    /// Goes one step further. A limit leaves what is known as it is, and the next attempt goes on from there.
    pub(crate) fn extend(&mut self, manager: &Manager, relation: &Relation) -> Result<(), Limit> {
        let ring = self.rings.last().expect("there is a first ring");
        // Any set between the last ring and all states known so far has the same new successors: take a small one.
        let old = manager.diff(&self.states, ring)?;
        let small = manager.restrict(ring, &manager.not(&old))?;
        self.advance(manager, &relation.image(&small)?)
    }

    /// Goes one step further, to what is new among some successors of the last ring.
    pub(crate) fn advance(&mut self, manager: &Manager, successors: &Bdd) -> Result<(), Limit> {
        let ring = manager.diff(successors, &self.states)?;
        if ring.is_false() {
            self.is_complete = true;
        } else {
            self.states = manager.or(&self.states, &ring)?;
            self.rings.push(ring);
        }
        Ok(())
    }

    /// Finds out what can be reached. The observer hears of every ring, or how many parts partition have closed.
    pub(crate) fn complete(
        &mut self,
        manager: &Manager,
        relation: &Relation,
        observe: &mut dyn FnMut(usize),
    ) -> Result<(), Limit> {
        if let (None, Some(partition)) = (self.known(), &relation.partition) {
            self.closure = Some(partition.reachable(&self.states, observe)?);
        }
        while self.known().is_none() {
            observe(self.rings.len());
            self.extend(manager, relation)?;
        }
        Ok(())
    }

    /// Everything that can be reached, once that is known.
    pub(crate) fn known(&self) -> Option<&Bdd> {
        self.closure.as_ref().or(self.is_complete.then_some(&self.states))
    }
}
