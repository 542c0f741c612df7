//! Bounded search: the shortest executions that reach targets, depth by depth, for many targets at once.
//!
//! The clauses of all targets stand in one solver. At every depth it is asked for an execution to any of those that are still
//! open; whatever else that execution reaches is found with it. So an answer of no is one answer for all of them.

use super::groups::Groups;
use super::machine::Machine;
use super::pdr::Cube;
use super::target::Target;
use super::unroll::{Unrolling, Values};
use crate::bdd::Limit;
use crate::policy::{SAT_CHOICE_WORK, SAT_DEPTH, SAT_UNROLLED};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use specwright_sat::{Lit, Node, Outcome, Signal, Solver};
use std::rc::Rc;

/// Bounded search on one machine.
pub(crate) struct Bounded {
    machine: Rc<Machine>,
    pub(crate) unrolling: Unrolling,
    /// What is known of targets, in the order in which they were asked for.
    known: IndexMap<Target, Known, FxBuildHasher>,
    /// The work of choices.
    spent: u64,
}

/// How far a target was looked for. Executions are measured in steps.
#[derive(Clone, Default)]
struct Known {
    /// Shorter executions do not reach it.
    from: usize,
    found: Option<Hit>,
}

/// A shortest execution to a target.
#[derive(Clone)]
pub(crate) struct Hit {
    n_steps: usize,
    /// It ends with a step of the target; else in a state.
    by_step: bool,
    execution: Rc<Values>,
}

/// Which values come first: for preferred variables the bits of their values in order, then all bits.
pub(crate) struct Order {
    /// For each preferred variable, its values, each as places among the bits with their values.
    pub(crate) ties: Vec<Vec<Vec<(usize, bool)>>>,
}

impl Bounded {
    pub(crate) fn new(machine: &Rc<Machine>, stop: &Rc<dyn Fn() -> bool>) -> Bounded {
        let unrolling = Unrolling::new(machine, stop);
        Bounded { machine: Rc::clone(machine), unrolling, known: IndexMap::default(), spent: 0 }
    }

    /// Makes use of what holds in all states that are reached: no state of these sets is.
    pub(crate) fn assume(&mut self, unreachable: &[Cube]) {
        self.unrolling.assume(unreachable);
    }

    /// The number of steps below which no execution reaches a target.
    pub(crate) fn from(&self, target: &Target) -> usize {
        self.known.get(target).map_or(0, |known| known.from)
    }

    /// Takes note that executions of fewer steps do not reach a target.
    pub(crate) fn skip(&mut self, target: &Target, n_steps: usize) {
        let known = self.known.entry(*target).or_default();
        known.from = known.from.max(n_steps);
    }

    /// A shortest execution to a target, if it is known.
    pub(crate) fn hit(&self, target: &Target) -> Option<Hit> {
        self.known.get(target)?.found.clone()
    }

    /// The most steps for which there is room.
    fn max_steps(&self) -> usize {
        SAT_DEPTH.min(SAT_UNROLLED / self.machine.circuit.aig().len())
    }

    /// Looks for executions of a number of steps to targets for which there are no shorter ones, with a limit of work.
    pub(crate) fn look(&mut self, n_steps: usize, open: &[Target], work: u64) -> Result<(), Limit> {
        if n_steps > self.max_steps() {
            return Err(Limit::Steps);
        }
        let mut open: Vec<Target> = open.to_vec();
        for target in &open {
            self.known.entry(*target).or_default();
        }
        // A state is as good as a step.
        for by_step in [false, true] {
            let Some(time) = n_steps.checked_sub(usize::from(by_step)) else { continue };
            let signal = |target: &Target| if by_step { target.step } else { target.state };
            let counts = |target: &Target| !(target.at_start && time > 0) && signal(target) != Signal::FALSE;
            let steps = self.unrolling.steps(n_steps);
            let mut wanted: Vec<Option<Lit>> = Vec::with_capacity(open.len());
            for target in &open {
                wanted.push(counts(target).then(|| self.unrolling.at(time, signal(target), by_step)));
            }
            let mut groups = Groups::default();
            let mut is_left = vec![true; open.len()];
            while let Some(any) = groups.any(&wanted, &mut self.unrolling.solver) {
                // Whatever was found before, the next one is worth as much.
                self.unrolling.allow(work);
                match self.unrolling.solve(&[&steps[..], &[any]].concat()) {
                    Outcome::Sat => {
                        let values = Rc::new(self.unrolling.values(n_steps));
                        let nodes = self.simulate(&values, time);
                        let holds = |signal: Signal| nodes[signal.node() as usize] != signal.is_negated();
                        let met =
                            (0..open.len()).filter(|place| wanted[*place].is_some() && holds(signal(&open[*place])));
                        let met: Vec<usize> = met.collect();
                        debug_assert!(!met.is_empty(), "an execution reaches what it was asked for");
                        for place in met {
                            (wanted[place], is_left[place]) = (None, false);
                            if let Some(known) = self.known.get_mut(&open[place]) {
                                known.found = Some(Hit { n_steps, by_step, execution: Rc::clone(&values) });
                            }
                        }
                    }
                    Outcome::Unsat => break,
                    Outcome::Unknown => return Err(Limit::Steps),
                }
            }
            let mut is_left = is_left.into_iter();
            open.retain(|_| is_left.next() == Some(true));
        }
        for target in open {
            if let Some(known) = self.known.get_mut(&target) {
                known.from = n_steps + 1;
            }
        }
        Ok(())
    }

    /// The values of all nodes at a time of an execution.
    fn simulate(&self, values: &Values, time: usize) -> Vec<bool> {
        let machine = &self.machine;
        let next = values.states.get(time + 1);
        node_values(machine, &values.states[time], &values.inputs[time], next.map_or(&[], Vec::as_slice))
    }

    /// The canonical execution to a target that was found: its last state comes first among all executions of that
    /// length, then the state before, and so on; then the inputs.
    pub(crate) fn canonical(
        &mut self,
        target: &Target,
        hit: &Hit,
        state_order: &Order,
        input_order: &Order,
    ) -> Result<Values, Limit> {
        let Hit { n_steps, by_step, ref execution } = *hit;
        // A solver for executions of this length alone: what is chosen holds for good.
        let mut unrolling = self.unrolling.fresh(execution);
        unrolling.allow(SAT_CHOICE_WORK);
        let (time, signal) = if by_step { (n_steps - 1, target.step) } else { (n_steps, target.state) };
        for lit in unrolling.steps(n_steps) {
            unrolling.solver.add_clause(&[lit]);
        }
        let reached = unrolling.at(time, signal, by_step);
        unrolling.solver.add_clause(&[reached]);
        let mut choice = Choice { unrolling, n_steps };
        let mut values = Values::clone(execution);
        let mut choose = || -> Result<(), Limit> {
            for time in (0..=n_steps).rev() {
                choice.first(&mut values, time, true, state_order)?;
            }
            for time in 0..n_steps {
                choice.first(&mut values, time, false, input_order)?;
            }
            Ok(())
        };
        let chosen = choose();
        self.spent += choice.unrolling.work();
        chosen.map(|()| values)
    }

    /// The work so far.
    pub(crate) fn work(&self) -> u64 {
        self.spent + self.unrolling.work()
    }
}

/// The choice of one execution among many.
struct Choice {
    unrolling: Unrolling,
    n_steps: usize,
}

impl Choice {
    fn solve(&mut self, assumptions: &[Lit]) -> Result<Option<Values>, Limit> {
        match self.unrolling.solve(assumptions) {
            Outcome::Sat => Ok(Some(self.unrolling.values(self.n_steps))),
            Outcome::Unsat => Ok(None),
            Outcome::Unknown => Err(Limit::Steps),
        }
    }

    /// Chooses the first state at a time, or the first inputs.
    fn first(&mut self, values: &mut Values, time: usize, is_state: bool, order: &Order) -> Result<(), Limit> {
        let unrolling = &self.unrolling;
        let lits = if is_state { unrolling.state(time) } else { unrolling.inputs(time) }.to_vec();
        let bits = |values: &Values| if is_state { values.states[time].clone() } else { values.inputs[time].clone() };
        let mut is_fixed = vec![false; lits.len()];
        for options in &order.ties {
            for option in options {
                let now = bits(values);
                if option.iter().any(|(place, value)| now[*place] != *value) {
                    let wanted: Vec<Lit> =
                        option.iter().map(|(place, value)| lits[*place].negate_if(!*value)).collect();
                    match self.solve(&wanted)? {
                        Some(better) => *values = better,
                        None => continue,
                    }
                }
                for (place, value) in option {
                    is_fixed[*place] = true;
                    self.fix(lits[*place].negate_if(!*value));
                }
                break;
            }
        }
        // Of the other bits, those before `at` are chosen, and whether one of those before `end` can be smaller is open.
        let rest: Vec<usize> = (0..lits.len()).filter(|place| !is_fixed[*place]).collect();
        let (mut at, mut end) = (0, rest.len());
        while at < rest.len() {
            let now = bits(values);
            let open: Vec<(Lit, bool)> = rest[at..end].iter().map(|place| (lits[*place], now[*place])).collect();
            if let Some(better) = self.smaller(&open)? {
                *values = better;
                let new = bits(values);
                let changed = rest[at..end].iter().position(|place| new[*place] != now[*place]);
                end = at + 1 + changed.expect("a smaller value differs");
            } else {
                for (lit, value) in open {
                    self.fix(lit.negate_if(!value));
                }
                (at, end) = (end, rest.len());
            }
        }
        Ok(())
    }

    /// An execution in which bits are smaller than they are, the first ones first.
    fn smaller(&mut self, bits: &[(Lit, bool)]) -> Result<Option<Values>, Limit> {
        let n_ones = bits.iter().filter(|(_, value)| *value).count();
        if n_ones <= 1 {
            let Some(one) = bits.iter().position(|(_, value)| *value) else { return Ok(None) };
            let zeros: Vec<Lit> = bits[..=one].iter().map(|(lit, _)| !*lit).collect();
            return self.solve(&zeros);
        }
        // One of those that are true becomes false, and those before it that are false stay so.
        let solver = &mut self.unrolling.solver;
        let asked = solver.new_var(true);
        let (mut clause, mut zeros) = (vec![!asked], None);
        for (lit, value) in bits {
            let same = solver.new_var(false);
            solver.add_clause(&[!same, !*lit]);
            if let Some(zeros) = zeros {
                solver.add_clause(&[!same, zeros]);
            }
            if *value { clause.push(same) } else { zeros = Some(same) }
        }
        solver.add_clause(&clause);
        let found = self.solve(&[asked]);
        self.unrolling.solver.add_clause(&[!asked]);
        found
    }

    fn fix(&mut self, lit: Lit) {
        self.unrolling.solver.add_clause(&[lit]);
    }
}

/// The values of all nodes, given those of the bits. Without a next state, its bits are false.
pub(crate) fn node_values(machine: &Machine, state: &[bool], inputs: &[bool], next: &[bool]) -> Vec<bool> {
    let aig = machine.circuit.aig();
    let mut nodes = vec![false; aig.len()];
    for (place, bit) in machine.bits.iter().enumerate() {
        nodes[bit.next.node() as usize] = next.get(place).copied().unwrap_or(false);
        nodes[bit.now.node() as usize] = state[place];
    }
    for (input, value) in machine.inputs.iter().zip(inputs) {
        nodes[input.node() as usize] = *value;
    }
    for node in 0..aig.len() {
        if let Node::And(a, b) = aig.node(node as u32) {
            let value = |signal: Signal| nodes[signal.node() as usize] != signal.is_negated();
            nodes[node] = value(a) && value(b);
        }
    }
    nodes
}
