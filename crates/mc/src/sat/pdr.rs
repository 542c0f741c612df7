//! Property-directed reachability (IC3): proofs that no execution reaches a target.
//!
//! Frame k over-approximates the states that executions of at most k steps reach. Frames hold initiation and consecution only:
//! what is to be shown of a target are obligations, so every lemma is true of the machine and serves all targets. What was
//! proved to hold for good is checked by a solver of its own before anything rests on it.
//!
//! Each frame has a solver, which has the lemmas of its own and all later frames. States are described by the bits that
//! [`Netlist`](super::netlist::Netlist) keeps.

mod instance;

pub(crate) use instance::Instance;

use super::lift::Lifter;
use super::machine::Machine;
use super::proof::Proof;
use crate::bdd::Limit;
use crate::policy::SAT_UNROLLED;
use specwright_sat::{Lit, Node, Outcome, Signal, Solver};
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

/// Lemmas in a solver, beside twice those that count, above which it is made anew.
const MAX_RETIRED: usize = 500;

/// Detours for each bit of a set that is made larger, once a proof has taken this much work. Easy proofs are found sooner
/// without.
const MAX_DETOURS: usize = 1;
const DETOURS_FROM: u64 = 100_000;

/// How much more the bits of each lemma count than those of the one before.
const GROWTH: f64 = 1.02;

/// The lemmas about one machine.
pub(crate) struct Pdr {
    machine: Rc<Machine>,
    stop: Rc<dyn Fn() -> bool>,
    /// A step from any state that may be reached, as far as is known for good.
    base: Instance,
    /// For each frame a step from its states. The first frame, of no steps, are the initial states.
    queries: Vec<Instance>,
    lifter: Lifter,
    /// Frame k, from 1 on: the sets of states that no execution of at most k steps reaches. A set is kept in the last
    /// frame for which that is known.
    frames: Vec<Vec<Cube>>,
    /// The sets of states that no execution reaches at all.
    forever: Vec<Cube>,
    /// For each bit its value in all initial states, if the form of these shows it.
    start: Vec<Option<bool>>,
    /// How much each bit was in lemmas of late, and what a lemma adds.
    activity: Vec<f64>,
    gain: f64,
    /// The number of steps in which no execution reaches the target of the last call, if that is known.
    cleared: Option<usize>,
    /// The work so far, when the last call began, and the work after which calls end.
    spent: u64,
    begun: u64,
    most: u64,
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

impl Pdr {
    pub(crate) fn new(machine: &Rc<Machine>, stop: &Rc<dyn Fn() -> bool>) -> Pdr {
        let base = Instance::new(machine, stop);
        let mut first = base.clone();
        first.assert(machine, machine.init);
        Pdr {
            queries: vec![first, base.clone()],
            base,
            machine: Rc::clone(machine),
            stop: Rc::clone(stop),
            lifter: Lifter::default(),
            frames: vec![Vec::new(); 2],
            forever: Vec::new(),
            start: start(machine),
            activity: vec![0.0; machine.bits.len()],
            gain: 1.0,
            cleared: None,
            spent: 0,
            begun: 0,
            most: u64::MAX,
        }
    }

    /// The work so far: conflicts, and for each call a part that grows with what was propagated.
    pub(crate) fn work(&self) -> u64 {
        self.spent
    }

    /// The sets of states that no execution reaches at all. They only become more.
    pub(crate) fn forever(&self) -> &[Cube] {
        &self.forever
    }

    /// The number of steps in which no execution reaches the target that was asked for last, as far as that is known.
    pub(crate) fn cleared(&self) -> Option<usize> {
        self.cleared
    }

    /// Begins with these lemmas.
    pub(crate) fn assume(&mut self, unreachable: &[Cube]) {
        for cube in unreachable {
            self.keep(cube.clone());
        }
    }

    /// Takes note that no execution reaches a set of states.
    fn keep(&mut self, cube: Cube) {
        self.base.exclude(&cube);
        for query in &mut self.queries[1..] {
            query.exclude(&cube);
        }
        self.forever.push(cube);
    }

    /// Looks for a proof that no execution reaches states of a set, or takes steps of another, with a limit of work.
    pub(crate) fn prove(&mut self, state: Signal, step: Signal, work: u64) -> Verdict {
        self.begun = self.spent;
        self.most = self.spent.saturating_add(work);
        self.cleared = None;
        self.run(state, step).unwrap_or(Verdict::Unknown)
    }

    fn run(&mut self, state: Signal, step: Signal) -> Result<Verdict, Limit> {
        loop {
            let top = self.frames.len() - 1;
            // What holds for good may be enough.
            if self.target(None, state, step)?.is_none() {
                return Ok(Verdict::Unreachable);
            }
            while let Some((cube, by_step)) = self.target(Some(top), state, step)? {
                if let Some(n_steps) = self.block(cube, top)? {
                    return Ok(Verdict::Reachable(n_steps + usize::from(by_step)));
                }
            }
            self.cleared = Some(top);
            if (top + 3) * self.machine.circuit.aig().len() > SAT_UNROLLED {
                return Err(Limit::Nodes);
            }
            self.frames.push(Vec::new());
            self.queries.push(self.base.clone());
            if let Some(frame) = self.propagate()? {
                let kept: Vec<Cube> = self.frames.drain(frame + 1..).flatten().collect();
                self.queries.truncate(self.frames.len());
                for cube in kept {
                    self.keep(cube);
                }
                while self.frames.len() < 2 {
                    self.frames.push(Vec::new());
                    self.queries.push(self.base.clone());
                }
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

    /// Asks the solver of a frame, or the one that knows only what holds for good.
    fn solve(&mut self, frame: Option<usize>, outside: Option<&Cube>, assumptions: &[Lit]) -> Result<bool, Limit> {
        let left = self.most.saturating_sub(self.spent);
        if left == 0 {
            return Err(Limit::Steps);
        }
        let (outcome, work) = self.query(frame).solve(outside, assumptions, left);
        self.spent += work;
        match outcome {
            Outcome::Sat => Ok(true),
            Outcome::Unsat => Ok(false),
            Outcome::Unknown => Err(Limit::Steps),
        }
    }

    fn query(&mut self, frame: Option<usize>) -> &mut Instance {
        match frame {
            Some(frame) => &mut self.queries[frame],
            None => &mut self.base,
        }
    }

    /// Makes the solver of a frame anew if it has many lemmas that follow from others.
    fn renew(&mut self, frame: usize) {
        let n_lemmas = self.forever.len() + self.frames[frame..].iter().map(Vec::len).sum::<usize>();
        if self.queries[frame].n_lemmas > 2 * n_lemmas + MAX_RETIRED {
            let mut query = self.base.clone();
            for cube in self.frames[frame..].iter().flatten() {
                query.exclude(cube);
            }
            self.queries[frame] = query;
        }
    }

    /// States in a frame, or in none in particular, that are a target, or from which a step of a target is taken.
    fn target(&mut self, frame: Option<usize>, state: Signal, step: Signal) -> Result<Option<(Cube, bool)>, Limit> {
        for (signal, by_step) in [(state, false), (step, true)] {
            if signal == Signal::FALSE {
                continue;
            }
            let machine = Rc::clone(&self.machine);
            let assumptions = self.query(frame).target(&machine, signal, by_step);
            if self.solve(frame, None, &assumptions)? {
                let model = self.query(frame).model();
                return Ok(Some((self.lifter.target(&machine, signal, by_step, &model), by_step)));
            }
        }
        Ok(None)
    }

    /// Whether a set has an initial state.
    fn has_initial(&mut self, cube: &Cube) -> Result<bool, Limit> {
        if cube.iter().any(|(bit, value)| self.start[*bit] == Some(!*value)) {
            return Ok(false);
        }
        let assumptions = self.queries[0].lits(cube, false);
        self.solve(Some(0), None, &assumptions)
    }

    /// Excludes a set of states from a frame. If that cannot be, the number of steps from an initial state to it.
    fn block(&mut self, cube: Cube, top: usize) -> Result<Option<usize>, Limit> {
        if self.has_initial(&cube)? {
            return Ok(Some(0));
        }
        let mut open = BinaryHeap::from([Reverse((top, 0))]);
        let mut obligations = vec![Obligation { cube, distance: 0 }];
        while let Some(Reverse((frame, index))) = open.pop() {
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
                    let detours = if self.most - self.begun >= DETOURS_FROM { MAX_DETOURS } else { 0 };
                    let (cube, last) = self.generalize(core, frame, top, detours)?;
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
        let before = frame - 1;
        if before > 0 {
            self.renew(before);
        }
        let mut assumptions = vec![self.queries[before].step];
        assumptions.extend(self.queries[before].lits(cube, true));
        Ok(if self.solve(Some(before), Some(cube), &assumptions)? {
            Consecution::Reached(if lift {
                let model = self.queries[before].model();
                self.lifter.before(&self.machine, cube, &model)
            } else {
                Cube::new()
            })
        } else {
            let solver = &self.queries[before].solver;
            let literals = cube.iter().zip(&assumptions[1..]);
            Consecution::Excluded(
                literals.filter(|(_, lit)| solver.has_failed(**lit)).map(|(literal, _)| *literal).collect(),
            )
        })
    }

    /// A set between two others, the larger by fewer bits, that has no initial state, as the smaller one has none.
    fn without_initial(&mut self, mut larger: Cube, smaller: &Cube) -> Result<Cube, Limit> {
        while self.has_initial(&larger)? {
            let is_against = |(bit, value): &&(usize, bool)| self.start[*bit] == Some(!*value);
            let first = &self.queries[0];
            let differs = |(bit, value): &&(usize, bool)| first.solver.value(first.now[*bit]) != *value;
            let literal = smaller.iter().find(is_against).or_else(|| smaller.iter().find(differs));
            let literal = *literal.expect("the smaller set has no initial state");
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
        // Bits that were in few lemmas of late are dropped first.
        let mut literals = cube.clone();
        literals.sort_by(|a, b| self.activity[a.0].total_cmp(&self.activity[b.0]).then(b.0.cmp(&a.0)));
        for literal in literals {
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
        for query in &mut self.queries[1..=frame] {
            query.exclude(&cube);
        }
        for cubes in &mut self.frames[..=frame] {
            cubes.retain(|other| !is_part(&cube, other));
        }
        for (bit, _) in &cube {
            self.activity[*bit] += self.gain;
        }
        self.gain *= GROWTH;
        if self.gain > 1e100 {
            self.activity.iter_mut().for_each(|activity| *activity /= self.gain);
            self.gain = 1.0;
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
                    self.queries[frame + 1].exclude(&cube);
                    for cubes in &mut self.frames[..=frame + 1] {
                        cubes.retain(|other| !is_part(&cube, other));
                    }
                    self.frames[frame + 1].push(cube);
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

/// For each bit its value in all initial states, where these are a conjunction of such values and more.
fn start(machine: &Machine) -> Vec<Option<bool>> {
    let aig = machine.circuit.aig();
    let mut places = vec![None; aig.len()];
    for (place, bit) in machine.bits.iter().enumerate() {
        places[bit.now.node() as usize] = Some(place);
    }
    let mut start = vec![None; machine.bits.len()];
    let mut is_seen = vec![false; aig.len()];
    let mut open = vec![machine.init];
    while let Some(signal) = open.pop() {
        if let Some(place) = places[signal.node() as usize] {
            start[place] = Some(!signal.is_negated());
        } else if let (false, Node::And(a, b)) = (signal.is_negated(), aig.node(signal.node()))
            && !std::mem::replace(&mut is_seen[signal.node() as usize], true)
        {
            open.extend([a, b]);
        }
    }
    start
}
