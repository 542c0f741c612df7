//! Induction over several steps, for all open targets at once.
//!
//! From any state that the lemmas allow, it is assumed that some steps reach none of the targets. Those that are reached right
//! after these steps are struck off, until none is. If the first steps of executions reach none of the rest either, no
//! execution ever does: each may rest on all others.

use super::bounded::{Bounded, node_values};
use super::groups::Groups;
use super::machine::Machine;
use super::target::Target;
use super::unroll::Unrolling;
use crate::bdd::Limit;
use crate::policy::SAT_UNROLLED;
use specwright_sat::{Lit, Outcome, Signal, Solver};

/// Steps from any state, and targets that they are assumed not to reach.
struct Induction {
    unrolling: Unrolling,
    /// For each target, that it is assumed.
    assumed: Vec<Lit>,
    /// For each target, that it is reached after the steps.
    reached: Vec<Lit>,
    groups: Groups,
}

impl Induction {
    fn new(from: &Unrolling, targets: &[Target], n_steps: usize) -> Induction {
        let mut unrolling = from.anywhere();
        for lit in unrolling.steps(n_steps) {
            unrolling.solver.add_clause(&[lit]);
        }
        unrolling.extend(n_steps + 1);
        let (assumed, reached, groups) = Default::default();
        let mut induction = Induction { unrolling, assumed, reached, groups };
        for target in targets {
            induction.add(target, n_steps);
        }
        induction
    }

    fn add(&mut self, target: &Target, n_steps: usize) {
        let Induction { unrolling, assumed, reached, .. } = self;
        let [is_assumed, is_reached] = [true, false].map(|phase| unrolling.solver.new_var(phase));
        let mut clause = vec![!is_reached];
        let signals = [(target.state, false), (target.step, true)];
        for (signal, by_step) in signals.into_iter().filter(|(signal, _)| *signal != Signal::FALSE) {
            for time in 0..n_steps {
                let is_avoided = unrolling.at(time, !signal, by_step);
                unrolling.solver.add_clause(&[!is_assumed, is_avoided]);
            }
        }
        if target.state != Signal::FALSE {
            clause.push(unrolling.at(n_steps, target.state, false));
        }
        if target.step != Signal::FALSE {
            let (by_step, holds) = (unrolling.solver.new_var(false), unrolling.at(n_steps, target.step, true));
            unrolling.solver.add_clause(&[!by_step, holds]);
            for step in unrolling.steps(n_steps + 1) {
                unrolling.solver.add_clause(&[!by_step, step]);
            }
            clause.push(by_step);
        }
        unrolling.solver.add_clause(&clause);
        assumed.push(is_assumed);
        reached.push(is_reached);
    }

    /// Looks for steps that reach one of some targets, given by whether each is one of them, after none of them.
    fn solve(&mut self, is_left: &[bool], work: u64) -> Outcome {
        let Induction { unrolling, assumed, reached, groups } = self;
        let left = |lits: &[Lit]| lits.iter().zip(is_left).map(|(lit, is_left)| is_left.then_some(*lit)).collect();
        let [assumed, reached]: [Vec<Option<Lit>>; 2] = [left(assumed), left(reached)];
        let any = groups.any(&reached, &mut unrolling.solver);
        let all = groups.all(&assumed, &mut unrolling.solver);
        unrolling.allow(work);
        match (any, all) {
            (Some(any), Some(all)) => unrolling.solve(&[all, any]),
            _ => Outcome::Unsat,
        }
    }
}

/// The targets, by their places, that no execution reaches because steps from any state reach none of them after none of
/// them. No execution of at most `n_steps` steps may reach one. Checked by a solver of its own.
///
/// # Panics
///
/// If the check finds that it is not so: the search is wrong.
pub(crate) fn inductive(
    machine: &Machine,
    bounded: &Bounded,
    targets: &[Target],
    n_steps: usize,
    work: u64,
    spent: &mut u64,
) -> Result<Vec<usize>, Limit> {
    if (n_steps + 2) * machine.circuit.aig().len() > SAT_UNROLLED {
        return Ok(Vec::new());
    }
    let mut induction = Induction::new(&bounded.unrolling, targets, n_steps);
    let mut is_left = vec![true; targets.len()];
    while is_left.contains(&true) {
        let before = induction.unrolling.work();
        let outcome = induction.solve(&is_left, work);
        *spent += induction.unrolling.work() - before;
        match outcome {
            Outcome::Unsat => break,
            Outcome::Unknown => return Err(Limit::Steps),
            Outcome::Sat => {
                let values = induction.unrolling.values(n_steps + 1);
                let [now, next] = [n_steps, n_steps + 1].map(|time| &values.states[time]);
                let nodes = node_values(machine, now, &values.inputs[n_steps], next);
                let holds = |signal: Signal| nodes[signal.node() as usize] != signal.is_negated();
                let solver = &induction.unrolling.solver;
                for ((target, reached), is_left) in targets.iter().zip(&induction.reached).zip(&mut is_left) {
                    let Target { state, step, .. } = *target;
                    *is_left &= !(solver.value(*reached) || holds(state) || machine.is_total && holds(step));
                }
            }
        }
    }
    let left: Vec<usize> = (0..targets.len()).filter(|place| is_left[*place]).collect();
    if left.is_empty() {
        return Ok(left);
    }
    let rest: Vec<Target> = left.iter().map(|place| targets[*place]).collect();
    match Induction::new(&bounded.unrolling, &rest, n_steps).solve(&vec![true; rest.len()], u64::MAX) {
        Outcome::Unsat => Ok(left),
        Outcome::Sat => panic!("targets that were proved to be out of reach are not"),
        Outcome::Unknown => Err(Limit::Steps),
    }
}
