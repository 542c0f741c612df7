//! The reachable states, in rings of equal distance from the initial ones.

use crate::bdd::{Bdd, Limit, Manager};
use crate::relation::Relation;

/// Reachable states by distance.
#[derive(Clone, Debug)]
pub(crate) struct Reach {
    /// The states whose shortest path from an initial state has as many steps as the ring's index.
    pub(crate) rings: Vec<Bdd>,
    /// All of them.
    pub(crate) states: Bdd,
}

impl Reach {
    /// Breadth-first search from some states. The observer hears of every ring.
    pub(crate) fn from(
        manager: &Manager,
        relation: &Relation,
        start: &Bdd,
        observe: &mut dyn FnMut(usize),
    ) -> Result<Reach, Limit> {
        let mut reach = Reach { rings: vec![start.clone()], states: start.clone() };
        let mut ring = start.clone();
        while !ring.is_false() {
            observe(reach.rings.len());
            // Any set between the last ring and all states known so far has the same new successors: take a small one.
            let old = manager.diff(&reach.states, &ring)?;
            let small = manager.minimize(&ring, &manager.not(&old))?;
            ring = manager.diff(&relation.image(&small)?, &reach.states)?;
            if !ring.is_false() {
                reach.states = manager.or(&reach.states, &ring)?;
                reach.rings.push(ring.clone());
            }
        }
        Ok(reach)
    }

    /// The first ring that meets a set, with the common states.
    pub(crate) fn first_hit(&self, manager: &Manager, states: &Bdd) -> Result<Option<(usize, Bdd)>, Limit> {
        if states.is_false() {
            return Ok(None);
        }
        for (distance, ring) in self.rings.iter().enumerate() {
            let hit = manager.and(ring, states)?;
            if !hit.is_false() {
                return Ok(Some((distance, hit)));
            }
        }
        Ok(None)
    }
}
