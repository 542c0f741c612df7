//! Positions in source text.
//!
//! All files of a run share one number line of byte positions, so a [`Span`] identifies the file, too; the
//! [`SourceMap`] turns it back into a file, a line and a column.

use crate::budget::Budget;
use std::sync::Arc;

/// A half-open range of byte positions in a [`SourceMap`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span of nodes that have no source text, such as inserted coercions.
    pub const NONE: Span = Span { start: u32::MAX, end: u32::MAX };

    /// The span from `start` up to but not including `end`.
    pub fn new(start: u32, end: u32) -> Span {
        debug_assert!(start <= end, "a span must not run backwards");
        Span { start, end }
    }

    /// Whether it is a position in the source text.
    pub fn is_some(self) -> bool {
        self != Span::NONE
    }

    /// The smallest span that covers both.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        match (self.is_some(), other.is_some()) {
            (true, true) => Span { start: self.start.min(other.start), end: self.end.max(other.end) },
            (true, false) => self,
            _ => other,
        }
    }
}

impl std::fmt::Debug for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.is_some() { write!(f, "{}..{}", self.start, self.end) } else { f.write_str("(none)") }
    }
}

/// One file of source text.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The name as the user gave it.
    pub name: String,
    /// The whole text.
    pub text: Arc<str>,
    /// Position of the first byte on the common number line.
    pub start: u32,
    line_starts: Arc<[u32]>,
    /// The budget for reading the file.
    pub budget: Budget,
}

impl SourceFile {
    /// Line and column, both counted from 1, the column in characters.
    pub fn line_column(&self, position: u32) -> (usize, usize) {
        let offset = position.saturating_sub(self.start).min(self.text.len() as u32);
        let line = self.line_starts.partition_point(|&start| start <= offset) - 1;
        let line_start = self.line_starts[line] as usize;
        (line + 1, self.text[line_start..offset as usize].chars().count() + 1)
    }

    /// The text of a span that lies in this file.
    pub fn slice(&self, span: Span) -> &str {
        &self.text[(span.start - self.start) as usize..(span.end - self.start) as usize]
    }

    /// The file with blanks for everything outside of these spans, so that all places stay the same.
    #[must_use]
    pub fn only(&self, spans: &[Span]) -> SourceFile {
        let is_kept = |at: usize| {
            let at = self.start + at as u32;
            spans.iter().any(|span| span.start <= at && at < span.end)
        };
        let mut text = String::with_capacity(self.text.len());
        for (at, c) in self.text.char_indices() {
            if c == '\n' || is_kept(at) {
                text.push(c);
            } else {
                text.extend(std::iter::repeat_n(' ', c.len_utf8()));
            }
        }
        SourceFile { text: text.into(), ..self.clone() }
    }

    /// The span of the whole file.
    pub fn span(&self) -> Span {
        Span::new(self.start, self.start + self.text.len() as u32)
    }
}

/// The error for a file that exceeds the space of positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceTooLarge;

/// All source files of a run.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
    /// The budget for reading the files.
    pub budget: Budget,
}

impl SourceMap {
    /// An empty map whose files are read within a budget.
    pub fn within(budget: Budget) -> SourceMap {
        SourceMap { files: Vec::new(), budget }
    }

    /// Adds a file and returns its index. Fails once the files of a run exceed the space of positions (4 GiB).
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<Arc<str>>) -> Result<usize, SourceTooLarge> {
        let text = text.into();
        // One position is left free between files, so that the empty span at the end of a file belongs to that file.
        let start = self.files.last().map_or(0, |file| file.span().end + 1);
        let end = u64::from(start) + text.len() as u64;
        if end >= u64::from(u32::MAX) - 1 {
            return Err(SourceTooLarge);
        }
        let newlines = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at as u32 + 1);
        let line_starts = std::iter::once(0).chain(newlines).collect();
        let budget = self.budget.clone();
        self.files.push(SourceFile { name: name.into(), text, start, line_starts, budget });
        Ok(self.files.len() - 1)
    }

    /// The files, in the order in which they were added.
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// The file in which a position lies.
    pub fn file_at(&self, position: u32) -> Option<&SourceFile> {
        let after = self.files.partition_point(|file| file.start <= position);
        self.files[..after].last().filter(|file| position <= file.span().end)
    }

    /// File, line and column of the start of a span.
    pub fn locate(&self, span: Span) -> Option<(&SourceFile, usize, usize)> {
        let file = self.file_at(span.start).filter(|_| span.is_some())?;
        let (line, column) = file.line_column(span.start);
        Some((file, line, column))
    }

    /// The text of a span, empty for [`Span::NONE`].
    pub fn text(&self, span: Span) -> &str {
        self.file_at(span.start).filter(|_| span.is_some()).map_or("", |file| file.slice(span))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_identify_their_file() {
        let mut sources = SourceMap::default();
        sources.add("a.smv", "MODULE main\nVAR é : boolean;\n").unwrap();
        let second = sources.add("b.smv", "x").unwrap();
        let start = sources.files()[second].start;
        let (file, line, column) = sources.locate(Span::new(start, start + 1)).unwrap();
        assert_eq!((file.name.as_str(), line, column), ("b.smv", 1, 1));
        let (file, line, column) = sources.locate(Span::new(19, 20)).unwrap();
        assert_eq!((file.name.as_str(), line, column), ("a.smv", 2, 7), "columns count characters");
        assert_eq!(sources.text(Span::new(0, 6)), "MODULE");
        assert_eq!(sources.text(Span::NONE), "");
    }

    #[test]
    fn the_end_of_a_file_belongs_to_it() {
        let mut sources = SourceMap::default();
        sources.add("a.smv", "").unwrap();
        sources.add("b.smv", "x\n").unwrap();
        assert_eq!(sources.file_at(0).unwrap().name, "a.smv");
        let end = sources.files()[1].span().end;
        assert_eq!(
            sources.locate(Span::new(end, end)).map(|(f, l, c)| (f.name.clone(), l, c)),
            Some(("b.smv".into(), 2, 1))
        );
    }
}
