//! Suites: tests of one model, each an execution with its goals.

use specwright_model::model::DefineId;
use specwright_model::{Trace, Value};

/// Tests of one model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suite {
    /// The name of the model.
    pub model: String,
    /// The hash of the model of the tests, see [`model_hash`](specwright_model::hash::model_hash); `None` if unknown.
    pub model_hash: Option<String>,
    /// The tests, with unique names.
    pub tests: Vec<Test>,
    /// The numbers of goals by outcome, if the tests were made for goals.
    pub goals: Option<GoalCounts>,
}

/// One test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// Its unique name.
    pub name: String,
    /// What it shows, in one line; may be empty.
    pub shows: String,
    /// The expected behaviour of a correct implementation.
    pub expect: Expect,
    /// The execution: inputs and expected outputs. States of hand-written tests may be partial.
    pub trace: Trace,
    /// In a negative test, the first state that a correct implementation does not reach; `None` for the last state. The
    /// states after it are a possible behaviour of a faulty implementation.
    pub departure: Option<usize>,
    /// Values that it gives to defines, for each state from the first one on; may be shorter than the trace.
    pub defined: Vec<Vec<(DefineId, Value)>>,
    /// The ids of the goals that it covers.
    pub goals: Vec<String>,
    /// Those of its goals that are mutants of the machine which it kills in some of their runs only.
    pub possible: Vec<String>,
    /// A note for each state, from the first one on; may be shorter than the trace, and empty for some states.
    pub notes: Vec<String>,
}

/// The expected behaviour of a correct implementation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Expect {
    /// It can execute the test.
    #[default]
    Accept,
    /// It cannot execute the test: see [`Test::rejected_at`].
    Reject,
}

/// The numbers of goals by outcome. All but the first add up to the total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct GoalCounts {
    /// All goals.
    pub total: usize,
    /// Covered by a test.
    pub covered: usize,
    /// Infeasible: covered by no execution.
    pub infeasible: usize,
    /// False, but shown by no single execution.
    pub nonfalsifiable: usize,
    /// Infeasible only because updates are inconsistent.
    pub inconsistent: usize,
    /// Mutants of the machine that a test kills in some of their runs only.
    pub possible: usize,
    /// Mutants of the machine that never leave what the model permits, but do less.
    pub conforming: usize,
    /// Mutants of the machine that no tester can tell from the model.
    pub equivalent: usize,
    /// Undecided.
    pub unknown: usize,
}

impl Test {
    /// A test that expects an execution to be accepted, without goals and notes.
    pub fn new(name: impl Into<String>, trace: Trace) -> Test {
        let (expect, goals, notes) = (Expect::Accept, Vec::new(), Vec::new());
        let (name, shows) = (name.into(), String::new());
        let possible = Vec::new();
        Test { name, shows, expect, trace, departure: None, defined: Vec::new(), goals, possible, notes }
    }

    /// The first state that a correct implementation does not reach; `None` if it reaches all of them.
    pub fn rejected_at(&self) -> Option<usize> {
        let last = self.trace.states.len().checked_sub(1)?;
        (self.expect == Expect::Reject).then(|| self.departure.map_or(last, |state| state.min(last)))
    }

    /// Drops the states after the departure: an implementation that reaches them is faulty already.
    pub fn end_at_departure(&mut self) {
        let end = self.rejected_at();
        if let (Some(_), Some(last)) = (self.departure.take(), end) {
            self.trace.states.truncate(last + 1);
            self.notes.truncate(last + 1);
            self.defined.truncate(last + 1);
        }
    }

    /// The note of a state; empty if there is none.
    pub fn note(&self, state: usize) -> &str {
        self.notes.get(state).map_or("", String::as_str)
    }
}
