//! Warnings about comparisons that are never true: they are legal, and usually a misspelled name or number.

use super::Lowering;
use super::exprs::Operand;
use crate::expr::{ExprId, Node};
use crate::op::BinaryOp;
use crate::value::{Domain, Value};
use specwright_syntax::diagnostic::{Diagnostic, closest};
use specwright_syntax::smv::ast;
use specwright_syntax::smv::codes;

/// A superset of the values of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Possible {
    Values(Vec<Value>),
    Range(i64, i64),
}

impl Possible {
    fn has(&self, value: Value) -> bool {
        match (self, value) {
            (Possible::Values(values), value) => values.contains(&value),
            (Possible::Range(low, high), Value::Int(number)) => (*low..=*high).contains(&number),
            (Possible::Range(..), _) => false,
        }
    }

    fn meets(&self, other: &Possible) -> bool {
        match (self, other) {
            (Possible::Values(values), other) | (other, Possible::Values(values)) => {
                values.iter().any(|value| other.has(*value))
            }
            (Possible::Range(a, b), Possible::Range(c, d)) => a <= d && c <= b,
        }
    }
}

impl Lowering<'_> {
    /// Warns if the two sides of `=`, `!=` or `in` have no value in common.
    pub(super) fn warn_about_equality(&mut self, whole: ast::ExprId, made: ExprId, operands: &[Operand]) {
        let Node::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne | BinaryOp::In), a, b) = self.model[made] else { return };
        let place = self.span(whole);
        // A comparison that is never true in one instance of a module may be true in another.
        if matches!(self.never_equal.get(&place), Some(None)) {
            return;
        }
        let possible = self.possible(a).zip(self.possible(b)).filter(|(left, right)| !left.meets(right));
        let Some((left, right)) = possible else {
            self.never_equal.insert(place, None);
            return;
        };
        let outcome = if op == BinaryOp::Ne { "always true" } else { "never true" };
        let constant = |expr| match self.model[expr] {
            Node::Const(value) => Some(value),
            Node::Define(define) => match self.model[self.model.body(define)] {
                Node::Const(value) => Some(value),
                _ => None,
            },
            _ => None,
        };
        let (message, suggestion) = match (constant(a), constant(b)) {
            // A comparison of two constants is a way to write TRUE or FALSE.
            (Some(_), Some(_)) => return,
            (None, Some(value)) | (Some(value), None) => {
                let (domain, at) = if constant(a).is_some() { (&right, 0) } else { (&left, 1) };
                let message = format!("{} is not one of the values, so this is {outcome}", self.model.show(value));
                (message, self.similar_value(value, domain).map(|near| (self.span(operands[at].ast), near)))
            }
            _ => (format!("both sides have no value in common, so this is {outcome}"), None),
        };
        let mut diagnostic = Diagnostic::warning(codes::NEVER_EQUAL, self.span(whole), message);
        for (operand, values) in operands.iter().zip([&left, &right]) {
            if !matches!(self.model[operand.expr], Node::Const(_)) {
                diagnostic = diagnostic.also(self.span(operand.ast), format!("one of {}", self.show_possible(values)));
            }
        }
        if let Some((span, near)) = suggestion {
            diagnostic = diagnostic.suggest("a similar value exists", span, near);
        }
        self.never_equal.insert(place, Some(diagnostic));
    }

    /// Reports the comparisons that are never true in any instance.
    pub(super) fn report_never_equal(&mut self) {
        let mut found: Vec<_> = std::mem::take(&mut self.never_equal).into_iter().collect();
        found.sort_by_key(|(place, _)| *place);
        for diagnostic in found.into_iter().filter_map(|(_, diagnostic)| diagnostic) {
            self.report(diagnostic);
        }
    }

    fn similar_value(&self, value: Value, possible: &Possible) -> Option<String> {
        let (Value::Symbol(symbol), Possible::Values(values)) = (value, possible) else { return None };
        let names = values.iter().filter_map(|value| match value {
            Value::Symbol(symbol) => Some(self.model.context.symbols.name(*symbol)),
            _ => None,
        });
        closest(self.model.context.symbols.name(symbol), names).map(String::from)
    }

    fn show_possible(&self, possible: &Possible) -> String {
        match possible {
            Possible::Range(low, high) => format!("{low}..{high}"),
            Possible::Values(values) => {
                let shown: Vec<_> = values.iter().take(8).map(|value| self.model.show(*value)).collect();
                let more = if values.len() > shown.len() { ", …" } else { "" };
                format!("{}{more}", shown.join(", "))
            }
        }
    }

    /// The possible values of variables, constants and sets of these. Computed values are not considered: generated
    /// models often have comparisons that do not apply.
    fn possible(&self, expr: ExprId) -> Option<Possible> {
        match &self.model[expr] {
            Node::Const(value @ (Value::Int(_) | Value::Symbol(_))) => Some(Possible::Values(vec![*value])),
            Node::Var(var) => match &self.model[*var].domain {
                Domain::Enum(values) => Some(Possible::Values(values.to_vec())),
                Domain::Range(low, high) => Some(Possible::Range(*low, *high)),
                _ => None,
            },
            Node::Next(inner) if matches!(self.model[*inner], Node::Var(_)) => self.possible(*inner),
            Node::Define(define) => match self.model[self.model.body(*define)] {
                Node::Const(Value::Int(_) | Value::Symbol(_)) => self.possible(self.model.body(*define)),
                _ => None,
            },
            Node::Set(items) => {
                let values = items.iter().map(|item| match self.model[*item] {
                    Node::Const(value) => Some(value),
                    _ => None,
                });
                values.collect::<Option<Vec<_>>>().map(Possible::Values)
            }
            Node::Range(a, b) => match (&self.model[*a], &self.model[*b]) {
                (Node::Const(Value::Int(low)), Node::Const(Value::Int(high))) => Some(Possible::Range(*low, *high)),
                _ => None,
            },
            _ => None,
        }
    }
}
