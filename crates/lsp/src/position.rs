//! Positions of the protocol, a line and a number of UTF-16 code units, and byte offsets.

use gen_lsp_types::{Position, Range};
use std::sync::Arc;

/// A text with the starts of its lines. Lines end at `\n`, `\r\n` or `\r`, as the protocol says.
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    text: Arc<str>,
    starts: Vec<usize>,
}

impl Lines {
    /// The lines of a text.
    pub(crate) fn new(text: impl Into<Arc<str>>) -> Lines {
        let text = text.into();
        let bytes = text.as_bytes();
        let is_end = |at: &usize| match bytes[*at] {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        let starts = std::iter::once(0).chain((0..bytes.len()).filter(is_end).map(|at| at + 1)).collect();
        Lines { text, starts }
    }

    /// The whole text.
    pub(crate) fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// The position of a byte offset. An offset inside of a character, or of the end of a line, counts as its start.
    pub(crate) fn position(&self, offset: usize) -> Position {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        // The end of a line is one place, however many characters it has.
        if self.text[..offset].ends_with('\r') && self.text[offset..].starts_with('\n') {
            offset -= 1;
        }
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        let character = self.text[self.starts[line]..offset].encode_utf16().count();
        Position { line: line as u32, character: character as u32 }
    }

    /// The range between two byte offsets.
    pub(crate) fn range(&self, start: usize, end: usize) -> Range {
        Range { start: self.position(start), end: self.position(end) }
    }

    /// The byte offset of a position. What lies behind the end of a line or of the text counts as that end; the middle of a
    /// surrogate pair counts as its start.
    pub(crate) fn offset(&self, position: Position) -> usize {
        let Some(start) = self.starts.get(position.line as usize) else { return self.text.len() };
        let end = self.starts.get(position.line as usize + 1).copied().unwrap_or(self.text.len());
        let line = self.text[*start..end].trim_end_matches(['\n', '\r']);
        let mut units = 0;
        for (at, character) in line.char_indices() {
            units += character.len_utf16();
            if units > position.character as usize {
                return start + at;
            }
        }
        start + line.len()
    }

    /// The text with a range replaced. A range that runs backwards is read forwards.
    pub(crate) fn replaced(&self, range: Range, with: &str) -> Lines {
        let (start, end) = (self.offset(range.start), self.offset(range.end));
        let (start, end) = (start.min(end), start.max(end));
        let mut text = String::with_capacity(self.text.len() + with.len());
        text.push_str(&self.text[..start]);
        text.push_str(with);
        text.push_str(&self.text[end..]);
        Lines::new(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "a\r\n-- 𝔘é x\rlast";

    #[test]
    fn positions_count_utf_16_code_units() {
        let lines = Lines::new(TEXT);
        let at = |needle: &str| lines.position(TEXT.find(needle).expect("it is there"));
        assert_eq!(at("𝔘"), Position { line: 1, character: 3 });
        assert_eq!(at("é"), Position { line: 1, character: 5 });
        assert_eq!(at("x"), Position { line: 1, character: 7 });
        assert_eq!(at("last"), Position { line: 2, character: 0 });
        assert_eq!(lines.position(2), Position { line: 0, character: 1 }, "inside of the end of a line");
        assert_eq!(lines.starts.len(), 3);
    }

    #[test]
    fn every_offset_comes_back_from_its_position() {
        let lines = Lines::new(TEXT);
        for (offset, _) in TEXT.char_indices().chain([(TEXT.len(), ' ')]) {
            // The place between `\r` and `\n` is the end of its line.
            if !TEXT[offset..].starts_with('\n') {
                assert_eq!(lines.offset(lines.position(offset)), offset);
            }
        }
    }

    #[test]
    fn positions_outside_of_the_text_are_its_ends() {
        let lines = Lines::new(TEXT);
        assert_eq!(lines.offset(Position { line: 9, character: 0 }), TEXT.len());
        assert_eq!(lines.offset(Position { line: 0, character: 99 }), 1);
        assert_eq!(lines.offset(Position { line: 1, character: 4 }), TEXT.find('𝔘').expect("it is there"));
    }

    #[test]
    fn edits_replace_ranges() {
        let lines = Lines::new("añb\nc");
        let range = Range { start: Position { line: 0, character: 1 }, end: Position { line: 1, character: 0 } };
        assert_eq!(&**lines.replaced(range, "X").text(), "aXc");
        let backwards = Range { start: range.end, end: range.start };
        assert_eq!(&**lines.replaced(backwards, "X").text(), "aXc");
    }
}
