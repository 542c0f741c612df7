//! Export to CSV: a row for each state, a column for each variable, and columns that identify the test.

use specwright_model::{Model, Value, VarId};
use specwright_syntax::escape;
use specwright_testgen::suite::{Expect, Suite};
use std::borrow::Cow;

/// The columns besides the variables. `@` distinguishes them from variables.
pub(crate) const COLUMNS: [&str; 5] = ["@test", "@expect", "@loop", "@goals", "@note"];

/// A suite as a table.
pub(super) fn write(model: &Model, suite: &Suite) -> String {
    let mut text = String::new();
    let heads = COLUMNS.iter().map(|&name| name.to_owned()).chain(model.vars.iter().map(|var| var.name.clone()));
    line(&mut text, heads);
    for test in &suite.tests {
        for (index, state) in test.trace.states.iter().enumerate() {
            let first = index == 0;
            let marks = [
                test.name.clone(),
                if first && test.expect == Expect::Reject { "reject".into() } else { String::new() },
                if test.trace.loop_start == Some(index) { "loop".into() } else { String::new() },
                if first { goals(&test.goals) } else { String::new() },
                test.note(index).to_owned(),
            ];
            let shown = |(var, value): (VarId, &Option<Value>)| {
                value.map_or_else(String::new, |value| escape::line(&model.show_of(var, value)).into())
            };
            let values = (0..).map(VarId).zip(state.values()).map(shown);
            line(&mut text, marks.into_iter().chain(values));
        }
    }
    text
}

/// Goals separated by spaces, without spaces inside of them.
fn goals(goals: &[String]) -> String {
    goals.iter().map(|goal| escape::escape(goal, char::is_whitespace)).collect::<Vec<_>>().join(" ")
}

/// A cell that no spreadsheet evaluates as a formula: an apostrophe marks text. Numbers are unchanged.
fn plain_text(cell: &str) -> Cow<'_, str> {
    let digits = cell.strip_prefix('-').unwrap_or(cell);
    let is_number = digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '/'));
    let is_ours = COLUMNS.contains(&cell) || is_number;
    if starts_formula(cell) && !is_ours { format!("'{cell}").into() } else { cell.into() }
}

/// Whether a spreadsheet may evaluate a cell as a formula, or drop an apostrophe before it.
pub(crate) fn starts_formula(cell: &str) -> bool {
    cell.trim_start_matches('\'').starts_with(['=', '+', '-', '@', '\t', '\r', '|', '%'])
}

fn line(text: &mut String, cells: impl Iterator<Item = String>) {
    for (index, cell) in cells.enumerate() {
        if index > 0 {
            text.push(',');
        }
        let cell = plain_text(&cell);
        if cell.contains([',', '"', '\n', '\r', ';', '\t']) || cell.trim() != cell {
            text.push('"');
            text.push_str(&cell.replace('"', "\"\""));
            text.push('"');
        } else {
            text.push_str(&cell);
        }
    }
    text.push('\n');
}
