//! Monitoring: the goals that an execution covers, judged as by the engine, for single executions.

use crate::goal::Goal;
use crate::grade::{Bits, Grader, Quantifiers};
use specwright_model::{Trace, TransitionSystem};

/// Decides which goals executions cover.
pub(super) struct Monitor {
    grader: Grader,
    /// The tests whose executions the grader keeps.
    kept: Vec<usize>,
}

impl Monitor {
    pub(super) fn new(model: &TransitionSystem, goals: &[Goal]) -> Monitor {
        let grader = Grader::new(model, goals.iter().map(|goal| goal.target), Quantifiers::Branching);
        Monitor { grader, kept: Vec::new() }
    }

    /// The goals that an execution covers.
    pub(super) fn of(&mut self, model: &TransitionSystem, trace: &Trace) -> Bits {
        self.grader.reached(model, trace)
    }

    /// Keeps the execution of a test, so that goals can be judged by it later.
    pub(super) fn keep(&mut self, test: usize, trace: &Trace) {
        self.grader.keep(trace);
        self.kept.push(test);
    }

    /// Whether the number of kept executions has reached its limit.
    pub(super) fn is_full(&self) -> bool {
        self.grader.is_full()
    }

    /// Drops the kept executions and returns their tests.
    pub(super) fn forget(&mut self) -> Vec<usize> {
        self.grader.forget();
        std::mem::take(&mut self.kept)
    }

    /// The first test whose execution is kept and covers a goal.
    pub(super) fn covering(&mut self, goal: usize) -> Option<usize> {
        let mut found = None;
        self.each_test(goal, |test| {
            found = Some(test);
            false
        });
        found
    }

    /// Visits the tests whose kept executions cover a goal, until the visitor returns false.
    pub(super) fn each_test(&mut self, goal: usize, mut goes_on: impl FnMut(usize) -> bool) {
        let kept = &self.kept;
        self.grader.each_kept(goal, |trace| goes_on(kept[trace]));
    }
}
