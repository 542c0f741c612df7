//! Infinite fair paths, as a stem and a loop.

mod shortest;
mod stem;

use crate::bdd::{Bdd, Limit};
use crate::ltl::LinearId;
use crate::policy::{LASSO_FURTHER_STEPS, LASSO_SIZE, LASSO_STEPS, LASSO_STEPS_PER_SIZE};
use crate::symbolic::Symbolic;
use crate::symbolic::ctl::Stop;
use crate::symbolic::ctl::fair::Arena;
use crate::symbolic::ltl::tableau::Product;
use crate::symbolic::reachability::Reach;
use crate::symbolic::witness::lasso::shortest::ShortestLassoSearch;
use crate::symbolic::witness::lasso::stem::{Part, Stem};
use crate::symbolic::witness::{Point, ValuePreference, Walk, choose, shortest};
use rustc_hash::FxHashMap;
use specwright_model::Trace;

impl Symbolic {
    /// An infinite fair path of a product, if there is one with fewer states than a limit. It has the fewest
    /// states of all, unless finding that out takes too much effort.
    pub(crate) fn lasso(&mut self, product: &Product, fewer_than: usize) -> Result<Option<Trace>, Stop> {
        let manager = self.manager.clone();
        let mut reach = Reach::new(&product.start);
        reach.complete(&manager, &product.relation, &mut |_| ())?;
        let arena = Arena { manager: &manager, relation: &product.relation, states: &reach.states };
        let hull = arena.fair_hull(&reach.states, &product.fairness)?;
        let compassionate = !product.fairness.compassion.is_empty();
        let fair = if compassionate { arena.until(&reach.states, &hull)? } else { hull.clone() };
        let start = manager.and(&product.start, &fair)?;
        if start.is_false() {
            return Ok(None);
        }
        let way = Part::new(&manager, start, fair.clone());
        let places = Places { reached: reach.states, fair, hull };
        self.tie(product, vec![way], places, fewer_than)
    }

    /// The same for a formula that can be followed one state at a time and whose paths finally stay in a set without end,
    /// if it is one: that takes no product.
    #[expect(
        clippy::option_option,
        reason = "the outer one says whether this is such a formula, the inner one is the answer"
    )]
    pub(crate) fn lasso_in_parts(&mut self, formula: LinearId) -> Result<Option<Option<Trace>>, Stop> {
        let Some((parts, hull)) = self.parts_of(formula)? else { return Ok(None) };
        let product = self.plain_product(formula);
        let places = Places { reached: self.reached(), fair: hull.clone(), hull };
        self.tie(&product, parts, places, usize::MAX).map(Some)
    }

    /// Whether there is one for such a formula.
    pub(crate) fn has_lasso_in_parts(&mut self, formula: LinearId) -> Result<Option<bool>, Stop> {
        let Some((parts, hull)) = self.parts_of(formula)? else { return Ok(None) };
        let product = self.plain_product(formula);
        Ok(Some(Stem::new(&self.manager, &product.relation, parts).meets(&hull)?))
    }

    /// A lasso with fewer states than some limit, if there is one: the fewest, if [`effort`] is enough to tell.
    fn tie(
        &mut self,
        product: &Product,
        parts: Vec<Part>,
        places: Places,
        fewer_than: usize,
    ) -> Result<Option<Trace>, Stop> {
        let manager = self.manager.clone();
        let wishes = self.product_wishes(product);
        let mut stem = Stem::new(&manager, &product.relation, parts);
        let Places { reached, fair, hull } = places;
        let mut builder = LoopBuilder { engine: self, product, wishes, reached, hull };
        let core = builder.recurring()?;
        let Some(walk) = builder.build(&mut stem, &core)? else { return Ok(None) };
        let mut found = self.trace(&walk)?;
        // Most loops remember the same of the past in every round: then one is enough to look at.
        for n_rounds in 1..=self.most_rounds(product) {
            let fewer_than = fewer_than.min(found.states.len());
            if fewer_than <= 1 {
                break;
            }
            let Some(effort) = effort(&core, product, fewer_than) else { break };
            let rounds = self.further_rounds(product, n_rounds)?;
            let search = || {
                ShortestLassoSearch::new(self, product, &stem, rounds, &fair, &core)?
                    .fewest(self, &mut stem, fewer_than)
            };
            if let Some(walk) = manager.attempt(effort, search)?.flatten() {
                found = self.trace(&walk)?;
            }
        }
        Ok(Some(found).filter(|found| found.states.len() < fewer_than))
    }
}

/// Steps for the search of a lasso with fewer states; none if the search is too large. They depend on sets of positions, never
/// on diagrams or caches, so they are the same whatever was asked before.
fn effort(core: &Bdd, product: &Product, fewer_than: usize) -> Option<u64> {
    let n_bits = u32::try_from(product.alphabet.state.len()).unwrap_or(u32::MAX);
    #[expect(clippy::cast_precision_loss, reason = "a rough measure")]
    let size = core.sat_count(n_bits).approximate * fewer_than as f64;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small number")]
    (size <= LASSO_SIZE).then(|| LASSO_STEPS + (LASSO_STEPS_PER_SIZE * size as u64).min(LASSO_FURTHER_STEPS))
}

/// Where paths go, where fair ones do, and where those stay in the end.
struct Places {
    reached: Bdd,
    fair: Bdd,
    hull: Bdd,
}

struct LoopBuilder<'a> {
    engine: &'a Symbolic,
    product: &'a Product,
    wishes: ValuePreference,
    reached: Bdd,
    /// Where fair paths stay in the end.
    hull: Bdd,
}

impl LoopBuilder<'_> {
    /// Goes to the nearest position that may lie on a loop, if there is one, and loops from there.
    fn build(&mut self, stem: &mut Stem<'_>, core: &Bdd) -> Result<Option<Walk>, Limit> {
        let manager = &self.engine.manager;
        let is_just = self.product.fairness.compassion.is_empty();
        let core = if is_just { core.clone() } else { self.final_component()? };
        let mut distance = 0;
        let first = loop {
            stem.reaches(distance)?;
            let Some(ring) = stem.ring(stem.last(), distance) else { return Ok(None) };
            let hit = manager.and(ring, &core)?;
            if !hit.is_false() {
                break choose(&hit, &self.wishes);
            }
            distance += 1;
        };
        let stem = stem.walk_to(stem.last(), distance, first, &self.wishes)?;
        let mut walk = Walk { points: stem, loop_start: None, steps: FxHashMap::default() };
        if !is_just {
            self.hull = core;
        }
        let mut goals = self.product.fairness.justice.clone();
        for (_, effect) in &self.product.fairness.compassion {
            // In a final component, either the effect is at hand or the cause never comes.
            if !manager.and(effect, &self.hull)?.is_false() {
                goals.push(effect.clone());
            }
        }
        if goals.is_empty() {
            goals.push(manager.constant(true));
        }
        loop {
            let entry = walk.points.len() - 1;
            for goal in &goals {
                if !self.is_met(&walk, entry, goal)? {
                    self.go_through(&mut walk, goal)?;
                }
            }
            if walk.points.len() - 1 == entry {
                self.go_through(&mut walk, &manager.constant(true))?;
            }
            let (here, home) = (walk.points[walk.points.len() - 1].set(manager)?, walk.points[entry].set(manager)?);
            if let Some(way) = self.shortest(&here, &home)? {
                walk.points.extend(way.into_iter().skip(1));
                // The entry is the last point again: it is there once.
                walk.points.pop();
                walk.loop_start = Some(entry);
                return Ok(Some(walk));
            }
            // From here there is no way back, so a loop further on must do.
        }
    }

    fn shortest(&self, start: &Bdd, goal: &Bdd) -> Result<Option<Vec<Point>>, Limit> {
        shortest(&self.engine.manager, &self.product.relation, (start, goal, &self.hull), &self.wishes)
    }

    /// Whether a step since the entry already meets a goal that speaks of states only.
    fn is_met(&self, walk: &Walk, entry: usize, goal: &Bdd) -> Result<bool, Limit> {
        if goal.support().iter().any(|var| self.engine.machine.alphabet.input.contains(var))
            && !self.product.with_inputs
        {
            return Ok(false);
        }
        for point in &walk.points[entry..walk.points.len() - 1] {
            if !self.engine.manager.and(&point.set(&self.engine.manager)?, goal)?.is_false() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Walks to the nearest step that meets a goal and takes it.
    fn go_through(&self, walk: &mut Walk, goal: &Bdd) -> Result<(), Limit> {
        let manager = &self.engine.manager;
        let relation = &self.product.relation;
        let here = walk.points[walk.points.len() - 1].set(manager)?;
        let sources = manager.and(&relation.preimage_by(goal, &self.hull)?, &self.hull)?;
        let way = self.shortest(&here, &sources)?.expect("on a fair path every goal comes again");
        walk.points.extend(way.into_iter().skip(1));
        let last = walk.points.len() - 1;
        let here = walk.points[last].set(manager)?;
        let now: Vec<_> = self
            .wishes
            .bits
            .iter()
            .map(|(var, _)| *var)
            .chain(self.engine.machine.alphabet.input.iter().copied())
            .collect();
        let taken = relation.within(&manager.and(&here, goal)?)?;
        let after = manager.and(&manager.swap_next(&manager.exists(&taken, &manager.cube(&now)?)?)?, &self.hull)?;
        walk.steps.insert(last, goal.clone());
        walk.points.push(choose(&after, &self.wishes));
        Ok(())
    }

    /// Fair positions on loops, or between loops.
    fn recurring(&self) -> Result<Bdd, Limit> {
        let manager = &self.engine.manager;
        let mut core = self.hull.clone();
        loop {
            let smaller = manager.and(&core, &self.product.relation.image(&core)?)?;
            if smaller == core {
                return Ok(core);
            }
            core = smaller;
        }
    }

    /// A strongly connected component of the hull that has no way out of itself.
    fn final_component(&self) -> Result<Bdd, Limit> {
        let manager = &self.engine.manager;
        let relation = &self.product.relation;
        let arena = Arena { manager, relation, states: &self.reached };
        let mut here = choose(&self.hull, &self.wishes);
        loop {
            let set = here.set(manager)?;
            let ahead = self.closure(&relation.image(&set)?)?;
            let behind = manager.and(&arena.until(&self.hull, &set)?, &ahead)?;
            if behind == ahead {
                return Ok(ahead);
            }
            here = choose(&manager.diff(&ahead, &behind)?, &self.wishes);
        }
    }

    /// Everything in the hull that some positions of it lead to.
    fn closure(&self, start: &Bdd) -> Result<Bdd, Limit> {
        let manager = &self.engine.manager;
        let mut all = manager.and(start, &self.hull)?;
        let mut ring = all.clone();
        while !ring.is_false() {
            ring = manager.diff(&manager.and(&self.product.relation.image(&ring)?, &self.hull)?, &all)?;
            all = manager.or(&all, &ring)?;
        }
        Ok(all)
    }
}
