//! Brackets of all kinds: parentheses, sets, calls, `case … esac`, `A [p U q]`.

use super::expr::{Frame, Open, Operand, Path, Stack, Step};
use super::{Abandoned, Parsed, Parser};
use crate::diagnostic::Diagnostic;
use crate::op::Builtin;
use crate::smv::ast::ExprKind;
use crate::smv::codes;
use crate::smv::grammar::Grammar;
use crate::smv::token::{Keyword, TokenKind};
use crate::span::Span;

impl Parser<'_> {
    /// After the left operand of `A [p U q]`.
    pub(super) fn until(&mut self, stack: &mut Stack, left: Operand) -> Parsed<Step> {
        let Some(Open { frame: Frame::UntilLeft(path), span }) = stack.pop() else { return Err(Abandoned) };
        let weak = path == Path::Bare && self.kind() == TokenKind::Name && self.text() == "W";
        let bounds = if weak || self.is_keyword(Keyword::U) {
            self.bump();
            None
        } else if self.is_keyword(Keyword::Bu) && path != Path::Bare {
            self.bump();
            let low = self.bound()?;
            self.expect(TokenKind::DotDot)?;
            Some((low, self.bound()?))
        } else {
            let expected = if path == Path::Bare { "`U` or `W`" } else { "`U` or `BU`" };
            return Err(self.unexpected(expected));
        };
        self.open(stack, Frame::UntilRight { path, left: left.id, bounds, weak }, span)
    }

    /// After the guard or the value of a branch of a `case`.
    pub(super) fn branch(&mut self, stack: &mut Stack, operand: Operand) -> Parsed<Step> {
        let at_esac = self.is_keyword(Keyword::Esac);
        let Some(Open { frame: Frame::Case(case), span }) = stack.open.last_mut() else { return Err(Abandoned) };
        let span = *span;
        match (case.guard, self.kind()) {
            (None, TokenKind::Colon) => {
                case.guard = Some(operand.id);
                self.bump();
            }
            (Some(guard), TokenKind::Semi | TokenKind::Keyword(Keyword::Esac)) => {
                case.branches.push((guard, operand.id));
                case.guard = None;
                case.branch_start = self.at + 1;
                if at_esac {
                    self.missing_semicolon("a branch of `case`");
                } else {
                    self.bump();
                }
            }
            (guard, kind) => {
                if kind == TokenKind::Eof || kind.starts_section() {
                    return Err(self.unclosed(stack, span, "case", "esac"));
                }
                let expected = if guard.is_none() { "an operator or `:` after a guard" } else { "an operator or `;`" };
                return Err(self.unexpected(expected));
            }
        }
        Ok(Step::Operand)
    }

    /// After the sign that closes the innermost bracket.
    pub(super) fn close(&mut self, stack: &mut Stack, operand: Operand, end: Span) -> Parsed<Step> {
        let Some(Open { frame, span: start }) = stack.pop() else { return Err(Abandoned) };
        let span = start.to(end);
        let whole = match frame {
            Frame::Next => self.make(ExprKind::Next(operand.id), span)?,
            Frame::Set(mut items) => {
                items.push(operand.id);
                self.make(ExprKind::Set(items), span)?
            }
            Frame::Array(mut items) => {
                items.push(operand.id);
                self.make(ExprKind::Array(items), span)?
            }
            Frame::Call(builtin, mut items) => {
                items.push(operand.id);
                self.check_arity(builtin, items.len(), span);
                self.make(ExprKind::Call(builtin, items), span)?
            }
            Frame::Select(mut items) => {
                items.push(operand.id);
                let [word, high, low] = items[..] else {
                    self.report(Diagnostic::error(codes::WRONG_ARITY, span, "`select` takes a word and two bounds"));
                    return Err(Abandoned);
                };
                self.make(ExprKind::Slice(word, high, low), span)?
            }
            Frame::Index { base } => self.make(ExprKind::Index(base.id, operand.id), base.span.to(end))?,
            Frame::Slice { base, high } => self.make(ExprKind::Slice(base.id, high, operand.id), base.span.to(end))?,
            Frame::UntilRight { path, left, bounds, weak } => {
                self.make_until(path, left, bounds, weak, operand, span)?
            }
            Frame::EventCondition(event) => return self.event_condition(stack, event, operand, start),
            Frame::EventBody(event, condition) => self.event(event, condition, operand, span)?,
            _ => Operand { id: operand.id, span },
        };
        Ok(Step::Operator(whole))
    }

    fn check_arity(&mut self, builtin: Builtin, n_found: usize, span: Span) {
        let expected = match builtin {
            Builtin::Count => return,
            Builtin::Min | Builtin::Max | Builtin::Extend | Builtin::Resize | Builtin::UwConst | Builtin::SwConst => 2,
            _ => 1,
        };
        if n_found != expected {
            let plural = if expected == 1 { "" } else { "s" };
            let message = format!("`{}` takes {expected} argument{plural}, found {n_found}", builtin.name());
            self.report(Diagnostic::error(codes::WRONG_ARITY, span, message));
        }
    }

    /// The next token neither continues nor closes the innermost bracket.
    pub(super) fn not_closed(&mut self, stack: &mut Stack, operand: Operand) -> Parsed<Step> {
        use TokenKind as T;
        let Some(Open { frame, span }) = stack.open.last() else { return Ok(Step::Done(operand)) };
        let (span, opener, closer) = (*span, opener(frame), closer(frame));
        let kind = self.kind();
        if self.grammar == Grammar::Psl && matches!(frame, Frame::Set(_)) && matches!(kind, T::Semi | T::Colon) {
            return Err(self.sere(span));
        }
        if let Frame::Then { .. } = frame {
            self.report(
                Diagnostic::error(
                    codes::UNEXPECTED,
                    self.span(),
                    format!("expected `:`, found {}", self.describe(self.token())),
                )
                .also(span, "after this `?`"),
            );
        } else if matches!(kind, T::RParen | T::RBracket | T::RBrace) {
            let found = self.text();
            let message = format!("`{opener}` is closed by `{found}`");
            self.report(
                Diagnostic::error(codes::UNCLOSED, self.span(), message)
                    .label(format!("expected `{closer}`"))
                    .also(span, "opened here"),
            );
            let closes_outer = stack.brackets.iter().any(|at| closer_kind(&stack.open[*at].frame) == Some(kind));
            let end = self.span();
            if !closes_outer {
                self.bump();
            }
            return self.close(stack, operand, end);
        } else if matches!(kind, T::Semi | T::Eof | T::Keyword(Keyword::Esac)) || kind.starts_section() {
            if !stack.reported_unclosed {
                self.unclosed(stack, span, opener, closer);
            }
            let end = self.last_span();
            return self.close(stack, operand, end);
        } else {
            let more = if matches!(frame, Frame::Set(_) | Frame::Array(_) | Frame::Call(..)) { "`,`, " } else { "" };
            return Err(
                self.unexpected(&format!("an operator, {more}or `{closer}`").replace("operator, or", "operator or"))
            );
        }
        Err(Abandoned)
    }

    pub(super) fn unclosed(&mut self, stack: &mut Stack, start: Span, opener: &str, closer: &str) -> Abandoned {
        stack.reported_unclosed = true;
        let found = if self.kind() == TokenKind::Eof { self.gap() } else { self.span() };
        let start = Span::new(start.start, start.start + opener.len() as u32);
        self.report(
            Diagnostic::error(codes::UNCLOSED, start, format!("this `{opener}` is never closed"))
                .also(found, format!("expected `{closer}` before this")),
        );
        Abandoned
    }
}

/// The opening of a bracket, for messages.
fn opener(frame: &Frame) -> &'static str {
    match frame {
        Frame::Set(_) => "{",
        Frame::UntilRight { path: Path::All, .. } | Frame::UntilLeft(Path::All) => "A [",
        Frame::UntilRight { path: Path::Some, .. } | Frame::UntilLeft(Path::Some) => "E [",
        Frame::Array(_)
        | Frame::Index { .. }
        | Frame::Slice { .. }
        | Frame::UntilRight { .. }
        | Frame::UntilLeft(_) => "[",
        Frame::Next => "next(",
        Frame::Call(builtin, _) => builtin.name(),
        Frame::Case(_) => "case",
        _ => "(",
    }
}

/// The closing of a bracket, for messages.
fn closer(frame: &Frame) -> &'static str {
    closer_kind(frame).and_then(TokenKind::text).unwrap_or("esac")
}

/// The token that closes a bracket, if it is a single one.
pub(super) fn closer_kind(frame: &Frame) -> Option<TokenKind> {
    match frame {
        Frame::Set(_) => Some(TokenKind::RBrace),
        Frame::Array(_)
        | Frame::Index { .. }
        | Frame::Slice { .. }
        | Frame::UntilLeft(_)
        | Frame::UntilRight { .. } => Some(TokenKind::RBracket),
        Frame::Case(_) | Frame::Then { .. } => None,
        _ => Some(TokenKind::RParen),
    }
}
