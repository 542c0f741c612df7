//! Goals that only a contradiction in the specification stops, for people.

use crate::console::{BAD, Console};
use specwright::generate::{Contradiction, Generated};
use specwright::goals;
use specwright::model::trace::to_table_with;

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
            console.out(to_table_with(model, trace, &model.output_defines()))?;
        }
    }
    Ok(())
}
