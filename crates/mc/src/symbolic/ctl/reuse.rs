//! Searches of the model that its mutants use again.
//!
//! A mutant takes other steps than the model from few states only. What the model found of states before others holds on the
//! mutant, too, except of these few; a look at their steps takes far less than a new search.

use crate::bdd::{Bdd, Limit};
use crate::policy::REUSE_STEPS;
use crate::symbolic::Symbolic;
use crate::symbolic::ctl::fair::Arena;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// Searches by the sets that they were made for.
#[derive(Default)]
pub(crate) struct Searches {
    /// The reachable states before some states.
    before: FxHashMap<Bdd, Bdd>,
    /// For the states to stay in and the goal: what was found in each round.
    until: FxHashMap<(Bdd, Bdd), Rc<Rounds>>,
}

/// The rounds of a search backwards from a goal.
struct Rounds {
    /// What each round found; the goal comes first.
    rings: Vec<Bdd>,
    /// Whether there is nothing more to find.
    is_complete: bool,
    /// The steps of diagrams that the search took.
    steps: u64,
}

/// What a mutant knows of its model.
pub(crate) struct Origin {
    searches: Rc<RefCell<Searches>>,
    /// The reachable states of the model.
    reached: Bdd,
    /// The states among them from which the mutant may take other steps, and states beyond them.
    differing: Bdd,
}

impl Symbolic {
    /// Remembers the searches for formulas of CTL from now on, so that mutants can use them.
    pub fn remember_searches(&mut self) {
        if self.ctl.searches.is_none() {
            self.ctl.searches = Some(Rc::default());
            self.ctl.formulas.clear();
        }
    }

    /// What a mutant can use that takes other steps from some states, and may reach a set that it does not leave. Formulas are
    /// about fair paths, so all must be fair.
    pub(crate) fn origin(&self, departure: &Bdd, enclosed: &Bdd) -> Result<Option<Origin>, Limit> {
        let Some(searches) = self.ctl.searches.as_ref().filter(|_| self.is_fair_everywhere()) else { return Ok(None) };
        let reached = self.reached();
        let beyond = self.manager.diff(enclosed, &reached)?;
        let differing = self.manager.or(&self.manager.and(departure, &reached)?, &beyond)?;
        Ok(Some(Origin { searches: searches.clone(), reached, differing }))
    }

    /// The origin, if searches of the model can be used for this engine.
    fn usable_origin(&self) -> Option<&Origin> {
        self.ctl.origin.as_ref().filter(|_| self.is_fair_everywhere())
    }

    /// The reachable states before some states.
    pub(crate) fn before(&self, targets: &Bdd) -> Result<Bdd, Limit> {
        let (manager, arena) = (&self.manager, self.arena());
        if let Some(origin) = self.usable_origin() {
            let key = manager.and(targets, &origin.reached)?;
            let known = origin.searches.borrow().before.get(&key).cloned();
            if let Some(known) = known {
                let differing = arena.before_some(targets, &origin.differing)?;
                return manager.or(&manager.diff(&known, &origin.differing)?, &differing);
            }
        }
        let before = arena.before(targets, &self.reached())?;
        if let Some(searches) = &self.ctl.searches {
            searches.borrow_mut().before.insert(targets.clone(), before.clone());
        }
        Ok(before)
    }

    /// Where paths start that stay in `stay` and then reach `goal`, or a part of it that contains all of `enough`.
    pub(crate) fn until(&self, stay: &Bdd, goal: &Bdd, enough: Option<&Bdd>) -> Result<Bdd, Limit> {
        let arena = self.arena();
        if let Some(partition) = arena.relation.partition_from(stay)? {
            return partition.until(stay, goal);
        }
        let manager = &self.manager;
        if let Some(origin) = self.usable_origin() {
            let key = (manager.and(stay, &origin.reached)?, manager.and(goal, &origin.reached)?);
            let known = origin.searches.borrow().until.get(&key).cloned();
            // Where the mutant takes other steps from many states, a look at these takes more than a new search.
            if let Some(rounds) = known {
                let again = || rounds.again(&arena, &origin.differing, (stay, goal), enough);
                if let Some(found) = manager.attempt(rounds.steps.max(REUSE_STEPS), again)? {
                    return Ok(found);
                }
            }
        }
        let Some(searches) = &self.ctl.searches else { return arena.until_known(stay, goal, enough) };
        let before = manager.statistics().steps;
        let mut rings = vec![goal.clone()];
        let found = arena.until_from(stay, goal.clone(), goal.clone(), enough, &mut |ring| rings.push(ring.clone()))?;
        let rounds = Rounds {
            is_complete: rings.last().is_some_and(Bdd::is_false),
            rings,
            steps: manager.statistics().steps - before,
        };
        searches.borrow_mut().until.insert((stay.clone(), goal.clone()), Rc::new(rounds));
        Ok(found)
    }
}

impl Rounds {
    /// The same search on a mutant. What was found stays found as long as the states with other steps still have one to what was
    /// found before.
    fn again(
        &self,
        arena: &Arena<'_>,
        differing: &Bdd,
        (stay, goal): (&Bdd, &Bdd),
        enough: Option<&Bdd>,
    ) -> Result<Bdd, Limit> {
        let manager = arena.manager;
        let is_enough = |all: &Bdd| enough.map_or(Ok(false), |enough| manager.is_subset(enough, all));
        let (mut all, mut is_complete) = (goal.clone(), self.is_complete);
        for ring in &self.rings {
            let doubtful = manager.diff(&manager.and(ring, differing)?, &all)?;
            if !doubtful.is_false() && arena.before_some(&all, &doubtful)? != doubtful {
                is_complete = false;
                break;
            }
            all = manager.or(&all, ring)?;
            if is_enough(&all)? {
                return Ok(all);
            }
        }
        let frontier = if is_complete {
            // Only states with other steps can get there in addition, and what gets to these.
            let others = manager.diff(&manager.and(differing, stay)?, &all)?;
            arena.before_some(&all, &others)?
        } else {
            all.clone()
        };
        let all = manager.or(&all, &frontier)?;
        arena.until_from(stay, all, frontier, enough, &mut |_| ())
    }
}
