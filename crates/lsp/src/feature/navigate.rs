//! From a name to its declaration, and to all places where it is used.

use super::View;
use crate::index::{SymbolId, Use};
use gen_lsp_types::{DocumentHighlight, DocumentHighlightKind, Location};

/// Where the name at a place is declared.
pub(super) fn definition(view: &View<'_>, offset: usize) -> Vec<Location> {
    let index = &view.syntax.index;
    let mut symbols: Vec<SymbolId> = index.at(offset as u32).into_iter().map(|found| found.symbol).collect();
    symbols.sort_unstable();
    symbols.dedup();
    let spans = symbols.into_iter().flat_map(|symbol| &index[symbol].definitions);
    spans.filter_map(|span| view.location(*span)).collect()
}

/// Where what the name at a place stands for is used.
pub(super) fn references(view: &View<'_>, offset: usize, declared: bool) -> Vec<Location> {
    let mut locations: Vec<Location> = Vec::new();
    for found in uses(view, offset).into_iter().filter(|found| declared || !found.is_definition) {
        if let Some(location) = view.location(found.span).filter(|location| !locations.contains(location)) {
            locations.push(location);
        }
    }
    locations
}

/// The same in the document itself, with what is read and what is written.
pub(super) fn highlights(view: &View<'_>, offset: usize) -> Vec<DocumentHighlight> {
    let highlight = |found: Use| {
        let kind = if found.is_write || found.is_definition {
            DocumentHighlightKind::Write
        } else {
            DocumentHighlightKind::Read
        };
        Some(DocumentHighlight { range: view.range(found.span)?, kind: Some(kind) })
    };
    uses(view, offset).into_iter().filter_map(highlight).collect()
}

fn uses(view: &View<'_>, offset: usize) -> Vec<Use> {
    let index = &view.syntax.index;
    let symbols: Vec<SymbolId> = index.at(offset as u32).into_iter().map(|found| found.symbol).collect();
    let mut uses: Vec<Use> = index.uses_of(&symbols).copied().collect();
    uses.dedup_by_key(|found| found.span);
    uses
}
