//! Diagnostics of the library as those of the protocol.

use super::file_uri;
use crate::analysis::{Meaning, locate};
use crate::document::Document;
use crate::position::Lines;
use gen_lsp_types::{Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, Position, Range, Uri};
use specwright::events::Level;
use specwright::syntax::diagnostic::{self, Severity};
use specwright::syntax::span::{SourceMap, Span};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The diagnostics of each file that a document is about.
pub(crate) fn diagnostics(document: &Document, meaning: &Meaning) -> BTreeMap<String, Vec<Diagnostic>> {
    let places = Places::new(&meaning.sources, &document.uri);
    let mut by_file: BTreeMap<String, Vec<Diagnostic>> = BTreeMap::new();
    for found in &meaning.diagnostics {
        let location = places.location(found.primary.span).unwrap_or_else(|| start_of(&document.uri));
        by_file.entry(location.uri.0.clone()).or_default().push(diagnostic(&places, found, location.range));
    }
    let own = by_file.entry(document.uri.clone()).or_default();
    for (level, text) in &meaning.messages {
        let severity = match level {
            Level::Error => DiagnosticSeverity::Error,
            Level::Warning => DiagnosticSeverity::Warning,
            Level::Note => DiagnosticSeverity::Information,
        };
        own.push(plain(start_of(&document.uri).range, severity, None, text.clone()));
    }
    own.extend(document.results.diagnostics());
    by_file
}

/// A diagnostic of the server itself.
pub(crate) fn plain(range: Range, severity: DiagnosticSeverity, code: Option<&str>, message: String) -> Diagnostic {
    Diagnostic {
        range,
        severity: Some(severity),
        code: code.map(Into::into),
        code_description: None,
        source: Some("specwright".into()),
        message: message.into(),
        tags: None,
        related_information: None,
        data: None,
    }
}

fn start_of(uri: &str) -> Location {
    let start = Position { line: 0, character: 0 };
    Location { uri: Uri(uri.to_owned()), range: Range { start, end: start } }
}

/// The message of a diagnostic with everything that helps to understand it.
pub(super) fn message(found: &diagnostic::Diagnostic) -> String {
    let mut text = found.message.clone();
    if !found.primary.text.is_empty() {
        text = format!("{text}: {}", found.primary.text);
    }
    let notes = found.notes.iter().map(|note| format!("note: {note}"));
    let help = found.help.iter().map(|help| format!("help: {help}"));
    let suggestions = found.suggestions.iter().map(|suggestion| format!("help: {}", suggestion_title(suggestion)));
    for line in notes.chain(help).chain(suggestions) {
        text.push('\n');
        text.push_str(&line);
    }
    text
}

/// A suggestion in a line.
pub(super) fn suggestion_title(suggestion: &diagnostic::Suggestion) -> String {
    let diagnostic::Suggestion { message, replacement, .. } = suggestion;
    let replacement = replacement.trim();
    if replacement.is_empty() || replacement.contains('\n') || message.contains(&format!("`{replacement}")) {
        message.clone()
    } else {
        format!("{message}: `{replacement}`")
    }
}

fn diagnostic(places: &Places<'_>, found: &diagnostic::Diagnostic, range: Range) -> Diagnostic {
    let severity = match found.severity {
        Severity::Error => DiagnosticSeverity::Error,
        Severity::Warning => DiagnosticSeverity::Warning,
    };
    let related = found.secondary.iter().filter_map(|label| {
        let message = if label.text.is_empty() { "see here".to_owned() } else { label.text.clone() };
        Some(DiagnosticRelatedInformation { location: places.location(label.span)?, message })
    });
    let related: Vec<DiagnosticRelatedInformation> = related.collect();
    Diagnostic {
        related_information: (!related.is_empty()).then_some(related),
        ..plain(range, severity, Some(found.code.0), message(found))
    }
}

/// Files and their lines.
pub(crate) struct Places<'a> {
    sources: &'a SourceMap,
    lines: Vec<Lines>,
    main: &'a str,
}

impl<'a> Places<'a> {
    /// The places of some files; the first one is the document at an address.
    pub(crate) fn new(sources: &'a SourceMap, main: &'a str) -> Places<'a> {
        let lines = sources.files().iter().map(|file| Lines::new(Arc::clone(&file.text))).collect();
        Places { sources, lines, main }
    }

    /// The place of a span.
    pub(crate) fn location(&self, span: Span) -> Option<Location> {
        let (file, start, end) = locate(self.sources, span)?;
        let uri = if file == 0 { self.main.to_owned() } else { file_uri(&self.sources.files()[file].name) };
        Some(Location { uri: Uri(uri), range: self.lines[file].range(start, end) })
    }
}
