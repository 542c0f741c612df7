//! Outcomes of tests.

use specwright_model::{Model, State, Trace, Value, VarId};
use std::time::Duration;

/// The verdict on the implementation after a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// It behaved correctly.
    Pass,
    /// It behaved incorrectly.
    Fail,
    /// Its behaviour could not be observed: it crashed, timed out, or violated the protocol.
    Error,
    /// Nothing was wrong, but the test did not reach its end; or a limit was reached.
    Inconclusive,
}

impl Verdict {
    /// The name of the verdict.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Fail => "fail",
            Verdict::Error => "error",
            Verdict::Inconclusive => "inconclusive",
        }
    }
}

/// A verdict with its reasons.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The verdict.
    pub verdict: Verdict,
    /// The deciding step, counted from 1; 0 is the state after the reset.
    pub step: Option<usize>,
    /// The reason; may be empty.
    pub message: String,
    /// The differences between expected and observed values.
    pub differences: Vec<Difference>,
    /// The inputs sent and outputs observed, from the reset on.
    pub history: Vec<ExchangeRecord>,
    /// The end of the implementation's standard error, if the test went wrong.
    pub stderr_tail: String,
    /// The duration of the test.
    pub time: Duration,
    /// Number of runs of the test; one of them decides.
    pub n_runs: usize,
    /// Whether a recovery path was taken, so that other inputs than those of the test were sent.
    pub recovered: bool,
    /// The shortest failing test that was found, if it was looked for and the failure is reproducible.
    pub shrunk: Option<Shrunk>,
}

/// The result of shrinking a failing test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shrunk {
    /// The shortest failing test that was found; it failed twice.
    pub trace: Trace,
    /// Number of states of the test that failed; those of a loop count as often as they were run.
    pub n_before: usize,
    /// Number of runs of the implementation.
    pub n_runs: usize,
    /// Whether all attempts to make it shorter were tried; otherwise, a limit was reached.
    pub is_complete: bool,
}

/// A variable with a wrong value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The variable.
    pub var: VarId,
    /// The correct values, or the first few of them.
    pub expected: Vec<Value>,
    /// The observed value.
    pub got: String,
}

/// The inputs of a step and the outputs observed after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExchangeRecord {
    /// The inputs.
    pub inputs: State,
    /// The outputs.
    pub outputs: State,
}

impl Shrunk {
    /// Whether it is shorter than the test that failed.
    pub fn is_shorter(&self) -> bool {
        self.trace.loop_start.is_none() && self.trace.states.len() < self.n_before
    }
}

impl Outcome {
    /// An outcome without details.
    pub fn new(verdict: Verdict, step: Option<usize>, message: impl Into<String>) -> Outcome {
        Outcome {
            verdict,
            step,
            message: message.into(),
            differences: Vec::new(),
            history: Vec::new(),
            stderr_tail: String::new(),
            time: Duration::ZERO,
            n_runs: 1,
            recovered: false,
            shrunk: None,
        }
    }

    /// A failure with expected and observed values.
    pub(super) fn differs(model: &Model, step: usize, differences: Vec<Difference>) -> Outcome {
        let words: Vec<String> = differences.iter().map(|difference| difference.describe(model)).collect();
        Outcome { differences, ..Outcome::new(Verdict::Fail, Some(step), words.join("; ")) }
    }
}

impl Difference {
    /// The message for users.
    pub fn describe(&self, model: &Model) -> String {
        let name = &model[self.var].name;
        match &self.expected[..] {
            [] => format!("`{name}` cannot be {}", self.got),
            values => {
                let values: Vec<String> = values.iter().map(|value| model.show_of(self.var, *value)).collect();
                format!("`{name}` should be {}, but is {}", values.join(" or "), self.got)
            }
        }
    }
}
