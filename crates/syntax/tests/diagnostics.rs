//! Diagnostics of the parser.
//!
//! The cases are in `data/diagnostics.txt`. With `UPDATE=1`, the file is rewritten; read it before you commit it.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use specwright_syntax::diagnostic::{Diagnostic, Severity};
use specwright_syntax::smv::ast::Dialect;
use specwright_syntax::smv::{codes, parse};
use specwright_syntax::span::{SourceFile, SourceMap, Span};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

#[test]
fn mistakes_are_explained() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/diagnostics.txt");
    let text = std::fs::read_to_string(&path).unwrap();
    let mut updated = String::new();
    let mut seen = BTreeSet::new();
    for case in text.split("=== ").skip(1) {
        let (title, rest) = case.split_once('\n').unwrap();
        let input = rest.split_once("\n--- \n").or(rest.split_once("\n---\n")).map_or(rest, |(input, _)| input);
        let dialect = if title.contains("(cmu)") { Dialect::Cmu } else { Dialect::NuSmv };
        let mut sources = SourceMap::default();
        sources.add("input.smv", input).unwrap();
        let (_, diagnostics) = parse(&sources.files()[0], dialect);
        seen.extend(diagnostics.iter().map(|diagnostic| diagnostic.code.0));
        writeln!(updated, "=== {title}\n{}\n---", input.trim_end_matches('\n')).unwrap();
        for diagnostic in &diagnostics {
            updated.push_str(&render(&sources.files()[0], diagnostic));
        }
        updated.push('\n');
    }
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &updated).unwrap();
    }
    similar(&text, &updated);
    let missing: Vec<_> = ALL_CODES.iter().filter(|code| !seen.contains(code.0)).collect();
    assert!(missing.is_empty(), "no case shows {missing:?}");
}

/// All codes of the parser, except for those that need a large input; other tests cover these.
const ALL_CODES: [specwright_syntax::diagnostic::Code; 23] = [
    codes::INVALID_CHARACTER,
    codes::UNTERMINATED,
    codes::NUMBER_TOO_LARGE,
    codes::BAD_WORD,
    codes::UNEXPECTED,
    codes::UNCLOSED,
    codes::MISSING_SEMICOLON,
    codes::FOREIGN_OPERATOR,
    codes::WRONG_EQUALS,
    codes::UNKNOWN_SECTION,
    codes::RESERVED_WORD,
    codes::NO_MODULE,
    codes::EMPTY,
    codes::NEEDS_PARENTHESES,
    codes::UNSUPPORTED,
    codes::UNSUPPORTED_PSL,
    codes::OTHER_DIALECT,
    codes::WRONG_ARITY,
    codes::MISPLACED_INSTANCE,
    codes::PSL_TOO_LARGE,
    codes::SWALLOWED_MINUS,
    codes::NO_EFFECT,
    codes::PREPROCESSOR,
];

/// Compares line by line and shows the first difference.
fn similar(expected: &str, found: &str) {
    for (n, (expected, found)) in expected.lines().zip(found.lines()).enumerate() {
        assert_eq!(expected, found, "line {}; UPDATE=1 rewrites the file", n + 1);
    }
    assert_eq!(expected.lines().count(), found.lines().count(), "UPDATE=1 rewrites the file");
}

fn render(source: &SourceFile, diagnostic: &Diagnostic) -> String {
    let mut text = String::new();
    let severity = if diagnostic.severity == Severity::Error { "" } else { "warning: " };
    let place = place(source, diagnostic.primary.span);
    writeln!(text, "{} {place}: {severity}{}", diagnostic.code.0, diagnostic.message).unwrap();
    if !diagnostic.primary.text.is_empty() {
        writeln!(text, "  here: {}", diagnostic.primary.text).unwrap();
    }
    for label in &diagnostic.secondary {
        writeln!(text, "  {}: {}", self::place(source, label.span), label.text).unwrap();
    }
    for note in &diagnostic.notes {
        writeln!(text, "  note: {note}").unwrap();
    }
    for help in &diagnostic.help {
        writeln!(text, "  help: {help}").unwrap();
    }
    for suggestion in &diagnostic.suggestions {
        let place = self::place(source, suggestion.span);
        writeln!(text, "  fix: {}: {place} becomes `{}`", suggestion.message, suggestion.replacement).unwrap();
    }
    text
}

/// A span as `line:column` and its text.
fn place(source: &SourceFile, span: Span) -> String {
    let (line, column) = source.line_column(span.start);
    let text = source.slice(span).lines().next().unwrap_or_default();
    if span.start == span.end { format!("{line}:{column}") } else { format!("{line}:{column} `{text}`") }
}
