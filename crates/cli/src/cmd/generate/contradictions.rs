//! Goals that only a contradiction in the specification stops, and the ways to it.

use crate::cmd::goals;
use crate::console::{BAD, Console};
use serde::Serialize;
use specwright_mc::{Answer, Cones, Options, Portfolio, Proof};
use specwright_model::trace::{TraceJson, to_table};
use specwright_model::{Model, Trace};
use specwright_syntax::span::SourceMap;
use specwright_testgen::generate::Run;
use specwright_testgen::goal::Goal;

/// A goal, and an execution up to the state that calls for it; none if a limit is in the way.
pub(super) struct Contradiction {
    goal: usize,
    trace: Option<Trace>,
}

/// The same in machine-readable results.
#[derive(Serialize)]
pub(super) struct Entry {
    id: String,
    description: String,
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<TraceJson>,
}

/// The contradictions of a run, with executions of the whole model.
pub(super) fn find(model: &Model, goals: &[Goal], run: &Run, options: &Options) -> Vec<Contradiction> {
    let stopped: Vec<usize> = (0..goals.len())
        .filter(|goal| matches!(run.outcomes[*goal], Some(Answer::Impossible(Proof::Inconsistent(_)))))
        .collect();
    if stopped.is_empty() {
        return Vec::new();
    }
    let asked = stopped.iter().filter_map(|goal| goals[*goal].contradiction);
    let mut checker = Portfolio::new(model.clone(), [], asked, options, Cones::Auto).ok();
    let mut way = |goal: usize| match checker.as_mut()?.reach(goals[goal].contradiction?) {
        Answer::Found(trace) => Some(trace),
        _ => None,
    };
    stopped.into_iter().map(|goal| Contradiction { goal, trace: way(goal) }).collect()
}

/// For people.
pub(super) fn print(
    console: &mut Console,
    sources: &SourceMap,
    model: &Model,
    goals: &[Goal],
    found: &[Contradiction],
) -> anyhow::Result<()> {
    if found.is_empty() {
        return Ok(());
    }
    console.out(format_args!("\n{BAD}{}{BAD:#}\n", goals::stopped(found.len())))?;
    for Contradiction { goal, trace } in found {
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
pub(super) fn entries(sources: &SourceMap, model: &Model, goals: &[Goal], found: &[Contradiction]) -> Vec<Entry> {
    let entry = |Contradiction { goal, trace }: &Contradiction| Entry {
        id: goals[*goal].id.clone(),
        description: goals[*goal].description.clone(),
        line: sources.locate(goals[*goal].span).map(|(_, line, _)| line),
        trace: trace.as_ref().map(|trace| TraceJson::new(model, trace)),
    };
    found.iter().map(entry).collect()
}
