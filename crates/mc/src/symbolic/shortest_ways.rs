//! The shortest ways to states of a set.
//!
//! Where events have found what can be reached, the rings around the initial states may take far longer than that: in few
//! steps of many tasks, almost everything may have happened. So the search goes on from both ends, forward by rings, which
//! all queries share, and backward from the set, whose predecessors mention few tasks. What takes longer waits. Where both
//! meet, the states on shortest ways are those of the rings before, then those that lead on.

#[cfg(test)]
mod tests;

use crate::bdd::{Bdd, Limit, Limits, Manager};
use crate::policy::{BACKWARD_STEPS, FORWARD_STEPS};
use crate::symbolic::reachability::Reach;
use crate::symbolic::relation::Relation;
use crate::symbolic::relation::partition::DisjunctivePartition;

impl Reach {
    /// The states on shortest ways to a set by their distance: after each number of steps all states of that ring, or at least
    /// those from which a shortest way leads on; at last the nearest states of the set. Goes no further than it must.
    pub(crate) fn shortest_ways(
        &mut self,
        manager: &Manager,
        relation: &Relation,
        states: &Bdd,
    ) -> Result<Option<Vec<Bdd>>, Limit> {
        let reached = self.known().map_or_else(|| Ok(states.clone()), |known| manager.and(states, known))?;
        if reached.is_false() {
            return Ok(None);
        }
        for distance in 0..self.rings.len() {
            if let Some(ways) = self.ways_to(manager, distance, &reached)? {
                return Ok(Some(ways));
            }
        }
        if let Some(known) = self.closure.as_ref().filter(|_| !self.is_complete && !self.is_enclosed)
            && let Some(partition) = relation.partition_from(known)?
        {
            return self.search_both_ends(manager, relation, partition, states).map(Some);
        }
        while !self.is_complete {
            self.extend(manager, relation)?;
            if let Some(ways) = self.ways_to(manager, self.rings.len() - 1, &reached)? {
                return Ok(Some(ways));
            }
        }
        Ok(None)
    }

    /// Makes the rings that are missing if each of them is easy to make. Returns whether none is missing then.
    pub(crate) fn complete_easily(&mut self, manager: &Manager, relation: &Relation) -> Result<bool, Limit> {
        while !self.is_complete && self.too_few_steps < FORWARD_STEPS {
            self.extend_within(manager, relation, FORWARD_STEPS)?;
        }
        Ok(self.is_complete)
    }

    /// Makes the next ring, unless that takes more steps. Returns whether it has.
    fn extend_within(&mut self, manager: &Manager, relation: &Relation, steps: u64) -> Result<bool, Limit> {
        let is_extended = within(manager, steps, || self.extend(manager, relation))?.is_some();
        self.too_few_steps = if is_extended { 0 } else { steps };
        Ok(is_extended)
    }

    /// The ways to the states of a set in one ring, if there are any.
    fn ways_to(&self, manager: &Manager, distance: usize, states: &Bdd) -> Result<Option<Vec<Bdd>>, Limit> {
        let hit = manager.and(&self.rings[distance], states)?;
        if hit.is_false() {
            return Ok(None);
        }
        Ok(Some(self.rings[..distance].iter().cloned().chain([hit]).collect()))
    }

    /// The shortest ways to states that can be reached, but are in no ring so far.
    fn search_both_ends(
        &mut self,
        manager: &Manager,
        relation: &Relation,
        partition: &DisjunctivePartition,
        states: &Bdd,
    ) -> Result<Vec<Bdd>, Limit> {
        // The states, reached or not, from which a shortest way to the set takes as many steps as the index says.
        let mut layers = vec![states.clone()];
        let mut seen = states.clone();
        let mut scale: u64 = 1;
        loop {
            let (forward, backward) = (FORWARD_STEPS.saturating_mul(scale), BACKWARD_STEPS.saturating_mul(scale));
            let (last, ring) = (layers.len() - 1, self.rings.len() - 1);
            let meeting = manager.and(&self.rings[ring], &layers[last])?;
            if !meeting.is_false() {
                let mut ways: Vec<Bdd> = self.rings[..ring].to_vec();
                ways.push(meeting);
                for layer in layers[..last].iter().rev() {
                    let from = &ways[ways.len() - 1];
                    ways.push(partition.image_within(from, layer)?);
                }
                return Ok(ways);
            }
            if self.too_few_steps < forward {
                let n_rings = self.rings.len();
                if self.extend_within(manager, relation, forward)? {
                    debug_assert!(self.rings.len() > n_rings, "what can be reached is in some ring");
                    continue;
                }
            }
            let back = || {
                let layer = manager.diff(&partition.preimage_outside(&seen)?, &seen)?;
                Ok((manager.or(&seen, &layer)?, layer))
            };
            if let Some((more, layer)) = within(manager, backward, back)? {
                seen = more;
                layers.push(layer);
            } else {
                scale = scale.saturating_mul(4);
            }
        }
    }
}

/// What takes at most a number of steps; nothing if that is not enough.
fn within<T>(manager: &Manager, steps: u64, run: impl FnOnce() -> Result<T, Limit>) -> Result<Option<T>, Limit> {
    let scope = manager.enter(&Limits { steps: Some(steps), ..Limits::default() });
    let result = run();
    drop(scope);
    match result {
        Ok(found) => Ok(Some(found)),
        Err(Limit::Steps) if !manager.is_spent() => Ok(None),
        Err(limit) => Err(limit),
    }
}
