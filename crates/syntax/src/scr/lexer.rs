//! Lexer of expressions.

use super::ast::EventKind;
use super::codes;
use crate::diagnostic::Diagnostic;
use crate::span::Span;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind<'a> {
    Ident(&'a str),
    Number(i64),
    /// A number with a decimal point: numerator and denominator.
    Decimal(i64, i64),
    Event(EventKind),
    Sign(&'static str),
    End,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) kind: TokenKind<'a>,
    pub(super) span: Span,
}

/// All signs, longer ones first.
const SIGNS: [&str; 31] = [
    "<=>", "<->", "=>", "->", "<=", ">=", "!=", "/=", "<>", "..", "&&", "==", "(", ")", "[", "]", "{", "}", ",", "'",
    "=", "<", ">", "+", "-", "*", "/", "&", "!", ":", ";",
];

/// The tokens of a text that starts at this position; `None` after an error, which is reported.
pub(super) fn tokens<'a>(text: &'a str, start: u32, diagnostics: &mut Vec<Diagnostic>) -> Option<Vec<Token<'a>>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    let mut good = true;
    let span = |from: usize, to: usize| Span::new(start + from as u32, start + to as u32);
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let run = |wanted: fn(char) -> bool| rest.find(|c: char| !wanted(c)).unwrap_or(rest.len());
        let (kind, length) = if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        } else if rest.starts_with("--") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        } else if is_letter(first) {
            let length = run(|c| c.is_ascii_alphanumeric() || c == '_');
            (TokenKind::Ident(&rest[..length]), length)
        } else if first.is_ascii_digit() && rest[run(|c| c.is_ascii_digit())..].starts_with(is_letter) {
            // Names of modes may start with digits: `01Update`.
            let length = run(|c| c.is_ascii_alphanumeric() || c == '_');
            (TokenKind::Ident(&rest[..length]), length)
        } else if first.is_ascii_digit() {
            let (number, length) = number(rest);
            let Some(number) = number else {
                let message = "this number is too large, or has too many digits";
                diagnostics.push(Diagnostic::error(codes::UNEXPECTED, span(at, at + length), message));
                good = false;
                at += length;
                continue;
            };
            (number, length)
        } else if let Some(event) = event(rest) {
            (TokenKind::Event(event), 2)
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            (TokenKind::Sign(sign), sign.len())
        } else {
            let length = first.len_utf8();
            let message = format!("unexpected `{first}`");
            let mut diagnostic = Diagnostic::error(codes::INVALID_CHARACTER, span(at, at + length), message);
            if first == '@' {
                diagnostic = diagnostic.help("events are written `@T(c)`, `@F(c)` and `@C(x)`");
            }
            diagnostics.push(diagnostic);
            good = false;
            at += length;
            continue;
        };
        tokens.push(Token { kind, span: span(at, at + length) });
        at += length;
    }
    // A missing token is reported behind the last token, not on the next line.
    let end = tokens.last().map_or(start, |token| token.span.end);
    tokens.push(Token { kind: TokenKind::End, span: Span::new(end, end) });
    good.then_some(tokens)
}

/// Maximal number of digits after a decimal point.
const MAX_DIGITS: usize = 9;

/// The number at the start of a text, unless it is too large, and its length.
fn number(text: &str) -> (Option<TokenKind<'static>>, usize) {
    let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let whole = digits(text);
    let n_decimals = text[whole..].strip_prefix('.').map_or(0, digits);
    if n_decimals == 0 {
        return (text[..whole].parse().ok().map(TokenKind::Number), whole);
    }
    let length = whole + 1 + n_decimals;
    let decimals = text[whole + 1..length].trim_end_matches('0');
    let (mut numerator, mut denominator) = match format!("{}{decimals}", &text[..whole]).parse::<i64>() {
        Ok(numerator) if decimals.len() <= MAX_DIGITS => (numerator, 10i64.pow(decimals.len() as u32)),
        _ => return (None, length),
    };
    for prime in [2, 5] {
        while numerator % prime == 0 && denominator % prime == 0 {
            (numerator, denominator) = (numerator / prime, denominator / prime);
        }
    }
    (Some(TokenKind::Decimal(numerator, denominator)), length)
}

fn is_letter(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

fn event(text: &str) -> Option<EventKind> {
    let kind = match text.as_bytes() {
        [b'@', b'T' | b't', ..] => EventKind::True,
        [b'@', b'F' | b'f', ..] => EventKind::False,
        [b'@', b'C' | b'c', ..] => EventKind::Change,
        _ => return None,
    };
    let ends = text[2..].chars().next().is_none_or(|c| !c.is_ascii_alphanumeric() && c != '_');
    ends.then_some(kind)
}
