//! Tokens to tree. Nothing here can fail: what cannot be read is reported and stepped over.
//!
//! This file holds the parser's state and the ways to look at tokens, to report and to get back on track; the rules
//! of the language are in the files below it.

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

/// After so many errors the rest is hardly worth reading.
pub(crate) const MAX_ERRORS: usize = 100;

/// Reads a file. The tree holds everything that could be read, also when there are errors.
pub fn parse(source: &SourceFile, dialect: Dialect) -> (File, Vec<Diagnostic>) {
    let Lexed { tokens, comments, diagnostics } = lexer::lex(source);
    let hopeless = diagnostics.len() > MAX_ERRORS;
    let mut parser = Parser::new(source, tokens, dialect, diagnostics);
    let modules = if hopeless { Vec::new() } else { parser.file() };
    (File { exprs: parser.exprs, modules, comments }, finish(parser.diagnostics))
}

/// Reads a single expression or formula, such as one given on the command line.
pub fn parse_expr(source: &SourceFile, dialect: Dialect) -> (Exprs, Option<ExprId>, Vec<Diagnostic>) {
    let Lexed { tokens, diagnostics, .. } = lexer::lex(source);
    let hopeless = diagnostics.len() > MAX_ERRORS;
    let mut parser = Parser::new(source, tokens, dialect, diagnostics);
    let expr = if hopeless { None } else { parser.single_expr() };
    (parser.exprs, expr, finish(parser.diagnostics))
}

/// Puts the diagnostics in the order of the text and cuts off what is too much.
fn finish(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span);
    if diagnostics.len() > MAX_ERRORS {
        let first_left_out = diagnostics[MAX_ERRORS].primary.span;
        diagnostics.truncate(MAX_ERRORS);
        let message = format!("more than {MAX_ERRORS} mistakes; the others are not shown");
        diagnostics.push(Diagnostic::error(codes::TOO_MANY_ERRORS, first_left_out, message));
    }
    diagnostics
}

/// Adds a diagnostic unless there are too many already; tells whether there is any point in going on.
pub(crate) fn push_bounded(diagnostics: &mut Vec<Diagnostic>, diagnostic: Diagnostic) -> bool {
    if diagnostics.len() <= MAX_ERRORS {
        diagnostics.push(diagnostic);
    }
    diagnostics.len() <= MAX_ERRORS
}

/// A construct was given up; the reason has been reported.
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
    /// Where the last error was; a second one at the same place says nothing new.
    last_error: Option<u32>,
    /// The next missing `;` follows from an error that was reported.
    forgive_semicolon: bool,
    /// What was open in the expression that was given up last.
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

    // Looking at tokens.

    fn token(&self) -> Token {
        self.tokens[self.at]
    }

    fn kind(&self) -> TokenKind {
        self.tokens[self.at].kind
    }

    fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    /// The token `n` places ahead, or the end.
    fn ahead(&self, n: usize) -> Token {
        self.tokens[(self.at + n).min(self.tokens.len() - 1)]
    }

    /// The place of the token that was read last.
    fn last_span(&self) -> Span {
        if self.at == 0 { Span::new(self.source.start, self.source.start) } else { self.tokens[self.at - 1].span }
    }

    /// The empty place right after the token that was read last.
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

    /// Whether a token stands on another line than the one before it.
    fn starts_line(&self, at: usize) -> bool {
        if at == 0 {
            return true;
        }
        let (end, start) = (self.tokens[at - 1].span.end, self.tokens[at].span.start);
        self.slice(Span::new(end, start)).contains('\n')
    }

    // Moving on.

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

    /// Reports that something else was expected than the token at hand.
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
            diagnostic =
                diagnostic.note(format!("`{}` is a reserved word, so nothing can be named so", keyword.text()));
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

    /// A token as messages speak of it.
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

/// The rules for expressions outside of PSL.
fn smv_grammar(dialect: Dialect) -> Grammar {
    match dialect {
        Dialect::NuSmv => Grammar::NuSmv,
        Dialect::Cmu => Grammar::Cmu,
    }
}
