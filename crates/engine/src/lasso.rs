//! Infinite fair paths, as a stem and a loop.

use crate::bdd::{Bdd, Limit};
use crate::engine::Engine;
use crate::fair::Arena;
use crate::product::Product;
use crate::reach::Reach;
use crate::witness::{Point, Walk, Wishes, choose, shortest};
use rustc_hash::FxHashMap;
use specwright_model::Trace;

impl Engine {
    /// A fair path of a product that goes on for ever, if there is one. Its stem is short, its loop is short for where it
    /// is; a shorter one may exist elsewhere.
    pub(crate) fn lasso(&mut self, product: &Product) -> Result<Option<Trace>, Limit> {
        let manager = self.manager.clone();
        let mut reach = Reach::new(&product.start);
        reach.complete(&manager, &product.relation, &mut |_| ())?;
        let arena = Arena { manager: &manager, relation: &product.relation, states: &reach.states };
        let fair = arena.fair_states(&reach.states, &product.fairness)?;
        let start = manager.and(&product.start, &fair)?;
        if start.is_false() {
            return Ok(None);
        }
        let mut builder =
            LoopBuilder { engine: self, product, wishes: self.product_wishes(product), fair, reached: reach.states };
        let walk = builder.build(&start)?;
        self.trace(&walk).map(Some)
    }
}

struct LoopBuilder<'a> {
    engine: &'a Engine,
    product: &'a Product,
    wishes: Wishes,
    /// Where fair paths go.
    fair: Bdd,
    reached: Bdd,
}

impl LoopBuilder<'_> {
    fn build(&mut self, start: &Bdd) -> Result<Walk, Limit> {
        let manager = &self.engine.manager;
        let core =
            if self.product.fairness.compassion.is_empty() { self.recurring()? } else { self.final_component(start)? };
        let stem = self.shortest(start, &core)?.expect("fair paths run into loops");
        let mut walk = Walk { points: stem, loop_start: None, steps: FxHashMap::default() };
        if !self.product.fairness.compassion.is_empty() {
            self.fair = core;
        }
        let mut goals = self.product.fairness.justice.clone();
        for (_, effect) in &self.product.fairness.compassion {
            // In a final component, either the effect is at hand or the cause never comes.
            if !manager.and(effect, &self.fair)?.is_false() {
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
                return Ok(walk);
            }
            // From here there is no way back, so a loop further on must do.
        }
    }

    fn shortest(&self, start: &Bdd, goal: &Bdd) -> Result<Option<Vec<Point>>, Limit> {
        shortest(&self.engine.manager, &self.product.relation, (start, goal, &self.fair), &self.wishes)
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
        let sources = manager.and(&relation.preimage_by(goal, &self.fair)?, &self.fair)?;
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
        let after = manager.and(&manager.swap_next(&manager.exists(&taken, &manager.cube(&now)?)?)?, &self.fair)?;
        walk.steps.insert(last, goal.clone());
        walk.points.push(choose(&after, &self.wishes));
        Ok(())
    }

    /// Fair positions on loops, or between loops.
    fn recurring(&self) -> Result<Bdd, Limit> {
        let manager = &self.engine.manager;
        let mut core = self.fair.clone();
        loop {
            let smaller = manager.and(&core, &self.product.relation.image(&core)?)?;
            if smaller == core {
                return Ok(core);
            }
            core = smaller;
        }
    }

    /// A strongly connected component of fair positions that has no way out.
    fn final_component(&self, start: &Bdd) -> Result<Bdd, Limit> {
        let manager = &self.engine.manager;
        let relation = &self.product.relation;
        let arena = Arena { manager, relation, states: &self.reached };
        let mut here = choose(start, &self.wishes);
        loop {
            let set = here.set(manager)?;
            let ahead = self.closure(&relation.image(&set)?)?;
            let behind = manager.and(&arena.until(&self.fair, &set)?, &ahead)?;
            if behind == ahead {
                return Ok(ahead);
            }
            here = choose(&manager.diff(&ahead, &behind)?, &self.wishes);
        }
    }

    /// Everything that fair paths reach from some positions.
    fn closure(&self, start: &Bdd) -> Result<Bdd, Limit> {
        let manager = &self.engine.manager;
        let mut all = manager.and(start, &self.fair)?;
        let mut ring = all.clone();
        while !ring.is_false() {
            ring = manager.diff(&manager.and(&self.product.relation.image(&ring)?, &self.fair)?, &all)?;
            all = manager.or(&all, &ring)?;
        }
        Ok(all)
    }
}
