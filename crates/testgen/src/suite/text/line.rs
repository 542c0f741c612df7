//! Tokens of a line, with spans.

use specwright_syntax::escape::{is_harmful, unescape};
use specwright_syntax::span::Span;
use std::borrow::Cow;

/// A word, or one of the signs `=` and `,`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) text: Cow<'a, str>,
    /// Whether it is quoted, so that it is a name and no keyword.
    pub(super) quoted: bool,
    pub(super) span: Span,
}

impl Token<'_> {
    /// Whether it is this sign or keyword.
    pub(super) fn is(&self, text: &str) -> bool {
        !self.quoted && self.text == text
    }
}

/// The parts of a line.
pub(super) struct Line<'a> {
    pub(super) tokens: Vec<Token<'a>>,
    /// The text after `--`, trimmed.
    pub(super) comment: &'a str,
    /// The span of the tokens; at least the end of the line.
    pub(super) span: Span,
    /// An unclosed quote.
    pub(super) unclosed: Option<Span>,
}

/// Splits a line that starts at a position.
pub(super) fn split(line: &str, start: u32) -> Line<'_> {
    let place = |from: usize, to: usize| Span::new(start + from as u32, start + to as u32);
    let bytes = line.as_bytes();
    let (mut tokens, mut comment, mut unclosed) = (Vec::new(), "", None);
    let mut at = 0;
    while at < bytes.len() {
        let rest = &line[at..];
        let first = rest.chars().next().expect("not at the end");
        if first.is_whitespace() {
            at += first.len_utf8();
        } else if let Some(text) = rest.strip_prefix("--") {
            comment = text.trim();
            break;
        } else if matches!(first, '=' | ',') {
            tokens.push(Token { text: rest[..1].into(), quoted: false, span: place(at, at + 1) });
            at += 1;
        } else if first == '"' {
            let (text, length) = quoted(rest);
            if length.is_none() {
                unclosed = Some(place(at, line.trim_end().len().max(at)));
            }
            let end = at + length.unwrap_or(rest.len());
            tokens.push(Token { text: text.into(), quoted: true, span: place(at, end) });
            at = end;
        } else {
            let ends = |(at, c): &(usize, char)| {
                c.is_whitespace() || matches!(c, '=' | ',' | '"') || rest[*at..].starts_with("--")
            };
            let length = rest.char_indices().find(ends).map_or(rest.len(), |(at, _)| at);
            tokens.push(Token { text: rest[..length].into(), quoted: false, span: place(at, at + length) });
            at += length;
        }
    }
    let span = match (tokens.first(), tokens.last()) {
        (Some(first), Some(last)) => first.span.to(last.span),
        _ => place(line.trim_end().len(), line.trim_end().len()),
    };
    Line { tokens, comment, span, unclosed }
}

/// The text of a quoted word, in which `\` escapes the next character or starts an escape such as `\u{a}`; and its
/// length with the quotes, unless the closing one is missing.
fn quoted(text: &str) -> (String, Option<usize>) {
    let mut inner = String::new();
    let mut at = 1;
    while let Some(c) = text[at..].chars().next() {
        at += c.len_utf8();
        match c {
            '"' => return (inner, Some(at)),
            '\\' => {
                let code = text[at..].strip_prefix("u{").and_then(|rest| Some(&rest[..=rest.find('}')?]));
                let escaped = code.map(|code| unescape(&text[at - 1..at + 2 + code.len()]));
                if let (Some(code), Some(Cow::Owned(c))) = (code, escaped) {
                    inner.push_str(&c);
                    at += 2 + code.len();
                } else if let Some(next) = text[at..].chars().next() {
                    inner.push(next);
                    at += next.len_utf8();
                }
            }
            c => inner.push(c),
        }
    }
    (inner, None)
}

/// A name in quotes if it could be confused with other tokens.
pub(super) fn quote(name: &str) -> Cow<'_, str> {
    let plain = |c: char| !c.is_whitespace() && !is_harmful(c) && !matches!(c, '=' | ',' | '"');
    if !name.is_empty() && name.chars().all(plain) && !name.contains("--") && name != "expect" {
        return name.into();
    }
    let mut text = String::from("\"");
    for c in name.chars() {
        if matches!(c, '"' | '\\') {
            text.push('\\');
        }
        match c {
            c if is_harmful(c) => text.extend(c.escape_unicode()),
            c => text.push(c),
        }
    }
    text.push('"');
    text.into()
}

/// A name or value of a model. SMV's own quotes are kept if nothing inside of them needs escapes.
pub(super) fn quote_smv(name: &str) -> Cow<'_, str> {
    let inner = name.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let is_simple = |inner: &str| !inner.contains(|c| is_harmful(c) || matches!(c, '"' | '\\'));
    if inner.is_some_and(is_simple) { name.into() } else { quote(name) }
}
