//! Lassos with the fewest positions.
//!
//! Where a path ties its knot is remembered: what is searched are pairs of where the path is and where its loop began, with
//! what the loop has met so far. A step back to the knot closes the loop if nothing is left to be met. So the fewest
//! positions are a matter of breadth-first search (after Schuppan and Biere, 2005).
//!
//! What a formula remembers of the past need not be the same in all rounds of a loop. So a loop is followed in several
//! rounds at once, each with promises and memories of its own: at the end of one round they are those that the next round
//! begins with, and after the last round they are those that it began with itself.

use crate::bdd::{Bdd, Limit, Manager, Var};
use crate::symbolic::Symbolic;
use crate::symbolic::ctl::Stop;
use crate::symbolic::ltl::tableau::{Obligations, Product};
use crate::symbolic::relation::{Alphabet, Relation};
use crate::symbolic::witness::lasso::stem::Stem;
use crate::symbolic::witness::{Point, ValuePreference, Walk, choose};
use rustc_hash::FxHashMap;

/// A search for a lasso that ties knots.
pub(super) struct ShortestLassoSearch<'a> {
    product: &'a Product,
    /// The positions of fair paths that may lie on loops.
    core: Bdd,
    wishes: ValuePreference,
    /// Steps of positions with the promises of all rounds and what the loop has met.
    relation: Relation,
    /// What loops have to meet: a set of steps, and the bit that says that one was taken.
    flags: Vec<(Bdd, Var)>,
    /// Pairs where the path is at its knot in a part of the way and nothing more was met than what led to it.
    tied: Vec<Bdd>,
    /// Pairs where the path is back at its knot and everything was met.
    closed: Bdd,
}

impl<'a> ShortestLassoSearch<'a> {
    /// Prepares a search in a product, with the promises of further rounds of a loop.
    pub(super) fn new(
        engine: &mut Symbolic,
        product: &'a Product,
        stem: &Stem<'_>,
        further: Vec<Obligations>,
        fair: &Bdd,
        core: &Bdd,
    ) -> Result<ShortestLassoSearch<'a>, Limit> {
        let manager = engine.manager.clone();
        // In the first round, what is remembered may be something that no later round remembers.
        let any_memory = if further.is_empty() { manager.constant(true) } else { manager.cube(&product.bits)? };
        let core = manager.and(&manager.exists(core, &any_memory)?, fair)?;
        let mut parts = product.relation.list()?.to_vec();
        let mut rounds = vec![product.bits.clone()];
        let mut justice = product.fairness.justice.clone();
        for promises in further {
            parts.extend(promises.steps);
            rounds.push(promises.bits);
            // The obligations of the last round must be met at some point.
            justice = promises.justice;
            justice.extend_from_slice(&engine.machine.fairness.justice);
        }
        // What begins a part of the way that lies on the loop has to be met there.
        let begins = stem.parts.iter().skip(1).map(|part| &part.begin);
        let compassion = product.fairness.compassion.iter().flat_map(|(cause, effect)| [cause, effect]);
        let mut flags = Vec::new();
        for steps in begins.chain(&justice).chain(compassion) {
            let bit = engine.spare_bit(0, product.bits.len() + flags.len());
            let met = manager.or(&manager.var(bit)?, steps)?;
            parts.push(manager.iff(&manager.var(bit + 1)?, &met)?);
            flags.push((steps.clone(), bit));
        }
        let mut here = product.alphabet.state.clone();
        here.extend(rounds.iter().skip(1).flatten());
        let state = here.iter().copied().chain(flags.iter().map(|(_, bit)| *bit)).collect();
        let alphabet = Alphabet { state, input: product.alphabet.input.clone() };
        let relation = Relation::new(&manager, &parts, &alphabet)?.beside_others()?;

        let mut next_round: FxHashMap<Var, Var> = here.iter().map(|var| (*var, *var)).collect();
        for pair in rounds.windows(2) {
            next_round.extend(pair[0].iter().copied().zip(pair[1].iter().copied()));
        }
        let (mut tied, mut closed) = (manager.constant(true), manager.constant(true));
        for var in here.iter().rev() {
            let is = |engine: &mut Symbolic, var: &Var, knot: &Var| {
                manager.iff(&manager.var(*var)?, &manager.var(engine.knot_bit(*knot))?)
            };
            tied = manager.and(&tied, &is(engine, var, var)?)?;
            closed = manager.and(&closed, &is(engine, var, &next_round[var])?)?;
        }
        let mut tied = vec![flags.iter().try_fold(tied, |tied, (_, bit)| manager.diff(&tied, &manager.var(*bit)?))?];
        for (_, bit) in &flags[..stem.last()] {
            let before = manager.exists(&tied[tied.len() - 1], &manager.cube(&[*bit])?)?;
            tied.push(manager.and(&before, &manager.var(*bit)?)?);
        }
        let (just, compassionate) = flags.split_at(stem.last() + justice.len());
        for (_, bit) in just {
            closed = manager.and(&closed, &manager.var(*bit)?)?;
        }
        for pair in compassionate.chunks(2) {
            closed = manager.and(&closed, &manager.implies(&manager.var(pair[0].1)?, &manager.var(pair[1].1)?)?)?;
        }

        let mut wishes = engine.product_wishes(product);
        let others = alphabet.state.iter().skip(product.alphabet.state.len()).copied();
        wishes.bits.extend(others.chain(here.iter().map(|var| engine.witnesses.knots[var])).map(|bit| (bit, false)));
        Ok(ShortestLassoSearch { product, core, wishes, relation, flags, tied, closed })
    }

    /// A lasso with the fewest positions, if there is one with fewer than `limit`.
    pub(super) fn fewest(
        &self,
        engine: &Symbolic,
        stem: &mut Stem<'_>,
        fewer_than: usize,
    ) -> Result<Option<Walk>, Limit> {
        let manager = &engine.manager;
        let mut rings: Vec<Bdd> = Vec::new();
        let mut seen = manager.constant(false);
        let mut arriving = manager.constant(false);
        for distance in 0..fewer_than - 1 {
            let is_over = !stem.reaches(distance)?;
            let mut ring = arriving;
            for (part, tied) in self.tied.iter().enumerate() {
                if let Some(positions) = stem.ring(part, distance) {
                    let knots = manager.and(positions, &self.core)?;
                    ring = manager.or(&ring, &manager.and(&knots, tied)?)?;
                }
            }
            ring = manager.diff(&ring, &seen)?;
            if ring.is_false() && is_over {
                return Ok(None);
            }
            let after = manager.and(&self.relation.image(&ring)?, &self.core)?;
            seen = manager.or(&seen, &ring)?;
            rings.push(ring);
            let closed = manager.and(&after, &self.closed)?;
            if !closed.is_false() {
                return self.walk(engine, stem, &rings, choose(&closed, &self.wishes)).map(Some);
            }
            arriving = after;
        }
        Ok(None)
    }

    /// The lasso that comes back to its knot after the last ring.
    fn walk(&self, engine: &Symbolic, stem: &Stem<'_>, rings: &[Bdd], back: Point) -> Result<Walk, Limit> {
        let manager = &engine.manager;
        let mut points = vec![back];
        let mut knot = rings.len();
        let part = loop {
            knot -= 1;
            let after = points[points.len() - 1].set(manager)?;
            let here = choose(&self.relation.preimage_within(&after, &rings[knot])?, &self.wishes);
            let part = self.part_of(manager, stem, knot, &here)?;
            points.push(here);
            if let Some(part) = part {
                break part;
            }
        };
        points.reverse();
        let mut steps = FxHashMap::default();
        for (index, pair) in points.windows(2).enumerate() {
            let mut step = manager.constant(true);
            for (met, bit) in &self.flags {
                let met = match (pair[0].has(*bit), pair[1].has(*bit)) {
                    (false, true) => met.clone(),
                    (_, false) => manager.not(met),
                    (true, true) => continue,
                };
                step = manager.and(&step, &met)?;
            }
            steps.insert(knot + index, step);
        }
        // The knot is there once.
        points.pop();
        let points: Vec<Point> = points.iter().map(|point| point.part(&self.product.alphabet.state)).collect();
        let first = points[0].clone();
        let wishes = engine.product_wishes(self.product);
        let mut walk = stem.walk_to(part, knot, first, &wishes)?;
        walk.extend(points.into_iter().skip(1));
        Ok(Walk { points: walk, loop_start: Some(knot), steps })
    }

    /// The part of the way in which a knot is tied here.
    fn part_of(
        &self,
        manager: &Manager,
        stem: &Stem<'_>,
        distance: usize,
        here: &Point,
    ) -> Result<Option<usize>, Limit> {
        let here = here.set(manager)?;
        for (part, tied) in self.tied.iter().enumerate() {
            if let Some(ring) = stem.ring(part, distance)
                && !manager.and(&here, &manager.and(ring, tied)?)?.is_false()
            {
                return Ok(Some(part));
            }
        }
        Ok(None)
    }
}

impl Symbolic {
    /// How many rounds of a loop may differ in what is remembered: each operator that looks back may take a round to settle,
    /// and what is remembered lags one position behind.
    pub(super) fn most_rounds(&self, product: &Product) -> usize {
        match self.linear.past_depth(product.formula) {
            0 => 1,
            depth => depth + 2,
        }
    }

    /// The obligations and the memory of the rounds of a loop, beginning with the second.
    pub(super) fn further_rounds(&mut self, product: &Product, n_rounds: usize) -> Result<Vec<Obligations>, Stop> {
        (1..n_rounds).map(|round| self.promises(product.formula, round)).collect()
    }

    /// The bit that remembers the value of another bit at the knot of a lasso.
    fn knot_bit(&mut self, var: Var) -> Var {
        let manager = &self.manager;
        *self.witnesses.knots.entry(var).or_insert_with(|| manager.add_pair_below(var))
    }
}
