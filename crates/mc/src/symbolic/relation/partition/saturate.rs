//! Saturation (Ciardo, Lüttgen and Siminiceanu, 2001): events of the lower variables are made until nothing is new before
//! one of a higher variable is.
//!
//! A diagram is closed from the bottom up. What the upper variables say does not matter to the events below, so equal
//! parts of a set are closed once, however many upper values they belong to; and the sets on the way stay close to the
//! last one, which is often small.

use super::{DisjunctivePartition, Event};
use crate::bdd::{Bdd, Limit, Manager, Reordering};
use crate::policy::{SATURATION_RESULTS, SATURATION_STEPS};
use rustc_hash::FxHashMap;

/// Number of results between two progress reports.
const TOLD_AGAIN: usize = 1 << 10;
impl DisjunctivePartition {
    /// Everything that events reach from `start`. The observer hears how many parts are closed.
    ///
    /// Sifting would make the sets on the way small, not the way short: on a file server it makes saturation five times
    /// slower. So it has to wait until this takes long; then what was found is sifted, and the work goes on from there.
    pub(crate) fn reachable(&self, start: &Bdd, observe: &mut dyn FnMut(usize)) -> Result<Bdd, Limit> {
        self.reachable_with(SATURATION_STEPS, start, observe)
    }

    pub(super) fn reachable_with(
        &self,
        patience: u64,
        start: &Bdd,
        observe: &mut dyn FnMut(usize),
    ) -> Result<Bdd, Limit> {
        let manager = &self.manager;
        let reordering = manager.reordering();
        let mut patience = (reordering == Reordering::Auto).then_some(patience);
        let mut all = start.clone();
        loop {
            let groups = self.groups();
            let end = patience.map(|steps| manager.statistics().steps + steps);
            let mut run = Saturation { manager, groups: &groups, known: FxHashMap::default(), end, observe };
            if end.is_some() {
                manager.set_reordering(Reordering::Off);
            }
            let closed = run.close(&all, groups.len());
            let is_closed = !run.is_over();
            drop(run);
            manager.set_reordering(reordering);
            all = closed?;
            if is_closed {
                manager.keep_order();
                return Ok(all);
            }
            manager.reorder();
            patience = patience.map(|steps| 4 * steps);
        }
    }

    /// The events by their topmost variables, from the lowest to the highest.
    fn groups(&self) -> Vec<Group<'_>> {
        let order = self.manager.order();
        let mut level = vec![0; order.len()];
        for (place, var) in order.iter().enumerate() {
            level[*var as usize] = place;
        }
        let top = |it: &Event| it.vars.iter().map(|var| level[*var as usize]).min().unwrap_or(order.len());
        let mut events: Vec<&Event> = self.list.iter().collect();
        events.sort_by_key(|it| top(it));
        let mut touched = vec![false; order.len()];
        let mut groups: Vec<Group<'_>> = Vec::new();
        for events in events.chunk_by(|a, b| top(a) == top(b)).rev() {
            for var in events.iter().flat_map(|it| &it.vars) {
                touched[*var as usize] = true;
            }
            groups.push(Group { events: events.to_vec(), touched: touched.clone() });
        }
        groups
    }
}

/// Events with the same topmost variable.
struct Group<'m> {
    events: Vec<&'m Event>,
    /// The variables that these events and those below read or change.
    touched: Vec<bool>,
}

struct Saturation<'a> {
    manager: &'a Manager,
    /// From the lowest to the topmost.
    groups: &'a [Group<'a>],
    /// Sets by the number of groups under which they are closed.
    known: FxHashMap<(Bdd, usize), Bdd>,
    /// The number of steps of diagrams at which to stop and return what was found so far.
    end: Option<u64>,
    observe: &'a mut dyn FnMut(usize),
}

impl Saturation<'_> {
    /// What the lowest `n_groups` groups reach from `states`.
    ///
    /// The diagram's order may change in between. Then a part may be split later than it could be; it is the same set.
    fn close(&mut self, states: &Bdd, n_groups: usize) -> Result<Bdd, Limit> {
        let Some(group) = n_groups.checked_sub(1).map(|last| &self.groups[last]) else { return Ok(states.clone()) };
        if states.is_false() || self.is_over() {
            return Ok(states.clone());
        }
        let key = (states.clone(), n_groups);
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let closed = stacker::maybe_grow(64 << 10, 1 << 20, || match states.branches() {
            Some((var, hi, lo)) if !group.touched[var as usize] => {
                let (hi, lo) = (self.close(&hi, n_groups)?, self.close(&lo, n_groups)?);
                self.manager.ite(&self.manager.var(var)?, &hi, &lo)
            }
            _ => self.close_group(group, states, n_groups),
        })?;
        if self.is_over() {
            return Ok(closed);
        }
        if self.known.len() >= SATURATION_RESULTS {
            self.known.clear();
        }
        self.known.insert(key, closed.clone());
        if self.known.len().is_multiple_of(TOLD_AGAIN) {
            (self.observe)(self.known.len());
        }
        Ok(closed)
    }

    /// Whether it takes too long. Then sets are returned as they are, neither closed nor kept.
    fn is_over(&self) -> bool {
        self.end.is_some_and(|end| self.manager.statistics().steps > end)
    }

    fn close_group(&mut self, group: &Group<'_>, states: &Bdd, n_groups: usize) -> Result<Bdd, Limit> {
        let mut all = states.clone();
        loop {
            let before = all.clone();
            all = self.close(&all, n_groups - 1)?;
            for it in &group.events {
                all = self.manager.or(&all, &it.image(self.manager, &all)?)?;
            }
            if all == before || self.is_over() {
                return Ok(all);
            }
        }
    }
}
