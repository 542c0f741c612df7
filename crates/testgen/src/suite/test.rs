//! A suite: tests of one model, each an execution with what it is for.

use specwright_model::Trace;

/// Tests of one model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suite {
    /// The name of the model.
    pub model: String,
    /// What the model was when the tests were made, see [`model_hash`](super::model_hash); nothing if they do not say.
    pub model_hash: Option<String>,
    /// The tests, each with a name of its own.
    pub tests: Vec<Test>,
    /// What became of the goals, if the tests were made for some.
    pub goals: Option<GoalCounts>,
}

/// One test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// A name that no other test of the suite has.
    pub name: String,
    /// What a right implementation does with it.
    pub expect: Expect,
    /// The execution: inputs and expected outputs. Where a person wrote it, states may be partly given.
    pub trace: Trace,
    /// In a test that is to be rejected, the first state that a right implementation does not go to; the last one if
    /// nothing is said. What comes after it is what a wrong implementation may go on to.
    pub departure: Option<usize>,
    /// The ids of the goals that it covers.
    pub goals: Vec<String>,
    /// Why each state is there, from the first one on; may be shorter than the trace, and empty where nothing is said.
    pub notes: Vec<String>,
}

/// What a right implementation does with a test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Expect {
    /// It can behave like this.
    #[default]
    Accept,
    /// It must not behave like this: one step is wrong, see [`Test::rejected_at`].
    Reject,
}

/// What became of the goals of a suite. All but the first add up to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct GoalCounts {
    /// All goals.
    pub total: usize,
    /// Those that a test covers.
    pub covered: usize,
    /// Those that no execution covers.
    pub infeasible: usize,
    /// Those that are false in a way that no single execution shows.
    pub nonfalsifiable: usize,
    /// Those that only a contradiction in the specification stops.
    pub inconsistent: usize,
    /// Those that nobody knows about.
    pub unknown: usize,
}

impl Test {
    /// A test that expects an execution to be accepted, and says nothing more.
    pub fn new(name: impl Into<String>, trace: Trace) -> Test {
        let (expect, goals, notes) = (Expect::Accept, Vec::new(), Vec::new());
        Test { name: name.into(), expect, trace, departure: None, goals, notes }
    }

    /// The first state that a right implementation does not go to; nothing if it goes to all of them.
    pub fn rejected_at(&self) -> Option<usize> {
        let last = self.trace.states.len().checked_sub(1)?;
        (self.expect == Expect::Reject).then(|| self.departure.map_or(last, |state| state.min(last)))
    }

    /// Leaves out what comes after the departure: an implementation that goes there is wrong already.
    pub fn end_at_departure(&mut self) {
        let end = self.rejected_at();
        if let (Some(_), Some(last)) = (self.departure.take(), end) {
            self.trace.states.truncate(last + 1);
            self.notes.truncate(last + 1);
        }
    }

    /// Why a state is there; empty if nothing is said.
    pub fn note(&self, state: usize) -> &str {
        self.notes.get(state).map_or("", String::as_str)
    }
}
