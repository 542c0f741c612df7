//! Text in columns, as wide as their widest cell.

use crate::console::HEADING;
use specwright::syntax::columns::{left, right, width};
use std::fmt::Display;

/// On which side of its column a cell stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    Left,
    Right,
}

/// Rows of cells under a heading.
pub struct Columns<const N: usize> {
    heads: [(&'static str, Align); N],
    rows: Vec<[String; N]>,
    hidden: Vec<&'static str>,
}

impl<const N: usize> Columns<N> {
    /// Columns with these headings.
    pub fn new(heads: [(&'static str, Align); N]) -> Columns<N> {
        Columns { heads, rows: Vec::new(), hidden: Vec::new() }
    }

    /// Leaves out the column of a heading.
    pub fn hide(&mut self, head: &'static str) {
        self.hidden.push(head);
    }

    /// Whether it has no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Adds a row.
    pub fn row(&mut self, cells: [String; N]) {
        self.rows.push(cells);
    }
}

impl<const N: usize> Display for Columns<N> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let heads = self.heads.map(|(head, _)| head.to_owned());
        let mut widths = heads.each_ref().map(|head| width(head));
        for row in &self.rows {
            for (widest, cell) in widths.iter_mut().zip(row) {
                *widest = width(cell).max(*widest);
            }
        }
        let line = |cells: &[String; N]| {
            let mut line = String::from("  ");
            for (index, cell) in cells.iter().enumerate() {
                if self.hidden.contains(&self.heads[index].0) {
                    continue;
                }
                line += &match self.heads[index].1 {
                    Align::Left => left(cell, widths[index]),
                    Align::Right => right(cell, widths[index]),
                };
                line.push_str("  ");
            }
            line.trim_end().to_owned()
        };
        if heads.iter().any(|head| !head.is_empty()) {
            writeln!(f, "{HEADING}{}{HEADING:#}", line(&heads))?;
        }
        for row in &self.rows {
            writeln!(f, "{}", line(row))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_line_up_and_lines_have_no_trailing_space() {
        let mut columns = Columns::new([("name", Align::Left), ("bits", Align::Right), ("role", Align::Left)]);
        columns.row(["é".into(), "12".into(), "input".into()]);
        columns.row(["longer".into(), "1".into(), String::new()]);
        let text = columns.to_string();
        let plain = crate::console::clean(&text, false);
        assert_eq!(plain, "  name    bits  role\n  é         12  input\n  longer     1\n");
    }
}
