//! Classification of lines: the start of a section, a row of a table, a rule, a comment, or another line of a section.
//! The parser and the formatter share it.

use super::ast::{Class, TableKind};

/// A section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    Types,
    Constants,
    Vars(Class),
    Inputs,
    Clock,
    Assume,
    Initially,
    Properties,
    Table(TableKind),
}

/// The keywords of sections.
pub(super) const SECTIONS: [(&str, Section); 23] = [
    ("mode table", Section::Table(TableKind::Mode)),
    ("mode matrix", Section::Table(TableKind::Matrix)),
    ("event table", Section::Table(TableKind::Event)),
    ("condition table", Section::Table(TableKind::Condition)),
    ("mode classes", Section::Vars(Class::Mode)),
    ("mode class", Section::Vars(Class::Mode)),
    ("modes", Section::Vars(Class::Mode)),
    ("types", Section::Types),
    ("type", Section::Types),
    ("constants", Section::Constants),
    ("constant", Section::Constants),
    ("monitored", Section::Vars(Class::Monitored)),
    ("controlled", Section::Vars(Class::Controlled)),
    ("terms", Section::Vars(Class::Term)),
    ("term", Section::Vars(Class::Term)),
    ("inputs", Section::Inputs),
    ("clock", Section::Clock),
    ("assumptions", Section::Assume),
    ("assume", Section::Assume),
    ("initially", Section::Initially),
    ("properties", Section::Properties),
    ("property", Section::Properties),
    ("assertions", Section::Properties),
];

/// A line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    /// Byte offset of its text in the file.
    pub(super) at: usize,
    /// Its text, without surrounding spaces and the comment.
    pub(super) text: &'a str,
    /// The comment, with its dashes.
    pub(super) comment: &'a str,
    pub(super) kind: LineKind,
}

/// The kinds of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineKind {
    /// An empty line or only a comment.
    Blank,
    /// Dashes between rows.
    Rule,
    /// The start of a section, with the length of its keyword in bytes.
    Start(Section, usize),
    /// Any other line of a section.
    Part,
}

/// The lines of a file.
pub(super) fn lines(text: &str) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    let mut in_table = false;
    let mut at = 0;
    for whole in text.split('\n') {
        let line = line(whole, at, in_table);
        if let LineKind::Start(section, _) = line.kind {
            in_table = matches!(section, Section::Table(_));
        }
        lines.push(line);
        at += whole.len() + 1;
    }
    lines
}

fn line(whole: &str, at: usize, in_table: bool) -> Line<'_> {
    let trimmed = whole.trim();
    let at = at + (whole.len() - whole.trim_start().len()).min(whole.len());
    let is_rule = trimmed.len() >= 2
        && trimmed.chars().all(|c| matches!(c, '-' | '=' | '+' | '|' | ':' | ' ' | '\t'))
        && (trimmed.contains("--") || trimmed.contains("=="));
    if in_table && is_rule {
        return Line { at, text: trimmed, comment: "", kind: LineKind::Rule };
    }
    let (text, comment) = trimmed.find("--").map_or((trimmed, ""), |dashes| trimmed.split_at(dashes));
    let text = text.trim_end();
    let kind = if text.is_empty() {
        LineKind::Blank
    } else {
        section(text).map_or(LineKind::Part, |(section, length)| LineKind::Start(section, length))
    };
    Line { at, text, comment, kind }
}

/// The section that starts with this text, and the length of its keyword.
fn section(text: &str) -> Option<(Section, usize)> {
    SECTIONS.iter().find_map(|(keyword, section)| {
        let mut rest = text;
        // The words of a keyword may have any number of spaces between them.
        for word in keyword.split(' ') {
            rest = rest.trim_start();
            let head = rest.get(..word.len())?;
            if !head.eq_ignore_ascii_case(word) {
                return None;
            }
            rest = &rest[word.len()..];
        }
        let length = text.len() - rest.len();
        let after = rest.trim_start();
        let ends = rest.is_empty() || rest.starts_with(|c: char| c.is_whitespace() || c == ':');
        // `mode : Mode initially Off` declares a variable named like a section; a row may start with such a name, too.
        let colon = after.strip_prefix(':').is_some_and(|rest| !rest.trim().is_empty());
        let declares = colon || after.starts_with('=') || after.starts_with('|');
        let in_row = !matches!(section, Section::Table(_)) && text.contains('|');
        (ends && !declares && !in_row).then_some((*section, length))
    })
}

/// Whether the rows of a table have bars around them, judged by its first row.
pub(super) fn is_boxed(first_row: &str) -> bool {
    first_row.len() > 1 && first_row.starts_with('|') && first_row.ends_with('|')
}

/// The cells of a row: their offsets and texts. Bars around the row are no cells.
pub(super) fn cells(row: &str, boxed: bool) -> Vec<(usize, &str)> {
    let boxed = boxed && is_boxed(row);
    let inner = if boxed { &row[1..row.len() - 1] } else { row };
    let mut at = usize::from(boxed);
    let mut cells = Vec::new();
    for cell in inner.split('|') {
        let lead = cell.len() - cell.trim_start().len();
        let text = cell.trim();
        cells.push((if text.is_empty() { at } else { at + lead }, text));
        at += cell.len() + 1;
    }
    cells
}
