//! Minimization: the cheapest tests of a suite that reach all goals that the suite reaches.
//!
//! This is set cover, which is NP-hard. But tests that alone reach a goal are essential, dominated goals and tests can
//! be removed, and the rest is often disconnected. On practical suites little or nothing is left for integer
//! programming, and if its budget is spent, the proven lower bound limits the possible improvement.

mod cover;
mod exact;
mod reduce;
mod synthesize;

pub use cover::Minimum;
pub use synthesize::{Objective, Synthesis, synthesize};

use crate::grade::Matrix;
use cover::Cover;
use specwright_mc::Budget;

/// Options of minimization.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Whether to use the greedy heuristic only, without a proof.
    pub greedy: bool,
    /// The budget for proving optimality. Its deadline counts if it has one. Otherwise a number of steps decides that does
    /// not depend on the machine's speed, so the same matrix always has the same answer.
    pub budget: Budget,
}

/// The cheapest tests that reach every goal that some test reaches. Each test has a cost.
pub fn minimize(matrix: &Matrix, costs: &[u64], options: &Options) -> Minimum {
    assert_eq!(costs.len(), matrix.n_tests(), "every test has a cost");
    let mut cover = Cover::new(matrix, costs);
    if options.greedy {
        let bound = cover.bound();
        let tests = cover.greedy();
        return Minimum::new(tests, costs, bound);
    }
    let mut tests = reduce::reduce(&mut cover);
    let mut bound = tests.iter().map(|test| costs[*test]).sum::<u64>();
    for part in reduce::components(&cover) {
        let found = exact::solve(&part, &options.budget);
        bound += found.bound;
        tests.extend(found.tests);
    }
    Minimum::new(tests, costs, bound)
}
