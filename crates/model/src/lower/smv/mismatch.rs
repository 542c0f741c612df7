//! Diagnostics of type errors, which show both sides of a mismatch.

use super::Lowering;
use super::exprs::Operand;
use crate::expr::Node;
use crate::op::{Builtin, UnaryOp};
use crate::ty::{Scalar, Ty};
use crate::typing::{Expected, Problem, TypeError};
use crate::value::Value;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::smv::ast::{self, ExprKind};
use specwright_syntax::smv::codes;

impl Lowering<'_> {
    /// Reports a type error of an expression.
    pub(super) fn report_type_error(&mut self, whole: ast::ExprId, operands: &[Operand], error: &TypeError) {
        let Some(operand) = operands.get(error.operand) else {
            self.report(Diagnostic::error(codes::TYPE_MISMATCH, self.span(whole), error.to_string()));
            return;
        };
        let span = self.span(operand.ast);
        let operator = operator(&self.file.exprs[whole].kind);
        let found = article(&error.found);
        let diagnostic = match &error.problem {
            Problem::Expected(expected) => {
                let wants = match self.file.exprs[whole].kind {
                    ExprKind::Case(_) | ExprKind::Ite(..) => "a condition must be".into(),
                    _ => format!("{operator} takes"),
                };
                let message = format!("{wants} {expected}, but this is {found}");
                let diagnostic = Diagnostic::error(codes::TYPE_MISMATCH, span, message);
                let diagnostic = self.label_others(diagnostic, whole, operands, error.operand);
                self.advise(diagnostic.label(error.found.to_string()), whole, operand, *expected, &error.found)
            }
            Problem::Mismatch { other, ty } => {
                let place = operands.get(*other).map_or(self.span(whole), |other| self.span(other.ast));
                let parts = match self.file.exprs[whole].kind {
                    ExprKind::Case(_) | ExprKind::Ite(..) => "branches",
                    ExprKind::Array(_) => "elements",
                    _ => "operands",
                };
                let message = format!("the {parts} of {operator} are incompatible: {ty} and {}", error.found);
                let diagnostic = Diagnostic::error(codes::TYPE_MISMATCH, span, message)
                    .label(error.found.to_string())
                    .also(place, ty.to_string());
                match (ty, &error.found) {
                    (Ty::One(Scalar::Bool), Ty::One(Scalar::Int)) => {
                        self.suggest_truth_value(diagnostic, operand.expr, span)
                    }
                    (Ty::One(Scalar::Int), Ty::One(Scalar::Bool)) => match operands.get(*other) {
                        Some(other) => self.suggest_truth_value(diagnostic, other.expr, self.span(other.ast)),
                        None => diagnostic,
                    },
                    _ => diagnostic,
                }
            }
            Problem::NestedNext => {
                let message = "`next` cannot be used inside `next`";
                Diagnostic::error(codes::MISPLACED_NEXT, span, message).also(self.span(whole), "inside this one")
            }
            Problem::Temporal => {
                let message = format!("a temporal formula cannot be an operand of {operator}");
                Diagnostic::error(codes::MISPLACED_TEMPORAL, span, message).note(
                    "temporal operators may only stand below temporal operators and `!`, `&`, `|`, `xor`, `xnor`, `->`, `<->`",
                )
            }
            Problem::OutOfRange { what, value, low, high } => {
                let message = match *what {
                    "bit" => format!("this word has bits {high}..{low}, not bit {value}"),
                    "word width" => format!("a word of {value} bits: {low} to {high} are possible"),
                    what => format!("{what} {value} is outside of {low}..{high}"),
                };
                let code = if *what == "word width" { codes::BAD_WIDTH } else { codes::OUT_OF_RANGE };
                Diagnostic::error(code, span, message)
            }
            Problem::Parts => Diagnostic::error(codes::WRONG_ARITY, self.span(whole), error.to_string()),
        };
        self.report(diagnostic);
    }

    /// Labels the other operands of an infix operator with their types.
    fn label_others(
        &self,
        diagnostic: Diagnostic,
        whole: ast::ExprId,
        operands: &[Operand],
        blamed: usize,
    ) -> Diagnostic {
        if !matches!(self.file.exprs[whole].kind, ExprKind::Binary(..)) {
            return diagnostic;
        }
        let others = operands.iter().enumerate().filter(|(at, _)| *at != blamed);
        others.fold(diagnostic, |diagnostic, (_, other)| {
            diagnostic.also(self.span(other.ast), self.model.context.exprs.ty(other.expr).to_string())
        })
    }

    fn advise(
        &self,
        diagnostic: Diagnostic,
        whole: ast::ExprId,
        operand: &Operand,
        expected: Expected,
        found: &Ty,
    ) -> Diagnostic {
        let whole = &self.file.exprs[whole].kind;
        let span = self.span(operand.ast);
        match (expected, found) {
            (Expected::BooleanOrWord, Ty::One(Scalar::Int | Scalar::Symbol | Scalar::Mixed))
                if matches!(whole, ExprKind::Unary(UnaryOp::Not, _))
                    && !matches!(self.model[operand.expr], Node::Const(Value::Int(_))) =>
            {
                diagnostic.help("`!` binds tighter than `=`; to negate a comparison, write `!(a = b)`")
            }
            (Expected::Boolean | Expected::BooleanOrWord, Ty::One(Scalar::Int)) => {
                self.suggest_truth_value(diagnostic, operand.expr, span)
            }
            (Expected::Single, Ty::Set(_)) if matches!(whole, ExprKind::Binary(..)) => {
                diagnostic.help("whether a value belongs to a set is asked with `in`")
            }
            (Expected::Array, Ty::One(Scalar::Word { .. })) => {
                diagnostic.help("a bit of a word is selected with `w[i:i]`, where `i` is a constant")
            }
            (Expected::Integer | Expected::IntegerOrWord, Ty::One(Scalar::Bool)) => {
                diagnostic.help("`toint(…)` turns a boolean into 0 or 1; `count(…)` counts how many hold")
            }
            _ => diagnostic,
        }
    }
}

/// The name of an operator in messages.
fn operator(kind: &ExprKind) -> String {
    match kind {
        ExprKind::Next(_) => "`next`".into(),
        ExprKind::Unary(op, _) => format!("`{}`", op.symbol()),
        ExprKind::Binary(op, ..) => format!("`{}`", op.symbol()),
        ExprKind::Bounded(op, ..) => format!("`{}`", op.symbol()),
        ExprKind::BoundedUntil(..) => "`BU`".into(),
        ExprKind::Ite(..) => "`? :`".into(),
        ExprKind::Case(_) => "`case`".into(),
        ExprKind::Set(_) => "a set".into(),
        ExprKind::Range(..) => "`..`".into(),
        ExprKind::Array(_) => "an array".into(),
        ExprKind::Index(..) => "`[ ]`".into(),
        ExprKind::Slice(..) => "`[ : ]`".into(),
        ExprKind::Call(builtin, _) => call(*builtin),
        _ => "this".into(),
    }
}

fn call(builtin: Builtin) -> String {
    format!("`{}`", builtin.name())
}

/// A type with its article.
pub(super) fn article(ty: &Ty) -> String {
    match ty {
        Ty::One(Scalar::Bool) => "a boolean".into(),
        Ty::One(Scalar::Int) => "an integer".into(),
        Ty::One(Scalar::Symbol) => "a symbol".into(),
        Ty::One(Scalar::Mixed) => "a symbol or an integer".into(),
        Ty::One(Scalar::Word { signed, .. }) => format!("{} {ty}", if *signed { "a" } else { "an" }),
        Ty::Set(scalar) => format!("a set of {}", plural(*scalar)),
        Ty::Array(..) => format!("an {ty}"),
    }
}

fn plural(scalar: Scalar) -> String {
    match scalar {
        Scalar::Bool => "booleans".into(),
        Scalar::Int => "integers".into(),
        Scalar::Symbol => "symbols".into(),
        Scalar::Mixed => "different kinds of values".into(),
        Scalar::Word { .. } => "words".into(),
    }
}
