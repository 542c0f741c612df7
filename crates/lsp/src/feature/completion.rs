//! Completion: parts of instances behind a dot, values of the type that is wanted, and everything that can be named.

use super::View;
use crate::index::{Kind, Symbol, SymbolId};
use crate::lexis::{self, Language, Token};
use crate::vocabulary;
use gen_lsp_types::{CompletionItem, CompletionItemKind};

/// What can stand at a place.
pub(super) fn completion(view: &View<'_>, offset: usize) -> Vec<CompletionItem> {
    let text = view.syntax.lines[0].text();
    // The tokens before the word that is being typed.
    let tokens: Vec<Token> =
        view.syntax.tokens.iter().copied().filter(|token| token.kind != lexis::Kind::Comment).collect();
    let inside = view.syntax.tokens.iter().any(|token| {
        let open = matches!(token.kind, lexis::Kind::Comment | lexis::Kind::Text);
        open && token.start < offset && (offset < token.end || (offset == token.end && !text[..offset].ends_with("*/")))
    });
    if inside {
        return Vec::new();
    }
    let mut n = tokens.partition_point(|token| token.start < offset);
    if n > 0 && tokens[n - 1].kind == lexis::Kind::Word && tokens[n - 1].end >= offset {
        n -= 1;
    }
    let before = Before { view, text, tokens: &tokens[..n] };
    if before.word(1) == "." {
        return before.members().into_iter().map(|id| item(view, id, '0')).collect();
    }
    let index = &view.syntax.index;
    let wanted = before.wanted();
    let values: Vec<SymbolId> = wanted.iter().flat_map(|symbol| index[*symbol].values.clone()).collect();
    let mut items: Vec<CompletionItem> = values.iter().map(|id| item(view, *id, '0')).collect();
    let mut seen: Vec<&str> = values.iter().map(|id| index[*id].name.as_str()).collect();
    for id in index.visible(offset as u32) {
        let name = index[id].name.as_str();
        if !seen.contains(&name) {
            seen.push(name);
            items.push(item(view, id, if index[id].kind == Kind::Constant { '2' } else { '1' }));
        }
    }
    for (word, explanation) in vocabulary::words(view.syntax.language) {
        if word.starts_with(|c: char| c.is_alphabetic() || c == '@') {
            items.push(CompletionItem {
                label: word.to_owned(),
                kind: Some(CompletionItemKind::Keyword),
                detail: Some(explanation.to_owned()),
                sort_text: Some(format!("3{word}")),
                ..CompletionItem::default()
            });
        }
    }
    items
}

fn item(view: &View<'_>, id: SymbolId, rank: char) -> CompletionItem {
    let Symbol { name, kind, word, ty, .. } = &view.syntax.index[id];
    let ty = ty.map(|ty| view.syntax.text(ty).split_whitespace().collect::<Vec<_>>().join(" "));
    let kind = match kind {
        Kind::Module => CompletionItemKind::Module,
        Kind::Variable | Kind::Parameter => CompletionItemKind::Variable,
        Kind::Instance => CompletionItemKind::Struct,
        Kind::Define => CompletionItemKind::Constant,
        Kind::Constant => CompletionItemKind::EnumMember,
        Kind::Type => CompletionItemKind::Enum,
        Kind::Function | Kind::Rule => CompletionItemKind::Function,
        Kind::Property => CompletionItemKind::Property,
    };
    CompletionItem {
        label: name.clone(),
        kind: Some(kind),
        detail: Some(ty.map_or_else(|| (*word).to_owned(), |ty| format!("{word}: {ty}"))),
        sort_text: Some(format!("{rank}{name}")),
        ..CompletionItem::default()
    }
}

/// The tokens before a place.
struct Before<'a> {
    view: &'a View<'a>,
    text: &'a str,
    tokens: &'a [Token],
}

impl Before<'_> {
    /// The token so far back, from 1 on.
    fn word(&self, back: usize) -> &str {
        let token = self.tokens.len().checked_sub(back).and_then(|at| self.tokens.get(at));
        token.map_or("", |token| &self.text[token.start..token.end])
    }

    /// The parts of what stands before the last dot.
    fn members(&self) -> Vec<SymbolId> {
        let index = &self.view.syntax.index;
        let found = self.path(2).0;
        let modules = found.iter().flat_map(|symbol| index.parts(*symbol));
        let mut members: Vec<SymbolId> = modules.flat_map(|module| index.members(module)).collect();
        members.sort_unstable();
        members.dedup();
        members
    }

    /// What the path that ends so far back stands for, and the number of its tokens.
    fn path(&self, back: usize) -> (Vec<SymbolId>, usize) {
        let index = &self.view.syntax.index;
        let mut at = back;
        let mut names = Vec::new();
        loop {
            // An index is no part of a name.
            if self.word(at) == "]" {
                while !matches!(self.word(at), "[" | "") {
                    at += 1;
                }
                at += 1;
            }
            names.push(self.word(at));
            if self.word(at + 1) != "." {
                break;
            }
            at += 2;
        }
        let place = self.tokens.len().checked_sub(at).map_or(0, |at| self.tokens[at].start);
        let visible = index.visible(place as u32);
        let Some(first) = names.pop() else { return (Vec::new(), 0) };
        let mut found: Vec<SymbolId> = visible.into_iter().filter(|id| index[*id].name == first).take(1).collect();
        if first == "self" {
            found = index.enclosing(place as u32).into_iter().collect();
        }
        while let Some(name) = names.pop() {
            let modules: Vec<SymbolId> = found.iter().flat_map(|symbol| index.parts(*symbol)).collect();
            found =
                modules.iter().flat_map(|module| index.members(*module)).filter(|id| index[*id].name == name).collect();
        }
        (found, at + 1 - back)
    }

    /// The variables whose values can stand here: what is compared with, or what a value is assigned to.
    fn wanted(&self) -> Vec<SymbolId> {
        let is_comparison = |word: &str| matches!(word, "=" | "!=" | "/=" | "<>" | "in" | "IN" | "notin" | "union");
        if is_comparison(self.word(1)) {
            return self.path(2).0;
        }
        // The assignment in which the place stands.
        let mut back = 1;
        while back <= self.tokens.len().min(400) {
            match self.word(back) {
                ":=" if self.word(back + 1) == ")" && matches!(self.word(back + 4), "next" | "init") => {
                    return self.path(back + 2).0;
                }
                ":=" if self.word(back + 1) == ")" => {
                    // `next(a.b) := `: the path inside of the parentheses.
                    return self.path(back + 2).0;
                }
                ":=" => return self.path(back + 1).0,
                word if self.view.syntax.language == Language::Smv && vocabulary::starts_section(word) => break,
                _ => back += 1,
            }
        }
        self.view.syntax.index.expected_at(self.tokens.last().map_or(0, |token| token.end) as u32)
    }
}
