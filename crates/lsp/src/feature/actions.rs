//! Code actions: the suggestions of diagnostics, and the properties that an audit misses.

use super::View;
use super::diagnostics::{Places, message, plain, suggestion_title};
use gen_lsp_types::{CodeAction, CodeActionKind, DiagnosticSeverity, Range, TextEdit, Uri, WorkspaceEdit};
use std::collections::HashMap;

/// The actions for a range.
pub(super) fn actions(view: &View<'_>, range: Range) -> Vec<CodeAction> {
    let Some(meaning) = &view.document.meaning else { return Vec::new() };
    let places = Places::new(&meaning.sources, &view.document.uri);
    let mut actions = Vec::new();
    for found in &meaning.diagnostics {
        let Some(place) = places.location(found.primary.span) else { continue };
        if place.uri.0 != view.document.uri || !touches(place.range, range) {
            continue;
        }
        let is_only = found.suggestions.len() == 1;
        for suggestion in &found.suggestions {
            let Some(target) = places.location(suggestion.span) else { continue };
            let diagnostic = plain(place.range, severity(found.is_error()), Some(found.code.0), message(found));
            let edit = TextEdit { range: target.range, new_text: suggestion.replacement.clone() };
            actions.push(CodeAction {
                diagnostics: Some(vec![diagnostic]),
                is_preferred: Some(is_only),
                ..action(suggestion_title(suggestion), target.uri.0, edit)
            });
        }
    }
    let end = view.syntax.lines[0].text().len();
    let end = view.syntax.lines[0].range(end, end);
    for (place, text) in view.document.results.missing() {
        if touches(*place, range) {
            let edit = TextEdit { range: end, new_text: format!("\n{text}\n") };
            actions.push(action(format!("Add the missing property: {text}"), view.document.uri.clone(), edit));
        }
    }
    actions
}

fn severity(is_error: bool) -> DiagnosticSeverity {
    if is_error { DiagnosticSeverity::Error } else { DiagnosticSeverity::Warning }
}

fn action(title: String, uri: String, edit: TextEdit) -> CodeAction {
    let edit = WorkspaceEdit { changes: Some(HashMap::from([(Uri(uri), vec![edit])])), ..WorkspaceEdit::default() };
    CodeAction { title, kind: Some(CodeActionKind::QuickFix), edit: Some(edit), ..CodeAction::default() }
}

fn touches(one: Range, other: Range) -> bool {
    let key = |position: gen_lsp_types::Position| (position.line, position.character);
    key(one.start) <= key(other.end) && key(other.start) <= key(one.end)
}
