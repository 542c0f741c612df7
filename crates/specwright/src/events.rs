//! What a caller is told while work goes on.

use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::span::SourceMap;
use std::fmt::Display;

/// How grave a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// There is no result, for this reason.
    Error,
    /// There is a result, which is less than what was asked for.
    Warning,
    /// What is worth knowing about the result.
    Note,
}

/// Receives what there is to tell. [`Silent`] collects it; a program may show it.
pub trait Events {
    /// A message of one line.
    fn message(&mut self, level: Level, text: &str);

    /// What is wrong with a specification or a suite, with the texts that it is about.
    fn diagnostics(&mut self, sources: &SourceMap, found: &[Diagnostic]);

    /// Work of a number of pieces begins.
    fn progress(&self, total: usize) -> Box<dyn Progress>;

    /// Whether messages are to leave nothing out.
    fn verbose(&self) -> bool {
        false
    }

    /// The words for why work has stopped after a cancellation.
    fn why_stopped(&self) -> &'static str {
        "interrupted"
    }

    /// All input is read, so that nothing blocks any more: from here on work heeds a cancellation.
    fn input_is_read(&mut self) {}
}

impl dyn Events + '_ {
    /// Says why there is no result.
    pub fn error(&mut self, message: impl Display) {
        self.message(Level::Error, &message.to_string());
    }

    /// Says what the result lacks.
    pub fn warning(&mut self, message: impl Display) {
        self.message(Level::Warning, &message.to_string());
    }

    /// Says what is worth knowing.
    pub fn note(&mut self, message: impl Display) {
        self.message(Level::Note, &message.to_string());
    }

    /// Tells diagnostics. Returns whether there is an error among them.
    pub fn report(&mut self, sources: &SourceMap, found: &[Diagnostic]) -> bool {
        self.diagnostics(sources, found);
        found.iter().any(Diagnostic::is_error)
    }
}

/// How far work has come.
pub trait Progress {
    /// Whether it is shown, so that saying how far the work has come is worth finding out.
    fn is_seen(&self) -> bool;

    /// This number of pieces is done; the text says what the work is about.
    fn at(&mut self, done: usize, what: &str);

    /// Reachable states are being found, in this number of rings or parts so far.
    fn exploring(&mut self, n_parts: usize);

    /// Something else is about to be shown.
    fn pause(&self);

    /// The work has ended.
    fn finish(&mut self);
}

/// Shows nothing, and collects what it is told.
#[derive(Debug, Default)]
pub struct Silent {
    /// The messages.
    pub messages: Vec<(Level, String)>,
    /// The diagnostics.
    pub diagnostics: Vec<Diagnostic>,
}

impl Events for Silent {
    fn message(&mut self, level: Level, text: &str) {
        self.messages.push((level, text.to_owned()));
    }

    fn diagnostics(&mut self, _: &SourceMap, found: &[Diagnostic]) {
        self.diagnostics.extend_from_slice(found);
    }

    fn progress(&self, _: usize) -> Box<dyn Progress> {
        Box::new(Unseen)
    }
}

/// Progress that is not shown.
struct Unseen;

impl Progress for Unseen {
    fn is_seen(&self) -> bool {
        false
    }
    fn at(&mut self, _: usize, _: &str) {}
    fn exploring(&mut self, _: usize) {}
    fn pause(&self) {}
    fn finish(&mut self) {}
}
