//! A solver with one step of the machine.

use super::Cube;
use crate::sat::machine::Machine;
use specwright_sat::{Clauses, Lit, Narrow, Outcome, Signal, Solver};
use std::rc::Rc;

/// One step of the machine, from a state that satisfies the invariants. Clones are independent of each other.
#[derive(Clone)]
pub(crate) struct Instance {
    pub(crate) solver: Narrow,
    clauses: Clauses,
    pub(crate) now: Vec<Lit>,
    pub(crate) next: Vec<Lit>,
    inputs: Vec<Lit>,
    /// There is a step, as far as the state before says.
    pub(crate) step: Lit,
    /// The state after the step satisfies the invariants, too.
    whole: Lit,
    /// Lemmas that were added.
    pub(crate) n_lemmas: usize,
}

impl Instance {
    pub(crate) fn new(machine: &Machine, stop: &Rc<dyn Fn() -> bool>) -> Instance {
        let (mut solver, mut clauses) = (Narrow::default(), Clauses::default());
        let stop = Rc::clone(stop);
        solver.set_stop(Box::new(move || stop()));
        let aig = machine.circuit.aig();
        let now: Vec<Lit> = machine.bits.iter().map(|_| solver.new_var(false)).collect();
        let inputs: Vec<Lit> = machine.inputs.iter().map(|_| solver.new_var(false)).collect();
        for (bit, lit) in machine.bits.iter().zip(&now) {
            clauses.bind(bit.now, *lit);
        }
        for (input, lit) in machine.inputs.iter().zip(&inputs) {
            clauses.bind(*input, *lit);
        }
        let netlist = &machine.netlist;
        let mut next = Vec::with_capacity(now.len());
        for (place, bit) in machine.bits.iter().enumerate() {
            next.push(match netlist.functions[place] {
                _ if bit.now == bit.next => now[place],
                Some(value) => clauses.define(&aig, value, &mut solver),
                None => solver.new_var(false),
            });
        }
        for (bit, lit) in machine.bits.iter().zip(&next).filter(|(bit, _)| bit.now != bit.next) {
            clauses.bind(bit.next, *lit);
        }
        clauses.assert(&aig, machine.invar, &mut solver);
        let [step, whole] = [(); 2].map(|()| solver.new_var(true));
        solver.add_definition(whole, &[!whole, step]);
        for (piece, is_live) in machine.pieces.iter().zip(&netlist.is_live) {
            // Functions are built in.
            if !piece.owns.is_empty() && piece.owns.iter().all(|bit| netlist.functions[*bit].is_some()) {
                continue;
            }
            let holds = clauses.require(&aig, piece.signal, &mut solver);
            if !is_live {
                solver.add_definition(whole, &[!whole, holds]);
            } else if let Some((first, others)) = piece.owns.split_first() {
                solver.add_definition(next[*first], &[!step, holds]);
                for bit in others {
                    solver.depend(next[*bit], next[*first]);
                }
            } else {
                solver.add_definition(step, &[!step, holds]);
            }
        }
        Instance { solver, clauses, now, next, inputs, step, whole, n_lemmas: 0 }
    }

    /// The state is one of these.
    pub(crate) fn assert(&mut self, machine: &Machine, states: Signal) {
        self.clauses.assert(&machine.circuit.aig(), states, &mut self.solver);
    }

    /// What to assume so that the state is a target, or a step of a target leaves it.
    pub(crate) fn target(&mut self, machine: &Machine, signal: Signal, by_step: bool) -> Vec<Lit> {
        let mut assumptions = vec![self.clauses.require(&machine.circuit.aig(), signal, &mut self.solver)];
        if by_step {
            assumptions.extend([self.step, self.whole]);
        }
        assumptions
    }

    /// The literals of a set of states, before or after the step.
    pub(crate) fn lits(&self, cube: &Cube, after: bool) -> Vec<Lit> {
        let bits = if after { &self.next } else { &self.now };
        cube.iter().map(|(bit, value)| bits[*bit].negate_if(!*value)).collect()
    }

    /// Excludes a set of states for good.
    pub(crate) fn exclude(&mut self, cube: &Cube) {
        let clause: Vec<Lit> = cube.iter().map(|(bit, value)| self.now[*bit].negate_if(*value)).collect();
        self.solver.add_clause(&clause);
        self.n_lemmas += 1;
    }

    /// The values that the solver has found, of the state, the inputs, and what is no function of these after the step.
    pub(crate) fn model(&self) -> [Vec<bool>; 3] {
        [&self.now, &self.inputs, &self.next].map(|lits| self.values(lits))
    }

    pub(crate) fn values(&self, lits: &[Lit]) -> Vec<bool> {
        lits.iter().map(|lit| self.solver.value(*lit)).collect()
    }

    /// Looks for a solution outside of a set of states, if one is given, with a limit of conflicts. Also gives the work.
    pub(crate) fn solve(&mut self, outside: Option<&Cube>, assumptions: &[Lit], conflicts: u64) -> (Outcome, u64) {
        let clause = outside.map_or_else(Vec::new, |cube| self.lits(cube, false).iter().map(|lit| !*lit).collect());
        self.solve_any(&clause, assumptions, conflicts)
    }

    /// Looks for a solution with one of these literals, if there are any, with a limit of conflicts. Also gives the work.
    pub(crate) fn solve_any(&mut self, clause: &[Lit], assumptions: &[Lit], conflicts: u64) -> (Outcome, u64) {
        let before = (self.solver.conflicts(), self.solver.propagations());
        self.solver.set_max_conflicts(Some(before.0.saturating_add(conflicts)));
        let outcome = self.solver.solve_with(clause, assumptions);
        let propagations = self.solver.propagations() - before.1;
        let work = self.solver.conflicts() - before.0 + call_work(propagations);
        (outcome, work)
    }
}

/// The work of a call, beside conflicts: it grows with what was propagated.
fn call_work(propagations: u64) -> u64 {
    1 + propagations / crate::policy::SAT_PROPAGATIONS_PER_STEP
}
