//! The seam to SAT solvers.

use std::fmt;
use std::ops::Not;

/// A variable of a solver, or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(u32);

impl Lit {
    /// The literal of the variable with a number, counted from 0.
    pub fn new(var: u32, is_negated: bool) -> Lit {
        Lit(2 * var + u32::from(is_negated))
    }

    /// The number of the variable.
    pub fn var(self) -> u32 {
        self.0 >> 1
    }

    /// Whether it is the negation of its variable.
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// Negated if the condition holds.
    #[must_use]
    pub fn negate_if(self, condition: bool) -> Lit {
        Lit(self.0 ^ u32::from(condition))
    }

    /// `2 * variable + negation`.
    pub(crate) fn code(self) -> u32 {
        self.0
    }

    /// The literal with this code.
    pub(crate) fn from_code(code: u32) -> Lit {
        Lit(code)
    }

    /// The literal of DIMACS: counted from 1, negative if negated.
    pub fn dimacs(self) -> i32 {
        let var = i32::try_from(self.var() + 1).expect("solvers have less than two thousand million variables");
        if self.is_negated() { -var } else { var }
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.dimacs())
    }
}

/// The result of a call of a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// There is a solution; [`Solver::value`] has it.
    Sat,
    /// There is none; [`Solver::has_failed`] says which assumptions exclude each other.
    Unsat,
    /// The limit was reached, or the solver was stopped.
    Unknown,
}

/// An incremental SAT solver.
pub trait Solver {
    /// A new variable. Where nothing is known about it, the solver tries this value first; not all solvers heed that.
    fn new_var(&mut self, phase: bool) -> Lit;

    /// Adds a clause for good.
    fn add_clause(&mut self, clause: &[Lit]);

    /// Adds a clause that is part of the definition of a variable: whatever values the other variables have, there is one for
    /// this variable with which all clauses of its definition hold.
    fn add_definition(&mut self, _defined: Lit, clause: &[Lit]) {
        self.add_clause(clause);
    }

    /// Looks for a solution in which all assumptions hold.
    fn solve(&mut self, assumptions: &[Lit]) -> Outcome;

    /// The value of a literal in the solution. Only after [`Outcome::Sat`], until the next clause or call.
    fn value(&self, lit: Lit) -> bool;

    /// Whether an assumption was needed to exclude all solutions. Only after [`Outcome::Unsat`], until the next clause or
    /// call.
    fn has_failed(&self, assumption: Lit) -> bool;

    /// The conflicts so far: the same for the same calls, whatever the machine.
    fn conflicts(&self) -> u64;

    /// The literals that were propagated so far, if the solver counts them: the same for the same calls, whatever the machine.
    fn propagations(&self) -> u64;

    /// Ends calls when there were this many conflicts since the solver was made; `None` is no limit.
    fn set_max_conflicts(&mut self, conflicts: Option<u64>);

    /// Ends calls when this says so. It is asked now and then.
    fn set_stop(&mut self, stop: Box<dyn Fn() -> bool>);
}
