//! A table of all states: a column for each variable, and a few that say which test a line belongs to.

use specwright_model::Model;
use specwright_testgen::suite::{Expect, Suite};

/// The columns beside the variables. `@` keeps them apart from those.
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
                if first { test.goals.join(" ") } else { String::new() },
                test.note(index).to_owned(),
            ];
            let values = state.values().iter().map(|value| value.map(|value| model.show(value)).unwrap_or_default());
            line(&mut text, marks.into_iter().chain(values));
        }
    }
    text
}

fn line(text: &mut String, cells: impl Iterator<Item = String>) {
    for (index, cell) in cells.enumerate() {
        if index > 0 {
            text.push(',');
        }
        if cell.contains([',', '"', '\n', '\r']) || cell.starts_with(' ') || cell.ends_with(' ') {
            text.push('"');
            text.push_str(&cell.replace('"', "\"\""));
            text.push('"');
        } else {
            text.push_str(&cell);
        }
    }
    text.push('\n');
}
