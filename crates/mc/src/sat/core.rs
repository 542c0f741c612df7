//! Inductive validity cores: the assignments and constraints of a machine that a proof needs.
//!
//! After Ghassabani, Gacek and Whalen, "Efficient generation of inductive validity cores for safety properties" (FSE 2016). A
//! proof is a list of sets of states that no execution reaches. A solver checks it anew, with an assumption for each part of the
//! machine and for each set. The assumptions that it does not need are left out: first those that no check fails for, then one
//! part after the other. So the property holds on every machine that has the parts of the core, whatever else it does.

use super::Sat;
use super::machine::{Demand, demands};
use super::pdr::{Cube, Verdict};
use super::target::Target;
use crate::answer::Reason;
use crate::bdd::Limit;
use crate::conform::Place;
use crate::policy::{SAT_CORE_CONFLICTS, SAT_CORE_WORK};
use specwright_model::ExprId;
use specwright_sat::{Batsat, Clauses, Lit, Outcome, Signal, Solver};
use specwright_syntax::budget::Budget;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The parts of a machine that a proof needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Core {
    /// The assignments and constraints.
    pub places: Vec<Place>,
    /// Whether the invariant of the proof needs each of them.
    pub is_minimal: bool,
}

impl Sat {
    /// The parts that a proof needs of a claim about states and steps, or about initial states only. Undecided if there is no proof.
    pub fn core(&mut self, claim: ExprId, at_start: bool, budget: &Budget) -> Result<Core, Reason> {
        self.forget();
        self.begin(budget);
        if !self.is_defined(claim)? {
            return Err(Reason::Unsupported);
        }
        let Target { state, step, .. } = self.plain_target(claim, false)?;
        let mut cubes: Vec<Cube> = Vec::new();
        if !at_start {
            match self.pdr.prove(state, step, SAT_CORE_WORK) {
                Verdict::Unreachable => cubes.extend_from_slice(self.pdr.forever()),
                _ => return Err(self.limit(Limit::Steps).into()),
            }
        }
        let parts = demands(&self.system, &self.machine, &mut self.memo)?;
        let mut check = Check::new(self, &parts, &cubes, [state, step], at_start);
        let (parts_needed, cubes_needed) = check.needed(&cubes).ok_or_else(|| self.limit(Limit::Steps))?;
        let (parts_needed, is_minimal) = check.fewest(&cubes, parts_needed, &cubes_needed);
        let places = parts_needed.into_iter().map(|part| parts[part].place).collect();
        Ok(Core { places, is_minimal })
    }
}

/// A solver that checks a proof part by part.
struct Check {
    solver: Batsat,
    now: Vec<Lit>,
    next: Vec<Lit>,
    /// The state is initial; a step is taken.
    init: Lit,
    step: Lit,
    /// For each part of the machine, that it is there.
    parts: Vec<Lit>,
    /// For each set, that the state lies outside of it.
    outside: Vec<Lit>,
    /// What must have no solution for the target to be out of reach.
    targets: Vec<Question>,
}

/// Assumptions under which there must be no solution.
#[derive(Clone)]
struct Question {
    assumptions: Vec<Lit>,
    /// Whether the state lies outside of the sets: that is what the question is about if it is initial.
    is_outside: bool,
}

impl Check {
    fn new(sat: &Sat, demands: &[Demand], cubes: &[Cube], target: [Signal; 2], at_start: bool) -> Check {
        let machine = &sat.machine;
        let aig = machine.circuit.aig();
        let (mut solver, mut clauses) = (Batsat::default(), Clauses::default());
        let stop = Rc::clone(&sat.is_stopped);
        solver.set_stop(Box::new(move || stop()));
        let now: Vec<Lit> = machine.bits.iter().map(|_| solver.new_var(false)).collect();
        let bound = machine.bits.iter().zip(&now);
        let next: Vec<Lit> =
            bound.map(|(bit, lit)| if bit.now == bit.next { *lit } else { solver.new_var(false) }).collect();
        for ((bit, now), next) in machine.bits.iter().zip(&now).zip(&next) {
            clauses.bind(bit.next, *next);
            clauses.bind(bit.now, *now);
        }
        clauses.assert(&aig, sat.valid, &mut solver);
        let [init, step] = [(); 2].map(|()| solver.new_var(true));
        let mut parts = Vec::new();
        for demand in demands {
            let part = solver.new_var(true);
            for (when, signal) in [(Some(init), demand.init), (None, demand.states), (Some(step), demand.steps)] {
                let mut clause = vec![!part, clauses.require(&aig, signal, &mut solver)];
                clause.extend(when.map(|when| !when));
                solver.add_clause(&clause);
            }
            parts.push(part);
        }
        let mut outside = Vec::new();
        for cube in cubes {
            let lit = solver.new_var(true);
            let mut clause: Vec<Lit> = cube.iter().map(|(bit, value)| now[*bit].negate_if(*value)).collect();
            clause.push(!lit);
            solver.add_clause(&clause);
            outside.push(lit);
        }
        let [state, by_step] = target.map(|signal| clauses.require(&aig, signal, &mut solver));
        let targets = [vec![state], vec![step, by_step]].map(|mut assumptions| {
            assumptions.extend(at_start.then_some(init));
            Question { assumptions, is_outside: true }
        });
        solver.set_max_conflicts(Some(SAT_CORE_CONFLICTS));
        Check { solver, now, next, init, step, parts, outside, targets: targets.into() }
    }

    /// Whether a set is initial, or is reached by a step from outside of all sets.
    fn violations(&self, cube: &Cube) -> [Question; 2] {
        let inside = |lits: &[Lit], when: Lit, is_outside: bool| {
            let mut assumptions: Vec<Lit> = cube.iter().map(|(bit, value)| lits[*bit].negate_if(!*value)).collect();
            assumptions.push(when);
            Question { assumptions, is_outside }
        };
        [inside(&self.now, self.init, false), inside(&self.next, self.step, true)]
    }

    /// The parts and sets that the proof rests on: those that the target needs, and those that these need.
    fn needed(&mut self, cubes: &[Cube]) -> Option<(BTreeSet<usize>, BTreeSet<usize>)> {
        let (mut parts, mut sets) = (BTreeSet::new(), BTreeSet::new());
        let mut open = self.targets.clone();
        while let Some(Question { mut assumptions, is_outside }) = open.pop() {
            assumptions.extend(&self.parts);
            if is_outside {
                assumptions.extend(&self.outside);
            }
            if self.solver.solve(&assumptions) != Outcome::Unsat {
                return None;
            }
            parts.extend((0..self.parts.len()).filter(|part| self.solver.has_failed(self.parts[*part])));
            let failed = (0..cubes.len()).filter(|set| is_outside && self.solver.has_failed(self.outside[*set]));
            for set in failed.collect::<Vec<_>>() {
                if sets.insert(set) {
                    open.extend(self.violations(&cubes[set]));
                }
            }
        }
        Some((parts, sets))
    }

    /// As few of the parts as the same sets need, and whether it is known that none can be left out.
    fn fewest(&mut self, cubes: &[Cube], parts: BTreeSet<usize>, sets: &BTreeSet<usize>) -> (Vec<usize>, bool) {
        let mut questions = self.targets.clone();
        for set in sets {
            questions.extend(self.violations(&cubes[*set]));
        }
        let outside: Vec<Lit> = sets.iter().map(|set| self.outside[*set]).collect();
        let (mut kept, mut is_minimal) = (parts.clone(), true);
        for part in parts {
            kept.remove(&part);
            let rest: Vec<Lit> = kept.iter().map(|part| self.parts[*part]).collect();
            let mut is_needed = false;
            for question in &questions {
                let outside: &[Lit] = if question.is_outside { &outside } else { &[] };
                match self.solver.solve(&[&question.assumptions, &rest, outside].concat()) {
                    Outcome::Unsat => continue,
                    Outcome::Sat => {}
                    Outcome::Unknown => is_minimal = false,
                }
                is_needed = true;
                break;
            }
            if is_needed {
                kept.insert(part);
            }
        }
        (kept.into_iter().collect(), is_minimal)
    }
}
