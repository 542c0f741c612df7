//! What goes on in the next line: expressions, and rows of tables.

use super::super::ast::{Cell, Row};

/// Maximal length of a row of several lines, in bytes.
const MAX_ROW: u32 = 1 << 16;

/// Whether a text must be continued on the next line.
pub(super) fn ends_open(text: &str) -> bool {
    let last = text.split(|c: char| c.is_whitespace() || c == ')').next_back().unwrap_or_default();
    ["=>", "<=>", "->", "<->", "&", "=", "<", ">", "<=", ">=", "+", ",", ":"].iter().any(|sign| last.ends_with(sign))
        || is_operator(last)
}

/// Whether a text continues the line above.
pub(super) fn starts_with_operator(text: &str) -> bool {
    let first = text.split(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
    ["=>", "<=>", "->", "<->", "&"].contains(&first) || is_operator(first)
}

/// The number of brackets of a text that are open, negative if more are closed.
pub(super) fn open_brackets(text: &str) -> i32 {
    text.chars().map(|c| i32::from("([{".contains(c)) - i32::from(")]}".contains(c))).sum()
}

fn is_operator(word: &str) -> bool {
    ["AND", "OR", "XOR", "WHEN", "WHERE", "WHILE", "and", "or", "xor", "when", "where", "while"].contains(&word)
}

/// Joins a row with the next line if that continues it; otherwise the line is a row of its own, and is returned.
///
/// A line with as many cells continues a row cell by cell: `| OR @T(b) |`. Any other line continues its last cell.
pub(super) fn join(above: &mut Row, line: Row) -> Option<Row> {
    if above.span.end.saturating_sub(above.span.start) > MAX_ROW {
        return Some(line);
    }
    let goes_on = |(column, (upper, lower)): (usize, (&Cell, &Cell))| match column {
        0 => upper.text.ends_with(','),
        _ => is_open(&upper.text) || starts_with_operator(&lower.text),
    };
    let has_text = |(_, (_, lower)): &(usize, (&Cell, &Cell))| !lower.text.is_empty();
    let pairs = || above.cells.iter().zip(&line.cells).enumerate().filter(has_text);
    let cell_by_cell = above.cells.len() == line.cells.len() && pairs().next().is_some() && pairs().all(goes_on);
    let ends = above.cells.len() > 1 && above.cells.last().is_some_and(|last| is_open(&last.text));
    let follows = line.cells.first().is_some_and(|first| starts_with_operator(&first.text));
    if cell_by_cell {
        above.cells.iter_mut().zip(&line.cells).for_each(|(upper, lower)| append(upper, lower));
    } else if ends || follows {
        let mut rest = line.cells.into_iter();
        if let (Some(last), Some(first)) = (above.cells.last_mut(), rest.next()) {
            append(last, &first);
        }
        above.cells.extend(rest);
    } else {
        return Some(line);
    }
    above.span = above.span.to(line.span);
    None
}

fn is_open(text: &str) -> bool {
    ends_open(text) || open_brackets(text) > 0
}

/// Adds the text of a later cell; what is between them in the file becomes spaces, so that places in the text are places in the
/// file.
fn append(cell: &mut Cell, more: &Cell) {
    if more.text.is_empty() {
        return;
    }
    if cell.text.is_empty() {
        *cell = more.clone();
        return;
    }
    let between = more.span.start.saturating_sub(cell.span.end) as usize;
    cell.text.extend(std::iter::repeat_n(' ', between));
    cell.text.push_str(&more.text);
    cell.span = cell.span.to(more.span);
}
