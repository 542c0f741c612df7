//! Parser of AsmetaL: recursive descent that recovers at the next definition.

mod items;
mod rules;
mod terms;

use super::ast::{File, Ident, Rule, RuleId, RuleKind, Term, TermId, TermKind};
use super::codes;
use super::lexer::{Kind, Token, lex};
use crate::diagnostic::Diagnostic;
use crate::span::{SourceFile, Span};

/// Maximal nesting depth of terms and rules. The parser is recursive, and this depth fits into the stack of a thread.
const MAX_DEPTH: usize = 200;

/// Number of diagnostics after which parsing ends.
const MAX_DIAGNOSTICS: usize = 50;

/// Parses a file. The tree is meaningful if no diagnostic is an error.
pub fn parse(source: &SourceFile) -> (File, Vec<Diagnostic>) {
    let mut parser = Parser::new(source);
    parser.file();
    (parser.file, parser.diagnostics)
}

/// Parses a single term, such as one of a scenario, into an arena of its own.
pub fn parse_term(source: &SourceFile) -> (File, Option<TermId>, Vec<Diagnostic>) {
    let mut parser = Parser::new(source);
    let term = parser.term();
    if term.is_some() && parser.peek().kind != Kind::Eof {
        parser.expected("the end of the term");
    }
    (parser.file, term, parser.diagnostics)
}

/// Parses a single rule, such as one that a scenario executes. Its nodes are in a file of their own.
pub fn parse_rule(source: &SourceFile) -> (File, Option<RuleId>, Vec<Diagnostic>) {
    let mut parser = Parser::new(source);
    let rule = parser.rule();
    if parser.diagnostics.is_empty() && parser.peek().kind != Kind::Eof {
        parser.expected("the end of the rule");
    }
    (parser.file, rule, parser.diagnostics)
}

struct Parser<'a> {
    source: &'a SourceFile,
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    file: File,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Parser<'a> {
    fn new(source: &'a SourceFile) -> Parser<'a> {
        let mut diagnostics = Vec::new();
        let tokens = lex(source, &mut diagnostics);
        diagnostics.truncate(MAX_DIAGNOSTICS);
        Parser { source, tokens, at: 0, depth: 0, file: File::default(), diagnostics }
    }

    fn peek(&self) -> Token {
        self.tokens[self.at]
    }

    fn peek_at(&self, ahead: usize) -> Token {
        self.tokens[(self.at + ahead).min(self.tokens.len() - 1)]
    }

    fn text_of(&self, token: Token) -> &'a str {
        self.source.slice(token.span)
    }

    fn text(&self) -> &'a str {
        self.text_of(self.peek())
    }

    fn bump(&mut self) -> Token {
        self.source.budget.look();
        let token = self.peek();
        if token.kind != Kind::Eof {
            self.at += 1;
        }
        token
    }

    /// Whether the next token is this keyword or sign.
    fn at(&self, text: &str) -> bool {
        matches!(self.peek().kind, Kind::Word | Kind::Sign) && self.text() == text
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = self.at(text);
        if found {
            self.bump();
        }
        found
    }

    fn expect(&mut self, text: &str) -> Option<Token> {
        if self.at(text) {
            return Some(self.bump());
        }
        self.expected(&format!("`{text}`"));
        None
    }

    /// Expects a closing keyword; `opened` is shown in the error.
    fn close(&mut self, text: &str, opened: Span) -> Option<Token> {
        if self.at(text) {
            return Some(self.bump());
        }
        let found = self.found();
        let message = format!("expected `{text}`, found {found}");
        self.report(
            Diagnostic::error(codes::UNCLOSED, self.peek().span, message).also(opened, format!("needs a `{text}`")),
        );
        None
    }

    fn found(&self) -> String {
        match self.peek().kind {
            Kind::Eof => "the end of the file".into(),
            _ => format!("`{}`", self.text()),
        }
    }

    fn expected(&mut self, what: &str) {
        let message = format!("expected {what}, found {}", self.found());
        self.report(Diagnostic::error(codes::UNEXPECTED, self.peek().span, message));
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < MAX_DIAGNOSTICS {
            self.diagnostics.push(diagnostic);
        }
    }

    fn ident(&mut self, what: &str) -> Option<Ident> {
        if self.peek().kind != Kind::Word {
            self.expected(what);
            return None;
        }
        let token = self.bump();
        Some(Ident { text: self.text_of(token).into(), span: token.span })
    }

    fn var(&mut self) -> Option<Ident> {
        if self.peek().kind != Kind::Var {
            self.expected("a variable such as `$x`");
            return None;
        }
        let token = self.bump();
        Some(Ident { text: self.text_of(token).into(), span: token.span })
    }

    /// The span from `start` to the end of the last token that was consumed.
    fn since(&self, start: Span) -> Span {
        start.to(self.tokens[self.at.saturating_sub(1)].span)
    }

    fn add(&mut self, kind: TermKind, start: Span) -> TermId {
        let span = self.since(start);
        self.file.terms.push(Term { kind, span });
        TermId(self.file.terms.len() as u32 - 1)
    }

    fn add_rule(&mut self, kind: RuleKind, start: Span) -> RuleId {
        let span = self.since(start);
        self.file.rule_nodes.push(Rule { kind, span });
        RuleId(self.file.rule_nodes.len() as u32 - 1)
    }

    /// Parses one level deeper, unless the nesting is too deep.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth >= MAX_DEPTH {
            let message = format!("this is nested more than {MAX_DEPTH} levels deep");
            self.report(Diagnostic::error(codes::TOO_DEEP, self.peek().span, message));
            return None;
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }
}
