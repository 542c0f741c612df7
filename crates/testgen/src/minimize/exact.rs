//! Integer programming for what reductions leave. Only this file uses `microlp`.

use super::cover::Cover;
use crate::grade::Bits;
use crate::policy::{SOLVER_EFFORT, SOLVER_ENTRIES};
use microlp::{ComparisonOp, OptimizationDirection, Problem, SolveOptions, SolveOutcome, TerminationReason, Variable};
use specwright_mc::Budget;
use std::collections::BTreeMap;
use std::time::Instant;

/// A cover and a proven lower bound.
pub(super) struct Found {
    pub(super) tests: Vec<usize>,
    pub(super) bound: u64,
}

/// The cheapest cover; the best one found and the bound proven within the budget: until its deadline, or in a fixed
/// number of steps if it has none.
pub(super) fn solve(cover: &Cover, budget: &Budget) -> Found {
    let cost = |tests: &[usize]| tests.iter().map(|test| cover.costs[*test]).sum::<u64>();
    let mut found = Found { tests: cover.clone().greedy(), bound: cover.bound() };
    if cost(&found.tests) == found.bound {
        return found;
    }
    let Some((tests, bound)) = program(cover, budget) else { return found };
    found.bound = found.bound.max(bound);
    // The result of the solver is checked.
    let reaches_all = cover.goals.iter().all(|reaching| tests.iter().any(|test| reaching.contains(*test)));
    let tests = cover.without_superfluous(tests);
    if reaches_all && cost(&tests) < cost(&found.tests) {
        found.tests = tests;
    }
    found
}

fn program(cover: &Cover, budget: &Budget) -> Option<(Vec<usize>, u64)> {
    if budget.is_spent() {
        return None;
    }
    let mut problem = Problem::new(OptimizationDirection::Minimize);
    let n_entries: u64 = cover.goals.iter().map(|tests| tests.count() as u64).sum();
    let mut options = SolveOptions::default();
    if let Some(deadline) = budget.deadline() {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return None;
        }
        options.time_limit = Some(left);
    } else {
        if n_entries > SOLVER_ENTRIES {
            return None;
        }
        options.node_limit = Some(SOLVER_EFFORT / n_entries.max(1));
    }
    let mut variables: BTreeMap<usize, Variable> = BTreeMap::new();
    for test in cover.goals.iter().flat_map(Bits::iter) {
        #[expect(clippy::cast_precision_loss, reason = "costs are numbers of steps")]
        variables.entry(test).or_insert_with(|| problem.add_binary_var(cover.costs[test] as f64));
    }
    for tests in &cover.goals {
        let sum: Vec<(Variable, f64)> = tests.iter().map(|test| (variables[&test], 1.0)).collect();
        problem.add_constraint(sum, ComparisonOp::Ge, 1.0);
    }
    match problem.solve_with(options).ok()? {
        SolveOutcome::Solution(solution) => {
            let taken = |(test, variable): (&usize, &Variable)| (solution.var_value(*variable) > 0.5).then_some(*test);
            let tests: Vec<usize> = variables.iter().filter_map(taken).collect();
            let bound = if solution.termination_reason() == TerminationReason::ProvenOptimal {
                tests.iter().map(|test| cover.costs[*test]).sum()
            } else {
                whole(solution.stats().best_bound.unwrap_or(0.0))
            };
            Some((tests, bound))
        }
        SolveOutcome::Interrupted(interrupted) => {
            Some((Vec::new(), whole(interrupted.stats().best_bound.unwrap_or(0.0))))
        }
    }
}

/// Costs are integers, so a bound is rounded up, with a tolerance for floating-point errors.
fn whole(bound: f64) -> u64 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is between 0 and the cost of all")]
    let whole = (bound - 1e-6).ceil().max(0.0) as u64;
    whole
}

#[cfg(test)]
mod tests {
    use super::whole;

    #[test]
    fn bounds_are_rounded_up_to_whole_costs_and_no_further() {
        for (bound, cost) in [(2.0, 2), (1.999_999_9, 2), (2.000_000_1, 2), (2.01, 3), (2.99, 3), (0.0, 0), (-0.5, 0)] {
            assert_eq!(whole(bound), cost, "{bound}");
        }
    }
}
