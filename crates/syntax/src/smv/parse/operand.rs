//! Before an operand: names, constants, calls, prefix operators and opening brackets.

use super::expr::{CaseFrame, Frame, Open, Operand, Path, Stack, Step};
use super::{Abandoned, Parsed, Parser};
use crate::diagnostic::Diagnostic;
use crate::op::{BoundedOp, Builtin, UnaryOp};
use crate::smv::ast::{Dialect, ExprId, ExprKind};
use crate::smv::codes;
use crate::smv::grammar::{Grammar, SMV_TEMPORAL};
use crate::smv::literal::parse_word;
use crate::smv::token::{Keyword, TokenKind};
use crate::span::Span;

impl Parser<'_> {
    /// Parses an operand or the beginning of one.
    pub(super) fn operand(&mut self, stack: &mut Stack) -> Parsed<Step> {
        use TokenKind as T;
        if self.grammar == Grammar::Psl
            && let Some(step) = self.psl_operand(stack)?
        {
            return Ok(step);
        }
        let span = self.span();
        match self.kind() {
            T::Name => {
                self.bump();
                let name = self.intern(self.slice(span));
                self.leaf(ExprKind::Name(name), span)
            }
            T::Int => {
                let value = self.integer();
                self.leaf(ExprKind::Int(value), span)
            }
            T::Word => self.word(),
            T::LParen => {
                self.bump();
                self.open(stack, Frame::Paren, span)
            }
            T::LBrace => {
                self.bump();
                if self.kind() == T::RBrace {
                    self.bump();
                    return self.empty(
                        span.to(self.last_span()),
                        "this set is empty",
                        "a set has at least one element",
                    );
                }
                self.open(stack, Frame::Set(Vec::new()), span)
            }
            T::LBracket if matches!(stack.top(), Some(Frame::Array(_))) => {
                self.bump();
                self.open(stack, Frame::Array(Vec::new()), span)
            }
            T::Not | T::Tilde => {
                if self.kind() == T::Tilde {
                    self.foreign("!");
                }
                self.bump();
                let level = self.grammar.unary(UnaryOp::Not);
                self.open(stack, Frame::Prefix { op: UnaryOp::Not, level }, span)
            }
            T::Minus => {
                self.bump();
                let level = self.grammar.unary(UnaryOp::Neg);
                self.open(stack, Frame::Prefix { op: UnaryOp::Neg, level }, span)
            }
            T::Plus if self.ahead(1).kind == T::Int => {
                self.bump();
                let value = self.integer();
                self.leaf(ExprKind::Int(value), span.to(self.last_span()))
            }
            T::Keyword(keyword) => self.keyword_operand(stack, keyword),
            T::Real => {
                self.bump();
                Err(self.unsupported(span, "numbers with a fraction or an exponent are not supported"))
            }
            _ => self.no_operand(stack),
        }
    }

    fn keyword_operand(&mut self, stack: &mut Stack, keyword: Keyword) -> Parsed<Step> {
        use Keyword as K;
        let span = self.span();
        match keyword {
            K::True | K::False => {
                self.bump();
                self.leaf(ExprKind::Bool(keyword == K::True), span)
            }
            K::SelfRef => {
                self.bump();
                self.leaf(ExprKind::SelfRef, span)
            }
            K::Case => {
                self.bump();
                let case = CaseFrame { branch_start: self.at, ..CaseFrame::default() };
                self.open(stack, Frame::Case(Box::new(case)), span)
            }
            K::Esac => self.close_case(stack),
            K::Next => {
                self.bump();
                self.expect(TokenKind::LParen)?;
                self.open(stack, Frame::Next, span)
            }
            K::A | K::E => {
                self.bump();
                self.temporal(stack, span);
                self.expect(TokenKind::LBracket)?;
                let path = if keyword == K::A { Path::All } else { Path::Some };
                self.open(stack, Frame::UntilLeft(path), span)
            }
            K::Ebf | K::Abf | K::Ebg | K::Abg => {
                self.bump();
                self.temporal(stack, span);
                let (low, high) = self.bounds(TokenKind::DotDot)?;
                let op = match keyword {
                    K::Ebf => BoundedOp::EBF,
                    K::Abf => BoundedOp::ABF,
                    K::Ebg => BoundedOp::EBG,
                    _ => BoundedOp::ABG,
                };
                self.open(stack, Frame::Bounded { op, low, high }, span)
            }
            K::Read | K::Write => {
                self.bump();
                Err(self.unsupported(span, "arrays indexed by words are not supported"))
            }
            _ => {
                if let Some(op) = temporal_prefix(keyword) {
                    self.bump();
                    self.temporal(stack, span);
                    return self.temporal_operator(stack, op, span);
                }
                if let Some((_, builtin)) = Builtin::ALL.iter().find(|(name, _)| *name == keyword.text()) {
                    self.bump();
                    self.expect(TokenKind::LParen)?;
                    return self.open(stack, Frame::Call(*builtin, Vec::new()), span);
                }
                self.no_operand(stack)
            }
        }
    }

    fn temporal_operator(&mut self, stack: &mut Stack, op: UnaryOp, span: Span) -> Parsed<Step> {
        let bounded = match op {
            UnaryOp::F => Some(BoundedOp::F),
            UnaryOp::G => Some(BoundedOp::G),
            UnaryOp::O => Some(BoundedOp::O),
            UnaryOp::H => Some(BoundedOp::H),
            _ => None,
        };
        if let Some(op) = bounded
            && self.grammar != Grammar::Psl
            && self.eat(TokenKind::LBracket)
        {
            let (low, high) = self.bounds(TokenKind::Comma)?;
            self.expect(TokenKind::RBracket)?;
            return self.open(stack, Frame::Bounded { op, low, high }, span);
        }
        self.open(stack, Frame::Prefix { op, level: self.grammar.unary(op) }, span)
    }

    /// At a temporal operator: a `!` right before it applies to the whole formula, and in NuSMV no operator tighter
    /// than `U` may precede it.
    fn temporal(&mut self, stack: &mut Stack, span: Span) {
        if self.grammar != Grammar::NuSmv {
            return;
        }
        let mut outer = None;
        for open in stack.open.iter_mut().rev() {
            match &mut open.frame {
                Frame::Prefix { op: UnaryOp::Not, level } if *level > SMV_TEMPORAL => *level = SMV_TEMPORAL,
                frame => {
                    outer = frame.level(Grammar::NuSmv);
                    break;
                }
            }
        }
        if outer.is_some_and(|level| level > SMV_TEMPORAL) {
            let operator = self.slice(span);
            self.report(
                Diagnostic::error(
                    codes::NEEDS_PARENTHESES,
                    span,
                    format!("a formula that starts with `{operator}` needs parentheses here"),
                )
                .note("temporal operators bind less tightly than comparisons and arithmetic"),
            );
        }
    }

    /// Two integers with a sign between them.
    fn bounds(&mut self, between: TokenKind) -> Parsed<(ExprId, ExprId)> {
        let low = self.bound()?;
        self.expect(between)?;
        Ok((low, self.bound()?))
    }

    pub(super) fn bound(&mut self) -> Parsed<ExprId> {
        let span = self.span();
        let negative = self.eat(TokenKind::Minus);
        if !negative {
            self.eat(TokenKind::Plus);
        }
        if self.kind() != TokenKind::Int {
            return Err(self.unexpected("a whole number as bound"));
        }
        let number_span = self.span();
        let value = self.integer();
        let number = self.make(ExprKind::Int(value), number_span)?;
        if !negative {
            return Ok(number.id);
        }
        Ok(self.make(ExprKind::Unary(UnaryOp::Neg, number.id), span.to(number_span))?.id)
    }

    /// The value of the current number.
    pub(super) fn integer(&mut self) -> i64 {
        let span = self.bump().span;
        if let Ok(value) = self.slice(span).parse() {
            return value;
        }
        self.report(
            Diagnostic::error(codes::NUMBER_TOO_LARGE, span, "this number is too large")
                .note(format!("the largest number is {}", i64::MAX)),
        );
        0
    }

    fn word(&mut self) -> Parsed<Step> {
        let span = self.bump().span;
        match parse_word(self.slice(span)) {
            Ok(word) => self.leaf(ExprKind::Word(word), span),
            Err(message) => {
                self.report(Diagnostic::error(codes::BAD_WORD, span, format!("bad word constant: {message}")));
                self.leaf(ExprKind::Error, span)
            }
        }
    }

    /// `esac` in place of a guard.
    fn close_case(&mut self, stack: &mut Stack) -> Parsed<Step> {
        if !matches!(stack.top(), Some(Frame::Case(case)) if case.guard.is_none()) {
            return self.no_operand(stack);
        }
        let end = self.bump().span;
        let Some(open) = stack.pop() else { return Err(Abandoned) };
        let Frame::Case(case) = open.frame else { return Err(Abandoned) };
        let span = open.span.to(end);
        if case.branches.is_empty() {
            if case.failed {
                return self.leaf(ExprKind::Error, span);
            }
            if self.dialect == Dialect::Cmu {
                // Without a matching branch, the value is 1.
                return self.leaf(ExprKind::Bool(true), span);
            }
            return self.empty(open.span, "this `case` has no branches", "write at least `TRUE : value;`");
        }
        self.leaf(ExprKind::Case(case.branches), span)
    }

    pub(super) fn leaf(&mut self, kind: ExprKind, span: Span) -> Parsed<Step> {
        Ok(Step::Operator(self.make(kind, span)?))
    }

    fn empty(&mut self, span: Span, message: &str, help: &str) -> Parsed<Step> {
        self.report(Diagnostic::error(codes::EMPTY, span, message).help(help));
        self.leaf(ExprKind::Error, span)
    }

    /// The current token cannot begin an operand.
    fn no_operand(&mut self, stack: &mut Stack) -> Parsed<Step> {
        use TokenKind as T;
        if self.kind() == T::Eof || self.kind().starts_section() {
            if let Some(Open { frame: Frame::Case(_), span }) = stack.bracket() {
                let span = *span;
                return Err(self.unclosed(stack, span, "case", "esac"));
            }
            // One error is enough for an expression that ends early.
            stack.reported_unclosed = true;
        }
        if self.kind() == T::LBracket && self.grammar != Grammar::Psl {
            let opener = self.span();
            self.report(
                Diagnostic::error(codes::UNEXPECTED, opener, "expected an expression, found `[`")
                    .note("an array is written out only as the whole of a DEFINE"),
            );
            return Err(Abandoned);
        }
        let abandoned = self.unexpected("an expression");
        match self.kind() {
            // Assume an operand, and go on with the current token.
            T::Semi
            | T::RParen
            | T::RBracket
            | T::RBrace
            | T::Comma
            | T::Colon
            | T::Eof
            | T::Keyword(Keyword::Esac) => {}
            kind if kind.starts_section() => {}
            _ => return Err(abandoned),
        }
        let gap = self.gap();
        let id = self.error_expr(gap);
        Ok(Step::Operator(Operand { id, span: gap }))
    }

    pub(super) fn unsupported(&mut self, span: Span, message: &str) -> Abandoned {
        self.report(Diagnostic::error(codes::UNSUPPORTED, span, message));
        Abandoned
    }

    /// The current token is an operator of another language.
    pub(super) fn foreign(&mut self, ours: &str) {
        let theirs = self.text();
        self.report(
            Diagnostic::error(codes::FOREIGN_OPERATOR, self.span(), format!("`{theirs}` is not an operator of SMV"))
                .suggest(format!("SMV writes `{ours}`"), self.span(), ours),
        );
    }
}

fn temporal_prefix(keyword: Keyword) -> Option<UnaryOp> {
    Some(match keyword {
        Keyword::Ex => UnaryOp::EX,
        Keyword::Ax => UnaryOp::AX,
        Keyword::Ef => UnaryOp::EF,
        Keyword::Af => UnaryOp::AF,
        Keyword::Eg => UnaryOp::EG,
        Keyword::Ag => UnaryOp::AG,
        Keyword::X => UnaryOp::X,
        Keyword::F => UnaryOp::F,
        Keyword::G => UnaryOp::G,
        Keyword::Y => UnaryOp::Y,
        Keyword::Z => UnaryOp::Z,
        Keyword::H => UnaryOp::H,
        Keyword::O => UnaryOp::O,
        _ => return None,
    })
}
