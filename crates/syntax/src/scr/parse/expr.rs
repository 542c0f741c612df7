//! Parser of expressions (conditions, events, values and formulas), by operator precedence.

use super::super::ast::{Expr, ExprKind, Name, Timing};
use super::super::codes;
use super::super::lexer::{Token, TokenKind, tokens};
use crate::diagnostic::Diagnostic;
use crate::op::{BinaryOp, UnaryOp};
use crate::span::Span;

/// Maximal nesting depth of parentheses and prefix operators.
const DEEPEST: usize = 200;
/// Maximal number of nodes of an expression, so that recursive passes over trees fit into the stack.
const LARGEST: usize = 4000;

/// Precedence levels, from loose to tight.
mod level {
    pub(super) const IFF: u8 = 1;
    pub(super) const IMPLIES: u8 = 2;
    pub(super) const OR: u8 = 3;
    pub(super) const UNTIL: u8 = 4;
    pub(super) const WHEN: u8 = 5;
    pub(super) const AND: u8 = 6;
    pub(super) const NOT: u8 = 7;
    pub(super) const COMPARE: u8 = 8;
    pub(super) const ADD: u8 = 9;
    pub(super) const MULTIPLY: u8 = 10;
    pub(super) const TIGHT: u8 = 11;
}

/// Parser of one expression or of a part of a line.
pub(in super::super) struct ExprParser<'a, 'd> {
    tokens: Vec<Token<'a>>,
    at: usize,
    depth: usize,
    size: usize,
    /// Whether temporal operators are keywords.
    temporal: bool,
    diagnostics: &'d mut Vec<Diagnostic>,
}

enum Operator {
    Binary(BinaryOp),
    When(Timing),
    In,
}

impl<'a, 'd> ExprParser<'a, 'd> {
    /// A parser for a text that starts at this position.
    pub(in super::super) fn new(
        text: &'a str,
        start: u32,
        temporal: bool,
        diagnostics: &'d mut Vec<Diagnostic>,
    ) -> Option<ExprParser<'a, 'd>> {
        let tokens = tokens(text, start, diagnostics)?;
        Some(ExprParser { tokens, at: 0, depth: 0, size: 0, temporal, diagnostics })
    }

    pub(in super::super) fn peek(&self) -> TokenKind<'a> {
        self.tokens[self.at].kind
    }

    pub(in super::super) fn peek_second(&self) -> TokenKind<'a> {
        self.tokens[(self.at + 1).min(self.tokens.len() - 1)].kind
    }

    pub(in super::super) fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    /// The span of the last consumed token.
    pub(in super::super) fn last_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    pub(in super::super) fn take(&mut self) -> Token<'a> {
        let token = self.tokens[self.at];
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    pub(in super::super) fn eat(&mut self, sign: &str) -> bool {
        let found = self.peek() == TokenKind::Sign(self.known(sign));
        if found {
            self.take();
        }
        found
    }

    fn known(&self, sign: &str) -> &'static str {
        match self.peek() {
            TokenKind::Sign(found) if found == sign => found,
            _ => "",
        }
    }

    pub(in super::super) fn eat_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), TokenKind::Ident(ident) if is_word(ident, word));
        if found {
            self.take();
        }
        found
    }

    pub(in super::super) fn expect(&mut self, sign: &str) -> Option<()> {
        if self.eat(sign) { Some(()) } else { self.unexpected(&format!("`{sign}`")) }
    }

    /// Reports an unexpected token.
    pub(in super::super) fn unexpected<T>(&mut self, expected: &str) -> Option<T> {
        let found = match self.peek() {
            TokenKind::End => "the end".into(),
            TokenKind::Ident(word) => format!("`{word}`"),
            TokenKind::Number(number) => format!("`{number}`"),
            TokenKind::Decimal(..) => "a number".into(),
            TokenKind::Event(_) => "an event".into(),
            TokenKind::Sign(sign) => format!("`{sign}`"),
        };
        let message = format!("expected {expected}, found {found}");
        let mut diagnostic = Diagnostic::error(codes::UNEXPECTED, self.span(), message);
        if let TokenKind::Sign("==" | "&&") = self.peek() {
            let (wrong, right) = if self.peek() == TokenKind::Sign("==") { ("==", "=") } else { ("&&", "AND") };
            diagnostic =
                Diagnostic::error(codes::FOREIGN_OPERATOR, self.span(), format!("`{wrong}` is not an operator of SCR"))
                    .suggest("the operator is", self.span(), right);
        }
        self.diagnostics.push(diagnostic);
        None
    }

    pub(in super::super) fn name(&mut self, what: &str) -> Option<Name> {
        match self.peek() {
            TokenKind::Ident(word) if !is_reserved(word) => {
                let span = self.take().span;
                Some(Name { text: word.to_owned(), span })
            }
            _ => self.unexpected(what),
        }
    }

    /// Expects the end of the text.
    pub(in super::super) fn end(&mut self) -> Option<()> {
        self.eat(";");
        if self.peek() == TokenKind::End { Some(()) } else { self.unexpected("an operator or the end") }
    }

    /// Parses an expression up to the end of the text.
    pub(in super::super) fn whole(mut self) -> Option<Expr> {
        let expr = self.expr()?;
        self.end()?;
        Some(expr)
    }

    pub(in super::super) fn expr(&mut self) -> Option<Expr> {
        self.at_level(level::IFF)
    }

    /// Parses a bound of a type: an arithmetic expression.
    pub(in super::super) fn arithmetic(&mut self) -> Option<Expr> {
        self.at_level(level::ADD)
    }

    fn make(&mut self, kind: ExprKind, span: Span) -> Option<Expr> {
        self.size += 1;
        if self.size > LARGEST {
            let message = format!("this expression has more than {LARGEST} parts");
            self.diagnostics.push(Diagnostic::error(codes::TOO_DEEP, span, message).help("give parts of it a name"));
            return None;
        }
        Some(Expr { kind: Box::new(kind), span })
    }

    fn at_level(&mut self, lowest: u8) -> Option<Expr> {
        self.depth += 1;
        if self.depth > DEEPEST {
            let message = "this expression is nested too deeply";
            self.diagnostics.push(Diagnostic::error(codes::TOO_DEEP, self.span(), message));
            return None;
        }
        let mut left = self.operand(lowest)?;
        while let Some((operator, binds, right_level)) = self.operator() {
            if binds < lowest {
                break;
            }
            self.take();
            left = match operator {
                Operator::In => self.members(left)?,
                Operator::Binary(op) => {
                    let right = self.at_level(right_level)?;
                    let span = left.span.to(right.span);
                    self.make(ExprKind::Binary(op, left, right), span)?
                }
                Operator::When(timing) => {
                    let right = self.at_level(right_level)?;
                    let span = left.span.to(right.span);
                    self.make(ExprKind::When(timing, left, right), span)?
                }
            };
        }
        self.depth -= 1;
        Some(left)
    }

    /// The next operator, its level, and the least level of its right operand.
    fn operator(&self) -> Option<(Operator, u8, u8)> {
        use BinaryOp as Op;
        let left = |op, level: u8| (Operator::Binary(op), level, level + 1);
        Some(match self.peek() {
            TokenKind::Sign(sign) => match sign {
                "<=>" | "<->" => left(Op::Iff, level::IFF),
                "=>" | "->" => (Operator::Binary(Op::Implies), level::IMPLIES, level::IMPLIES),
                "&" => left(Op::And, level::AND),
                "=" => left(Op::Eq, level::COMPARE),
                "!=" | "/=" | "<>" => left(Op::Ne, level::COMPARE),
                "<" => left(Op::Lt, level::COMPARE),
                "<=" => left(Op::Le, level::COMPARE),
                ">" => left(Op::Gt, level::COMPARE),
                ">=" => left(Op::Ge, level::COMPARE),
                "+" => left(Op::Add, level::ADD),
                "-" => left(Op::Sub, level::ADD),
                "*" => left(Op::Mul, level::MULTIPLY),
                "/" => left(Op::Div, level::MULTIPLY),
                _ => return None,
            },
            TokenKind::Ident(word) => match word {
                "AND" | "and" => left(Op::And, level::AND),
                "OR" | "or" => left(Op::Or, level::OR),
                "XOR" | "xor" => left(Op::Xor, level::OR),
                "MOD" | "mod" => left(Op::Mod, level::MULTIPLY),
                "IN" | "in" => (Operator::In, level::COMPARE, level::COMPARE),
                "WHEN" | "when" => (Operator::When(Timing::Before), level::WHEN, level::AND),
                "WHERE" | "where" => (Operator::When(Timing::After), level::WHEN, level::AND),
                "WHILE" | "while" => (Operator::When(Timing::Throughout), level::WHEN, level::AND),
                "U" if self.temporal => left(Op::U, level::UNTIL),
                _ => return None,
            },
            _ => return None,
        })
    }

    fn operand(&mut self, lowest: u8) -> Option<Expr> {
        let token = self.tokens[self.at];
        let start = token.span;
        let expr = match token.kind {
            TokenKind::Number(number) => {
                self.take();
                self.make(ExprKind::Int(number), start)?
            }
            TokenKind::Decimal(numerator, denominator) => {
                self.take();
                self.make(ExprKind::Real(numerator, denominator), start)?
            }
            TokenKind::Sign("-") => {
                self.take();
                let inner = self.at_level(level::TIGHT)?;
                let span = start.to(inner.span);
                let kind = match *inner.kind {
                    ExprKind::Int(number) => ExprKind::Int(-number),
                    ExprKind::Real(numerator, denominator) => ExprKind::Real(-numerator, denominator),
                    _ => ExprKind::Unary(UnaryOp::Neg, inner),
                };
                self.make(kind, span)?
            }
            TokenKind::Sign("!") => self.prefix(UnaryOp::Not, level::TIGHT)?,
            TokenKind::Ident("NOT" | "not") => self.prefix(UnaryOp::Not, level::COMPARE)?,
            TokenKind::Sign("(" | "[") => {
                self.take();
                let close = if token.kind == TokenKind::Sign("(") { ")" } else { "]" };
                let inner = self.expr()?;
                self.expect(close)?;
                let span = start.to(self.last_span());
                Expr { span, ..inner }
            }
            TokenKind::Event(kind) => {
                self.take();
                let close = match self.peek() {
                    TokenKind::Sign("[") => "]",
                    _ => ")",
                };
                if !self.eat("[") {
                    self.expect("(")?;
                }
                let inner = self.expr()?;
                self.expect(close)?;
                let span = start.to(self.last_span());
                self.make(ExprKind::Event(kind, inner), span)?
            }
            TokenKind::Ident(word) => match temporal(word).filter(|_| self.temporal && self.operand_follows()) {
                Some(op) => self.prefix(op, level::NOT)?,
                None => self.word(word, lowest)?,
            },
            _ => return self.unexpected("a condition, an event or a value"),
        };
        self.primes(expr)
    }

    /// Whether the word is an operator rather than a name: an operand follows it.
    fn operand_follows(&self) -> bool {
        match self.peek_second() {
            TokenKind::Number(_) | TokenKind::Decimal(..) | TokenKind::Event(_) | TokenKind::Sign("(" | "[" | "!") => {
                true
            }
            TokenKind::Ident(word) => !is_reserved(word) || matches!(word, "NOT" | "not" | "TRUE" | "FALSE" | "next"),
            _ => false,
        }
    }

    /// A name or a keyword.
    fn word(&mut self, word: &'a str, _lowest: u8) -> Option<Expr> {
        let span = self.span();
        let kind = match word {
            "TRUE" | "true" | "True" => ExprKind::Bool(true),
            "FALSE" | "false" | "False" | "NEVER" | "never" => ExprKind::Bool(false),
            _ if word.eq_ignore_ascii_case("inmode") => ExprKind::Inmode,
            "next" | "NEXT" if self.peek_second() == TokenKind::Sign("(") => {
                self.take();
                self.take();
                let inner = self.expr()?;
                self.expect(")")?;
                let span = span.to(self.last_span());
                return self.make(ExprKind::Prime(inner), span);
            }
            "DUR" | "dur" | "Dur" if self.peek_second() == TokenKind::Sign("(") => {
                self.take();
                self.take();
                let inner = self.expr()?;
                self.expect(")")?;
                let span = span.to(self.last_span());
                return self.make(ExprKind::Duration(inner), span);
            }
            "A" | "E" if self.temporal && self.peek_second() == TokenKind::Sign("[") => {
                let op = if word == "A" { BinaryOp::AU } else { BinaryOp::EU };
                self.take();
                self.take();
                let inner = self.expr()?;
                self.expect("]")?;
                let span = span.to(self.last_span());
                let ExprKind::Binary(BinaryOp::U, left, right) = *inner.kind else {
                    return self.unexpected("`p U q` between the brackets");
                };
                return self.make(ExprKind::Binary(op, left, right), span);
            }
            _ if is_reserved(word) => return self.unexpected("a condition, an event or a value"),
            _ => ExprKind::Name(word.to_owned()),
        };
        self.take();
        self.make(kind, span)
    }

    fn prefix(&mut self, op: UnaryOp, operand: u8) -> Option<Expr> {
        let start = self.take().span;
        // Prefix operators may be nested: `NOT NOT a`.
        let inner = self.at_level(operand)?;
        let span = start.to(inner.span);
        self.make(ExprKind::Unary(op, inner), span)
    }

    fn primes(&mut self, mut expr: Expr) -> Option<Expr> {
        while self.peek() == TokenKind::Sign("'") {
            self.take();
            let span = expr.span.to(self.last_span());
            expr = self.make(ExprKind::Prime(expr), span)?;
        }
        Some(expr)
    }

    /// `{a, b}` after `IN`.
    fn members(&mut self, left: Expr) -> Option<Expr> {
        self.expect("{")?;
        let mut members = vec![self.arithmetic()?];
        while self.eat(",") {
            members.push(self.arithmetic()?);
        }
        self.expect("}")?;
        let span = left.span.to(self.last_span());
        self.make(ExprKind::In(left, members), span)
    }
}

fn temporal(word: &str) -> Option<UnaryOp> {
    use UnaryOp as Op;
    let all = [Op::AG, Op::AF, Op::AX, Op::EG, Op::EF, Op::EX, Op::G, Op::F, Op::X];
    all.into_iter().find(|op| op.symbol() == word)
}

fn is_word(ident: &str, word: &str) -> bool {
    ident.eq_ignore_ascii_case(word)
}

/// Whether a word is a keyword and cannot be a name.
pub(in super::super) fn is_reserved(word: &str) -> bool {
    const WORDS: [&str; 16] = [
        "AND",
        "OR",
        "XOR",
        "NOT",
        "WHEN",
        "WHERE",
        "WHILE",
        "TRUE",
        "FALSE",
        "IN",
        "MOD",
        "NEVER",
        "INMODE",
        "NEXT",
        "BOOLEAN",
        "INITIALLY",
    ];
    WORDS.iter().any(|reserved| {
        word == *reserved || word == reserved.to_lowercase() || (word.len() > 3 && word.eq_ignore_ascii_case(reserved))
    })
}
