//! Minimization: the cheapest tests of a suite that reach all that the suite reaches.
//!
//! This is set cover, which is hard in general; but tests that alone reach a goal must stay, goals and tests that others
//! dominate can go, and what is left falls into parts that have nothing to do with each other. On suites from practice
//! little or nothing is left for the solver of integer programs, and where its budget runs out, the proven bound says how
//! much better an answer could be at most.

mod cover;
mod exact;
mod reduce;
mod synthesize;

pub use cover::Minimum;
pub use synthesize::{Objective, Synthesis, synthesize};

use crate::grade::Matrix;
use cover::Cover;
use std::time::Instant;

/// How hard to try.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Take the test that reaches most for its cost, again and again, and prove nothing.
    pub greedy: bool,
    /// When it is time to give up proving that nothing is cheaper. Without it a number of steps that does not depend on
    /// the machine's speed decides, so the same matrix always has the same answer.
    pub deadline: Option<Instant>,
}

/// The cheapest tests that reach every goal that some test reaches. Each test has a cost.
pub fn minimize(matrix: &Matrix, costs: &[u64], options: Options) -> Minimum {
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
        let found = exact::solve(&part, options.deadline);
        bound += found.bound;
        tests.extend(found.tests);
    }
    Minimum::new(tests, costs, bound)
}
