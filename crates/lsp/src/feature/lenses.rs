//! Code lenses: what can be done with a property and with a module.

use super::View;
use crate::index::Kind;
use crate::jobs::{AUDIT, CHECK, GENERATE};
use gen_lsp_types::{CodeLens, Command, Position, Range};
use serde_json::{Value, json};

/// The lenses of a document.
pub(super) fn lenses(view: &View<'_>) -> Vec<CodeLens> {
    let Some(session) = view.session() else { return Vec::new() };
    let uri = &view.document.uri;
    let mut lenses = Vec::new();
    let mut lens = |range: Range, title: String, command: &str, argument: Value| {
        let command = Command { title, tooltip: None, command: command.to_owned(), arguments: Some(vec![argument]) };
        lenses.push(CodeLens { range, command: Some(command), data: None });
    };
    // Instances of a module share the declarations of its properties.
    let mut places: Vec<(Range, Vec<usize>)> = Vec::new();
    for (number, property) in session.model.properties.iter().enumerate() {
        let Some(range) = view.range(property.span) else { continue };
        match places.iter_mut().find(|(other, _)| *other == range) {
            Some((_, numbers)) => numbers.push(number + 1),
            None => places.push((range, vec![number + 1])),
        }
    }
    let modules = view.syntax.index.outline.iter().filter(|part| part.kind == Kind::Module);
    let mut heads: Vec<(Range, Range)> =
        modules.filter_map(|part| Some((view.range(part.selection)?, view.range(part.whole)?))).collect();
    if heads.is_empty() {
        let start = Position { line: 0, character: 0 };
        let end = Position { line: u32::MAX, character: 0 };
        heads.push((Range { start, end: start }, Range { start, end }));
    }
    let is_alone = heads.len() == 1;
    for (head, whole) in heads {
        let inside =
            |range: &Range| is_alone || (whole.start.line <= range.start.line && range.start.line <= whole.end.line);
        let own = places.iter().filter(|(range, _)| inside(range)).flat_map(|(_, numbers)| numbers);
        let own: Vec<String> = own.map(ToString::to_string).collect();
        if own.is_empty() {
            if is_alone {
                lens(head, "Generate tests".into(), GENERATE, json!({"uri": uri}));
            }
            continue;
        }
        let title = format!("Check {}", specwright::words::count(own.len(), "property"));
        lens(head, title, CHECK, json!({"uri": uri, "properties": own}));
        lens(head, "Generate tests".into(), GENERATE, json!({"uri": uri, "properties": own}));
        lens(head, "Audit".into(), AUDIT, json!({"uri": uri, "properties": own}));
    }
    for (range, numbers) in places {
        let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
        let verdict = view.document.results.verdict(&numbers);
        let title = verdict.map_or_else(|| "Check".to_owned(), |verdict| format!("Check ({verdict})"));
        lens(range, title, CHECK, json!({"uri": uri, "properties": numbers}));
        lens(range, "Generate tests".into(), GENERATE, json!({"uri": uri, "properties": numbers}));
        lens(range, "Audit".into(), AUDIT, json!({"uri": uri, "properties": numbers}));
    }
    lenses
}
