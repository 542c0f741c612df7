//! Where an operand has been read: an operator, a closing sign, or the end of the expression comes next.

use super::expr::{Frame, Infix, Open, Operand, Path, Stack, Step};
use super::{Abandoned, Parsed, Parser};
use crate::diagnostic::Diagnostic;
use crate::op::{BinaryOp, Builtin};
use crate::smv::ast::{Dialect, ExprKind};
use crate::smv::codes;
use crate::smv::grammar::{Grammar, LOWEST, Level};
use crate::smv::token::{Keyword, TokenKind};
use crate::span::Span;

impl Parser<'_> {
    /// Reads what follows an operand.
    pub(super) fn operator(&mut self, stack: &mut Stack, operand: Operand) -> Parsed<Step> {
        match self.kind() {
            TokenKind::Dot => return self.field(operand),
            TokenKind::LBracket => return self.index(stack, operand),
            TokenKind::Question => return self.conditional(stack, operand),
            TokenKind::DotDot if self.grammar != Grammar::Psl => return self.range(stack, operand),
            TokenKind::Becomes => return self.becomes(stack, operand),
            _ => {}
        }
        if let Some((op, level, n_tokens)) = self.infix(stack)? {
            for _ in 0..n_tokens {
                self.bump();
            }
            return self.push_infix(stack, op, level, operand);
        }
        let operand = self.reduce(stack, operand, LOWEST, true)?;
        let Some(bracket) = stack.top() else { return Ok(Step::Done(operand)) };
        match (bracket, self.kind()) {
            (Frame::Case(_), _) => self.branch(stack, operand),
            (Frame::UntilLeft(_), _) => self.until(stack, operand),
            (frame, kind) if closer_kind(frame) == Some(kind) => {
                let end = self.bump().span;
                self.close(stack, operand, end)
            }
            (Frame::Set(_) | Frame::Array(_) | Frame::Call(..) | Frame::Select(_), TokenKind::Comma) => {
                self.bump();
                if let Some(Open {
                    frame: Frame::Set(items) | Frame::Array(items) | Frame::Call(_, items) | Frame::Select(items),
                    ..
                }) = stack.open.last_mut()
                {
                    items.push(operand.id);
                }
                Ok(Step::Operand)
            }
            (Frame::Index { base }, TokenKind::Colon) => {
                let base = *base;
                self.bump();
                let span = stack.pop().map_or(base.span, |open| open.span);
                self.open(stack, Frame::Slice { base, high: operand.id }, span)
            }
            (Frame::Then { condition }, TokenKind::Colon) => {
                let condition = *condition;
                self.bump();
                stack.pop();
                self.open(stack, Frame::Else { condition, then: operand.id }, condition.span)
            }
            _ => self.not_closed(stack, operand),
        }
    }

    fn push_infix(&mut self, stack: &mut Stack, op: Infix, level: Level, operand: Operand) -> Parsed<Step> {
        let right = matches!(op, Infix::Binary(op) if self.grammar.is_right_associative(op));
        let left = self.reduce(stack, operand, level, !right)?;
        self.open(stack, Frame::Infix { op, level, left }, left.span)
    }

    /// The operator at hand, its level, and how many tokens it is made of.
    fn infix(&mut self, stack: &Stack) -> Parsed<Option<(Infix, Level, usize)>> {
        use TokenKind as T;
        if self.grammar == Grammar::Psl {
            return self.psl_infix();
        }
        // Inside of `A [p U q]`, the letters belong to the brackets.
        let in_until =
            matches!(stack.bracket(), Some(Open { frame: Frame::UntilLeft(_) | Frame::UntilRight { .. }, .. }));
        let op = match self.kind() {
            T::Keyword(Keyword::U | Keyword::V | Keyword::S | Keyword::T) if in_until => return Ok(None),
            T::EqEq => {
                self.foreign("=");
                BinaryOp::Eq
            }
            T::AndAnd => {
                self.foreign("&");
                BinaryOp::And
            }
            T::OrOr => {
                self.foreign("|");
                BinaryOp::Or
            }
            T::FatArrow => {
                self.foreign("->");
                BinaryOp::Implies
            }
            T::LtGt => {
                self.foreign("!=");
                BinaryOp::Ne
            }
            T::Percent => {
                self.foreign("mod");
                BinaryOp::Mod
            }
            T::Caret => {
                self.foreign("xor");
                BinaryOp::Xor
            }
            T::Name if self.text() == "notin" => {
                if self.dialect == Dialect::NuSmv {
                    self.report(
                        Diagnostic::error(codes::OTHER_DIALECT, self.span(), "NuSMV has no operator `notin`")
                            .help("write `!(x in set)`, or read the file with `--dialect cmu`"),
                    );
                }
                return Ok(Some((Infix::NotIn, self.grammar.binary(BinaryOp::In), 1)));
            }
            kind => match binary_operator(kind) {
                Some(op) => op,
                None => return Ok(None),
            },
        };
        Ok(Some((Infix::Binary(op), self.grammar.binary(op), 1)))
    }

    /// `a.b`
    fn field(&mut self, base: Operand) -> Parsed<Step> {
        let dot = self.bump().span;
        if !matches!(
            self.exprs[base.id].kind,
            ExprKind::Name(_) | ExprKind::Field(..) | ExprKind::Index(..) | ExprKind::SelfRef | ExprKind::Error
        ) {
            self.report(
                Diagnostic::error(codes::UNEXPECTED, dot, "only an instance of a module has parts")
                    .also(base.span, "this is not the name of one"),
            );
        }
        let field = if self.kind() == TokenKind::Int {
            let span = self.bump().span;
            self.ident_at(span)
        } else {
            self.name("a name after `.`")?
        };
        let span = base.span.to(field.span);
        Ok(Step::Operator(self.make(ExprKind::Field(base.id, field), span)?))
    }

    /// `a[i]`, `w[high : low]`
    fn index(&mut self, stack: &mut Stack, base: Operand) -> Parsed<Step> {
        let opener = self.span();
        if self.grammar == Grammar::Psl
            && matches!(self.ahead(1).kind, TokenKind::Star | TokenKind::Plus | TokenKind::Eq | TokenKind::Arrow)
        {
            return Err(self.sere(base.span.to(opener)));
        }
        self.bump();
        self.open(stack, Frame::Index { base }, opener)
    }

    /// `c ? a : b`
    fn conditional(&mut self, stack: &mut Stack, operand: Operand) -> Parsed<Step> {
        let mark = self.bump().span;
        let condition = self.reduce(stack, operand, self.grammar.conditional(), false)?;
        self.open(stack, Frame::Then { condition }, mark)
    }

    /// `a..b`
    fn range(&mut self, stack: &mut Stack, operand: Operand) -> Parsed<Step> {
        let dots = self.bump().span;
        let left = self.reduce(stack, operand, self.grammar.range(), true)?;
        self.open(stack, Frame::Range { left }, dots)
    }

    /// `:=` belongs to no expression: somebody meant `=`, or forgot an `esac`.
    fn becomes(&mut self, stack: &mut Stack, operand: Operand) -> Parsed<Step> {
        let in_guard = stack.open.iter().rev().find_map(|open| match &open.frame {
            Frame::Case(case) => Some((open.span, case.guard.is_none(), case.branch_start)),
            _ => None,
        });
        if let Some((case, true, branch_start)) = in_guard
            && self.starts_line(branch_start)
        {
            let declaration = self.tokens[branch_start].span;
            self.report(
                Diagnostic::error(codes::UNCLOSED, case, "this `case` is never closed")
                    .label("expected an `esac` for this")
                    .also(declaration, "before this assignment"),
            );
            self.at = branch_start;
            self.forgive_semicolon = true;
            stack.open.clear();
            stack.brackets.clear();
            let id = self.error_expr(case);
            return Ok(Step::Done(Operand { id, span: case }));
        }
        self.report(
            Diagnostic::error(codes::WRONG_EQUALS, self.span(), "`:=` cannot be used in an expression")
                .note("`:=` assigns a value, `=` compares two values")
                .suggest("compare with `=`", self.span(), "="),
        );
        self.bump();
        let level = self.grammar.binary(BinaryOp::Eq);
        self.push_infix(stack, Infix::Binary(BinaryOp::Eq), level, operand)
    }

    /// The left side of `A [p U q]` has been read.
    fn until(&mut self, stack: &mut Stack, left: Operand) -> Parsed<Step> {
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

    /// A part of a branch of a `case` has been read.
    fn branch(&mut self, stack: &mut Stack, operand: Operand) -> Parsed<Step> {
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

    /// The sign that closes the innermost bracket has been read.
    fn close(&mut self, stack: &mut Stack, operand: Operand, end: Span) -> Parsed<Step> {
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

    /// The innermost bracket cannot go on with the token at hand.
    fn not_closed(&mut self, stack: &mut Stack, operand: Operand) -> Parsed<Step> {
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
            if matches!(kind, T::LParen) && matches!(self.exprs[operand.id].kind, ExprKind::Name(_)) {
                return Err(self.not_a_function(operand));
            }
            return Err(
                self.unexpected(&format!("an operator, {more}or `{closer}`").replace("operator, or", "operator or"))
            );
        }
        Err(Abandoned)
    }

    fn unclosed(&mut self, stack: &mut Stack, start: Span, opener: &str, closer: &str) -> Abandoned {
        stack.reported_unclosed = true;
        let found = if self.kind() == TokenKind::Eof { self.gap() } else { self.span() };
        let start = Span::new(start.start, start.start + opener.len() as u32);
        self.report(
            Diagnostic::error(codes::UNCLOSED, start, format!("this `{opener}` is never closed"))
                .also(found, format!("expected `{closer}` before this")),
        );
        Abandoned
    }

    /// `f(x)` where `f` is a name.
    pub(super) fn not_a_function(&mut self, name: Operand) -> Abandoned {
        let text = self.slice(name.span);
        let names = Builtin::ALL.iter().map(|(name, _)| *name);
        let mut diagnostic = Diagnostic::error(codes::UNEXPECTED, name.span, format!("there is no function `{text}`"))
            .note("SMV has no functions of its own making; use a DEFINE or a module");
        if let Some(near) = crate::diagnostic::closest(text, names) {
            diagnostic = diagnostic.suggest("a function with a similar name exists", name.span, near);
        }
        self.report(diagnostic);
        Abandoned
    }
}

/// How a bracket is opened, for messages.
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

/// How a bracket is closed, for messages.
fn closer(frame: &Frame) -> &'static str {
    closer_kind(frame).and_then(TokenKind::text).unwrap_or("esac")
}

fn closer_kind(frame: &Frame) -> Option<TokenKind> {
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

/// The binary operator that a token is in SMV.
pub(super) fn binary_operator(kind: TokenKind) -> Option<BinaryOp> {
    use TokenKind as T;
    Some(match kind {
        T::Arrow => BinaryOp::Implies,
        T::DoubleArrow => BinaryOp::Iff,
        T::Or => BinaryOp::Or,
        T::And => BinaryOp::And,
        T::Eq => BinaryOp::Eq,
        T::Ne => BinaryOp::Ne,
        T::Lt => BinaryOp::Lt,
        T::Le => BinaryOp::Le,
        T::Gt => BinaryOp::Gt,
        T::Ge => BinaryOp::Ge,
        T::Shl => BinaryOp::Shl,
        T::Shr => BinaryOp::Shr,
        T::Plus => BinaryOp::Add,
        T::Minus => BinaryOp::Sub,
        T::Star => BinaryOp::Mul,
        T::Slash => BinaryOp::Div,
        T::ColonColon => BinaryOp::Concat,
        T::Keyword(keyword) => match keyword {
            Keyword::Xor => BinaryOp::Xor,
            Keyword::Xnor => BinaryOp::Xnor,
            Keyword::U => BinaryOp::U,
            Keyword::V => BinaryOp::V,
            Keyword::S => BinaryOp::S,
            Keyword::T => BinaryOp::T,
            Keyword::In => BinaryOp::In,
            Keyword::Union => BinaryOp::Union,
            Keyword::Mod => BinaryOp::Mod,
            _ => return None,
        },
        _ => return None,
    })
}
