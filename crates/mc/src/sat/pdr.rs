//! Property-directed reachability (IC3): proofs that no execution reaches a target.
//!
//! Frame k over-approximates the states that executions of at most k steps reach. Frames hold initiation and consecution only:
//! what is to be shown of a target are obligations, so every lemma is true of the machine and serves all targets. What was
//! proved to hold for good is checked by a solver of its own before anything rests on it.

use super::lift::Lifter;
use super::machine::Machine;
use super::proof::Proof;
use super::unroll::call_cost;
use crate::bdd::Limit;
use specwright_sat::{Batsat, Clauses, Lit, Outcome, Signal, Solver};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;

/// A set of states, by the values of some bits, in ascending order of the bits.
pub(crate) type Cube = Vec<(usize, bool)>;

/// What is known of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// No execution reaches it. The proof is still to be checked.
    Unreachable,
    /// An execution of at most this number of steps reaches it.
    Reachable(usize),
    /// A limit was reached.
    Unknown,
}

/// Variables of the solver above which it is made anew, to get rid of what is not needed any more.
const MAX_RETIRED: usize = 2000;

/// Detours for each bit of a set that is made larger.
const MAX_DETOURS: usize = 3;

/// The lemmas about one machine.
pub(crate) struct Pdr {
    machine: Rc<Machine>,
    stop: Rc<dyn Fn() -> bool>,
    query: Instance,
    lifter: Lifter,
    /// Frame k, from 1 on: the sets of states that no execution of at most k steps reaches. A set is kept in the last
    /// frame for which that is known. The first frame, of no steps, are the initial states.
    frames: Vec<Vec<Cube>>,
    /// The sets of states that no execution reaches at all.
    forever: Vec<Cube>,
    /// The work of solvers that are gone.
    spent: u64,
}

/// A solver with one step of the machine.
pub(crate) struct Instance {
    pub(crate) solver: Batsat,
    clauses: Clauses,
    pub(crate) now: Vec<Lit>,
    pub(crate) next: Vec<Lit>,
    inputs: Vec<Lit>,
    /// The state is initial.
    pub(crate) init: Lit,
    /// There is a step.
    pub(crate) step: Lit,
    /// For each frame, that its own sets are excluded.
    active: Vec<Lit>,
    n_retired: usize,
    /// The work of one call, beside conflicts; of all calls so far; and the work after which calls end.
    call_cost: u64,
    overhead: u64,
    pub(crate) most: u64,
}

/// A set of states from which a target is reached, to be excluded from a frame.
struct Obligation {
    cube: Cube,
    /// Steps from here to the target.
    distance: usize,
}

/// Whether states of a set are reached by a step from a frame.
enum Consecution {
    /// They are not; the bits that were needed to know.
    Excluded(Cube),
    /// They are, from these; none if that was not asked for.
    Reached(Cube),
}

impl Instance {
    pub(crate) fn new(machine: &Machine, stop: &Rc<dyn Fn() -> bool>) -> Instance {
        let (mut solver, mut clauses) = (Batsat::default(), Clauses::default());
        let stop = Rc::clone(stop);
        solver.set_stop(Box::new(move || stop()));
        let now: Vec<Lit> = machine.bits.iter().map(|_| solver.new_var(false)).collect();
        let next: Vec<Lit> = (machine.bits.iter().zip(&now))
            .map(|(bit, lit)| if bit.now == bit.next { *lit } else { solver.new_var(false) })
            .collect();
        let inputs: Vec<Lit> = machine.inputs.iter().map(|_| solver.new_var(false)).collect();
        for ((bit, now), next) in machine.bits.iter().zip(&now).zip(&next) {
            clauses.bind(bit.next, *next);
            clauses.bind(bit.now, *now);
        }
        for (input, lit) in machine.inputs.iter().zip(&inputs) {
            clauses.bind(*input, *lit);
        }
        let aig = machine.circuit.aig();
        clauses.assert(&aig, machine.invar, &mut solver);
        let init = clauses.require(&aig, machine.init, &mut solver);
        let step = solver.new_var(true);
        for piece in &machine.pieces {
            let holds = clauses.require(&aig, piece.signal, &mut solver);
            solver.add_clause(&[!step, holds]);
        }
        let call_cost = call_cost(aig.len());
        let (active, n_retired, overhead, most) = (Vec::new(), 0, 0, u64::MAX);
        Instance { solver, clauses, now, next, inputs, init, step, active, n_retired, call_cost, overhead, most }
    }

    /// Excludes a set of states, under a condition or for good.
    fn exclude(&mut self, cube: &Cube, when: Option<Lit>) {
        let mut clause: Vec<Lit> = cube.iter().map(|(bit, value)| self.now[*bit].negate_if(*value)).collect();
        clause.extend(when.map(|when| !when));
        self.solver.add_clause(&clause);
    }

    /// The literal that activates a frame.
    fn activation(&mut self, frame: usize) -> Lit {
        while self.active.len() <= frame {
            self.active.push(self.solver.new_var(true));
        }
        self.active[frame]
    }

    pub(crate) fn work(&self) -> u64 {
        self.solver.conflicts() + self.overhead
    }

    pub(crate) fn solve(&mut self, assumptions: &[Lit]) -> Result<bool, Limit> {
        let left = self.most.saturating_sub(self.work());
        if left == 0 {
            return Err(Limit::Steps);
        }
        self.overhead += self.call_cost;
        self.solver.set_max_conflicts(Some(self.solver.conflicts() + left));
        match self.solver.solve(assumptions) {
            Outcome::Sat => Ok(true),
            Outcome::Unsat => Ok(false),
            Outcome::Unknown => Err(Limit::Steps),
        }
    }

    pub(crate) fn values(&self, lits: &[Lit]) -> Vec<bool> {
        lits.iter().map(|lit| self.solver.value(*lit)).collect()
    }
}

impl Pdr {
    pub(crate) fn new(machine: &Rc<Machine>, stop: &Rc<dyn Fn() -> bool>) -> Pdr {
        Pdr {
            machine: Rc::clone(machine),
            query: Instance::new(machine, stop),
            stop: Rc::clone(stop),
            lifter: Lifter::default(),
            frames: vec![Vec::new(); 2],
            forever: Vec::new(),
            spent: 0,
        }
    }

    /// The work so far: conflicts, and for each call a part that grows with the size of the machine.
    pub(crate) fn work(&self) -> u64 {
        self.spent + self.query.work()
    }

    /// The sets of states that no execution reaches at all. They only become more.
    pub(crate) fn forever(&self) -> &[Cube] {
        &self.forever
    }

    /// Begins with these lemmas.
    pub(crate) fn assume(&mut self, unreachable: &[Cube]) {
        for cube in unreachable {
            self.query.exclude(cube, None);
            self.forever.push(cube.clone());
        }
    }

    /// Looks for a proof that no execution reaches states of a set, or takes steps of another, with a limit of work.
    pub(crate) fn prove(&mut self, state: Signal, step: Signal, work: u64) -> Verdict {
        let most = self.work().saturating_add(work);
        self.run(state, step, most).unwrap_or(Verdict::Unknown)
    }

    fn run(&mut self, state: Signal, step: Signal, most: u64) -> Result<Verdict, Limit> {
        loop {
            self.renew(most);
            let top = self.frames.len() - 1;
            // What holds for good may be enough.
            if self.target(None, state, step)?.is_none() {
                return Ok(Verdict::Unreachable);
            }
            while let Some((cube, by_step)) = self.target(Some(top), state, step)? {
                if let Some(n_steps) = self.block(cube, top, most)? {
                    return Ok(Verdict::Reachable(n_steps + usize::from(by_step)));
                }
            }
            self.frames.push(Vec::new());
            if let Some(frame) = self.propagate()? {
                for cube in self.frames.drain(frame + 1..).flatten() {
                    self.query.exclude(&cube, None);
                    self.forever.push(cube);
                }
                self.frames.resize(self.frames.len().max(2), Vec::new());
                return Ok(Verdict::Unreachable);
            }
        }
    }

    /// Checks the proofs that targets are out of reach, by a solver that has seen nothing of the search; false if that takes
    /// too long.
    ///
    /// # Panics
    ///
    /// If one does not hold: the search is wrong.
    pub(crate) fn confirm(&self, targets: &[(Signal, Signal)]) -> bool {
        let stop = Rc::clone(&self.stop);
        let Some(mut proof) = Proof::check(&self.machine, &self.forever, Box::new(move || stop())) else {
            return false;
        };
        targets.iter().all(|(state, step)| match proof.covers(&self.machine, *state, *step) {
            Some(true) => true,
            Some(false) => panic!("a target that was proved to be out of reach is not"),
            None => false,
        })
    }

    /// Makes a new solver if the old one has much that is not needed any more; the limit of work counts on.
    fn renew(&mut self, most: u64) {
        if self.query.n_retired > MAX_RETIRED {
            self.spent += self.query.work();
            self.query = Instance::new(&self.machine, &self.stop);
            for cube in &self.forever {
                self.query.exclude(cube, None);
            }
            for (frame, cubes) in self.frames.iter().enumerate() {
                let active = self.query.activation(frame);
                for cube in cubes {
                    self.query.exclude(cube, Some(active));
                }
            }
        }
        self.query.most = most.saturating_sub(self.spent);
    }

    /// Assumptions under which the state lies in a frame.
    fn in_frame(&mut self, frame: usize) -> Vec<Lit> {
        if frame == 0 {
            return vec![self.query.init];
        }
        (frame..self.frames.len()).map(|frame| self.query.activation(frame)).collect()
    }

    /// States in a frame, or in none in particular, that are a target, or from which a step of a target is taken.
    fn target(&mut self, frame: Option<usize>, state: Signal, step: Signal) -> Result<Option<(Cube, bool)>, Limit> {
        for (signal, by_step) in [(state, false), (step, true)] {
            if signal == Signal::FALSE {
                continue;
            }
            let mut assumptions = frame.map_or_else(Vec::new, |frame| self.in_frame(frame));
            let Instance { solver, clauses, step, .. } = &mut self.query;
            assumptions.push(clauses.require(&self.machine.circuit.aig(), signal, solver));
            if by_step {
                assumptions.push(*step);
            }
            if self.query.solve(&assumptions)? {
                let [now, inputs, next] = self.model();
                return Ok(Some((self.lifter.target(&self.machine, signal, by_step, &now, &inputs, &next), by_step)));
            }
        }
        Ok(None)
    }

    fn model(&self) -> [Vec<bool>; 3] {
        [&self.query.now, &self.query.inputs, &self.query.next].map(|lits| self.query.values(lits))
    }

    /// Whether a set has an initial state.
    fn has_initial(&mut self, cube: &Cube) -> Result<bool, Limit> {
        let mut assumptions = vec![self.query.init];
        assumptions.extend(cube.iter().map(|(bit, value)| self.query.now[*bit].negate_if(!*value)));
        self.query.solve(&assumptions)
    }

    /// Excludes a set of states from a frame. If that cannot be, the number of steps from an initial state to it.
    fn block(&mut self, cube: Cube, top: usize, most: u64) -> Result<Option<usize>, Limit> {
        if self.has_initial(&cube)? {
            return Ok(Some(0));
        }
        let mut open = BinaryHeap::from([Reverse((top, 0))]);
        let mut obligations = vec![Obligation { cube, distance: 0 }];
        while let Some(Reverse((frame, index))) = open.pop() {
            self.renew(most);
            let Obligation { cube, distance } = &obligations[index];
            let (cube, distance) = (cube.clone(), *distance);
            if let Some(last) = self.is_excluded(&cube, frame) {
                if last < top {
                    open.push(Reverse((last + 1, index)));
                }
                continue;
            }
            match self.consecution(&cube, frame, true)? {
                Consecution::Excluded(core) => {
                    let core = self.without_initial(core, &cube)?;
                    let (cube, last) = self.generalize(core, frame, top, MAX_DETOURS)?;
                    self.add(cube, last);
                    if last < top {
                        open.push(Reverse((last + 1, index)));
                    }
                }
                Consecution::Reached(before) => {
                    if frame == 1 || self.has_initial(&before)? {
                        return Ok(Some(distance + 1));
                    }
                    open.push(Reverse((frame, index)));
                    open.push(Reverse((frame - 1, obligations.len())));
                    obligations.push(Obligation { cube: before, distance: distance + 1 });
                }
            }
        }
        Ok(None)
    }

    /// The last frame from which a set is known to be excluded, if a frame from this one on is.
    fn is_excluded(&self, cube: &Cube, frame: usize) -> Option<usize> {
        let last = self.frames.len() - 1;
        if self.forever.iter().any(|other| is_part(other, cube)) {
            return Some(last);
        }
        (frame..=last).rev().find(|frame| self.frames[*frame].iter().any(|other| is_part(other, cube)))
    }

    /// Whether a step leads from the frame before, outside of a set, into the set.
    fn consecution(&mut self, cube: &Cube, frame: usize, lift: bool) -> Result<Consecution, Limit> {
        let outside = self.query.solver.new_var(true);
        self.query.exclude(cube, Some(outside));
        let mut assumptions = self.in_frame(frame - 1);
        assumptions.extend([outside, self.query.step]);
        let after = |(bit, value): &(usize, bool)| self.query.next[*bit].negate_if(!*value);
        assumptions.extend(cube.iter().map(after));
        let result = if self.query.solve(&assumptions)? {
            Consecution::Reached(if lift {
                let [now, inputs, next] = self.model();
                self.lifter.before(&self.machine, cube, &now, &inputs, &next)
            } else {
                Cube::new()
            })
        } else {
            let after = |(bit, value): &(usize, bool)| self.query.next[*bit].negate_if(!*value);
            Consecution::Excluded(
                cube.iter().filter(|literal| self.query.solver.has_failed(after(literal))).copied().collect(),
            )
        };
        self.query.solver.add_clause(&[!outside]);
        self.query.n_retired += 1;
        Ok(result)
    }

    /// A set between two others, the larger by fewer bits, that has no initial state, as the smaller one has none.
    fn without_initial(&mut self, mut larger: Cube, smaller: &Cube) -> Result<Cube, Limit> {
        while self.has_initial(&larger)? {
            let differs = |(bit, value): &&(usize, bool)| self.query.solver.value(self.query.now[*bit]) != *value;
            let literal = *smaller.iter().find(differs).expect("the smaller set has no initial state");
            let at = larger.partition_point(|other| *other < literal);
            larger.insert(at, literal);
        }
        Ok(larger)
    }

    /// A larger set that a frame excludes, too, and the last frame that does.
    ///
    /// Where states stand against a larger set, these may be out of reach themselves: excluding them is a detour that often
    /// pays (Hassan, Bradley and Somenzi, 2013). There are at most [`MAX_DETOURS`] for each bit.
    fn generalize(&mut self, mut cube: Cube, frame: usize, top: usize, detours: usize) -> Result<(Cube, usize), Limit> {
        for literal in cube.clone().into_iter().rev() {
            let larger: Cube = cube.iter().filter(|other| **other != literal).copied().collect();
            if larger.is_empty() || larger.len() == cube.len() || self.has_initial(&larger)? {
                continue;
            }
            for left in (0..=detours).rev() {
                match self.consecution(&larger, frame, left > 0)? {
                    Consecution::Excluded(core) => {
                        cube = self.without_initial(core, &larger)?;
                        break;
                    }
                    Consecution::Reached(against) => {
                        if left == 0 || frame == 1 || self.has_initial(&against)? {
                            break;
                        }
                        let Consecution::Excluded(core) = self.consecution(&against, frame - 1, false)? else { break };
                        let core = self.without_initial(core, &against)?;
                        let (core, last) = self.generalize(core, frame - 1, top, 0)?;
                        self.add(core, last);
                    }
                }
            }
        }
        let mut last = frame;
        while last < top && matches!(self.consecution(&cube, last + 1, false)?, Consecution::Excluded(_)) {
            last += 1;
        }
        Ok((cube, last))
    }

    /// Adds a lemma.
    fn add(&mut self, cube: Cube, frame: usize) {
        let active = self.query.activation(frame);
        self.query.exclude(&cube, Some(active));
        for cubes in &mut self.frames[..=frame] {
            cubes.retain(|other| !is_part(&cube, other));
        }
        self.frames[frame].push(cube);
    }

    /// Moves lemmas to the last frame in which they hold. A frame without lemmas of its own is the same as the next one:
    /// then what these exclude is never reached.
    fn propagate(&mut self) -> Result<Option<usize>, Limit> {
        for frame in 1..self.frames.len() - 1 {
            for cube in self.frames[frame].clone() {
                // A stronger lemma may have come from before.
                if self.frames[frame].contains(&cube)
                    && matches!(self.consecution(&cube, frame + 1, false)?, Consecution::Excluded(_))
                {
                    self.add(cube, frame + 1);
                }
            }
            if self.frames[frame].is_empty() {
                return Ok(Some(frame));
            }
        }
        Ok(None)
    }
}

/// Whether the bits of one set are among those of another, which is a part of it then.
fn is_part(larger: &Cube, smaller: &Cube) -> bool {
    let mut rest = smaller.iter();
    larger.len() <= smaller.len() && larger.iter().all(|literal| rest.any(|other| other == literal))
}
