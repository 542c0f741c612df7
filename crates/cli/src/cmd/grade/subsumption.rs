//! `grade --subsumption`: which goals come for free with which, as a graph.

use anyhow::Context;
use serde::Serialize;
use specwright::Graded;
use specwright_harness::files::write_atomically;
use specwright_syntax::span::SourceMap;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    model: String,
    goals: Vec<Entry>,
    /// Those that nothing else subsumes.
    dominators: Vec<String>,
    /// Pairs that could not be compared.
    unknown: usize,
}

#[derive(Serialize)]
struct Entry {
    id: String,
    description: String,
    line: Option<usize>,
    reached: bool,
    dominator: bool,
    /// The other goals that say the same.
    duplicates: Vec<String>,
    /// The goals that come for free with it, without those that come for free with one of them.
    subsumes: Vec<String>,
}

pub(super) fn write(path: &Path, outcome: &Graded) -> anyhow::Result<()> {
    let document = document(&outcome.sources, outcome);
    let is_graph =
        path.extension().is_some_and(|end| end.eq_ignore_ascii_case("dot") || end.eq_ignore_ascii_case("gv"));
    let text = if is_graph { dot(&document) } else { serde_json::to_string_pretty(&document)? + "\n" };
    write_atomically(path, text).with_context(|| format!("cannot write {}", path.display()))
}

fn document(sources: &SourceMap, outcome: &Graded) -> Document {
    let id = |goal: usize| outcome.goals[goal].id.clone();
    let mut duplicates: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for (goal, first) in outcome.winnowing.classes.iter().flat_map(|classes| &classes.of) {
        if goal != first {
            duplicates.entry(*first).or_default().push(id(*goal));
        }
    }
    let empty = specwright_testgen::winnow::Subsumption { goals: Vec::new(), subsumes: Vec::new(), n_unknown: 0 };
    let found = outcome.winnowing.subsumption.as_ref().unwrap_or(&empty);
    let dominators = found.dominators();
    let entry = |(goal, subsumes): (&usize, &Vec<usize>)| Entry {
        id: id(*goal),
        description: outcome.goals[*goal].description.clone(),
        line: sources.locate(outcome.goals[*goal].span).map(|(_, line, _)| line),
        reached: outcome.reached.contains(*goal),
        dominator: dominators.contains(goal),
        duplicates: duplicates.get(goal).cloned().unwrap_or_default(),
        subsumes: subsumes.iter().copied().map(id).collect(),
    };
    Document {
        schema: "specwright/subsumption/1",
        model: outcome.model.name.clone(),
        goals: found.goals.iter().zip(&found.subsumes).map(entry).collect(),
        dominators: dominators.iter().copied().map(id).collect(),
        unknown: found.n_unknown,
    }
}

/// The graph for Graphviz: dominators are boxes, and what a suite reaches is filled.
fn dot(document: &Document) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let mut text = String::from("digraph subsumption {\n  rankdir = BT;\n");
    for goal in &document.goals {
        let more = if goal.duplicates.is_empty() { String::new() } else { format!(" ({})", goal.duplicates.len() + 1) };
        let shape = if goal.dominator { "box" } else { "ellipse" };
        let style = if goal.reached { ", style = filled" } else { "" };
        let (id, label) = (quoted(&goal.id), quoted(&format!("{}{more}", goal.id)));
        let tooltip = quoted(&goal.description);
        let _ = writeln!(text, "  {id} [label = {label}, tooltip = {tooltip}, shape = {shape}{style}];");
    }
    for goal in &document.goals {
        for other in &goal.subsumes {
            let _ = writeln!(text, "  {} -> {};", quoted(&goal.id), quoted(other));
        }
    }
    text + "}\n"
}
