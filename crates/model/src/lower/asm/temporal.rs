//! Operators of the libraries for CTL and LTL.

use super::value::{Const, Sym};
use super::{Env, Lowering, Stop};
use crate::expr::{ExprId, Node};
use crate::op::{BinaryOp as Op, UnaryOp};
use specwright_syntax::asm::ast::{Ident, TermId, TermKind};
use specwright_syntax::asm::codes;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::span::Span;

/// Maximal number of steps of `exN` and `axN`; it is the nesting depth of the resulting formula.
const MAX_STEPS: i64 = 1000;

const CTL: [(&str, UnaryOp); 6] = [
    ("eg", UnaryOp::EG),
    ("ex", UnaryOp::EX),
    ("ef", UnaryOp::EF),
    ("ag", UnaryOp::AG),
    ("ax", UnaryOp::AX),
    ("af", UnaryOp::AF),
];

const LTL: [(&str, UnaryOp); 7] = [
    ("x", UnaryOp::X),
    ("g", UnaryOp::G),
    ("f", UnaryOp::F),
    ("y", UnaryOp::Y),
    ("z", UnaryOp::Z),
    ("h", UnaryOp::H),
    ("o", UnaryOp::O),
];

const LTL_PAIRS: [(&str, Op); 4] = [("u", Op::U), ("v", Op::V), ("s", Op::S), ("t", Op::T)];

impl Lowering<'_> {
    pub(super) fn is_temporal_name(&self, name: &str) -> bool {
        let is = |known: &str| known == name;
        (self.ctl && (CTL.iter().any(|(known, _)| is(known)) || ["eu", "au", "ew", "aw", "exN", "axN"].contains(&name)))
            || (self.ltl && (LTL.iter().any(|(known, _)| is(known)) || LTL_PAIRS.iter().any(|(known, _)| is(known))))
    }

    pub(super) fn temporal(&mut self, name: &Ident, args: &[TermId], span: Span, env: &Env) -> Result<Sym, Stop> {
        let text = &*name.text;
        if let ("exN" | "axN", [a, n]) = (text, args) {
            let mut formula = self.condition(*a, env)?;
            let Sym::Known(Const::Int(n)) = self.eval(*n, env)? else {
                return Err(self.unsupported(span, "the number of steps must be known"));
            };
            if !(0..=MAX_STEPS).contains(&n) {
                return Err(self.unsupported(span, &format!("only 0 to {MAX_STEPS} steps are supported")));
            }
            for _ in 0..n {
                formula =
                    self.formula(Node::Unary(if text == "exN" { UnaryOp::EX } else { UnaryOp::AX }, formula), span)?;
            }
            return Ok(self.truth(formula));
        }
        // The two operands of an operator may also be written as one pair.
        let args = match args {
            [pair] if let TermKind::Tuple(items) = &self.files[env.file][*pair].kind => items.as_slice(),
            _ => args,
        };
        let mut parts = Vec::new();
        for arg in args {
            parts.push(self.condition(*arg, env)?);
        }
        let unary = CTL.iter().chain(&LTL).find(|(known, _)| *known == text);
        let formula = match (&parts[..], unary) {
            ([a], Some((_, op))) => self.formula(Node::Unary(*op, *a), span)?,
            ([a, b], None) => match text {
                "eu" => self.formula(Node::Binary(Op::EU, *a, *b), span)?,
                "au" => self.formula(Node::Binary(Op::AU, *a, *b), span)?,
                "ew" => {
                    let until = self.formula(Node::Binary(Op::EU, *a, *b), span)?;
                    let always = self.formula(Node::Unary(UnaryOp::EG, *a), span)?;
                    self.or(until, always)
                }
                "aw" => {
                    let (no_b, either) = (self.not(*b), self.or(*a, *b));
                    let neither = self.not(either);
                    let until = self.formula(Node::Binary(Op::EU, no_b, neither), span)?;
                    self.not(until)
                }
                _ => {
                    let Some((_, op)) = LTL_PAIRS.iter().find(|(known, _)| *known == text) else {
                        return Err(self.no_such_function(name, span));
                    };
                    self.formula(Node::Binary(*op, *a, *b), span)?
                }
            },
            _ => {
                let message = format!("`{text}` takes another number of arguments");
                return Err(self.stop(Diagnostic::error(codes::BAD_ARGUMENTS, span, message)));
            }
        };
        Ok(self.truth(formula))
    }

    /// A temporal formula; reports a mix of logics.
    fn formula(&mut self, node: Node, span: Span) -> Result<ExprId, Stop> {
        self.model.make(node).map_err(|error| self.stop(Diagnostic::error(codes::WRONG_KIND, span, error.to_string())))
    }
}
