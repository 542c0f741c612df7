//! Traces as a table: one line for each state, one column for each variable.

use super::defines::define_text;
use crate::interp::Evaluator;
use crate::model::{DefineId, TransitionSystem, VarId};
use crate::state::Trace;
use specwright_syntax::columns;

/// Formats a trace as a table. The first and the last state of the loop are marked.
pub fn to_table(model: &TransitionSystem, trace: &Trace) -> String {
    to_table_with(model, trace, &[])
}

/// Formats a trace as a table, with columns for some defines. The first and the last state of the loop are marked.
pub fn to_table_with(model: &TransitionSystem, trace: &Trace, defines: &[DefineId]) -> String {
    let header = std::iter::once(String::new()).chain(model.vars.iter().map(|var| var.name.clone()));
    let header = header.chain(defines.iter().map(|define| model[*define].name.clone()));
    let mut rows: Vec<Vec<String>> = vec![header.collect()];
    for (index, state) in trace.states.iter().enumerate() {
        let mut row = vec![(index + 1).to_string()];
        let values = (0..).map(VarId).zip(state.values());
        row.extend(values.map(|(var, value)| value.map_or_else(|| "-".into(), |value| model.show_of(var, value))));
        let mut evaluator = Evaluator::new(model, state, None);
        let mut text = |define: &DefineId| define_text(model, *define, &mut evaluator).unwrap_or_else(|| "-".into());
        row.extend(defines.iter().map(&mut text));
        rows.push(row);
    }
    let n_columns = rows[0].len();
    let width = |column: usize| rows.iter().map(|row| columns::width(&row[column])).max().unwrap_or(0);
    let widths: Vec<usize> = (0..n_columns).map(width).collect();
    let mut text = String::new();
    for (index, row) in rows.iter().enumerate() {
        let state = index.checked_sub(1);
        let starts = trace.loop_start.is_some() && state == trace.loop_start;
        let ends = trace.loop_start.is_some() && index == trace.states.len();
        let mut line = String::from(match (starts, ends) {
            (true, true) => "<> ",
            (true, false) => "-> ",
            (false, true) => "<- ",
            (false, false) if trace.loop_start.is_some() => "   ",
            _ => "",
        });
        for (cell, width) in row.iter().zip(&widths) {
            line.push_str(&columns::left(cell, width + 2));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
