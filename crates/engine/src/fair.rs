//! Paths that go on for ever and are fair.
//!
//! A justice constraint is a set of steps, since it may speak of inputs; on a fair path one of its steps is taken again
//! and again. A compassion constraint is a pair: if steps of the first set are taken again and again, so are steps of
//! the second.

use crate::bdd::{Bdd, Limit, Manager};
use crate::relation::Relation;

/// The constraints on fair paths, as sets of states with inputs.
#[derive(Clone, Default)]
pub(crate) struct Fairness {
    pub(crate) justice: Vec<Bdd>,
    pub(crate) compassion: Vec<(Bdd, Bdd)>,
}

/// Where paths start that stay in `stay` and then reach `goal`; `goal` need not lie in `stay`.
pub(crate) fn until(manager: &Manager, relation: &Relation, stay: &Bdd, goal: &Bdd) -> Result<Bdd, Limit> {
    let mut all = goal.clone();
    let mut frontier = goal.clone();
    while !frontier.is_false() {
        let before = manager.and(&relation.preimage(&frontier)?, stay)?;
        frontier = manager.diff(&before, &all)?;
        all = manager.or(&all, &frontier)?;
    }
    Ok(all)
}

/// Where fair paths start that stay in `stay` for ever (Emerson and Lei; justice only).
pub(crate) fn always(manager: &Manager, relation: &Relation, stay: &Bdd, justice: &[Bdd]) -> Result<Bdd, Limit> {
    let mut all = stay.clone();
    loop {
        let before = all.clone();
        if justice.is_empty() {
            all = manager.and(&all, &relation.preimage(&all)?)?;
        }
        for steps in justice {
            let taken = manager.and(&relation.preimage_by(steps, &all)?, &all)?;
            all = until(manager, relation, &all, &taken)?;
        }
        if all == before {
            return Ok(all);
        }
    }
}

/// Where fair paths start that stay in `stay` for ever, compassion included.
///
/// The constraints must be sets of states. After Kesten, Pnueli and Raviv (1998): states are dropped until every one has a
/// successor, can reach each justice set, and either lies outside the first set of a compassion pair or can reach the
/// second. What is left leads into components without a way out, and those are fair.
pub(crate) fn fair_states(
    manager: &Manager,
    relation: &Relation,
    stay: &Bdd,
    fairness: &Fairness,
) -> Result<Bdd, Limit> {
    if fairness.compassion.is_empty() {
        return always(manager, relation, stay, &fairness.justice);
    }
    let mut hull = stay.clone();
    loop {
        let before = hull.clone();
        for steps in &fairness.justice {
            hull = until(manager, relation, &hull, &manager.and(&hull, steps)?)?;
        }
        for (cause, effect) in &fairness.compassion {
            let can = until(manager, relation, &hull, &manager.and(&hull, effect)?)?;
            hull = manager.or(&manager.diff(&hull, cause)?, &can)?;
        }
        hull = manager.and(&hull, &relation.preimage(&hull)?)?;
        if hull == before {
            return until(manager, relation, stay, &hull);
        }
    }
}
