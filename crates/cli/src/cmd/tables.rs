//! The tables of a model, marked up with the tests that cover their cells, for people.

use specwright::syntax::columns::{self, MAX_PADDING};
use specwright::tables::{Marked, MarkedCell, MarkedMark};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The number of tests that are named for one thing to show, unless the user wants all.
const NAMED: usize = 3;
/// Tables with more rows than this are only shown to those who want everything.
const LONG: usize = 60;

/// The tables for people: below each row what tests show of its cells.
pub fn text(tables: &[Marked], everything: bool) -> String {
    let mut text = String::new();
    for table in tables {
        // Two cells may ask for the same.
        let marks = || table.rows.iter().flatten().flat_map(|cell| &cell.marks);
        let all: BTreeSet<&str> = marks().map(|mark| mark.goal.as_str()).collect();
        let covered = marks().filter(|mark| mark.status == "covered").map(|mark| mark.goal.as_str());
        let n_covered = covered.collect::<BTreeSet<_>>().len();
        let _ = writeln!(text, "\n{}: {n_covered} of {} covered", table.name, all.len());
        if table.rows.len() > LONG && !everything {
            let _ = writeln!(text, "  {} rows; `--verbose` shows them", table.rows.len());
            continue;
        }
        let mut lines: Vec<Vec<String>> = Vec::new();
        for row in &table.rows {
            lines.push(row.iter().map(|cell| cell.text.clone()).collect());
            for at in 0..row.iter().map(|cell| cell.marks.len()).max().unwrap_or(0) {
                let mark = |cell: &MarkedCell| cell.marks.get(at).map(|mark| describe(mark, everything));
                lines.push(row.iter().map(|cell| mark(cell).unwrap_or_default()).collect());
            }
        }
        let n_columns = lines.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            lines
                .iter()
                .filter_map(|line| line.get(column))
                .map(|cell| columns::width(cell))
                .max()
                .unwrap_or(0)
                .min(MAX_PADDING)
        };
        let widths: Vec<usize> = (0..n_columns).map(width).collect();
        for line in lines {
            let cells = line.iter().zip(&widths).map(|(cell, width)| columns::left(cell, *width));
            let line = cells.collect::<Vec<_>>().join(" | ");
            let _ = writeln!(text, "  {}", line.trim_end());
        }
    }
    text
}

fn describe(mark: &MarkedMark, everything: bool) -> String {
    let MarkedMark { status, tests, .. } = mark;
    let mark = mark.words();
    if tests.is_empty() {
        let status = if *status == "missed" { "uncovered" } else { status };
        return format!("  {mark}: {}", status.to_uppercase());
    }
    let named = if everything { tests.len() } else { tests.len().min(NAMED) };
    let more = if tests.len() > named { format!(" +{}", tests.len() - named) } else { String::new() };
    format!("  {mark}: {}{more}", tests[..named].join(" "))
}
