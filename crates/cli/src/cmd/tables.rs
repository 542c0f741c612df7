//! The tables of a model, marked up with the tests that cover their cells.

use serde::Serialize;
use specwright_mc::Query;
use specwright_model::Model;
use specwright_syntax::columns::{self, MAX_PADDING};
use specwright_testgen::goal::Goal;
use std::collections::BTreeSet;
use std::fmt::Write;

/// So many tests are named for one thing to show, unless the user wants all.
const NAMED: usize = 3;
/// Tables with more rows than this are only shown to those who want everything.
const LONG: usize = 60;

/// What became of a goal.
pub enum Covered {
    /// By these tests.
    By(Vec<String>),
    /// By none, and none can.
    Infeasible,
    /// By none.
    Missed,
}

/// A table, marked up.
#[derive(Serialize)]
pub struct Marked {
    pub name: String,
    pub rows: Vec<Vec<MarkedCell>>,
}

#[derive(Serialize)]
pub struct MarkedCell {
    pub text: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<MarkedMark>,
}

#[derive(Serialize)]
pub struct MarkedMark {
    /// What is to be shown: `true`, `false`, `fires`, `stays`.
    pub mark: &'static str,
    /// The mode and the event, where the cell has several.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub case: String,
    goal: String,
    pub status: &'static str,
    pub tests: Vec<String>,
}

impl MarkedMark {
    /// What is to be shown, in words.
    pub fn words(&self) -> String {
        [self.mark, &self.case].join(" ").trim_end().to_owned()
    }
}

/// The tables, if the goals ask for them.
pub fn marked(model: &Model, goals: &[Goal], covered: impl Fn(usize) -> Covered) -> Option<Vec<Marked>> {
    if !goals.iter().any(|goal| goal.criterion == "table") {
        return None;
    }
    let goal_of = |element: usize| {
        let [expr] = model.elements[element].instances[..] else { return None };
        goals.iter().position(|goal| goal.criterion == "table" && goal.target == Query::Reach(expr))
    };
    let mark = |mark: &specwright_model::model::Mark| {
        let goal = goal_of(mark.element)?;
        let (status, tests) = match covered(goal) {
            Covered::By(tests) => ("covered", tests),
            Covered::Infeasible => ("infeasible", Vec::new()),
            Covered::Missed => ("missed", Vec::new()),
        };
        let case = mark.case.clone();
        Some(MarkedMark { mark: mark.word, case, goal: goals[goal].id.clone(), status, tests })
    };
    let tables = model.tables.iter().map(|table| {
        let cells = |row: &Vec<specwright_model::model::Cell>| {
            let cell = |cell: &specwright_model::model::Cell| MarkedCell {
                text: cell.text.clone(),
                marks: cell.marks.iter().filter_map(mark).collect(),
            };
            row.iter().map(cell).collect()
        };
        let rows = table.rows.iter().filter(|row| !row.is_empty()).map(cells).collect();
        Marked { name: table.name.clone(), rows }
    });
    Some(tables.collect())
}

/// The tables for people: below each row what tests show of its cells.
pub fn text(tables: &[Marked], everything: bool) -> String {
    let mut text = String::new();
    for table in tables {
        // Two cells may ask for the same.
        let marks = || table.rows.iter().flatten().flat_map(|cell| &cell.marks);
        let all: BTreeSet<&str> = marks().map(|mark| mark.goal.as_str()).collect();
        let covered = marks().filter(|mark| mark.status == "covered").map(|mark| mark.goal.as_str());
        let n_covered = covered.collect::<BTreeSet<_>>().len();
        let _ = writeln!(text, "\n{}: {n_covered} of {} shown", table.name, all.len());
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
        return format!("  {mark}: {}", status.to_uppercase());
    }
    let named = if everything { tests.len() } else { tests.len().min(NAMED) };
    let more = if tests.len() > named { format!(" +{}", tests.len() - named) } else { String::new() };
    format!("  {mark}: {}{more}", tests[..named].join(" "))
}
