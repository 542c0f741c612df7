//! Tables in CSV files, with the place of every cell: matrices of specifications and recorded traces.
//!
//! The crate `csv` knows the places of rows only, and mistakes are shown in their cells. Cells are separated by commas,
//! semicolons or tabs, whichever the first row has most of; a cell in quotes may contain separators and ends of lines, and
//! two quotes in it are one.

use crate::span::SourceFile;
use std::borrow::Cow;

/// A cell as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell<'a> {
    /// The byte of the file at which it begins.
    pub at: usize,
    /// With its quotes.
    pub raw: &'a str,
}

impl<'a> Cell<'a> {
    /// What it says, without its quotes.
    pub fn unquoted(&self) -> Cow<'a, str> {
        let Some(mut rest) = self.raw.trim_start_matches(' ').strip_prefix('"') else { return self.raw.into() };
        let mut text = String::with_capacity(rest.len());
        while let Some((inner, after)) = rest.split_once('"') {
            text.push_str(inner);
            match after.strip_prefix('"') {
                Some(after) => rest = after,
                None => return (text + after).into(),
            }
            text.push('"');
        }
        (text + rest).into()
    }
}

/// The rows of a table, empty ones included.
#[derive(Debug, Default)]
pub struct Table<'a> {
    /// The cells of each row.
    pub rows: Vec<Vec<Cell<'a>>>,
    /// The byte of a quote that does not end: it belongs to the last cell of the last row.
    pub open_quote: Option<usize>,
}

/// Reads a table.
pub fn read(source: &SourceFile) -> Table<'_> {
    let text = &*source.text;
    let separator = separator(text);
    let (mut table, mut row) = (Table::default(), Vec::new());
    let mut at = text.len() - text.trim_start_matches('\u{feff}').len();
    while at < text.len() || !row.is_empty() {
        source.budget.look();
        let (length, is_open) = cell_length(&text[at..], separator);
        row.push(Cell { at, raw: &text[at..at + length] });
        if is_open {
            table.open_quote = Some(at);
        }
        at += length;
        if text[at..].starts_with(separator) {
            at += 1;
            continue;
        }
        let end = if text[at..].starts_with("\r\n") { 2 } else { 1 };
        at = text.len().min(at + end);
        table.rows.push(std::mem::take(&mut row));
    }
    table
}

/// The bytes of the cell at the start of a text, and whether a quote in it does not end.
fn cell_length(text: &str, separator: char) -> (usize, bool) {
    let mut at = text.len() - text.trim_start_matches(' ').len();
    if text[at..].starts_with('"') {
        loop {
            at += 1;
            let Some(end) = text[at..].find('"') else { return (text.len(), true) };
            at += end + 1;
            if !text[at..].starts_with('"') {
                break;
            }
        }
    } else {
        at = 0;
    }
    (at + text[at..].find([separator, '\n', '\r']).unwrap_or(text.len() - at), false)
}

/// What separates cells: what stands most often outside of quotes in the first row that says something.
fn separator(text: &str) -> char {
    let (mut row, mut quoted) = (String::new(), false);
    for c in text.chars() {
        match c {
            '"' => quoted = !quoted,
            '\n' | '\r' if !quoted && !row.trim().is_empty() => break,
            _ if !quoted => row.push(c),
            _ => {}
        }
    }
    ['\t', ';', ','].into_iter().max_by_key(|separator| row.matches(*separator).count()).unwrap_or(',')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::SourceMap;
    use proptest::prelude::*;

    fn cells(text: &str) -> Vec<Vec<String>> {
        let mut sources = SourceMap::default();
        sources.add("a.csv", text).unwrap();
        let table = read(&sources.files()[0]);
        for cell in table.rows.iter().flatten() {
            assert!(text[cell.at..].starts_with(cell.raw));
        }
        table.rows.iter().map(|row| row.iter().map(|cell| cell.unquoted().into_owned()).collect()).collect()
    }

    #[test]
    fn tables_of_many_makers() {
        assert_eq!(cells(""), Vec::<Vec<String>>::new());
        assert_eq!(cells("a,b\n1,2"), [["a", "b"], ["1", "2"]]);
        assert_eq!(cells("\u{feff}a;b,c;d\r\n1;2;3\r\n"), [["a", "b,c", "d"], ["1", "2", "3"]]);
        assert_eq!(cells("a\tb\r1\t"), [["a", "b"], ["1", ""]]);
        assert_eq!(cells("a,b\n\n,\n"), [vec!["a", "b"], vec![""], vec!["", ""]]);
        assert_eq!(cells("\"a, \"\"b\"\"\n\", \"c\"d,e\"f\n"), [["a, \"b\"\n", "cd", "e\"f"]]);
        assert_eq!(cells("\"a;b;c\",d"), [["a;b;c", "d"]]);
        assert_eq!(cells("a,\"b\nc,d"), [["a", "b\nc,d"]]);
    }

    proptest! {
        /// What is written as RFC 4180 has it comes back.
        #[test]
        fn quoted_cells_come_back(rows in prop::collection::vec(prop::collection::vec(any::<String>(), 1..4), 1..4)) {
            let quoted = |cell: &String| format!("\"{}\"", cell.replace('"', "\"\""));
            let line = |row: &Vec<String>| row.iter().map(quoted).collect::<Vec<_>>().join(",") + "\r\n";
            prop_assert_eq!(cells(&rows.iter().map(line).collect::<String>()), rows);
        }

        #[test]
        fn every_byte_belongs_somewhere(text in "[ab,;\t\"\n\r é]{0,40}") {
            let mut sources = SourceMap::default();
            sources.add("a.csv", text.as_str()).unwrap();
            let table = read(&sources.files()[0]);
            let mut end = 0;
            for cell in table.rows.iter().flatten() {
                prop_assert!(cell.at >= end && cell.at <= end + 2, "between cells there are separators and ends of lines");
                end = cell.at + cell.raw.len();
            }
            prop_assert!(text.len() <= end + 2);
        }
    }
}
