//! Lexer of AsmetaL.

use super::codes;
use crate::budget::Budget;
use crate::diagnostic::Diagnostic;
use crate::span::{SourceFile, Span};

/// The kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name or a keyword.
    Word,
    /// `$x`
    Var,
    /// An integer, perhaps with the suffix `n` of natural numbers.
    Int,
    /// A number with a fraction.
    Real,
    /// A quoted string.
    String,
    /// One of [`SIGNS`].
    Sign,
    /// The end of the file.
    Eof,
}

/// A token; its text is in the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) span: Span,
}

/// The signs, longest first.
const SIGNS: [&str; 33] = [
    "<->", "<<", ">>", ":=", "->", "!=", "<=", ">=", "..", "(", ")", "[", "]", "{", "}", "<", ">", "=", "+", "-", "*",
    "/", "^", ",", ":", "|", ".", ";", "&", "@", "?", "!", "#",
];

/// The tokens of a file, the last one [`Kind::Eof`].
pub(super) fn lex(source: &SourceFile, diagnostics: &mut Vec<Diagnostic>) -> Vec<Token> {
    let (text, base, budget) = (&*source.text, source.start, &source.budget);
    let mut lexer = Lexer { text, base, at: 0, tokens: Vec::new(), diagnostics, budget };
    if lexer.text.starts_with('\u{feff}') {
        lexer.at = '\u{feff}'.len_utf8();
    }
    lexer.run();
    lexer.tokens
}

struct Lexer<'a> {
    text: &'a str,
    base: u32,
    at: usize,
    tokens: Vec<Token>,
    diagnostics: &'a mut Vec<Diagnostic>,
    budget: &'a Budget,
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

impl Lexer<'_> {
    fn run(&mut self) {
        while let Some(first) = self.rest().chars().next() {
            self.budget.look();
            let start = self.at;
            if first.is_whitespace() {
                self.at += first.len_utf8();
            } else if self.rest().starts_with("//") {
                self.at += self.rest().find('\n').unwrap_or(self.rest().len());
            } else if self.rest().starts_with("/*") {
                if let Some(end) = self.rest()[2..].find("*/") {
                    self.at += end + 4;
                } else {
                    self.at = self.text.len();
                    self.error(start, start + 2, "this comment does not end");
                }
            } else if first.is_ascii_digit() {
                self.number();
            } else if first == '$' || is_word(first) {
                self.at += 1.max(first.len_utf8());
                self.skip(is_word);
                self.push(if first == '$' { Kind::Var } else { Kind::Word }, start);
            } else if first == '"' || first == '\'' {
                self.quoted(first);
            } else if let Some(sign) = SIGNS.iter().find(|sign| self.rest().starts_with(**sign)) {
                self.at += sign.len();
                self.push(Kind::Sign, start);
            } else {
                self.at += first.len_utf8();
                self.error(start, self.at, format!("unexpected `{first}`"));
            }
        }
        self.push(Kind::Eof, self.at);
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn skip(&mut self, wanted: impl Fn(char) -> bool) {
        self.at += self.rest().find(|c| !wanted(c)).unwrap_or(self.rest().len());
    }

    fn number(&mut self) {
        let start = self.at;
        self.skip(|c| c.is_ascii_digit());
        let rest = self.rest().as_bytes();
        let mut kind = Kind::Int;
        if rest.first() == Some(&b'.') && rest.get(1).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
            self.skip(|c| c.is_ascii_digit());
            kind = Kind::Real;
        } else if rest.first() == Some(&b'n') && !rest.get(1).is_some_and(|c| is_word(char::from(*c))) {
            self.at += 1;
        }
        self.push(kind, start);
    }

    fn quoted(&mut self, quote: char) {
        let start = self.at;
        self.at += 1;
        let line = self.rest().find('\n').unwrap_or(self.rest().len());
        if let Some(end) = self.rest()[..line].find(quote) {
            self.at += end + 1;
        } else {
            self.at += line;
            self.error(start, start + 1, "this text does not end");
        }
        self.push(Kind::String, start);
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.base + start as u32, self.base + end as u32)
    }

    fn push(&mut self, kind: Kind, start: usize) {
        let span = self.span(start, self.at);
        self.tokens.push(Token { kind, span });
    }

    fn error(&mut self, start: usize, end: usize, message: impl Into<String>) {
        let span = self.span(start, end);
        self.diagnostics.push(Diagnostic::error(codes::INVALID_CHARACTER, span, message));
    }
}
