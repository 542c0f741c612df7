//! Goals that only a contradiction in the specification stops, for people and for programs.

use crate::console::{BAD, Console};
use serde::Serialize;
use specwright::generate::{Contradiction, Generated};
use specwright::goals;
use specwright_model::trace::{TraceJson, to_table};

/// A contradiction in machine-readable results.
#[derive(Serialize)]
pub(super) struct Entry {
    id: String,
    description: String,
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<TraceJson>,
}

/// For people.
pub(super) fn print(console: &mut Console, generated: &Generated) -> anyhow::Result<()> {
    let Generated { sources, model, goals, contradictions, .. } = generated;
    if contradictions.is_empty() {
        return Ok(());
    }
    console.out(format_args!("\n{BAD}{}{BAD:#}\n", goals::stopped(contradictions.len())))?;
    for Contradiction { goal, trace } in contradictions {
        let goal = &goals[*goal];
        let place = sources.locate(goal.span).map(|(_, line, _)| format!("line {line}: ")).unwrap_or_default();
        console.out(format_args!("  {place}{} ({})\n", goal.description, goal.id))?;
        if let Some(trace) = trace {
            console.out(to_table(model, trace))?;
        }
    }
    Ok(())
}

/// For programs.
pub(super) fn entries(generated: &Generated) -> Vec<Entry> {
    let Generated { sources, model, goals, contradictions, .. } = generated;
    let entry = |Contradiction { goal, trace }: &Contradiction| Entry {
        id: goals[*goal].id.clone(),
        description: goals[*goal].description.clone(),
        line: sources.locate(goals[*goal].span).map(|(_, line, _)| line),
        trace: trace.as_ref().map(|trace| TraceJson::new(model, trace)),
    };
    contradictions.iter().map(entry).collect()
}
