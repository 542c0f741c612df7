//! The grade of a suite: which test reaches which goal, and what follows from that.

use super::grader::Grader;
use super::matrix::{Bits, Matrix};
use super::program::Quantifiers;
use crate::goal::Goal;
use crate::suite::{Fit, Misfit, Suite, executions, fit};
use specwright_model::Model;
use std::collections::BTreeMap;
use std::panic::resume_unwind;

/// How good a suite is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grade {
    /// Which test reaches which goal. Tests that were not graded reach none.
    pub matrix: Matrix,
    /// The tests that are not what they claim to be, with the reason; they are not graded.
    pub misfits: Vec<(usize, Misfit)>,
    /// The tests that are rightly expected to be rejected. They show nothing about goals.
    pub rejecting: Vec<usize>,
}

/// A share of the goals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// How many are reached.
    pub reached: usize,
    /// How many there are.
    pub total: usize,
}

/// Grades a suite by goals of its model.
pub fn grade(model: &Model, goals: &[Goal], suite: &Suite) -> Grade {
    let grader = Grader::new(model, goals.iter().map(|goal| goal.target), Quantifiers::Path);
    grade_with(model, &grader, suite)
}

/// Grades a suite by what a grader was made for.
pub fn grade_with(model: &Model, grader: &Grader, suite: &Suite) -> Grade {
    let n_tests = suite.tests.len();
    let n_threads = std::thread::available_parallelism().map_or(1, usize::from).min(n_tests.div_ceil(MIN_PER_THREAD));
    let per_thread = n_tests.div_ceil(n_threads.max(1)).max(1);
    let share = |tests: &[crate::suite::Test]| {
        let mut grader = grader.clone();
        let grade = |test| match fit(model, test) {
            Ok(Fit::Execution(trace)) => Ok(Some(grader.reached(model, &trace))),
            Ok(Fit::Rejected) => Ok(None),
            // A test that can stand for several executions reaches what all of them reach.
            Err(misfit @ Misfit::Ambiguous { .. }) => match executions(model, test) {
                Some(traces) => {
                    Ok(traces.iter().map(|trace| grader.reached(model, trace)).reduce(|one, other| common(one, &other)))
                }
                None => Err(misfit),
            },
            Err(misfit) => Err(misfit),
        };
        tests.iter().map(grade).collect::<Vec<_>>()
    };
    // Tests are independent of each other, and come back in their order.
    let results: Vec<Result<Option<Bits>, Misfit>> = if n_threads <= 1 {
        share(&suite.tests)
    } else {
        std::thread::scope(|scope| {
            let workers: Vec<_> =
                suite.tests.chunks(per_thread).map(|tests| scope.spawn(move || share(tests))).collect();
            let joined =
                workers.into_iter().map(|worker| worker.join().unwrap_or_else(|payload| resume_unwind(payload)));
            joined.collect::<Vec<_>>().into_iter().flatten().collect()
        })
    };
    let (mut misfits, mut rejecting, mut rows) = (Vec::new(), Vec::new(), Vec::with_capacity(n_tests));
    for (test, result) in results.into_iter().enumerate() {
        let goals = match result {
            Ok(Some(goals)) => goals,
            Ok(None) => {
                rejecting.push(test);
                Bits::new(grader.n_goals())
            }
            Err(misfit) => {
                misfits.push((test, misfit));
                Bits::new(grader.n_goals())
            }
        };
        rows.push(goals);
    }
    Grade { matrix: Matrix::new(grader.n_goals(), rows), misfits, rejecting }
}

/// What is in both.
fn common(one: Bits, other: &Bits) -> Bits {
    let mut only_one = one.clone();
    only_one.subtract(other);
    let mut both = one;
    both.subtract(&only_one);
    both
}

/// Below this a thread costs more than it brings.
const MIN_PER_THREAD: usize = 16;

impl Grade {
    /// The tests that can all be left out together. Those that are not graded are not among them.
    pub fn redundant(&self) -> Vec<usize> {
        let graded =
            |test: &usize| !self.rejecting.contains(test) && self.misfits.iter().all(|(misfit, _)| misfit != test);
        self.matrix.redundant().into_iter().filter(graded).collect()
    }

    /// How many of these goals are reached.
    pub fn count(&self, goals: impl IntoIterator<Item = usize>) -> Group {
        let reached = self.matrix.reached();
        let mut group = Group::default();
        for goal in goals {
            group.total += 1;
            group.reached += usize::from(reached.contains(goal));
        }
        group
    }

    /// The same for each group that the goals are counted under. A goal may count under several.
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
    /// The share that is reached; all of nothing is everything.
    pub fn score(self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "no suite has 2^52 goals")]
        if self.total == 0 { 1.0 } else { self.reached as f64 / self.total as f64 }
    }
}
