//! Parser of `PSLSPEC`: formulas are translated to equivalent ones of LTL and CTL (`expand.rs`).
//!
//! Supported is the subset that NuSMV checks: the operators of the foundation language and CTL. Regular expressions
//! (SEREs) and clocks are reported as unsupported.

use super::expand::{Event, MAX_SIZE, Replicator};
use super::expr::{Frame, Infix, Operand, Path, Stack, Step};
use super::operator::binary_operator;
use super::{Abandoned, Parsed, Parser};
use crate::diagnostic::Diagnostic;
use crate::op::{BinaryOp, UnaryOp};
use crate::smv::ast::ExprKind;
use crate::smv::codes;
use crate::smv::grammar::{Grammar, Level, PSL_ALWAYS, PSL_AND_AND, PSL_BEFORE, PSL_NEXT, PSL_OR_OR, PSL_UNTIL};
use crate::smv::token::{Keyword, TokenKind};
use crate::span::Span;

impl Parser<'_> {
    /// Whether a sign follows the current token without a gap, as in `until!`.
    fn has_suffix(&self, n: usize, kind: TokenKind) -> bool {
        self.ahead(n).kind == kind && self.ahead(n).span.start == self.ahead(n - 1).span.end
    }

    /// Parses an operand that exists only in PSL.
    pub(super) fn psl_operand(&mut self, stack: &mut Stack) -> Parsed<Option<Step>> {
        use TokenKind as T;
        let span = self.span();
        let step = match self.kind() {
            T::Name => return self.psl_word(stack, span),
            T::Keyword(Keyword::Next) => self.psl_next(stack, span, PSL_NEXT)?,
            T::Keyword(Keyword::X) => {
                let level = self.grammar.unary(UnaryOp::X);
                self.psl_next(stack, span, level)?
            }
            T::LBracket if matches!(self.ahead(1).kind, T::Star | T::Plus | T::Eq | T::Arrow) => {
                return Err(self.sere(span));
            }
            T::LBracket => {
                self.bump();
                self.open(stack, Frame::UntilLeft(Path::Bare), span)?
            }
            _ => return Ok(None),
        };
        Ok(Some(step))
    }

    fn psl_word(&mut self, stack: &mut Stack, span: Span) -> Parsed<Option<Step>> {
        let word = self.text();
        let step = match word {
            "always" => {
                self.bump();
                self.open(stack, Frame::Prefix { op: UnaryOp::G, level: PSL_ALWAYS }, span)?
            }
            "never" => {
                self.bump();
                self.open(stack, Frame::Prefix { op: UnaryOp::G, level: PSL_ALWAYS }, span)?;
                self.open(stack, Frame::Prefix { op: UnaryOp::Not, level: PSL_ALWAYS }, span)?
            }
            "eventually" => {
                if self.has_suffix(1, TokenKind::Not) {
                    self.bump();
                } else {
                    let end = Span::new(span.end, span.end);
                    self.report(
                        Diagnostic::error(codes::UNEXPECTED, span, "`eventually` is written with a `!` in PSL")
                            .suggest("add it", end, "!"),
                    );
                }
                self.bump();
                self.open(stack, Frame::Prefix { op: UnaryOp::F, level: PSL_NEXT }, span)?
            }
            "next_a" | "next_e" => {
                self.bump();
                let strong = self.strong();
                let (low, high) = self.psl_bounds()?;
                self.expect(TokenKind::LParen)?;
                let event = Event { all: word == "next_a", strong, low, high };
                self.open(stack, Frame::EventBody(event, None), span)?
            }
            "next_event" | "next_event_a" | "next_event_e" => {
                self.bump();
                let strong = self.strong();
                self.expect(TokenKind::LParen)?;
                let event = Event { all: word != "next_event_e", strong, low: 1, high: 1 };
                self.open(stack, Frame::EventCondition(event), span)?
            }
            "forall" | "forany" => {
                self.bump();
                self.replicator(stack, if word == "forall" { BinaryOp::And } else { BinaryOp::Or }, span)?
            }
            "select" if self.ahead(1).kind == TokenKind::LParen => {
                self.bump();
                self.bump();
                self.open(stack, Frame::Select(Vec::new()), span)?
            }
            "within" | "within_" | "whilenot" | "whilenot_" | "sequence" => return Err(self.sere(span)),
            _ => return Ok(None),
        };
        Ok(Some(step))
    }

    /// The `!` of a strong operator.
    fn strong(&mut self) -> bool {
        let found = self.kind() == TokenKind::Not && self.span().start == self.last_span().end;
        if found {
            self.bump();
        }
        found
    }

    /// `next p`, `next! p`, `next[n](p)`; on infinite paths, strong and weak are the same.
    fn psl_next(&mut self, stack: &mut Stack, span: Span, level: Level) -> Parsed<Step> {
        self.bump();
        let strong = self.strong();
        // The bracket in `X [p U q]` is not a count.
        let counts = self.kind() == TokenKind::LBracket
            && self.ahead(1).kind == TokenKind::Int
            && matches!(self.ahead(2).kind, TokenKind::RBracket | TokenKind::Colon);
        if !counts {
            return self.open(stack, Frame::Prefix { op: UnaryOp::X, level }, span);
        }
        let (low, high) = self.psl_bounds()?;
        self.expect(TokenKind::LParen)?;
        self.open(stack, Frame::EventBody(Event { all: true, strong, low, high }, None), span)
    }

    /// `[n]`, `[low : high]`
    fn psl_bounds(&mut self) -> Parsed<(i64, i64)> {
        self.expect(TokenKind::LBracket)?;
        let low = self.psl_bound()?;
        let high = if self.eat(TokenKind::Colon) { self.psl_bound()? } else { low };
        let end = self.expect(TokenKind::RBracket)?;
        if low > high {
            self.report(
                Diagnostic::error(codes::UNEXPECTED, end, "this range is empty")
                    .label("its lower bound is above its upper bound"),
            );
            return Err(Abandoned);
        }
        Ok((low, high))
    }

    fn psl_bound(&mut self) -> Parsed<i64> {
        if self.kind() == TokenKind::Int {
            return Ok(self.integer());
        }
        Err(self.unexpected("a whole number"))
    }

    /// After the condition of `next_event(b)`.
    pub(super) fn event_condition(
        &mut self,
        stack: &mut Stack,
        mut event: Event,
        condition: Operand,
        start: Span,
    ) -> Parsed<Step> {
        if self.kind() == TokenKind::LBracket {
            let bracket = self.span();
            (event.low, event.high) = self.psl_bounds()?;
            if event.low < 1 {
                self.report(Diagnostic::error(codes::UNEXPECTED, bracket, "events are counted from 1"));
                return Err(Abandoned);
            }
        }
        self.expect(TokenKind::LParen)?;
        self.open(stack, Frame::EventBody(event, Some(condition.id)), start)
    }

    /// The current infix operator of PSL, its level, and its number of tokens.
    pub(super) fn psl_infix(&mut self) -> Parsed<Option<(Infix, Level, usize)>> {
        use TokenKind as T;
        debug_assert!(self.grammar == Grammar::Psl, "only PSL has these operators");
        let (op, level) = match self.kind() {
            T::AndAnd => (BinaryOp::And, PSL_AND_AND),
            T::OrOr => (BinaryOp::Or, PSL_OR_OR),
            T::Caret => (BinaryOp::Xor, self.grammar.binary(BinaryOp::Xor)),
            T::EqEq => (BinaryOp::Eq, self.grammar.binary(BinaryOp::Eq)),
            T::PipeArrow | T::PipeFatArrow => return Err(self.sere(self.span())),
            T::Keyword(Keyword::U | Keyword::V | Keyword::S | Keyword::T) => return Ok(None),
            T::Name => return self.psl_infix_word(),
            kind => match binary_operator(kind) {
                Some(op) => (op, self.grammar.binary(op)),
                None => return Ok(None),
            },
        };
        Ok(Some((Infix::Binary(op), level, 1)))
    }

    fn psl_infix_word(&mut self) -> Parsed<Option<(Infix, Level, usize)>> {
        let word = self.text();
        if word == "abort" {
            let span = self.span();
            return Err(self.unsupported_psl(span, "`abort` is not supported"));
        }
        let is_until = word.starts_with("until");
        if !matches!(word, "until" | "until_" | "before" | "before_") {
            return Ok(None);
        }
        let mut inclusive = word.ends_with('_');
        let mut n_tokens = 1;
        let strong = !inclusive && self.has_suffix(1, TokenKind::Not);
        if strong {
            n_tokens = 2;
            let next = self.ahead(2);
            if self.has_suffix(2, TokenKind::Name) && self.slice(next.span) == "_" {
                inclusive = true;
                n_tokens = 3;
            }
        }
        Ok(Some(if is_until {
            (Infix::Until { strong, inclusive }, PSL_UNTIL, n_tokens)
        } else {
            (Infix::Before { strong, inclusive }, PSL_BEFORE, n_tokens)
        }))
    }

    /// `forall i in {1, 3:5} :`, `forall i in boolean :`
    fn replicator(&mut self, stack: &mut Stack, op: BinaryOp, span: Span) -> Parsed<Step> {
        let name = self.name("a name for the values")?.text;
        if self.kind() == TokenKind::LBracket {
            let bracket = self.span();
            return Err(self.unsupported_psl(bracket, "replication over arrays is not supported"));
        }
        if !self.eat_keyword(Keyword::In) {
            return Err(self.unexpected("`in` and a set of values"));
        }
        let values = if self.eat_keyword(Keyword::Boolean) {
            vec![ExprKind::Bool(false), ExprKind::Bool(true)]
        } else {
            self.replicated_values()?
        };
        self.expect(TokenKind::Colon)?;
        let replicator = Replicator { op, name, values, first: self.exprs.len() };
        self.open(stack, Frame::Replicate(Box::new(replicator)), span)
    }

    fn replicated_values(&mut self) -> Parsed<Vec<ExprKind>> {
        self.expect(TokenKind::LBrace)?;
        let mut values = Vec::new();
        loop {
            let span = self.span();
            match self.kind() {
                TokenKind::Int => {
                    let low = self.integer();
                    let high = if self.eat(TokenKind::Colon) { self.psl_bound()? } else { low };
                    if high.saturating_sub(low).unsigned_abs() > MAX_SIZE {
                        return Err(self.psl_too_large(span));
                    }
                    values.extend((low..=high).map(ExprKind::Int));
                }
                TokenKind::Keyword(keyword @ (Keyword::True | Keyword::False)) => {
                    self.bump();
                    values.push(ExprKind::Bool(keyword == Keyword::True));
                }
                TokenKind::Name => {
                    let name = self.name("a value")?;
                    values.push(ExprKind::Name(name.text));
                }
                _ => return Err(self.unsupported_psl(span, "only numbers and names can be replicated")),
            }
            if self.eat(TokenKind::RBrace) {
                return Ok(values);
            }
            if !self.eat(TokenKind::Comma) {
                return Err(self.unexpected("`,` or `}`"));
            }
        }
    }

    /// At a regular expression (SERE), which is not supported.
    pub(super) fn sere(&mut self, span: Span) -> Abandoned {
        self.unsupported_psl(span, "sequences (SEREs) of PSL are not supported")
    }

    fn unsupported_psl(&mut self, span: Span, message: &str) -> Abandoned {
        self.report(
            Diagnostic::error(codes::UNSUPPORTED_PSL, span, message)
                .help("write the property with temporal operators, as in `always (req -> eventually! ack)`"),
        );
        Abandoned
    }
}
