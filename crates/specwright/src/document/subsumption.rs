//! Which goals come for free with which, as a graph.

use crate::grade::Graded;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Which goals come for free with which.
#[derive(Serialize)]
pub struct SubsumptionDocument {
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

impl SubsumptionDocument {
    /// The document of a grade that looked for it.
    pub fn new(outcome: &Graded) -> SubsumptionDocument {
        let sources = &outcome.sources;
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
        SubsumptionDocument {
            schema: "specwright/subsumption/1",
            model: outcome.model.name.clone(),
            goals: found.goals.iter().zip(&found.subsumes).map(entry).collect(),
            dominators: dominators.iter().copied().map(id).collect(),
            unknown: found.n_unknown,
        }
    }

    /// The graph for Graphviz: dominators are boxes, and what a suite reaches is filled.
    pub fn dot(&self) -> String {
        let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
        let mut text = String::from("digraph subsumption {\n  rankdir = BT;\n");
        for goal in &self.goals {
            let more =
                if goal.duplicates.is_empty() { String::new() } else { format!(" ({})", goal.duplicates.len() + 1) };
            let shape = if goal.dominator { "box" } else { "ellipse" };
            let style = if goal.reached { ", style = filled" } else { "" };
            let (id, label) = (quoted(&goal.id), quoted(&format!("{}{more}", goal.id)));
            let tooltip = quoted(&goal.description);
            let _ = writeln!(text, "  {id} [label = {label}, tooltip = {tooltip}, shape = {shape}{style}];");
        }
        for goal in &self.goals {
            for other in &goal.subsumes {
                let _ = writeln!(text, "  {} -> {};", quoted(&goal.id), quoted(other));
            }
        }
        text + "}\n"
    }
}
