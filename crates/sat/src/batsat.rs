//! Batsat, a `MiniSat` in Rust, behind the seam.

use crate::solver::{Lit, Outcome, Solver};
use batsat::callbacks::Callbacks;
use batsat::clause::Kind;
use batsat::{SolverInterface, SolverOpts, lbool};
use std::cell::Cell;

/// Decisions between two questions whether to stop.
const POLL_INTERVAL: u32 = 256;

/// The solver that is always there.
pub struct Batsat {
    solver: batsat::Solver<Limits>,
}

/// Counts conflicts and says when to stop.
#[derive(Default)]
struct Limits {
    conflicts: u64,
    most: Option<u64>,
    stop: Option<Box<dyn Fn() -> bool>>,
    /// Decisions until the next question.
    patience: Cell<u32>,
    is_stopped: Cell<bool>,
}

impl Callbacks for Limits {
    fn on_start(&mut self) {
        self.patience.set(0);
    }

    fn on_new_clause(&mut self, _: &[batsat::Lit], kind: Kind) {
        self.conflicts += u64::from(kind == Kind::Learnt);
    }

    fn stop(&self) -> bool {
        if self.most.is_some_and(|most| self.conflicts >= most) {
            return true;
        }
        let Some(stop) = &self.stop else { return false };
        match self.patience.get() {
            0 => {
                self.patience.set(POLL_INTERVAL);
                self.is_stopped.set(stop());
            }
            left => self.patience.set(left - 1),
        }
        self.is_stopped.get()
    }
}

impl Default for Batsat {
    fn default() -> Batsat {
        Batsat { solver: batsat::Solver::new(SolverOpts::default(), Limits::default()) }
    }
}

fn theirs(lit: Lit) -> batsat::Lit {
    batsat::Lit::new(batsat::Var::unsafe_from_idx(lit.var()), !lit.is_negated())
}

impl Solver for Batsat {
    fn new_var(&mut self, phase: bool) -> Lit {
        let var = self.solver.new_var(lbool::new(phase), true);
        Lit::new(var.idx(), false)
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        let mut clause: Vec<batsat::Lit> = clause.iter().map(|lit| theirs(*lit)).collect();
        // A clause that makes everything false is noticed at the next call.
        self.solver.add_clause_reuse(&mut clause);
    }

    fn solve(&mut self, assumptions: &[Lit]) -> Outcome {
        let assumptions: Vec<batsat::Lit> = assumptions.iter().map(|lit| theirs(*lit)).collect();
        let result = self.solver.solve_limited(&assumptions);
        if result == lbool::TRUE {
            Outcome::Sat
        } else if result == lbool::FALSE {
            Outcome::Unsat
        } else {
            Outcome::Unknown
        }
    }

    fn value(&self, lit: Lit) -> bool {
        self.solver.value_lit(theirs(lit)) == lbool::TRUE
    }

    fn has_failed(&self, assumption: Lit) -> bool {
        // As in MiniSat, the core is kept as a clause: of the negations.
        self.solver.unsat_core_contains_lit(theirs(!assumption))
    }

    fn conflicts(&self) -> u64 {
        self.solver.cb().conflicts
    }

    fn propagations(&self) -> u64 {
        self.solver.num_propagations()
    }

    fn set_max_conflicts(&mut self, conflicts: Option<u64>) {
        self.solver.cb_mut().most = conflicts;
    }

    fn set_stop(&mut self, stop: Box<dyn Fn() -> bool>) {
        self.solver.cb_mut().stop = Some(stop);
    }
}
