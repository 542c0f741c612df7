//! After an operand: an operator, a closing sign, or the end of the expression.

use super::bracket::closer_kind;
use super::expr::{Frame, Infix, Open, Operand, Stack, Step};
use super::{Abandoned, Parsed, Parser};
use crate::diagnostic::Diagnostic;
use crate::op::{BinaryOp, Builtin};
use crate::smv::ast::{Dialect, ExprKind};
use crate::smv::codes;
use crate::smv::grammar::{Grammar, LOWEST, Level};
use crate::smv::token::{Keyword, TokenKind};

impl Parser<'_> {
    /// Parses what follows an operand.
    pub(super) fn operator(&mut self, stack: &mut Stack, operand: Operand) -> Parsed<Step> {
        match self.kind() {
            TokenKind::Dot => return self.field(operand),
            TokenKind::LBracket => return self.index(stack, operand),
            TokenKind::Question => return self.conditional(stack, operand),
            TokenKind::DotDot if self.grammar != Grammar::Psl => return self.range(stack, operand),
            TokenKind::Becomes => return self.becomes(stack, operand),
            TokenKind::LParen if matches!(self.exprs[operand.id].kind, ExprKind::Name(_)) => {
                return Err(self.not_a_function(operand));
            }
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

    /// The current operator, its level, and its number of tokens.
    fn infix(&mut self, stack: &Stack) -> Parsed<Option<(Infix, Level, usize)>> {
        use TokenKind as T;
        if self.grammar == Grammar::Psl {
            return self.psl_infix();
        }
        // Inside of `A [p U q]`, these letters belong to the brackets.
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

    /// `:=` inside an expression: either `=` was meant, or an `esac` is missing.
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

    /// `f(x)` where `f` is a name.
    fn not_a_function(&mut self, name: Operand) -> Abandoned {
        let text = self.slice(name.span);
        let names = Builtin::ALL.iter().map(|(name, _)| *name);
        let mut diagnostic = Diagnostic::error(codes::UNEXPECTED, name.span, format!("unknown function `{text}`"))
            .note("SMV has no user-defined functions; use a DEFINE or a module");
        if let Some(near) = crate::diagnostic::closest(text, names) {
            diagnostic = diagnostic.suggest("a function with a similar name exists", name.span, near);
        }
        self.report(diagnostic);
        Abandoned
    }
}

/// The infix operator of a token in SMV.
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
