//! Places in specifications, as other tools count them.

use serde::Serialize;
use specwright_syntax::span::{SourceMap, Span};

/// From where to where, lines and columns counted from 1, the end not included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The name of the file.
    pub file: String,
    /// The first line and column.
    pub start: Position,
    /// The line and column behind the last.
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
    /// The place of a span; nothing if it is nowhere.
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
