//! The data of a page.

use super::audit::AuditView;
use super::chart::ChartView;
use super::charts::{ScoreView, StateGraphView};
use serde::Serialize;
use specwright_testgen::grade::{Bits, Group};

/// A graded suite. Goals and tests are referred to by their indices.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// Whether nothing but the execution of its one test is shown.
    pub only_trace: bool,
    /// The name of the model.
    pub model: String,
    /// The name of the suite.
    pub suite: String,
    /// The version of Specwright.
    pub version: String,
    /// The command that wrote the page, if it is known.
    pub command: Option<String>,
    /// The date, if one was given.
    pub date: Option<String>,
    /// The machine of a small model.
    pub state_graph: Option<StateGraphView>,
    /// The drawing of a statechart.
    pub chart: Option<ChartView>,
    /// Scores of earlier reports, and of this one.
    pub history: Vec<ScoreView>,
    /// The noun for a goal: `mutant` or `goal`.
    pub noun: &'static str,
    /// The number of counted goals that are reached.
    pub score: Group,
    /// The score after each step of winnowing, with a description of the step.
    pub effects: Vec<(String, Group)>,
    /// The properties, each with its position and the share of its goals that are reached.
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
    /// An audit of the properties.
    pub audit: Option<AuditView>,
    /// The subsumption graph of distinct goals, if it was computed.
    pub subsumption: Vec<NodeView>,
    /// Number of undecided queries about equivalence and subsumption.
    pub n_open: usize,
}

/// A goal in the subsumption graph.
#[derive(Clone, Debug)]
pub struct NodeView {
    /// The goal.
    pub goal: usize,
    /// Number of equivalent goals.
    pub same: usize,
    /// The goals that it subsumes directly (the transitive reduction).
    pub subsumes: Vec<usize>,
}

/// A table of further results.
#[derive(Clone, Debug, Serialize)]
pub struct Further {
    /// Its title.
    pub title: String,
    /// A note; may be empty.
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
    /// Its text.
    pub text: String,
}

/// A goal and its status.
#[derive(Clone, Debug)]
pub struct GoalView {
    /// Its id.
    pub id: String,
    /// Its groups, such as the operators that made a mutant.
    pub groups: Vec<String>,
    /// Its description.
    pub description: String,
    /// The index of the file, and the line, counted from 1.
    pub place: Option<(usize, usize)>,
    /// Its status.
    pub status: Status,
    /// Why it is redundant: `trivial`, `duplicate` or `subsumed`.
    pub redundancy: Option<&'static str>,
    /// The reason why it is ignored.
    pub ignored: Option<String>,
    /// The change of the specification, for a mutant.
    pub diff: Option<Diff>,
    /// Where the difference of a mutant that is violated and not seen gets lost.
    pub lost: Option<String>,
}

/// The status of a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Reached by a test.
    Killed,
    /// Feasible, but not reached.
    Survives,
    /// Violated by a test, and not shown by outputs.
    Hidden,
    /// Killed by a test in some runs only.
    Possible,
    /// Undecided.
    Unknown,
    /// Infeasible.
    Consistent,
    /// No outputs show it in any execution.
    Indistinguishable,
    /// The property is false, but no single execution shows that.
    Nonfalsifiable,
    /// A state requires its step, but the updates are inconsistent.
    Inconsistent,
    /// Ignored by the user.
    Ignored,
}

impl Status {
    /// All statuses, in the order in which they are shown.
    pub const ALL: [Status; 10] = [
        Status::Killed,
        Status::Survives,
        Status::Hidden,
        Status::Possible,
        Status::Unknown,
        Status::Consistent,
        Status::Indistinguishable,
        Status::Nonfalsifiable,
        Status::Inconsistent,
        Status::Ignored,
    ];

    /// Number of statuses with which a goal counts in the score; these are the first ones.
    pub const N_COUNTED: usize = 5;

    /// Whether a test could reach the goal, or may, and none certainly does.
    pub fn is_open(self) -> bool {
        matches!(self, Status::Survives | Status::Hidden | Status::Possible | Status::Unknown)
    }

    /// Its name on the page.
    pub fn word(self) -> &'static str {
        match self {
            Status::Killed => "killed",
            Status::Survives => "survives",
            Status::Hidden => "unseen",
            Status::Possible => "possible",
            Status::Unknown => "unknown",
            Status::Consistent => "consistent",
            Status::Indistinguishable => "indistinguishable",
            Status::Nonfalsifiable => "nonfalsifiable",
            Status::Inconsistent => "inconsistent",
            Status::Ignored => "ignored",
        }
    }
}

/// A line in two versions: the common parts and the difference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diff {
    /// The common prefix.
    pub before: String,
    /// The text in the specification.
    pub old: String,
    /// The text in the mutant.
    pub new: String,
    /// The common suffix.
    pub after: String,
}

/// A test.
#[derive(Clone, Debug)]
pub struct TestView {
    /// Its name.
    pub name: String,
    /// Whether it is a negative test.
    pub rejects: bool,
    /// For each state and each variable, its value if there is one.
    pub states: Vec<Vec<Option<String>>>,
    /// The index of the successor of the last state.
    pub loop_start: Option<usize>,
    /// The first state that a correct implementation does not reach.
    pub departure: Option<usize>,
    /// A note for each state; may be shorter.
    pub notes: Vec<String>,
    /// The goals that it reaches.
    pub reaches: Bits,
    /// For each state, the goals that the test reaches first there, and at the end those that need the loop; empty if
    /// not computed.
    pub news: Vec<Vec<usize>>,
    /// Number of unique kills: goals that no other test reaches.
    pub alone: usize,
    /// Whether it is redundant, together with all others so marked.
    pub redundant: bool,
    /// Why it is invalid and was not graded.
    pub invalid: Option<String>,
    /// Its result on an implementation.
    pub verdict: Option<Verdict>,
}

/// The result of a test on an implementation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// `pass`, `fail`, `error` or `inconclusive`.
    pub word: String,
    /// The deciding state.
    pub step: Option<usize>,
    /// The reason.
    pub message: String,
    /// The outputs that are wrong in this state.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<Difference>,
}

/// A wrong output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The variable.
    pub variable: String,
    /// The value, or values, that the specification permits.
    pub expected: String,
    /// The value of the implementation.
    pub actual: String,
}

/// A variable.
#[derive(Clone, Debug, Serialize)]
pub struct VarView {
    /// Its name.
    pub name: String,
    /// `input`, `output` or `internal`.
    pub role: &'static str,
    /// Whether it is an input that is sent with the step that leaves its state.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_leaving: bool,
}

/// A table of the specification.
#[derive(Clone, Debug, Serialize)]
pub struct TableView {
    /// Its name.
    pub name: String,
    /// Its rows.
    pub rows: Vec<Vec<CellView>>,
}

/// A cell of a table.
#[derive(Clone, Debug, Serialize)]
pub struct CellView {
    /// Its text.
    pub text: String,
    /// Its coverage: the mark, `covered`, `missed` or `infeasible`, and the tests.
    pub marks: Vec<(String, String, Vec<String>)>,
}
