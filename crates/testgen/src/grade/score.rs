//! The grade of a suite: the matrix of tests and goals, and scores.

use super::grader::Grader;
use super::kills::add_kills;
use super::matrix::{Bits, Matrix};
use super::program::Quantifiers;
use crate::goal::Goal;
use crate::policy::TESTS_PER_THREAD;
use crate::suite::{Invalid, Suite, Test, Validated, executed, executions, validate};
use specwright_model::{Trace, TransitionSystem};
use specwright_syntax::parallel;
use std::collections::BTreeMap;

/// The grade of a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grade {
    /// The matrix. Tests that were not graded reach no goals.
    pub matrix: Matrix,
    /// The invalid tests, with reasons; they are not graded.
    pub invalid_tests: Vec<(usize, Invalid)>,
    /// Negative tests that are valid: their executions must be rejected. They reach no goals.
    pub rejecting: Vec<usize>,
}

/// A number of reached goals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// Number of reached goals.
    pub reached: usize,
    /// Number of goals.
    pub total: usize,
}

/// Grades a suite by goals of its model.
pub fn grade(model: &TransitionSystem, goals: &[Goal], suite: &Suite) -> Grade {
    let grader = Grader::new(model, goals.iter().map(|goal| goal.target), Quantifiers::Path);
    let mut grade = grade_with(model, &grader, suite);
    if goals.iter().any(|goal| goal.mutant.is_some()) {
        add_kills(model, goals, &executed(model, suite), &mut grade.matrix);
    }
    grade
}

/// Grades a suite with a grader, which says nothing about mutants of the machine.
pub fn grade_with(model: &TransitionSystem, grader: &Grader, suite: &Suite) -> Grade {
    let n_tests = suite.tests.len();
    let run = |test: &Test| match validate(model, test) {
        Ok(Validated::Execution(trace)) => Ok(vec![trace]),
        Ok(Validated::Rejected) => Ok(Vec::new()),
        Err(invalid @ Invalid::Ambiguous { .. }) => executions(model, test).ok_or(invalid),
        Err(invalid) => Err(invalid),
    };
    // Tests are independent; the results keep their order.
    let jobs = model.budget.jobs().min(n_tests.div_ceil(TESTS_PER_THREAD));
    let runs = parallel::map(jobs, &suite.tests, run);
    let traces: Vec<&Trace> = runs.iter().flatten().flatten().collect();
    let mut reached = grader.reached_by_each(model, &traces).into_iter();
    // An ambiguous test reaches the goals that all its executions reach.
    let common = |n: usize, reached: &mut std::vec::IntoIter<Bits>| {
        reached.take(n).reduce(|mut one, other| {
            one.intersect(&other);
            one
        })
    };
    let results = runs.into_iter().map(|run| run.map(|traces| common(traces.len(), &mut reached)));
    let (mut invalid_tests, mut rejecting, mut rows) = (Vec::new(), Vec::new(), Vec::with_capacity(n_tests));
    for (test, result) in results.enumerate() {
        let goals = match result {
            Ok(Some(goals)) => goals,
            Ok(None) => {
                rejecting.push(test);
                Bits::new(grader.n_goals())
            }
            Err(invalid) => {
                invalid_tests.push((test, invalid));
                Bits::new(grader.n_goals())
            }
        };
        rows.push(goals);
    }
    Grade { matrix: Matrix::new(grader.n_goals(), rows), invalid_tests, rejecting }
}

impl Grade {
    /// The tests that can be removed together. Tests that were not graded are not among them.
    pub fn redundant(&self) -> Vec<usize> {
        let graded = |test: &usize| {
            !self.rejecting.contains(test) && self.invalid_tests.iter().all(|(invalid, _)| invalid != test)
        };
        self.matrix.redundant().into_iter().filter(graded).collect()
    }

    /// The number of these goals that are reached.
    pub fn count(&self, goals: impl IntoIterator<Item = usize>) -> Group {
        let reached = self.matrix.reached();
        let mut group = Group::default();
        for goal in goals {
            group.total += 1;
            group.reached += usize::from(reached.contains(goal));
        }
        group
    }

    /// The same for each group of goals. A goal may belong to several.
    pub fn groups(&self, goals: &[Goal], counted: impl Fn(usize) -> bool) -> BTreeMap<String, Group> {
        let reached = self.matrix.reached();
        let mut groups: BTreeMap<String, Group> = BTreeMap::new();
        for (index, goal) in goals.iter().enumerate().filter(|(index, _)| counted(*index)) {
            for name in &goal.groups {
                let group = groups.entry(name.clone()).or_default();
                group.total += 1;
                group.reached += usize::from(reached.contains(index));
            }
        }
        groups
    }
}

impl Group {
    /// The share of reached goals; 1 if there are no goals.
    pub fn score(self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "no suite has 2^52 goals")]
        if self.total == 0 { 1.0 } else { self.reached as f64 / self.total as f64 }
    }
}
