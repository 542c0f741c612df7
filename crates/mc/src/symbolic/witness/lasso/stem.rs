//! The ways to where loops are: breadth-first, in parts that follow each other.
//!
//! Of a product there is one part. Where a formula can be followed one state at a time, no product is needed: of
//! `F (p & F (q & G r))`, the first part leads to `p`, the second to `q`, and the third stays in `r` without end. If a loop
//! stays in `r`, it may as well begin before `p` and `q`, and meet them on its way.

use crate::bdd::{Bdd, Limit, Manager};
use crate::ltl::{Linear, LinearId};
use crate::symbolic::Symbolic;
use crate::symbolic::ctl::Stop;
use crate::symbolic::relation::Relation;
use crate::symbolic::witness::{Point, ValuePreference, choose};

/// A part of the way.
pub(super) struct Part {
    /// Where it begins. From the second on, that is in a position of the part before.
    pub(super) begin: Bdd,
    /// Its positions.
    within: Bdd,
    /// Its positions by distance from the start.
    rings: Vec<Bdd>,
    seen: Bdd,
}

impl Part {
    pub(super) fn new(manager: &Manager, begin: Bdd, within: Bdd) -> Part {
        Part { begin, within, rings: Vec::new(), seen: manager.constant(false) }
    }
}

/// All ways to all parts.
pub(super) struct Stem<'a> {
    manager: &'a Manager,
    relation: &'a Relation,
    pub(super) parts: Vec<Part>,
    is_complete: bool,
}

impl<'a> Stem<'a> {
    pub(super) fn new(manager: &'a Manager, relation: &'a Relation, parts: Vec<Part>) -> Stem<'a> {
        Stem { manager, relation, parts, is_complete: false }
    }

    /// The number of the last part.
    pub(super) fn last(&self) -> usize {
        self.parts.len() - 1
    }

    /// Goes so far from the start. Says whether there is anything so far away or further.
    pub(super) fn reaches(&mut self, distance: usize) -> Result<bool, Limit> {
        while !self.is_complete && self.parts[0].rings.len() <= distance {
            self.extend()?;
        }
        Ok(self.parts[0].rings.len() > distance)
    }

    /// Whether the last part has one of some positions.
    pub(super) fn meets(&mut self, positions: &Bdd) -> Result<bool, Limit> {
        for distance in 0.. {
            self.reaches(distance)?;
            let Some(ring) = self.ring(self.last(), distance) else { break };
            if !self.manager.and(ring, positions)?.is_false() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The positions of a part at a distance from the start, as far as they are known; `None` if there are none.
    pub(super) fn ring(&self, part: usize, distance: usize) -> Option<&Bdd> {
        self.parts[part].rings.get(distance)
    }

    fn extend(&mut self) -> Result<(), Limit> {
        let manager = self.manager;
        let mut before: Option<Bdd> = None;
        let mut rings = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            let mut ring = match (&before, part.rings.last()) {
                (None, None) => part.begin.clone(),
                (None, Some(_)) => manager.constant(false),
                (Some(before), _) => manager.and(before, &part.begin)?,
            };
            if let Some(last) = part.rings.last() {
                let after = self.relation.image(last)?;
                ring = manager.or(&ring, &manager.and(&after, &part.within)?)?;
            }
            ring = manager.diff(&ring, &part.seen)?;
            rings.push(ring.clone());
            before = Some(ring);
        }
        if rings.iter().all(Bdd::is_false) {
            self.is_complete = true;
            return Ok(());
        }
        for (part, ring) in self.parts.iter_mut().zip(rings) {
            part.seen = manager.or(&part.seen, &ring)?;
            part.rings.push(ring);
        }
        Ok(())
    }

    /// A way to a position of a part that lies in the ring of that number.
    pub(super) fn walk_to(
        &self,
        mut part: usize,
        distance: usize,
        last: Point,
        wishes: &ValuePreference,
    ) -> Result<Vec<Point>, Limit> {
        let manager = self.manager;
        let mut points = vec![last];
        for distance in (0..=distance).rev() {
            let here = points[points.len() - 1].set(manager)?;
            // What begins here was the part before until now.
            while part > 0
                && manager.is_subset(&here, &self.parts[part].begin)?
                && manager.is_subset(&here, &self.parts[part - 1].rings[distance])?
            {
                part -= 1;
            }
            if distance > 0 {
                let sources = self.relation.preimage_within(&here, &self.parts[part].rings[distance - 1])?;
                points.push(choose(&sources, wishes));
            }
        }
        points.reverse();
        Ok(points)
    }
}

impl Symbolic {
    /// The parts of paths that satisfy a formula, and the set in which they finally stay; nothing unless it asks for some
    /// states in turn and then for staying in others.
    pub(super) fn parts_of(&mut self, formula: LinearId) -> Result<Option<(Vec<Part>, Bdd)>, Stop> {
        let mut begin = self.machine.init.clone();
        let mut parts = Vec::new();
        let mut here = formula;
        loop {
            match self.linear[here] {
                Linear::And(a, b) => {
                    let (state, path) = match (self.states_of(a)?, self.states_of(b)?) {
                        (Some(state), _) => (state, b),
                        (None, Some(state)) => (state, a),
                        (None, None) => return Ok(None),
                    };
                    begin = self.manager.and(&begin, &state)?;
                    here = path;
                }
                Linear::Until(stay, goal) if self.linear[stay] == Linear::True => {
                    // Whether a position leads on shows soon enough.
                    parts.push(Part::new(&self.manager, begin, self.reached()));
                    begin = self.reached();
                    here = goal;
                }
                Linear::Release(never, stay) if self.linear[never] == Linear::False => {
                    let (Some(_), Some(hull)) = (self.states_of(stay)?, self.path_starts(here)?) else {
                        return Ok(None);
                    };
                    let begin = self.manager.and(&begin, &hull)?;
                    parts.push(Part::new(&self.manager, begin, hull.clone()));
                    return Ok(Some((parts, hull)));
                }
                _ => return Ok(None),
            }
        }
    }
}
