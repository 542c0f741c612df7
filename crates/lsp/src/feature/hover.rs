//! What there is to say about the word at a place.

use super::{View, markdown};
use crate::index::{Kind, SymbolId};
use crate::lexis;
use crate::vocabulary;
use gen_lsp_types::{Hover, Range};
use specwright::catalogue;
use specwright::model::expr::Node;
use specwright::model::interface::Observable;
use specwright::model::model::VarKind;
use specwright::model::{ExprId, Model};
use specwright::syntax::span::Span;
use specwright::testgen::mutate::{OPERATORS, RULE_OPERATORS};
use specwright::words::domain_text;
use std::fmt::Write;

/// The variables and defines of a symbol that are listed one by one.
const MOST: usize = 6;

/// The explanation of the word at a place.
pub(super) fn hover(view: &View<'_>, offset: usize) -> Option<Hover> {
    let token = lexis::at(&view.syntax.tokens, offset);
    let found = view.syntax.index.at(offset as u32);
    let lines = &view.syntax.lines[0];
    let mut parts = Vec::new();
    let mut range: Option<Range> = None;
    if let Some(first) = found.first() {
        range = view.range(first.span);
        let mut symbols: Vec<SymbolId> = found.iter().map(|found| found.symbol).collect();
        symbols.sort_unstable();
        symbols.dedup();
        parts.extend(symbols.into_iter().take(MOST).map(|symbol| describe(view, symbol)));
    } else if let Some(token) = token {
        let word = word_at(&lines.text()[token.start..token.end], token, offset);
        range = Some(lines.range(word.0, word.0 + word.1.len()));
        parts.extend(explain(view, word.1, token.kind));
    }
    parts.extend(problems(view, offset));
    if parts.is_empty() {
        return None;
    }
    Some(Hover { contents: markdown(parts.join("\n\n---\n\n")).into(), range })
}

/// The word of a comment at an offset; all of any other token.
fn word_at(text: &str, token: lexis::Token, offset: usize) -> (usize, &str) {
    if token.kind != lexis::Kind::Comment {
        return (token.start, text);
    }
    let at = (offset - token.start).min(text.len());
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let start = text[..at]
        .rfind(|c| !is_part(c))
        .map_or(0, |before| before + text[before..].chars().next().map_or(1, char::len_utf8));
    let end = text[at..].find(|c| !is_part(c)).map_or(text.len(), |length| at + length);
    (token.start + start, &text[start..end])
}

/// A keyword, an operator, a mutation operator or the code of a diagnostic.
fn explain(view: &View<'_>, word: &str, kind: lexis::Kind) -> Option<String> {
    if kind != lexis::Kind::Comment
        && let Some(text) = vocabulary::explain(view.syntax.language, word)
    {
        return Some(format!("`{word}`: {text}"));
    }
    code(word)
}

/// What a diagnostic code or the name of a mutation operator means.
fn code(word: &str) -> Option<String> {
    if let Some(section) = catalogue::sections().find(|section| section.code == word) {
        return Some(format!("**{}: {}**\n\n{}", section.code, section.title, section.body));
    }
    let operator = OPERATORS.iter().find(|operator| operator.name == word).map(|operator| operator.summary);
    let rule = RULE_OPERATORS.iter().find(|operator| operator.name == word).map(|operator| operator.summary);
    operator.or(rule).map(|summary| format!("**{word}**: mutation operator, {summary}"))
}

/// What is wrong at a place, explained.
fn problems(view: &View<'_>, offset: usize) -> Vec<String> {
    let Some(meaning) = &view.document.meaning else { return Vec::new() };
    let covers = |span: Span| span.is_some() && span.start as usize <= offset && offset <= span.end as usize;
    let own = meaning.diagnostics.iter().filter(|found| covers(found.primary.span)).map(|found| found.code.0);
    let position = view.syntax.lines[0].position(offset);
    let results = view.document.results.codes_at(position);
    let mut codes: Vec<String> = own.map(str::to_owned).chain(results).collect();
    codes.dedup();
    codes.iter().filter_map(|name| code(name)).collect()
}

/// What a symbol is.
fn describe(view: &View<'_>, id: SymbolId) -> String {
    let (syntax, index) = (view.syntax, &view.syntax.index);
    let symbol = &index[id];
    let language = match syntax.language {
        lexis::Language::Smv => "smv",
        lexis::Language::Scr => "scr",
        lexis::Language::Asm => "asmetal",
        lexis::Language::Statechart | lexis::Language::Other => "",
    };
    let declaration = match symbol.kind {
        Kind::Module => heading(syntax.text(symbol.whole)),
        Kind::Constant => symbol.name.clone(),
        _ => cut(syntax.text(symbol.whole)),
    };
    let mut text = format!("```{language}\n{declaration}\n```\n{} `{}`", symbol.word, symbol.name);
    if let Some(parent) = symbol.parent {
        let _ = write!(text, " of {} `{}`", index[parent].word, index[parent].name);
    }
    if symbol.kind == Kind::Constant {
        let owners = (0..index.symbols.len() as u32).map(SymbolId).filter(|owner| index[*owner].values.contains(&id));
        let owners: Vec<String> = owners.take(MOST).map(|owner| format!("`{}`", index[owner].name)).collect();
        if !owners.is_empty() {
            let _ = write!(text, ", a value of {}", owners.join(", "));
        }
    }
    if let Some(session) = view.session() {
        in_model(view, &session.model, id, &mut text);
    }
    text
}

/// The variables and defines of the model that a declaration stands for.
fn in_model(view: &View<'_>, model: &Model, id: SymbolId, text: &mut String) {
    let symbol = &view.syntax.index[id];
    if matches!(symbol.kind, Kind::Module | Kind::Constant | Kind::Type) {
        return;
    }
    let mut lines = Vec::new();
    for (var, declared) in
        model.vars().filter(|(_, declared)| is_declared(symbol.definitions.as_slice(), declared.span))
    {
        let kind = match declared.kind {
            VarKind::State => "",
            VarKind::Frozen => ", frozen",
            VarKind::Input => ", chosen anew in every step",
        };
        let domain = shorten(&domain_text(model, &declared.domain));
        let mut line = format!("- `{}`: `{domain}`{kind}, {}", declared.name, model.role(var).name());
        if let Some(values) = view.document.results.reachable(&declared.name) {
            let _ = write!(line, "; reachable values: {values}");
        }
        lines.push(line);
    }
    for (define, declared) in
        model.defines().filter(|(_, declared)| is_declared(symbol.definitions.as_slice(), declared.span))
    {
        let body = declared.body.expr;
        let domain = model.domain_of(body).map(|domain| format!(": `{}`", shorten(&domain_text(model, &domain))));
        let role = model.interface.role(Observable::Define(define)).name();
        let written = model.show_expr(body);
        lines.push(format!(
            "- `{}`{}, {role}, expands to `{}`",
            declared.name,
            domain.unwrap_or_default(),
            expanded(model, body, &written)
        ));
    }
    let rest = lines.len().saturating_sub(MOST);
    lines.truncate(MOST);
    if rest > 0 {
        lines.push(format!("- and {rest} more"));
    }
    if !lines.is_empty() {
        let _ = write!(text, "\n\n{}", lines.join("\n"));
    }
}

fn is_declared(definitions: &[Span], span: Span) -> bool {
    span.is_some() && definitions.iter().any(|own| own.start >= span.start && own.end <= span.end)
}

/// An expression without defines, if that is not too long.
fn expanded(model: &Model, expr: ExprId, written: &str) -> String {
    let mut left = 400;
    let whole = without_defines(model, expr, &mut left);
    shorten(&whole.map_or_else(|| written.to_owned(), |expr| model.show_expr(expr)))
}

/// The expression with the bodies of defines in their places; nothing if it has too many parts.
fn without_defines(model: &Model, expr: ExprId, left: &mut usize) -> Option<ExprId> {
    *left = left.checked_sub(1)?;
    if let Node::Define(define) = &model[expr] {
        return without_defines(model, model.body(*define), left);
    }
    let mut is_whole = true;
    let node = model[expr].map_children(|child| {
        let inner = without_defines(model, child, left);
        is_whole &= inner.is_some();
        inner.unwrap_or(child)
    });
    if is_whole { model.make(node).ok() } else { None }
}

fn shorten(text: &str) -> String {
    const MOST: usize = 300;
    if text.chars().count() <= MOST { text.to_owned() } else { text.chars().take(MOST).collect::<String>() + "…" }
}

/// The first lines of a declaration.
fn cut(text: &str) -> String {
    const MOST: usize = 12;
    let lines: Vec<&str> = text.lines().collect();
    if lines.len() <= MOST { text.to_owned() } else { lines[..MOST].join("\n") + "\n…" }
}

fn heading(text: &str) -> String {
    text.lines().next().unwrap_or_default().trim_end().to_owned()
}
