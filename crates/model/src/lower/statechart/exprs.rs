//! Expressions of charts as expressions of the model.

use super::Lowering;
use super::config::Config;
use super::data::Kind;
use crate::expr::{ExprId, Node};
use crate::op::{BinaryOp, UnaryOp};
use crate::ty::Ty;
use crate::value::Value;
use specwright_syntax::statechart::ast::{Expr, ExprKind};

/// Why an expression has no value in the model: it reads what is not part of it, or mixes types.
pub(super) struct Unreadable;

impl Lowering<'_> {
    /// The truth of an expression, as JavaScript has it: zero, `null`, `undefined` and the empty text are false.
    pub(super) fn truth(&mut self, expr: &Expr, config: &Config) -> Result<ExprId, Unreadable> {
        match &expr.kind {
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                let n = self.thrown.len();
                let a = self.truth(a, config)?;
                let so_far = self.thrown.len();
                let b = self.truth(b, config)?;
                // The second operand throws only where it is evaluated.
                let open = if *op == BinaryOp::And { a } else { self.not(a) };
                for at in so_far..self.thrown.len() {
                    self.thrown[at] = self.and(open, self.thrown[at]);
                }
                let truth = if *op == BinaryOp::And { self.and(a, b) } else { self.or(a, b) };
                // What throws has no truth.
                let thrown = self.thrown[n..].to_vec();
                Ok(thrown.into_iter().fold(truth, |truth, thrown| self.without(truth, thrown)))
            }
            ExprKind::Not(inner) => {
                let n = self.thrown.len();
                let inner = self.truth(inner, config)?;
                let truth = self.not(inner);
                let thrown = self.thrown[n..].to_vec();
                Ok(thrown.into_iter().fold(truth, |truth, thrown| self.without(truth, thrown)))
            }
            ExprKind::Named(name, inner) => {
                if !self.facts.unread.contains(name) {
                    match self.truth(inner, config) {
                        Err(Unreadable) => {}
                        truth => return truth,
                    }
                }
                self.note_unread(name, inner.span);
                Ok(self.unknown(name, inner.span))
            }
            _ => {
                let (value, kind) = self.value(expr, config)?;
                match kind {
                    Kind::Bool => Ok(value),
                    Kind::Int => {
                        let zero = self.int(0);
                        Ok(self.binary(BinaryOp::Ne, value, zero))
                    }
                    Kind::Text => {
                        let mut truth = self.boolean(true);
                        for text in ["null", "undefined", ""] {
                            let other = self.symbol(text);
                            let differs = self.compare_within_domains(BinaryOp::Ne, value, other);
                            truth = self.and(truth, differs);
                        }
                        Ok(truth)
                    }
                    Kind::Any => {
                        let cases = self.cases_of(value, Kind::Any)?.into_iter();
                        let holds: Vec<ExprId> = cases
                            .filter(|(case, _)| case.as_ref().is_ok_and(super::ecma::Js::truth))
                            .map(|(_, when)| when)
                            .collect();
                        Ok(self.any(&holds))
                    }
                    Kind::Opaque => Err(Unreadable),
                }
            }
        }
    }

    /// The value of an expression, with its type.
    pub(super) fn value(&mut self, expr: &Expr, config: &Config) -> Result<(ExprId, Kind), Unreadable> {
        match self.plain_value(expr, config) {
            Err(Unreadable) if !is_leaf(expr) => self.enumerated(expr, config),
            result => result,
        }
    }

    /// The value of an expression whose parts have the types that its operator takes.
    fn plain_value(&mut self, expr: &Expr, config: &Config) -> Result<(ExprId, Kind), Unreadable> {
        match &expr.kind {
            ExprKind::Bool(value) => Ok((self.boolean(*value), Kind::Bool)),
            ExprKind::Int(value) => Ok((self.int(*value), Kind::Int)),
            ExprKind::Text(text) => Ok((self.symbol(text), Kind::Text)),
            ExprKind::Var(name) => {
                let at = self.data.iter().position(|variable| variable.name == *name).ok_or(Unreadable)?;
                let value = config.data[at].ok_or(Unreadable)?;
                Ok((value, self.data[at].kind))
            }
            ExprKind::In(state) => {
                let active = config.seen.as_ref().unwrap_or(&config.active);
                Ok((active[state.index()], Kind::Bool))
            }
            ExprKind::Unknown(name) => Ok((self.unknown(name, expr.span), Kind::Bool)),
            ExprKind::Not(_) | ExprKind::Named(..) => Ok((self.plain_truth(expr, config)?, Kind::Bool)),
            ExprKind::Neg(inner) => match self.plain_value(inner, config)? {
                (value, Kind::Int) => match self.model[value] {
                    Node::Const(Value::Int(number)) => Ok((self.int(number.saturating_neg()), Kind::Int)),
                    _ => Ok((self.node(Node::Unary(UnaryOp::Neg, value)), Kind::Int)),
                },
                _ => Err(Unreadable),
            },
            ExprKind::Binary(BinaryOp::Mod, _, b) if !matches!(b.kind, ExprKind::Int(number) if number != 0) => {
                Err(Unreadable)
            }
            ExprKind::Binary(op, a, b) => self.operation(*op, a, b, config),
            ExprKind::Loose(a, b) => match (self.plain_value(a, config)?, self.plain_value(b, config)?) {
                ((x, Kind::Text), (y, Kind::Text)) => {
                    let (same, [of_x, of_y]) =
                        (self.compare_within_domains(BinaryOp::Eq, x, y), [x, y].map(|value| self.is_nullish(value)));
                    let both = self.and(of_x, of_y);
                    Ok((self.or(same, both), Kind::Bool))
                }
                ((_, x), (_, y)) if x == y => self.operation(BinaryOp::Eq, a, b, config),
                ((_, Kind::Bool | Kind::Int), _) if is_nothing(b) => Ok((self.boolean(false), Kind::Bool)),
                _ => Err(Unreadable),
            },
            ExprKind::Conditional(condition, yes, no) => {
                let condition = self.plain_truth(condition, config)?;
                let (yes, kind) = self.plain_value(yes, config)?;
                let (no, other) = self.plain_value(no, config)?;
                if kind == other { Ok((self.choose(condition, yes, no), kind)) } else { Err(Unreadable) }
            }
            ExprKind::Event
            | ExprKind::Missing(_)
            | ExprKind::Array(_)
            | ExprKind::Object(_)
            | ExprKind::Member(..)
            | ExprKind::With(..)
            | ExprKind::Typeof(_)
            | ExprKind::Has(..)
            | ExprKind::Call(..) => Err(Unreadable),
        }
    }

    /// The truth of an expression that throws no error.
    fn plain_truth(&mut self, expr: &Expr, config: &Config) -> Result<ExprId, Unreadable> {
        let n = self.thrown.len();
        let truth = self.truth(expr, config)?;
        if self.thrown.len() > n {
            self.thrown.truncate(n);
            return Err(Unreadable);
        }
        Ok(truth)
    }

    /// Whether a text is `null` or `undefined`.
    fn is_nullish(&mut self, value: ExprId) -> ExprId {
        let symbols = ["null", "undefined"].map(|text| self.symbol(text));
        let [null, undefined] = symbols.map(|symbol| self.compare_within_domains(BinaryOp::Eq, value, symbol));
        self.or(null, undefined)
    }

    fn operation(&mut self, op: BinaryOp, a: &Expr, b: &Expr, config: &Config) -> Result<(ExprId, Kind), Unreadable> {
        let ((x, of_x), (y, of_y)) = (self.plain_value(a, config)?, self.plain_value(b, config)?);
        match (op, of_x, of_y) {
            (BinaryOp::And, Kind::Bool, Kind::Bool) => Ok((self.and(x, y), Kind::Bool)),
            (BinaryOp::Or, Kind::Bool, Kind::Bool) => Ok((self.or(x, y), Kind::Bool)),
            (BinaryOp::Eq | BinaryOp::Ne, Kind::Bool, Kind::Bool) => {
                let not = self.not(y);
                let (same, other) = if op == BinaryOp::Eq { (y, not) } else { (not, y) };
                Ok((self.choose(x, same, other), Kind::Bool))
            }
            (_, Kind::Any | Kind::Opaque, _) | (_, _, Kind::Any | Kind::Opaque) => Err(Unreadable),
            (BinaryOp::Eq | BinaryOp::Ne, x_kind, y_kind) if x_kind == y_kind => {
                Ok((self.compare_within_domains(op, x, y), Kind::Bool))
            }
            // Values of different types are different, strictly compared.
            (BinaryOp::Eq, ..) => Ok((self.boolean(false), Kind::Bool)),
            (BinaryOp::Ne, ..) => Ok((self.boolean(true), Kind::Bool)),
            (BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge, Kind::Int, Kind::Int) => {
                Ok((self.binary(op, x, y), Kind::Bool))
            }
            (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Mod, Kind::Int, Kind::Int) => {
                Ok((self.binary(op, x, y), Kind::Int))
            }
            _ => Err(Unreadable),
        }
    }

    /// Equality. A symbol that a variable never has is different from it.
    fn compare_within_domains(&mut self, op: BinaryOp, x: ExprId, y: ExprId) -> ExprId {
        debug_assert!(*self.model.context.exprs.ty(x) != Ty::BOOL);
        for (var, constant) in [(x, y), (y, x)] {
            if let (Node::Var(var), Node::Const(value)) = (&self.model[var], &self.model[constant])
                && matches!(value, Value::Symbol(_))
                && !self.model[*var].domain.contains(*value)
            {
                return self.boolean(op == BinaryOp::Ne);
            }
        }
        self.binary(op, x, y)
    }
}

/// Whether an expression is `null` or `undefined`.
fn is_nothing(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Text(text) if matches!(&**text, "null" | "undefined"))
}

/// Whether an expression has no parts to evaluate.
fn is_leaf(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Var(_) | ExprKind::In(_) | ExprKind::Unknown(_))
}
