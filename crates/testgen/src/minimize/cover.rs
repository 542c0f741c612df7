//! Set cover: goals, each with the tests that reach it.

use crate::grade::{Bits, Matrix};
use std::cmp::Reverse;

/// A cover with a proven lower bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Minimum {
    /// The tests, ascending.
    pub tests: Vec<usize>,
    /// Their total cost.
    pub cost: u64,
    /// A lower bound of the cost of every cover.
    pub bound: u64,
}

impl Minimum {
    pub(super) fn new(mut tests: Vec<usize>, costs: &[u64], bound: u64) -> Minimum {
        tests.sort_unstable();
        tests.dedup();
        let cost = tests.iter().map(|test| costs[*test]).sum();
        Minimum { tests, cost, bound: bound.min(cost) }
    }

    /// Whether the cover is optimal.
    pub fn is_optimal(&self) -> bool {
        self.cost == self.bound
    }

    /// The maximal possible improvement, as a share of the cost.
    pub fn gap(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "costs are numbers of steps")]
        if self.cost == 0 { 0.0 } else { (self.cost - self.bound) as f64 / self.cost as f64 }
    }
}

/// A set cover problem.
#[derive(Clone, Debug)]
pub(super) struct Cover {
    pub(super) costs: Vec<u64>,
    /// For each goal, the tests that reach it.
    pub(super) goals: Vec<Bits>,
}

impl Cover {
    /// The problem of a matrix. Goals that no test reaches are dropped, and duplicate goals are merged.
    pub(super) fn new(matrix: &Matrix, costs: &[u64]) -> Cover {
        let mut goals = vec![Bits::new(matrix.n_tests()); matrix.n_goals()];
        for test in 0..matrix.n_tests() {
            matrix.goals_of(test).iter().for_each(|goal| goals[goal].insert(test));
        }
        let distinct: indexmap::IndexSet<Bits> = goals.into_iter().filter(|tests| !tests.is_empty()).collect();
        Cover { costs: costs.to_vec(), goals: distinct.into_iter().collect() }
    }

    /// For each test, the goals that it reaches.
    pub(super) fn tests(&self) -> Vec<Bits> {
        let mut tests = vec![Bits::new(self.goals.len()); self.costs.len()];
        for (goal, reaching) in self.goals.iter().enumerate() {
            reaching.iter().for_each(|test| tests[test].insert(goal));
        }
        tests
    }

    /// A greedy cover: repeatedly the test that reaches most goals for its cost, without tests that turn out to be
    /// superfluous.
    pub(super) fn greedy(&mut self) -> Vec<usize> {
        let tests = self.tests();
        let mut left = Bits::new(self.goals.len());
        (0..self.goals.len()).for_each(|goal| left.insert(goal));
        let mut chosen: Vec<usize> = Vec::new();
        while !left.is_empty() {
            let gain = |test: &usize| {
                let mut fresh = tests[*test].clone();
                fresh.intersect(&left);
                fresh.count() as u128
            };
            // Compares gain / cost without division; a cost of 0 counts as 1.
            let better = |a: &usize, b: &usize| {
                let (gain_a, gain_b) = (gain(a), gain(b));
                let (cost_a, cost_b) = (u128::from(self.costs[*a]), u128::from(self.costs[*b]));
                (gain_a * (1 + 1000 * cost_b)).cmp(&(gain_b * (1 + 1000 * cost_a))).then(Reverse(*a).cmp(&Reverse(*b)))
            };
            let Some(best) = (0..tests.len()).max_by(better) else { break };
            left.subtract(&tests[best]);
            chosen.push(best);
        }
        self.without_superfluous(chosen)
    }

    /// Removes tests that are not needed, the most expensive first.
    pub(super) fn without_superfluous(&self, mut chosen: Vec<usize>) -> Vec<usize> {
        chosen.sort_by_key(|test| (Reverse(self.costs[*test]), Reverse(*test)));
        let mut kept = chosen.clone();
        for test in chosen {
            let needed = |tests: &Bits| tests.contains(test) && !kept.iter().any(|k| *k != test && tests.contains(*k));
            if !self.goals.iter().any(needed) {
                kept.retain(|other| *other != test);
            }
        }
        kept
    }

    /// A lower bound: goals of which no two have a test in common need a test each.
    pub(super) fn bound(&self) -> u64 {
        let mut order: Vec<usize> = (0..self.goals.len()).collect();
        order.sort_by_key(|goal| (self.goals[*goal].count(), *goal));
        let mut used = Bits::new(self.costs.len());
        let mut bound = 0;
        for goal in order {
            let tests = &self.goals[goal];
            if tests.iter().all(|test| !used.contains(test)) {
                used.union_with(tests);
                bound += tests.iter().map(|test| self.costs[test]).min().unwrap_or(0);
            }
        }
        bound
    }
}
