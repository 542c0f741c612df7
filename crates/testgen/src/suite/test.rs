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
    /// It must not behave like this: the last step is wrong.
    Reject,
}

/// What became of the goals of a suite. The last four add up to the first.
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
    /// Those that nobody knows about.
    pub unknown: usize,
}

impl Test {
    /// A test that expects an execution to be accepted, and says nothing more.
    pub fn new(name: impl Into<String>, trace: Trace) -> Test {
        Test { name: name.into(), expect: Expect::Accept, trace, goals: Vec::new(), notes: Vec::new() }
    }

    /// Why a state is there; empty if nothing is said.
    pub fn note(&self, state: usize) -> &str {
        self.notes.get(state).map_or("", String::as_str)
    }
}
