//! What became of a test.

use specwright_model::{Model, State, Trace, Value, VarId};
use std::time::Duration;

/// What is to be thought of the implementation after a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// It did what it should.
    Pass,
    /// It did what it must not.
    Fail,
    /// It could not be seen what it does: it crashed, hung, or did not speak the protocol.
    Error,
    /// It did nothing wrong, but not what the test was made to see either; or there was no time to see it.
    Inconclusive,
}

impl Verdict {
    /// The verdict in a word.
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
    /// The step that decides, counted from 1; 0 is the state after the reset.
    pub step: Option<usize>,
    /// The reason in words; empty if there is nothing to say.
    pub message: String,
    /// What was expected where something else was seen.
    pub differences: Vec<Difference>,
    /// What was sent and seen, from the reset on.
    pub history: Vec<Moment>,
    /// The end of what the implementation wrote to its standard error, if the test went wrong.
    pub asides: String,
    /// How long it took.
    pub time: Duration,
    /// A shorter test that fails too.
    pub shrunk: Option<Trace>,
}

/// A variable whose value is not one of those that are right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The variable.
    pub var: VarId,
    /// The right values, or the first few of them.
    pub expected: Vec<Value>,
    /// What was seen.
    pub got: String,
}

/// What was sent, and what was seen thereafter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The inputs.
    pub inputs: State,
    /// The outputs.
    pub outputs: State,
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
            asides: String::new(),
            time: Duration::ZERO,
            shrunk: None,
        }
    }

    /// A failure with what was expected and what was seen.
    pub(super) fn differs(model: &Model, step: usize, differences: Vec<Difference>) -> Outcome {
        let words: Vec<String> = differences.iter().map(|difference| difference.describe(model)).collect();
        Outcome { differences, ..Outcome::new(Verdict::Fail, Some(step), words.join("; ")) }
    }
}

impl Difference {
    /// The difference in words.
    pub fn describe(&self, model: &Model) -> String {
        let name = &model[self.var].name;
        match &self.expected[..] {
            [] => format!("`{name}` cannot be {}", self.got),
            values => {
                let values: Vec<String> = values.iter().map(|value| model.show(*value)).collect();
                format!("`{name}` should be {}, and is {}", values.join(" or "), self.got)
            }
        }
    }
}
