//! The check of proofs by a solver that has seen nothing of the search for them.

use super::machine::Machine;
use super::pdr::Cube;
use specwright_sat::{Batsat, Clauses, Lit, Outcome, Signal, Solver};

/// Sets of states of which it was checked that no execution reaches them: the initial states lie outside of all of them,
/// and no step leads from outside into one.
pub(crate) struct Proof {
    solver: Batsat,
    clauses: Clauses,
    /// The state lies outside of all sets.
    outside: Lit,
    /// There is a step from it.
    step: Lit,
}

impl Proof {
    /// Checks sets of states, each by the values of some bits; nothing if that takes too long.
    ///
    /// # Panics
    ///
    /// If they are not what they are said to be: the search is wrong.
    pub(crate) fn check(machine: &Machine, cubes: &[Cube], stop: Box<dyn Fn() -> bool>) -> Option<Proof> {
        let aig = machine.circuit.aig();
        let (mut solver, mut clauses, mut next_clauses) = (Batsat::default(), Clauses::default(), Clauses::default());
        solver.set_stop(stop);
        let now: Vec<Lit> = machine.bits.iter().map(|_| solver.new_var(false)).collect();
        let next: Vec<Lit> = (machine.bits.iter().zip(&now))
            .map(|(bit, lit)| if bit.now == bit.next { *lit } else { solver.new_var(false) })
            .collect();
        for ((bit, now), next) in machine.bits.iter().zip(&now).zip(&next) {
            clauses.bind(bit.now, *now);
            clauses.bind(bit.next, *next);
            next_clauses.bind(bit.now, *next);
        }
        let [init, step, outside] = [(); 3].map(|()| solver.new_var(true));
        for (when, signal) in [(init, machine.init), (outside, machine.invar)] {
            let holds = clauses.require(&aig, signal, &mut solver);
            solver.add_clause(&[!when, holds]);
        }
        for piece in &machine.pieces {
            let holds = clauses.require(&aig, piece.signal, &mut solver);
            solver.add_clause(&[!step, holds]);
        }
        let inside = |lits: &[Lit], solver: &mut Batsat| -> Vec<Lit> {
            let inside = |cube: &Cube| {
                let inside = solver.new_var(true);
                for (bit, value) in cube {
                    solver.add_clause(&[!inside, lits[*bit].negate_if(!*value)]);
                }
                inside
            };
            cubes.iter().map(inside).collect()
        };
        let (mut some_now, mut some_next) = (inside(&now, &mut solver), inside(&next, &mut solver));
        // What every state satisfies must hold in initial states and after steps.
        some_now.push(!clauses.define(&aig, machine.invar, &mut solver));
        some_next.push(!next_clauses.define(&aig, machine.invar, &mut solver));
        for cube in cubes {
            let mut clause: Vec<Lit> = cube.iter().map(|(bit, value)| now[*bit].negate_if(*value)).collect();
            clause.push(!outside);
            solver.add_clause(&clause);
        }
        let [at_start, after] = [some_now, some_next].map(|mut some| {
            let any = solver.new_var(true);
            some.push(!any);
            solver.add_clause(&some);
            any
        });
        for (assumptions, what) in [(vec![init, at_start], "initial"), (vec![outside, step, after], "reached")] {
            match solver.solve(&assumptions) {
                Outcome::Unsat => {}
                Outcome::Sat => panic!("states that were proved to be out of reach are {what}"),
                Outcome::Unknown => return None,
            }
        }
        Some(Proof { solver, clauses, outside, step })
    }

    /// Whether a target lies in the sets: its states, and the states from which its steps are taken. Nothing if that
    /// takes too long.
    pub(crate) fn covers(&mut self, machine: &Machine, state: Signal, step: Signal) -> Option<bool> {
        let aig = machine.circuit.aig();
        let state = self.clauses.require(&aig, state, &mut self.solver);
        let step = self.clauses.require(&aig, step, &mut self.solver);
        for assumptions in [vec![self.outside, state], vec![self.outside, self.step, step]] {
            match self.solver.solve(&assumptions) {
                Outcome::Unsat => {}
                Outcome::Sat => return Some(false),
                Outcome::Unknown => return None,
            }
        }
        Some(true)
    }
}
