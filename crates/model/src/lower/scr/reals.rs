//! Real numbers, computed exactly. A real variable counts multiples of a fraction that the numbers of the specification
//! determine; every expression knows of which fraction it is a multiple.

use super::properties::parts;
use super::{Built, Lowering};
use crate::decimal::decimal;
use crate::expr::Node;
use crate::model::VarId;
use crate::op::{BinaryOp, UnaryOp};
use crate::value::Value;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::scr::ast::{self, Content, Expr, ExprKind, TypeKind};
use specwright_syntax::scr::codes;
use specwright_syntax::span::Span;

/// The denominator of real variables: half of the smallest fraction that the specification mentions, so that there is a number
/// between any two that it mentions.
pub(super) fn denominator(file: &ast::File) -> i64 {
    let bounds = file.types.iter().map(|decl| &decl.ty).chain(file.vars.iter().map(|var| &var.ty));
    let bounds =
        bounds.filter_map(|ty| if let TypeKind::Range(low, high) = &ty.kind { Some([low, high]) } else { None });
    let cells = file.tables.iter().flat_map(|table| {
        let rows = table.rows.iter().flat_map(|row| &row.cells);
        table.head.iter().chain(rows).chain(&table.values)
    });
    let in_cells = cells.filter_map(|cell| if let Content::Expr(expr) = &cell.content { Some(expr) } else { None });
    let first_values = file.vars.iter().filter_map(|var| var.initially.as_ref());
    let constants = file.constants.iter().map(|constant| &constant.value);
    let properties = file.properties.iter().map(|property| &property.formula);
    let mut open: Vec<&Expr> = bounds.flatten().chain(in_cells).chain(first_values).chain(constants).collect();
    open.extend(properties.chain(&file.assumptions).chain(&file.initially));
    let mut all = 1i64;
    while let Some(expr) = open.pop() {
        if let ExprKind::Real(_, denominator) = *expr.kind {
            all = common_multiple(all, denominator).unwrap_or(all);
        }
        open.extend(parts(expr));
    }
    all.saturating_mul(2)
}

fn common_divisor(a: i64, b: i64) -> i64 {
    if b == 0 { a.max(1) } else { common_divisor(b, a % b) }
}

fn common_multiple(a: i64, b: i64) -> Option<i64> {
    (a / common_divisor(a, b)).checked_mul(b)
}

/// A multiple of a fraction as the tables write it: `2.5`, `2`, or `7/3`.
pub(super) fn bare(numerator: i64, denominator: i64) -> String {
    let text = decimal(numerator, denominator);
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

impl Lowering<'_> {
    /// The denominator of the values of a variable, if they are real.
    pub(super) fn denominator_of(&self, var: VarId) -> Option<i64> {
        self.reals.contains(&var).then_some(self.denominator)
    }

    /// A real constant.
    pub(super) fn real(&mut self, numerator: i64, denominator: i64, span: Span) -> Built {
        Built { denominator: Some(denominator), ..self.constant(Value::Int(numerator), span) }
    }

    /// A real or a whole number as multiples of a smaller fraction.
    fn over(&mut self, number: Built, denominator: i64) -> Built {
        let factor = denominator / number.denominator.unwrap_or(1);
        let whole = match self.model[number.expr] {
            _ if factor == 1 => number,
            Node::Const(Value::Int(value)) if let Some(value) = value.checked_mul(factor) => {
                self.constant(Value::Int(value), number.span())
            }
            _ => {
                let (span, factor) = (number.span(), self.constant(Value::Int(factor), Span::NONE));
                self.join(BinaryOp::Mul, number, factor, span)
            }
        };
        Built { denominator: Some(denominator), ..whole }
    }

    fn too_fine(&mut self, span: Span) -> Option<Built> {
        let message = "the fractions of this computation are too small";
        self.report(Diagnostic::error(codes::BAD_REAL, span, message));
        None
    }

    /// Two numbers of which one is real, as multiples of one fraction.
    pub(super) fn alike(&mut self, left: Built, right: Built, span: Span) -> Option<(Built, Built)> {
        if left.denominator.is_none() && right.denominator.is_none() {
            return Some((left, right));
        }
        let Some(denominator) = common_multiple(left.denominator.unwrap_or(1), right.denominator.unwrap_or(1)) else {
            self.too_fine(span);
            return None;
        };
        Some((self.over(left, denominator), self.over(right, denominator)))
    }

    /// Multiplies or divides two numbers of which one is real.
    pub(super) fn product(&mut self, op: BinaryOp, left: Built, right: Built, span: Span) -> Option<Built> {
        let (one, other) = (left.denominator.unwrap_or(1), right.denominator.unwrap_or(1));
        match op {
            BinaryOp::Mul => {
                let Some(denominator) = one.checked_mul(other) else { return self.too_fine(span) };
                Some(Built { denominator: Some(denominator), ..self.join(op, left, right, span) })
            }
            BinaryOp::Div => {
                let Some(Value::Int(divisor)) = self.known_value(right.expr).filter(|value| *value != Value::Int(0))
                else {
                    let message = "real numbers are divided by constants only";
                    self.report(Diagnostic::error(codes::BAD_REAL, right.span(), message));
                    return None;
                };
                // `(n / one) / (divisor / other)`
                let denominator = divisor.checked_abs().and_then(|divisor| one.checked_mul(divisor));
                let (Some(denominator), Some(factor)) = (denominator, other.checked_mul(divisor.signum())) else {
                    return self.too_fine(span);
                };
                let factor = self.constant(Value::Int(factor), right.span());
                Some(Built { denominator: Some(denominator), ..self.join(BinaryOp::Mul, left, factor, span) })
            }
            _ => {
                let message = format!("`{}` takes whole numbers", op.symbol());
                self.report(Diagnostic::error(codes::BAD_REAL, span, message));
                None
            }
        }
    }

    /// A value of a variable: of a real one, as a multiple of its fraction.
    pub(super) fn as_values_of(&mut self, var: VarId, value: Built, span: Span) -> Option<Built> {
        let is_number = *self.model.context.exprs.ty(value.expr) == crate::ty::Ty::INT;
        match (self.denominator_of(var), value.denominator) {
            (Some(denominator), given) if is_number && denominator % given.unwrap_or(1) == 0 => {
                Some(self.over(value, denominator))
            }
            (Some(denominator), Some(given)) => {
                let value = self.reduced(value);
                if value.denominator.is_some_and(|given| denominator % given == 0) {
                    return Some(self.over(value, denominator));
                }
                let name = &self.model[var].name;
                let message = format!(
                    "this is a multiple of 1/{given}, but `{name}` holds multiples of {}",
                    bare(1, denominator)
                );
                let help = "real variables hold multiples of half of the smallest fraction that the specification mentions: \
                            a constant such as `Unit = 0.125` makes it smaller";
                self.report(Diagnostic::error(codes::BAD_REAL, span, message).help(help));
                None
            }
            // What is no number is reported with its type.
            (_, None) => Some(value),
            (None, Some(_)) => {
                let declared = &self.model[var];
                let message = format!("`{}` is a whole number, and this is a real one", declared.name);
                let diagnostic = Diagnostic::error(codes::BAD_REAL, span, message).also(declared.span, "declared here");
                self.report(diagnostic.help("give it the type `real`, or bounds such as `0.0..10.0`"));
                None
            }
        }
    }

    /// A constant in lowest terms.
    fn reduced(&mut self, value: Built) -> Built {
        let (Some(Value::Int(number)), Some(denominator)) = (self.known_value(value.expr), value.denominator) else {
            return value;
        };
        let common = common_divisor(number.saturating_abs(), denominator);
        self.real(number / common, denominator / common, value.span())
    }

    /// The opposite of a number.
    pub(super) fn negated(&mut self, inner: Built, span: Span) -> Option<Built> {
        let denominator = inner.denominator;
        Some(Built { denominator, ..self.unary(UnaryOp::Neg, inner, span)? })
    }

    /// An expression as people read it: constants with their fractions.
    pub(super) fn shown(&self, built: &Built) -> String {
        match (built.denominator, self.known_value(built.expr)) {
            (Some(denominator), Some(Value::Int(number))) => bare(number, denominator),
            _ => self.model.show_expr(built.expr),
        }
    }
}
