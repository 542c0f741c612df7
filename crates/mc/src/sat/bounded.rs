//! Bounded search: the shortest executions that reach targets, depth by depth, for many targets at once.
//!
//! The clauses of all targets stand in one solver. At every depth it is asked for an execution to any of those that are still
//! open; whatever else that execution reaches is found with it. So an answer of no is one answer for all of them.

use super::machine::Machine;
use super::target::Target;
use super::unroll::{Unrolling, Values};
use crate::bdd::Limit;
use crate::policy::{SAT_DEPTH, SAT_UNROLLED};
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
}

/// How far a target was looked for. Executions are measured in steps.
#[derive(Clone, Copy, Default)]
struct Known {
    /// Shorter executions do not reach it.
    from: usize,
    found: Option<Hit>,
    /// No execution reaches it.
    is_impossible: bool,
}

/// A shortest execution to a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    pub(crate) n_steps: usize,
    /// It ends with a step of the target; else in a state.
    pub(crate) by_step: bool,
}

/// Which values come first: for preferred variables the bits of their values in order, then all bits.
pub(crate) struct Order {
    /// For each preferred variable, its values, each as places among the bits with their values.
    pub(crate) ties: Vec<Vec<Vec<(usize, bool)>>>,
}

impl Bounded {
    pub(crate) fn new(machine: &Rc<Machine>, stop: Box<dyn Fn() -> bool>) -> Bounded {
        let unrolling = Unrolling::new(machine, stop);
        Bounded { machine: Rc::clone(machine), unrolling, known: IndexMap::default() }
    }

    /// Takes note that no execution reaches a target.
    pub(crate) fn exclude(&mut self, target: &Target) {
        self.known.entry(*target).or_default().is_impossible = true;
    }

    /// The most steps for which there is room.
    fn max_steps(&self) -> usize {
        SAT_DEPTH.min(SAT_UNROLLED / self.machine.circuit.aig().len())
    }

    /// Looks for executions of at most `most` steps to a target, and with it to others that are open.
    pub(crate) fn find(&mut self, target: &Target, others: &[Target], most: usize) -> Result<Option<Hit>, Limit> {
        loop {
            let Known { from, found, .. } = *self.known.entry(*target).or_default();
            if found.is_some() || from > most || target.at_start && from > 1 {
                return Ok(found);
            }
            if from > self.max_steps() {
                return Err(Limit::Steps);
            }
            let mut open = vec![*target];
            for other in others {
                let known = self.known.entry(*other).or_default();
                let is_open = known.found.is_none() && !known.is_impossible && known.from == from;
                if is_open && other != target && !(other.at_start && from > 1) {
                    open.push(*other);
                }
            }
            self.look(from, open)?;
        }
    }

    /// Looks for executions of a number of steps to targets for which there are no shorter ones.
    fn look(&mut self, n_steps: usize, mut open: Vec<Target>) -> Result<(), Limit> {
        // A state is as good as a step.
        for by_step in [false, true] {
            let Some(time) = n_steps.checked_sub(usize::from(by_step)) else { continue };
            loop {
                let signal = |target: &Target| if by_step { target.step } else { target.state };
                let counts = |target: &&Target| !(target.at_start && time > 0) && signal(target) != Signal::FALSE;
                let wanted: Vec<Signal> = open.iter().filter(counts).map(signal).collect();
                if wanted.is_empty() {
                    break;
                }
                let mut assumptions = self.unrolling.steps(n_steps);
                let mut clause: Vec<Lit> = wanted.iter().map(|signal| self.unrolling.at(time, *signal)).collect();
                let any = if let [only] = clause[..] {
                    only
                } else {
                    let any = self.unrolling.solver.new_var(true);
                    clause.push(!any);
                    self.unrolling.solver.add_clause(&clause);
                    any
                };
                assumptions.push(any);
                match self.unrolling.solve(&assumptions) {
                    Outcome::Sat => {
                        let values = self.unrolling.values(n_steps);
                        let nodes = self.simulate(&values, time);
                        let is_met = |target: &Target| {
                            counts(&target) && nodes[signal(target).node() as usize] != signal(target).is_negated()
                        };
                        debug_assert!(open.iter().any(is_met), "an execution reaches what it was asked for");
                        open.retain(|target| {
                            let is_met = is_met(target);
                            if is_met && let Some(known) = self.known.get_mut(target) {
                                known.found = Some(Hit { n_steps, by_step });
                            }
                            !is_met
                        });
                    }
                    Outcome::Unsat => break,
                    Outcome::Unknown => return Err(Limit::Steps),
                }
            }
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
        hit: Hit,
        state_order: &Order,
        input_order: &Order,
    ) -> Result<Values, Limit> {
        let Hit { n_steps, by_step } = hit;
        let mut assumptions = self.unrolling.steps(n_steps);
        let (time, signal) = if by_step { (n_steps - 1, target.step) } else { (n_steps, target.state) };
        assumptions.push(self.unrolling.at(time, signal));
        // What is chosen holds under this assumption, so that choices propagate at once.
        let chosen = self.unrolling.solver.new_var(true);
        assumptions.push(chosen);
        let mut choice = Choice { bounded: self, assumptions, chosen, n_steps };
        let mut values = choice.solve(&[])?.expect("there is such an execution");
        for time in (0..=n_steps).rev() {
            choice.first(&mut values, time, true, state_order)?;
        }
        for time in 0..n_steps {
            choice.first(&mut values, time, false, input_order)?;
        }
        self.unrolling.solver.add_clause(&[!chosen]);
        Ok(values)
    }
}

/// The choice of one execution among many.
struct Choice<'b> {
    bounded: &'b mut Bounded,
    assumptions: Vec<Lit>,
    chosen: Lit,
    n_steps: usize,
}

impl Choice<'_> {
    fn solve(&mut self, more: &[Lit]) -> Result<Option<Values>, Limit> {
        let assumptions: Vec<Lit> = self.assumptions.iter().chain(more).copied().collect();
        match self.bounded.unrolling.solve(&assumptions) {
            Outcome::Sat => Ok(Some(self.bounded.unrolling.values(self.n_steps))),
            Outcome::Unsat => Ok(None),
            Outcome::Unknown => Err(Limit::Steps),
        }
    }

    /// Chooses the first state at a time, or the first inputs.
    fn first(&mut self, values: &mut Values, time: usize, is_state: bool, order: &Order) -> Result<(), Limit> {
        let unrolling = &self.bounded.unrolling;
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
        for (place, lit) in lits.iter().enumerate().filter(|(place, _)| !is_fixed[*place]) {
            let mut value = bits(values)[place];
            if value && let Some(better) = self.solve(&[!*lit])? {
                *values = better;
                value = false;
            }
            self.fix(lit.negate_if(!value));
        }
        Ok(())
    }

    fn fix(&mut self, lit: Lit) {
        self.bounded.unrolling.solver.add_clause(&[!self.chosen, lit]);
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
