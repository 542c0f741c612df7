//! Parser of SMV. It always returns a tree: text that cannot be parsed is reported and skipped.
//!
//! This file has the state of the parser and the functions for looking ahead, reporting and recovering; the grammar is
//! in the files below it.

mod bracket;
mod declarations;
mod expand;
mod expr;
mod items;
mod operand;
mod operator;
mod property;
mod psl;
mod recover;
mod types;

use super::ast::{Dialect, ExprId, ExprKind, Exprs, File, Ident};
use super::codes;
use super::grammar::Grammar;
use super::lexer::{self, Lexed};
use super::token::{Keyword, Token, TokenKind};
use crate::diagnostic::Diagnostic;
use crate::span::{SourceFile, Span};
use std::collections::HashMap;
use std::sync::Arc;

/// Number of errors that are reported; parsing ends after them.
pub(crate) const MAX_ERRORS: usize = 100;

/// Parses a file. The tree has everything that could be parsed, also after errors.
pub fn parse(source: &SourceFile, dialect: Dialect) -> (File, Vec<Diagnostic>) {
    let Lexed { tokens, comments, diagnostics } = lexer::lex(source);
    let hopeless = diagnostics.len() > MAX_ERRORS;
    let mut parser = Parser::new(source, tokens, dialect, diagnostics);
    let modules = if hopeless { Vec::new() } else { parser.file() };
    (File { exprs: parser.exprs, modules, comments }, finish(parser.diagnostics))
}

/// Parses the sections of a file without a module around them, such as properties that are kept apart from their model. They
/// are in one module without a name.
pub fn parse_sections(source: &SourceFile, dialect: Dialect) -> (File, Vec<Diagnostic>) {
    let Lexed { tokens, comments, diagnostics } = lexer::lex(source);
    let hopeless = diagnostics.len() > MAX_ERRORS;
    let mut parser = Parser::new(source, tokens, dialect, diagnostics);
    let modules = if hopeless { Vec::new() } else { vec![parser.nameless_module()] };
    (File { exprs: parser.exprs, modules, comments }, finish(parser.diagnostics))
}

/// Parses a single expression or formula, such as one of the command line.
pub fn parse_expr(source: &SourceFile, dialect: Dialect) -> (Exprs, Option<ExprId>, Vec<Diagnostic>) {
    let Lexed { tokens, diagnostics, .. } = lexer::lex(source);
    let hopeless = diagnostics.len() > MAX_ERRORS;
    let mut parser = Parser::new(source, tokens, dialect, diagnostics);
    let expr = if hopeless { None } else { parser.single_expr() };
    (parser.exprs, expr, finish(parser.diagnostics))
}

/// Sorts the diagnostics by position and truncates them.
fn finish(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span);
    if diagnostics.len() > MAX_ERRORS {
        let first_left_out = diagnostics[MAX_ERRORS].primary.span;
        diagnostics.truncate(MAX_ERRORS);
        let message = format!("more than {MAX_ERRORS} errors; the others are not shown");
        diagnostics.push(Diagnostic::error(codes::TOO_MANY_ERRORS, first_left_out, message));
    }
    diagnostics
}

/// Adds a diagnostic unless there are too many; returns whether another one would be kept.
pub(crate) fn push_bounded(diagnostics: &mut Vec<Diagnostic>, diagnostic: Diagnostic) -> bool {
    if diagnostics.len() <= MAX_ERRORS {
        diagnostics.push(diagnostic);
    }
    diagnostics.len() <= MAX_ERRORS
}

/// A construct was abandoned; the error has been reported.
#[derive(Clone, Copy, Debug)]
struct Abandoned;

type Parsed<T> = Result<T, Abandoned>;

struct Parser<'a> {
    source: &'a SourceFile,
    tokens: Vec<Token>,
    at: usize,
    dialect: Dialect,
    grammar: Grammar,
    exprs: Exprs,
    names: HashMap<&'a str, Arc<str>>,
    diagnostics: Vec<Diagnostic>,
    /// Position of the last error; a second error at the same position is not reported.
    last_error: Option<u32>,
    /// Whether a missing `;` is a consequence of an error that was reported.
    forgive_semicolon: bool,
    /// The constructs that were unfinished in the last abandoned expression.
    unfinished: expr::Unfinished,
    psl: expand::Expansion,
}

impl<'a> Parser<'a> {
    fn new(source: &'a SourceFile, tokens: Vec<Token>, dialect: Dialect, diagnostics: Vec<Diagnostic>) -> Parser<'a> {
        Parser {
            source,
            tokens,
            at: 0,
            dialect,
            grammar: smv_grammar(dialect),
            exprs: Exprs::default(),
            names: HashMap::new(),
            diagnostics,
            last_error: None,
            forgive_semicolon: false,
            unfinished: expr::Unfinished::default(),
            psl: expand::Expansion::default(),
        }
    }

    fn single_expr(&mut self) -> Option<ExprId> {
        let expr = self.expr().ok()?;
        self.eat(TokenKind::Semi);
        if self.kind() != TokenKind::Eof {
            self.unexpected("an operator or the end of the expression");
            return None;
        }
        Some(expr)
    }

    // Lookahead.

    fn token(&self) -> Token {
        self.tokens[self.at]
    }

    fn kind(&self) -> TokenKind {
        self.tokens[self.at].kind
    }

    fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    /// The token `n` positions ahead, or the end.
    fn ahead(&self, n: usize) -> Token {
        self.tokens[(self.at + n).min(self.tokens.len() - 1)]
    }

    /// The span of the last consumed token.
    fn last_span(&self) -> Span {
        if self.at == 0 { Span::new(self.source.start, self.source.start) } else { self.tokens[self.at - 1].span }
    }

    /// The empty span after the last consumed token.
    fn gap(&self) -> Span {
        let end = self.last_span().end;
        Span::new(end, end)
    }

    fn slice(&self, span: Span) -> &'a str {
        self.source.slice(span)
    }

    fn text(&self) -> &'a str {
        self.slice(self.span())
    }

    fn is_keyword(&self, keyword: Keyword) -> bool {
        self.kind() == TokenKind::Keyword(keyword)
    }

    /// Whether a token is the first one of its line.
    fn starts_line(&self, at: usize) -> bool {
        if at == 0 {
            return true;
        }
        let (end, start) = (self.tokens[at - 1].span.end, self.tokens[at].span.start);
        self.slice(Span::new(end, start)).contains('\n')
    }

    // Consuming tokens.

    fn bump(&mut self) -> Token {
        self.source.budget.look();
        let token = self.token();
        if token.kind != TokenKind::Eof {
            self.at += 1;
        }
        token
    }

    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.kind() == kind;
        if found {
            self.bump();
        }
        found
    }

    fn eat_keyword(&mut self, keyword: Keyword) -> bool {
        self.eat(TokenKind::Keyword(keyword))
    }

    fn expect(&mut self, kind: TokenKind) -> Parsed<Span> {
        if self.kind() == kind {
            return Ok(self.bump().span);
        }
        Err(self.unexpected(&format!("`{}`", kind.text().unwrap_or_default())))
    }

    // Names.

    fn intern(&mut self, text: &'a str) -> Arc<str> {
        Arc::clone(self.names.entry(text).or_insert_with(|| Arc::from(text)))
    }

    fn ident_at(&mut self, span: Span) -> Ident {
        let text = self.intern(self.slice(span));
        Ident { text, span }
    }

    /// A name; `what` says which one, as in "the name of a module".
    fn name(&mut self, what: &str) -> Parsed<Ident> {
        match self.kind() {
            TokenKind::Name => {
                let span = self.bump().span;
                Ok(self.ident_at(span))
            }
            TokenKind::Keyword(keyword) if !keyword.starts_section() || !self.starts_line(self.at) => {
                self.reserved_word(what);
                let span = self.bump().span;
                Ok(self.ident_at(span))
            }
            _ => Err(self.unexpected(what)),
        }
    }

    // Building and reporting.

    fn error_expr(&mut self, span: Span) -> ExprId {
        let id = self.exprs.add(ExprKind::Error, span);
        self.psl.note(&self.exprs, id);
        id
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        if self.last_error == Some(diagnostic.primary.span.start) && diagnostic.is_error() {
            return;
        }
        if diagnostic.is_error() {
            self.last_error = Some(diagnostic.primary.span.start);
        }
        if !push_bounded(&mut self.diagnostics, diagnostic) {
            self.at = self.tokens.len() - 1;
        }
    }

    /// Reports that the current token is unexpected.
    fn unexpected(&mut self, expected: &str) -> Abandoned {
        if self.kind() == TokenKind::Bad {
            self.last_error = Some(self.span().start);
            return Abandoned;
        }
        let message = format!("expected {expected}, found {}", self.describe(self.token()));
        let place = if self.kind() == TokenKind::Eof { self.gap() } else { self.span() };
        let mut diagnostic = Diagnostic::error(codes::UNEXPECTED, place, message);
        let last = self.last_span();
        if self.kind() == TokenKind::Name && last.end == self.span().start && self.at > 0 {
            if self.tokens[self.at - 1].kind == TokenKind::Int {
                diagnostic = diagnostic.note("a name cannot start with a digit");
            }
        } else if let TokenKind::Keyword(keyword) = self.kind()
            && keyword.text().len() == 1
            && expected == "an expression"
        {
            diagnostic = diagnostic.note(format!("`{}` is a reserved word and cannot be a name", keyword.text()));
        }
        self.report(diagnostic);
        Abandoned
    }

    fn reserved_word(&mut self, what: &str) {
        let word = self.text();
        let suggestion = format!("{word}_");
        self.report(
            Diagnostic::error(codes::RESERVED_WORD, self.span(), format!("`{word}` is a reserved word"))
                .label(format!("expected {what}"))
                .suggest("use another name", self.span(), suggestion),
        );
    }

    /// A token as it appears in messages.
    fn describe(&self, token: Token) -> String {
        if token.kind == TokenKind::Eof {
            return "the end of the text".into();
        }
        let text = self.slice(token.span);
        match text.char_indices().nth(40) {
            Some((cut, _)) => format!("`{}…`", &text[..cut]),
            None => format!("`{text}`"),
        }
    }
}

/// The grammar of expressions outside of PSL.
fn smv_grammar(dialect: Dialect) -> Grammar {
    match dialect {
        Dialect::NuSmv => Grammar::NuSmv,
        Dialect::Cmu => Grammar::Cmu,
    }
}
