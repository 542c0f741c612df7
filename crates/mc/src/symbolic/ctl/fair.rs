//! Infinite fair paths.
//!
//! A justice constraint is a set of steps, since it may speak of inputs; on a fair path one of its steps is taken again
//! and again. A compassion constraint is a pair: if steps of the first set are taken again and again, so are steps of
//! the second.

use crate::bdd::{Bdd, Limit, Manager};
use crate::symbolic::relation::Relation;

/// The constraints on fair paths, as sets of states with inputs.
#[derive(Clone, Default)]
pub(crate) struct Fairness {
    pub(crate) justice: Vec<Bdd>,
    pub(crate) compassion: Vec<(Bdd, Bdd)>,
}

impl Fairness {
    /// Whether all paths are fair.
    pub(crate) fn is_empty(&self) -> bool {
        self.justice.is_empty() && self.compassion.is_empty()
    }

    /// All sets: those of justice, then cause and effect of each constraint of compassion.
    pub(crate) fn sets(&self) -> impl Iterator<Item = &Bdd> {
        self.justice.iter().chain(self.compassion.iter().flat_map(|(cause, effect)| [cause, effect]))
    }
}

/// Where paths are looked for.
pub(crate) struct Arena<'a> {
    pub(crate) manager: &'a Manager,
    pub(crate) relation: &'a Relation,
    /// States that no step leaves. All others are of no interest, and sets of states may be read as having any of them:
    /// that makes diagrams smaller.
    pub(crate) states: &'a Bdd,
}

impl Arena<'_> {
    /// The states of `within` from which some step leads into `targets`.
    pub(crate) fn before(&self, targets: &Bdd, within: &Bdd) -> Result<Bdd, Limit> {
        self.relation.preimage_within(&self.manager.restrict(targets, self.states)?, within)
    }

    /// The states of `some`, which are few, from which some step leads into `targets`.
    pub(crate) fn before_some(&self, targets: &Bdd, some: &Bdd) -> Result<Bdd, Limit> {
        if some.is_false() {
            return Ok(some.clone());
        }
        let targets = self.manager.restrict(targets, self.states)?;
        self.manager.and(&self.relation.preimage_by(some, &targets)?, some)
    }

    /// Where paths start that stay in `stay` and then reach `goal`; `goal` need not lie in `stay`.
    pub(crate) fn until(&self, stay: &Bdd, goal: &Bdd) -> Result<Bdd, Limit> {
        self.until_known(stay, goal, None)
    }

    /// The same, or only a part of it that contains all of `enough`.
    pub(crate) fn until_known(&self, stay: &Bdd, goal: &Bdd, enough: Option<&Bdd>) -> Result<Bdd, Limit> {
        if let Some(partition) = self.relation.partition_from(stay)? {
            return partition.until(stay, goal);
        }
        self.until_from(stay, goal.clone(), goal.clone(), enough, &mut |_| ())
    }

    /// The same search from where it has found some states; those outside of the frontier have no predecessors in `stay` that
    /// were not found. The observer sees what each round finds, at last nothing.
    pub(crate) fn until_from(
        &self,
        stay: &Bdd,
        mut all: Bdd,
        mut frontier: Bdd,
        enough: Option<&Bdd>,
        observe: &mut dyn FnMut(&Bdd),
    ) -> Result<Bdd, Limit> {
        let manager = self.manager;
        while !frontier.is_false() {
            if let Some(enough) = enough
                && manager.is_subset(enough, &all)?
            {
                break;
            }
            // Any set between the frontier and all states known so far has the same new predecessors.
            let open = manager.or(&manager.diff(self.states, &all)?, &frontier)?;
            let targets = manager.restrict(&frontier, &open)?;
            let before = manager.and(&self.relation.preimage(&targets)?, stay)?;
            frontier = manager.diff(&before, &all)?;
            observe(&frontier);
            all = manager.or(&all, &frontier)?;
        }
        Ok(all)
    }

    /// The states from which a fair path stays in `stay` without end (Emerson and Lei; justice only).
    ///
    /// Where a constraint takes states away, dead ends follow at once: that is many times cheaper than to leave them to
    /// the constraints (as Fisler, Fraer, Kamhi, Vardi and Yang found, 2001).
    pub(crate) fn always(&self, stay: &Bdd, justice: &[Bdd]) -> Result<Bdd, Limit> {
        if justice.is_empty() {
            return self.without_dead_ends(stay.clone());
        }
        let manager = self.manager;
        let mut all = stay.clone();
        // Often one constraint can only take states away after its neighbour did: going back and forth, one round is enough.
        let mut turn: Vec<&Bdd> = justice.iter().collect();
        loop {
            let before = all.clone();
            for steps in &turn {
                let targets = manager.restrict(&all, self.states)?;
                let taken = manager.and(&self.relation.preimage_by(steps, &targets)?, &all)?;
                let fewer = self.until(&all, &taken)?;
                if fewer != all {
                    all = self.without_dead_ends(fewer)?;
                }
            }
            if all == before {
                return Ok(all);
            }
            turn.reverse();
        }
    }

    /// The states from which a path stays in `states` without end.
    fn without_dead_ends(&self, mut states: Bdd) -> Result<Bdd, Limit> {
        loop {
            let fewer = self.continuing(&states)?;
            if fewer == states {
                return Ok(states);
            }
            states = fewer;
        }
    }

    /// Where fair paths inside `stay` stay in the end, compassion included. Without compassion that is where they start, too.
    ///
    /// With compassion, the constraints must be sets of states. After Kesten, Pnueli and Raviv (1998): states are dropped
    /// until every one has a successor, can reach each justice set, and either lies outside the first set of a compassion
    /// pair or can reach the second. What is left leads into components without a way out, and those are fair.
    pub(crate) fn fair_hull(&self, stay: &Bdd, fairness: &Fairness) -> Result<Bdd, Limit> {
        if fairness.compassion.is_empty() {
            return self.always(stay, &fairness.justice);
        }
        let manager = self.manager;
        let mut hull = stay.clone();
        loop {
            let before = hull.clone();
            for steps in &fairness.justice {
                hull = self.until(&hull, &manager.and(&hull, steps)?)?;
            }
            for (cause, effect) in &fairness.compassion {
                let can = self.until(&hull, &manager.and(&hull, effect)?)?;
                hull = manager.or(&manager.diff(&hull, cause)?, &can)?;
            }
            hull = self.continuing(&hull)?;
            if hull == before {
                return Ok(hull);
            }
        }
    }

    /// The states that have a successor among them.
    fn continuing(&self, states: &Bdd) -> Result<Bdd, Limit> {
        self.before(states, states)
    }
}
