//! Source positions with lines and columns.

use serde::Serialize;
use specwright_syntax::span::{SourceMap, Span};

/// A range of source positions, counted from 1, the end excluded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The name of the file.
    pub file: String,
    /// The first line and column.
    pub start: Position,
    /// The line and column after the last.
    pub end: Position,
}

/// A line and a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl Place {
    /// The range of a span; `None` without a source.
    pub fn of(sources: &SourceMap, span: Span) -> Option<Place> {
        let (file, line, column) = sources.locate(span)?;
        let (end_line, end_column) = file.line_column(span.end.max(span.start));
        Some(Place {
            file: file.name.clone(),
            start: Position { line, column },
            end: Position { line: end_line, column: end_column },
        })
    }
}
