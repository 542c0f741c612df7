//! `CaDiCaL` behind the seam. It chooses phases itself.

use crate::solver::{Lit, Outcome, Solver};
use std::cell::Cell;
use std::rc::Rc;

/// The solver of the feature `cadical`.
pub struct Cadical {
    solver: cadical::Solver<Limits>,
    n_vars: u32,
    conflicts: Rc<Cell<u64>>,
    most: Option<u64>,
}

/// Counts learnt clauses and says when to stop.
#[derive(Default)]
struct Limits {
    conflicts: Rc<Cell<u64>>,
    stop: Option<Box<dyn Fn() -> bool>>,
}

impl cadical::Callbacks for Limits {
    fn terminate(&mut self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop())
    }

    fn max_length(&self) -> i32 {
        i32::MAX
    }

    fn learn(&mut self, _: &[i32]) {
        self.conflicts.set(self.conflicts.get() + 1);
    }
}

impl Default for Cadical {
    fn default() -> Cadical {
        let mut solver = cadical::Solver::new();
        let conflicts = Rc::default();
        solver.set_callbacks(Some(Limits { conflicts: Rc::clone(&conflicts), stop: None }));
        Cadical { solver, n_vars: 0, conflicts, most: None }
    }
}

impl Solver for Cadical {
    fn new_var(&mut self, _: bool) -> Lit {
        self.n_vars += 1;
        Lit::new(self.n_vars - 1, false)
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.solver.add_clause(clause.iter().map(|lit| lit.dimacs()));
    }

    fn solve(&mut self, assumptions: &[Lit]) -> Outcome {
        if let Some(most) = self.most {
            let left = most.saturating_sub(self.conflicts());
            let left = i32::try_from(left).unwrap_or(i32::MAX);
            self.solver.set_limit("conflicts", left).expect("the limit has this name");
        }
        match self.solver.solve_with(assumptions.iter().map(|lit| lit.dimacs())) {
            Some(true) => Outcome::Sat,
            Some(false) => Outcome::Unsat,
            None => Outcome::Unknown,
        }
    }

    fn value(&self, lit: Lit) -> bool {
        // A variable without clauses has no value of its own.
        let value = self.solver.value(Lit::new(lit.var(), false).dimacs()).unwrap_or(false);
        value != lit.is_negated()
    }

    fn has_failed(&self, assumption: Lit) -> bool {
        self.solver.failed(assumption.dimacs())
    }

    fn conflicts(&self) -> u64 {
        self.conflicts.get()
    }

    fn propagations(&self) -> u64 {
        0
    }

    fn set_max_conflicts(&mut self, conflicts: Option<u64>) {
        self.most = conflicts;
    }

    fn set_stop(&mut self, stop: Box<dyn Fn() -> bool>) {
        self.solver.get_callbacks().expect("they were set").stop = Some(stop);
    }
}
