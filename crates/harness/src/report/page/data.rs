//! What a page shows.

use serde::Serialize;
use specwright_testgen::grade::{Bits, Group};

/// A graded suite, as a person wants to look at it. Goals and tests are named by their places in the lists.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// The name of the model.
    pub model: String,
    /// The name of the suite.
    pub suite: String,
    /// The version of this program.
    pub version: String,
    /// What one goal is called: `mutant` or `goal`.
    pub noun: &'static str,
    /// How many of the goals that count are reached.
    pub score: Group,
    /// The score after each step of winnowing, and what was left out in it.
    pub effects: Vec<(String, Group)>,
    /// The properties, each with its place and how much of it is reached.
    pub properties: Vec<(String, Group)>,
    /// The files of the specification.
    pub files: Vec<File>,
    /// The goals.
    pub goals: Vec<GoalView>,
    /// The tests.
    pub tests: Vec<TestView>,
    /// The variables.
    pub vars: Vec<VarView>,
    /// The tables of the specification.
    pub tables: Vec<TableView>,
    /// Further results.
    pub further: Vec<Further>,
    /// Which goals come for free with which, if somebody looked; no two of them say the same.
    pub subsumption: Vec<NodeView>,
    /// How many questions about what says the same and what comes for free have no answer.
    pub n_open: usize,
}

/// A goal in the subsumption graph.
#[derive(Clone, Debug)]
pub struct NodeView {
    /// The goal.
    pub goal: usize,
    /// How many others say the same.
    pub same: usize,
    /// Those that come for free with it, without those that come for free with one of them.
    pub subsumes: Vec<usize>,
}

/// A table of further results.
#[derive(Clone, Debug, Serialize)]
pub struct Further {
    /// What it is.
    pub title: String,
    /// What there is to know about it; may be empty.
    pub note: String,
    /// The names of its columns.
    pub head: Vec<String>,
    /// Its rows.
    pub rows: Vec<Vec<String>>,
}

/// A file of the specification.
#[derive(Clone, Debug)]
pub struct File {
    /// Its name.
    pub name: String,
    /// What is in it.
    pub text: String,
}

/// A goal and what became of it.
#[derive(Clone, Debug)]
pub struct GoalView {
    /// Its id.
    pub id: String,
    /// What it is counted under, such as the operators that made a mutant.
    pub groups: Vec<String>,
    /// What it is.
    pub description: String,
    /// The file, counted from 0, and the line, from 1.
    pub place: Option<(usize, usize)>,
    /// What became of it.
    pub status: Status,
    /// Why it says little about a suite: `trivial`, `duplicate` or `subsumed`.
    pub chaff: Option<&'static str>,
    /// Why somebody has judged it irrelevant.
    pub ignored: Option<String>,
    /// The specification as it is, and as the goal has it.
    pub diff: Option<Diff>,
}

/// What became of a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// A test reaches it.
    Killed,
    /// A test could reach it, and none does.
    Survives,
    /// Nobody knows whether a test could.
    Unknown,
    /// No test can.
    Consistent,
    /// It is false, but no single execution shows that.
    Nonfalsifiable,
    /// A state calls for it, but its updates contradict each other.
    Inconsistent,
    /// Somebody has judged it irrelevant.
    Ignored,
}

impl Status {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Status; 7] = [
        Status::Killed,
        Status::Survives,
        Status::Unknown,
        Status::Consistent,
        Status::Nonfalsifiable,
        Status::Inconsistent,
        Status::Ignored,
    ];

    /// Its name in the page.
    pub fn word(self) -> &'static str {
        match self {
            Status::Killed => "killed",
            Status::Survives => "survives",
            Status::Unknown => "unknown",
            Status::Consistent => "consistent",
            Status::Nonfalsifiable => "nonfalsifiable",
            Status::Inconsistent => "inconsistent",
            Status::Ignored => "ignored",
        }
    }
}

/// One line in two versions: what they have in common, and where they differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diff {
    /// What both begin with.
    pub before: String,
    /// What stands in the specification.
    pub old: String,
    /// What stands in the goal.
    pub new: String,
    /// What both end with.
    pub after: String,
}

/// A test.
#[derive(Clone, Debug)]
pub struct TestView {
    /// Its name.
    pub name: String,
    /// Whether a right implementation must not behave like this.
    pub rejects: bool,
    /// For each state and each variable, its value if there is one.
    pub states: Vec<Vec<Option<String>>>,
    /// The state that follows the last one.
    pub loop_start: Option<usize>,
    /// The first state that a right implementation does not go to.
    pub departure: Option<usize>,
    /// Why each state is there; may be shorter.
    pub notes: Vec<String>,
    /// The goals that it reaches.
    pub reaches: Bits,
    /// For each state, the goals that the test reaches from there on, and those that take the loop at last; empty if
    /// nobody looked.
    pub news: Vec<Vec<usize>>,
    /// How many goals no other test reaches.
    pub alone: usize,
    /// Whether it can be left out, together with all others of which that is said.
    pub redundant: bool,
    /// Why it could not be graded.
    pub misfit: Option<String>,
    /// What an implementation made of it.
    pub verdict: Option<Verdict>,
}

/// What became of a test on an implementation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// `pass`, `fail`, `error` or `inconclusive`.
    pub word: String,
    /// The state at which it was decided.
    pub step: Option<usize>,
    /// Why.
    pub message: String,
}

/// A variable.
#[derive(Clone, Debug, Serialize)]
pub struct VarView {
    /// Its name.
    pub name: String,
    /// `input`, `output` or `internal`.
    pub role: &'static str,
}

/// A table of the specification.
#[derive(Clone, Debug, Serialize)]
pub struct TableView {
    /// What it is called.
    pub name: String,
    /// Its rows.
    pub rows: Vec<Vec<CellView>>,
}

/// A cell of a table.
#[derive(Clone, Debug, Serialize)]
pub struct CellView {
    /// What is written in it.
    pub text: String,
    /// What tests show of it: the word, `covered`, `missed` or `infeasible`, and the tests that do.
    pub marks: Vec<(String, String, Vec<String>)>,
}
