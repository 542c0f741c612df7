//! The disjunctively partitioned relation: events, each of which changes a few variables and keeps all others.
//!
//! Where tasks take turns, the relation is a choice between such events. One at a time they are small, know nothing of the
//! variables that they leave alone, and can be made in any order that suits the diagrams: the reachable states are found
//! without the large intermediate sets of a breadth-first search.

mod find;
mod saturate;
#[cfg(test)]
mod tests;

pub(crate) use find::find;

use crate::bdd::{Bdd, Limit, Manager, Var};
use crate::policy::HUB_PERCENT;

/// A relation that is a choice between events.
#[derive(Clone)]
pub(crate) struct DisjunctivePartition {
    manager: Manager,
    list: Vec<Event>,
    /// Whether nothing else was encoded that says what steps there are.
    pub(crate) stand_alone: bool,
    /// The states from which events are the steps. Initial states are among them, and no event leaves them.
    domain: Bdd,
}

#[derive(Clone)]
struct Event {
    /// What holds before the event, and what it changes.
    relation: Bdd,
    /// The current-state variables that it reads or changes.
    vars: Vec<Var>,
    /// The current-state variables of what it changes.
    changed: Bdd,
    /// What is forgotten when it is made: these and the inputs.
    before: Bdd,
    /// What is forgotten when it is taken back: their next-state partners and the inputs.
    after: Bdd,
}

impl Event {
    fn image(&self, manager: &Manager, states: &Bdd) -> Result<Bdd, Limit> {
        manager.successors(states, &self.relation, &self.before)
    }

    fn preimage(&self, manager: &Manager, states: &Bdd) -> Result<Bdd, Limit> {
        let targets = manager.current_as_next(states, &self.changed)?;
        manager.and_exists(&targets, &self.relation, &self.after)
    }

    /// Those of some steps that may be this event: the next value of what it leaves alone is the current one.
    fn restricted(&self, manager: &Manager, steps: &Bdd) -> Result<Bdd, Limit> {
        let changed = self.changed.support();
        let mut taken = steps.clone();
        for next in steps.support().into_iter().filter(|bit| bit % 2 == 1 && !changed.contains(&(bit - 1))) {
            let same = manager.iff(&manager.var(next - 1)?, &manager.var(next)?)?;
            taken = manager.and_exists(&taken, &same, &manager.cube(&[next])?)?;
        }
        Ok(taken)
    }
}

impl DisjunctivePartition {
    /// Whether events are the steps from these states.
    pub(crate) fn is_exact(&self, states: &Bdd) -> Result<bool, Limit> {
        Ok(self.domain.is_true() || self.manager.is_subset(states, &self.domain)?)
    }

    /// The states after one event from `states`.
    pub(crate) fn image(&self, states: &Bdd) -> Result<Bdd, Limit> {
        self.union(|it| it.image(&self.manager, states))
    }

    /// The union of a set for each event. Sets of like size are united first, so that none is passed through once for every
    /// event.
    fn union(&self, mut of: impl FnMut(&Event) -> Result<Bdd, Limit>) -> Result<Bdd, Limit> {
        let mut partial: Vec<(u32, Bdd)> = Vec::new();
        for it in &self.list {
            let (mut rank, mut set) = (0, of(it)?);
            if set.is_false() {
                continue;
            }
            while let Some((_, other)) = partial.pop_if(|(other, _)| *other == rank) {
                (rank, set) = (rank + 1, self.manager.or(&other, &set)?);
            }
            partial.push((rank, set));
        }
        let none = self.manager.constant(false);
        partial.iter().rev().try_fold(none, |all, (_, set)| self.manager.or(&all, set))
    }

    /// The states of `within` after one event from `states`.
    pub(crate) fn image_within(&self, states: &Bdd, within: &Bdd) -> Result<Bdd, Limit> {
        let manager = &self.manager;
        self.union(|it| manager.and(&it.image(manager, states)?, within))
    }

    /// States from which one event leads into `states`, with all of those that are not in `states` themselves.
    pub(crate) fn preimage_outside(&self, states: &Bdd) -> Result<Bdd, Limit> {
        let manager = &self.manager;
        let support = states.support();
        let mut all = manager.constant(false);
        // An event that changes nothing of what the set depends on leads into it from within only.
        for it in self.list.iter().filter(|it| it.changed.support().iter().any(|bit| support.contains(bit))) {
            all = manager.or(&all, &it.preimage(manager, states)?)?;
        }
        Ok(all)
    }

    /// The states of `within` from which one event leads into `states`.
    pub(crate) fn preimage(&self, states: &Bdd, within: &Bdd) -> Result<Bdd, Limit> {
        let manager = &self.manager;
        // What is left gets simpler with every event, where the union of all would be large on the way.
        let mut left = within.clone();
        for it in self.list.iter().rev() {
            if left.is_false() {
                break;
            }
            left = manager.diff(&left, &it.preimage(manager, states)?)?;
        }
        manager.diff(within, &left)
    }

    /// The same for very few states. What leads to them is small, event by event.
    pub(crate) fn preimage_of_few(&self, states: &Bdd, within: &Bdd) -> Result<Bdd, Limit> {
        let manager = &self.manager;
        self.union(|it| manager.and(&it.preimage(manager, states)?, within))
    }

    /// The states of `within` from which an event that is in `steps`, a set of states with inputs and next states, leads into
    /// `states`.
    pub(crate) fn preimage_by(&self, steps: &Bdd, states: &Bdd, within: &Bdd) -> Result<Bdd, Limit> {
        let manager = &self.manager;
        let mut left = within.clone();
        for it in self.list.iter().rev() {
            if left.is_false() {
                break;
            }
            let taken = it.restricted(manager, steps)?;
            let start = manager.and(&taken, &manager.current_as_next(states, &it.changed)?)?;
            left = manager.diff(&left, &manager.and_exists(&start, &it.relation, &it.after)?)?;
        }
        manager.diff(within, &left)
    }

    /// The states after the events that are in `steps`.
    pub(crate) fn image_by(&self, steps: &Bdd) -> Result<Bdd, Limit> {
        let manager = &self.manager;
        let mut all = manager.constant(false);
        for it in &self.list {
            let taken = it.restricted(manager, steps)?;
            let after = manager.and_exists(&taken, &it.relation, &it.before)?;
            all = manager.or(&all, &manager.next_as_current(&after)?)?;
        }
        Ok(all)
    }

    /// The events that are in `steps`, as steps; `state` are the current-state variables of states. Only for small sets.
    pub(crate) fn within(&self, steps: &Bdd, state: &[Var]) -> Result<Bdd, Limit> {
        let manager = &self.manager;
        let mut all = manager.constant(false);
        for it in &self.list {
            let mut taken = manager.and(steps, &it.relation)?;
            let changed = it.changed.support();
            for bit in state.iter().filter(|bit| !changed.contains(bit)) {
                if taken.is_false() {
                    break;
                }
                taken = manager.and(&taken, &manager.iff(&manager.var(*bit)?, &manager.var(bit + 1)?)?)?;
            }
            all = manager.or(&all, &taken)?;
        }
        Ok(all)
    }

    /// The events that are in `steps`, all of which lead from one state to one other, as steps. `differing` are the
    /// current-state variables that have another value there.
    pub(crate) fn between(&self, steps: &Bdd, differing: &[Var]) -> Result<Bdd, Limit> {
        self.union(|it| {
            let changed = it.changed.support();
            let may_be = differing.iter().all(|bit| changed.contains(bit));
            if may_be { self.manager.and(steps, &it.relation) } else { Ok(self.manager.constant(false)) }
        })
    }

    /// Where events start that stay in `stay` and then reach `goal`.
    pub(crate) fn until(&self, stay: &Bdd, goal: &Bdd) -> Result<Bdd, Limit> {
        let manager = &self.manager;
        let mut all = goal.clone();
        loop {
            let before = all.clone();
            for it in &self.list {
                let new = manager.and(&it.preimage(manager, &all)?, stay)?;
                all = manager.or(&all, &new)?;
            }
            if all == before {
                return Ok(all);
            }
        }
    }

    /// Goes back to an order that was chosen without looking at diagrams, except that variables that many events read or
    /// change lie below all others: so closing the parts of a set starts with most of the events. With the operator of a
    /// petrol station on top, no event lies below, and saturation takes seven times as long.
    pub(crate) fn place_hubs(&self, order: &[Var]) -> Result<(), Limit> {
        if !self.stand_alone {
            // Where the turn is a variable, every event reads it, and what else asks for it wants it elsewhere.
            return Ok(());
        }
        let uses = |var: &Var| self.list.iter().filter(|it| it.vars.binary_search(var).is_ok()).count();
        let mut order = order.to_vec();
        order.sort_by_cached_key(|var| Some(uses(var)).filter(|uses| 100 * uses >= HUB_PERCENT * self.list.len()));
        self.manager.set_order(&order)
    }

    /// All events as one diagram, with what they leave alone; `state` are the current-state variables of states.
    pub(crate) fn whole(&self, state: &[Var]) -> Result<Bdd, Limit> {
        let manager = &self.manager;
        let mut all = manager.constant(false);
        for it in &self.list {
            let changed = it.changed.support();
            let mut steps = it.relation.clone();
            for bit in state.iter().filter(|bit| !changed.contains(bit)) {
                steps = manager.and(&steps, &manager.iff(&manager.var(*bit)?, &manager.var(bit + 1)?)?)?;
            }
            all = manager.or(&all, &steps)?;
        }
        Ok(all)
    }
}
