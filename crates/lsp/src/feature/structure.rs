//! The structure of a document: its outline, what can be folded, and what its words are.

use super::View;
use crate::index::{Kind, Outline};
use crate::lexis;
use crate::vocabulary;
use gen_lsp_types::{DocumentSymbol, FoldingRange, FoldingRangeKind, SemanticToken, SemanticTokens, SymbolKind};
use specwright::syntax::span::Span;

/// The types of tokens, in the order of their numbers.
pub(super) const TOKEN_TYPES: [&str; 13] = [
    "namespace",
    "variable",
    "property",
    "macro",
    "parameter",
    "enumMember",
    "type",
    "function",
    "keyword",
    "comment",
    "number",
    "string",
    "operator",
];

/// The modifiers of tokens, in the order of their bits.
pub(super) const TOKEN_MODIFIERS: [&str; 3] = ["declaration", "modification", "readonly"];

/// The outline.
pub(super) fn symbols(view: &View<'_>) -> Vec<DocumentSymbol> {
    view.syntax.index.outline.iter().filter_map(|part| symbol(view, part)).collect()
}

fn symbol(view: &View<'_>, part: &Outline) -> Option<DocumentSymbol> {
    let (range, selection_range) = (view.range(part.whole.to(part.selection))?, view.range(part.selection)?);
    let children: Vec<DocumentSymbol> = part.children.iter().filter_map(|child| symbol(view, child)).collect();
    #[expect(deprecated, reason = "the protocol still has the field")]
    Some(DocumentSymbol {
        name: if part.name.is_empty() { "?".into() } else { part.name.clone() },
        detail: (!part.detail.is_empty()).then(|| part.detail.clone()),
        kind: kind(part.kind),
        tags: None,
        deprecated: None,
        range,
        selection_range,
        children: (!children.is_empty()).then_some(children),
    })
}

fn kind(kind: Kind) -> SymbolKind {
    match kind {
        Kind::Module => SymbolKind::Module,
        Kind::Variable => SymbolKind::Variable,
        Kind::Instance => SymbolKind::Object,
        Kind::Define => SymbolKind::Constant,
        Kind::Parameter => SymbolKind::TypeParameter,
        Kind::Constant => SymbolKind::EnumMember,
        Kind::Type => SymbolKind::Enum,
        Kind::Function => SymbolKind::Function,
        Kind::Rule => SymbolKind::Method,
        Kind::Property => SymbolKind::Event,
    }
}

/// What can be folded: declarations over several lines, and runs of comments.
pub(super) fn folds(view: &View<'_>) -> Vec<FoldingRange> {
    let lines = &view.syntax.lines[0];
    let fold = |start: u32, end: u32, kind: Option<FoldingRangeKind>| FoldingRange {
        start_line: start,
        start_character: None,
        end_line: end,
        end_character: None,
        kind,
        collapsed_text: None,
    };
    let range = |span: &Span| {
        let range = view.range(*span)?;
        (range.end.line > range.start.line).then(|| fold(range.start.line, range.end.line, None))
    };
    let mut folds: Vec<FoldingRange> = view.syntax.index.folds.iter().filter_map(range).collect();
    let mut run: Option<(u32, u32)> = None;
    let comments = view.syntax.tokens.iter().filter(|token| token.kind == lexis::Kind::Comment);
    let mut close = |run: Option<(u32, u32)>| {
        folds.extend(
            run.filter(|(start, end)| end > start)
                .map(|(start, end)| fold(start, end, Some(FoldingRangeKind::Comment))),
        );
    };
    for comment in comments {
        let range = lines.range(comment.start, comment.end);
        run = match run {
            Some((start, end)) if range.start.line <= end + 1 => Some((start, range.end.line)),
            earlier => {
                close(earlier);
                Some((range.start.line, range.end.line))
            }
        };
    }
    close(run);
    folds.sort_by_key(|fold| (fold.start_line, fold.end_line));
    folds.dedup_by_key(|fold| (fold.start_line, fold.end_line));
    folds
}

/// The words of the document with what they stand for.
pub(super) fn tokens(view: &View<'_>) -> SemanticTokens {
    let (lines, index) = (&view.syntax.lines[0], &view.syntax.index);
    let text = lines.text();
    let mut data = Vec::new();
    let mut before = gen_lsp_types::Position { line: 0, character: 0 };
    for token in &view.syntax.tokens {
        let word = &text[token.start..token.end];
        let found = index.uses.partition_point(|found| (found.span.start as usize) < token.start);
        let found = index.uses.get(found).filter(|found| found.span.start as usize == token.start);
        let (kind, modifiers) = match token.kind {
            lexis::Kind::Comment => ("comment", 0),
            lexis::Kind::Number => ("number", 0),
            lexis::Kind::Text => ("string", 0),
            lexis::Kind::Word | lexis::Kind::Sign => match found {
                Some(found) => {
                    let symbol = &index[found.symbol];
                    let constant = matches!(symbol.kind, Kind::Constant | Kind::Parameter | Kind::Define);
                    let bits =
                        u32::from(found.is_definition) | u32::from(found.is_write) << 1 | u32::from(constant) << 2;
                    (token_type(symbol.kind), bits)
                }
                None if vocabulary::is_keyword(view.syntax.language, word) => ("keyword", 0),
                None if token.kind == lexis::Kind::Sign
                    && vocabulary::explain(view.syntax.language, word).is_some() =>
                {
                    ("operator", 0)
                }
                None => continue,
            },
        };
        let token_type = TOKEN_TYPES.iter().position(|name| *name == kind).unwrap_or_default() as u32;
        // Tokens of several lines are given line by line, as most clients want them.
        let mut start = token.start;
        for line in word.split_inclusive('\n') {
            let shown = line.trim_end_matches(['\n', '\r']);
            let (from, to) = (lines.position(start), lines.position(start + shown.len()));
            start += line.len();
            if to.character <= from.character {
                continue;
            }
            let delta_line = from.line - before.line;
            let delta_start = if delta_line == 0 { from.character - before.character } else { from.character };
            let length = to.character - from.character;
            data.push(SemanticToken { delta_line, delta_start, length, token_type, token_modifiers_bitset: modifiers });
            before = from;
        }
    }
    SemanticTokens { result_id: None, data }
}

fn token_type(kind: Kind) -> &'static str {
    match kind {
        Kind::Module => "namespace",
        Kind::Variable | Kind::Instance => "variable",
        Kind::Property => "property",
        Kind::Define => "macro",
        Kind::Parameter => "parameter",
        Kind::Constant => "enumMember",
        Kind::Type => "type",
        Kind::Function | Kind::Rule => "function",
    }
}
