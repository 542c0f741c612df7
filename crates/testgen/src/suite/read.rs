//! The result of reading a suite in any format, and diagnostics of invalid tests.

use super::codes;
use super::json::read_json;
use super::test::{Suite, Test};
use super::text::read_text;
use super::validate::Invalid;
use specwright_model::Model;
use specwright_model::hash::{is_same, model_hash};
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::span::{SourceFile, Span};

/// A suite and the source spans of its tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    /// The suite.
    pub suite: Suite,
    /// For each test, its source spans.
    pub places: Vec<Places>,
}

/// A suite that has no text has no places in it.
impl From<Suite> for Read {
    fn from(suite: Suite) -> Read {
        let places = suite.tests.iter().map(|_| Places { test: Span::NONE, states: Vec::new() }).collect();
        Read { suite, places }
    }
}

/// The source spans of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// Its name.
    pub test: Span,
    /// Its states.
    pub states: Vec<Span>,
}

/// Reads a suite in either format: JSON begins with a brace, text never does.
pub fn read_suite(model: &Model, file: &SourceFile) -> (Read, Vec<Diagnostic>) {
    if file.text.trim_start().starts_with('{') { read_json(model, file) } else { read_text(model, file) }
}

impl Read {
    /// A warning if the suite belongs to another version of the model, or if that cannot be told.
    pub fn model_changed(&self, model: &Model, file: &SourceFile) -> Option<Diagnostic> {
        let recorded = self.suite.model_hash.as_ref()?;
        let now = model_hash(model);
        let place = file.text.find(recorded.as_str()).map_or(Span::NONE, |at| {
            let start = file.start + at as u32;
            Span::new(start, start + recorded.len() as u32)
        });
        let warning = |message: String| Diagnostic::warning(codes::MODEL_CHANGED, place, message);
        match is_same(recorded, &now) {
            Some(true) => None,
            Some(false) => {
                let message = format!("the model has changed since the suite was made for `{}`", self.suite.model);
                let note = "tests that are still executions are kept, all others are listed";
                Some(warning(message).label(format!("now {now}")).note(note))
            }
            None => {
                let message = "made by an earlier version: cannot compare the model";
                Some(warning(message.into()).label(format!("now {now}")))
            }
        }
    }

    /// The diagnostic of an invalid test.
    pub fn invalid(&self, model: &Model, test: usize, invalid: &Invalid) -> Diagnostic {
        let (named, places): (&Test, &Places) = (&self.suite.tests[test], &self.places[test]);
        let state = invalid.state().map(|state| state.min(places.states.len().saturating_sub(1)));
        let span = state.and_then(|state| places.states.get(state)).copied().unwrap_or(places.test);
        let (code, what) = match invalid {
            Invalid::Ambiguous { .. } | Invalid::TooOpen { .. } => (codes::AMBIGUOUS, "does not say enough"),
            Invalid::Accepted => (codes::NOT_AN_EXECUTION, "is an execution of the model"),
            _ => (codes::NOT_AN_EXECUTION, "is not an execution of the model"),
        };
        let wrong = Diagnostic::error(code, span, format!("test `{}` {what}", named.name));
        let wrong = wrong.label(invalid.describe(model)).also(invalid.span(model), "what the model says");
        match invalid {
            Invalid::Ambiguous { of, .. } => wrong.help(format!("give `{}` a value in this state", model.name_of(*of))),
            Invalid::Accepted => wrong.help("if the execution is correct, use `expect accept`"),
            _ => wrong,
        }
    }
}
