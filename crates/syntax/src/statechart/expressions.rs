//! Expressions of ECMAScript that can be read. What names stand for depends on the notation.

use super::ast::{Expr, ExprKind, Function};
use super::term::{Entry, Term, TermKind};
use crate::op::BinaryOp;
use crate::span::Span;
use std::sync::Arc;

/// Maximal depth of expressions.
const MAX_DEPTH: usize = 60;

/// What a notation says about a term.
pub(super) enum Leaf {
    /// It stands for this.
    Value(Expr),
    /// It cannot be read.
    Unreadable,
    /// Nothing: it is read by its parts.
    Other,
}

/// The expression that a term stands for, if it can be read.
pub(super) fn read<'t>(term: &'t Term, leaf: &mut dyn FnMut(&'t Term) -> Leaf) -> Option<Expr> {
    within(term, leaf, 0)
}

/// A literal as an expression; lists and objects of literals are literals.
pub(super) fn literal(term: &Term) -> Option<Expr> {
    read(term, &mut |term| match &term.kind {
        TermKind::Name(_) | TermKind::Call(..) | TermKind::Function(..) => Leaf::Unreadable,
        _ => Leaf::Other,
    })
}

fn within<'t>(term: &'t Term, leaf: &mut dyn FnMut(&'t Term) -> Leaf, depth: usize) -> Option<Expr> {
    if depth > MAX_DEPTH {
        return None;
    }
    match leaf(term) {
        Leaf::Value(read) => return Some(read),
        Leaf::Unreadable => return None,
        Leaf::Other => {}
    }
    let span = term.span;
    let mut part = |term: &'t Term| within(term, leaf, depth + 1).map(Box::new);
    let kind = match &term.kind {
        TermKind::Null => ExprKind::Text("null".into()),
        TermKind::Undefined => ExprKind::Text("undefined".into()),
        TermKind::Bool(value) => ExprKind::Bool(*value),
        TermKind::Number(value) => ExprKind::Int(whole(*value)?),
        TermKind::Text(text) => ExprKind::Text(quoted(text)),
        TermKind::Not(inner) => ExprKind::Not(part(inner)?),
        TermKind::Neg(inner) => match *part(inner)? {
            Expr { kind: ExprKind::Int(number), .. } => ExprKind::Int(-number),
            inner => ExprKind::Neg(Box::new(inner)),
        },
        TermKind::Binary(op, left, right) => ExprKind::Binary(*op, part(left)?, part(right)?),
        TermKind::Loose(left, right) => ExprKind::Loose(part(left)?, part(right)?),
        TermKind::Conditional(condition, yes, no) => ExprKind::Conditional(part(condition)?, part(yes)?, part(no)?),
        TermKind::Array(items) => {
            ExprKind::Array(items.iter().map(|item| part(item).map(|item| *item)).collect::<Option<_>>()?)
        }
        TermKind::Object(entries) => {
            let entry = |entry: &'t Entry| Some((entry.key.clone()?, *part(&entry.value)?));
            ExprKind::Object(entries.iter().map(entry).collect::<Option<_>>()?)
        }
        TermKind::Member(object, key) => ExprKind::Member(part(object)?, Box::new(text(key, span))),
        TermKind::Index(object, key) => ExprKind::Member(part(object)?, part(key)?),
        TermKind::Typeof(inner) => ExprKind::Typeof(part(inner)?),
        TermKind::Has(key, object) => ExprKind::Has(part(key)?, part(object)?),
        TermKind::Call(callee, arguments) => {
            let TermKind::Member(object, name) = &callee.kind else { return None };
            let mut arguments = arguments.iter();
            let mut next = || arguments.next().map(&mut part).map(|argument| argument.map(|argument| *argument));
            let kind = match (&object.kind, &**name) {
                (TermKind::Name(global), "min" | "max" | "abs" | "pow" | "floor" | "round" | "ceil" | "trunc")
                    if &**global == "Math" =>
                {
                    let first = next()??;
                    let second = next().map_or(Some(None), |second| second.map(Some))?;
                    math(name, first, second, span)?
                }
                (TermKind::Name(global), "isArray") if &**global == "Array" => {
                    ExprKind::Call(Function::IsArray, vec![next()??])
                }
                (_, "includes" | "indexOf" | "concat") => {
                    let function = match &**name {
                        "includes" => Function::Includes,
                        "indexOf" => Function::IndexOf,
                        _ => Function::Concat,
                    };
                    let argument = next()??;
                    ExprKind::Call(function, vec![*part(object)?, argument])
                }
                _ => return None,
            };
            if arguments.next().is_some() {
                return None;
            }
            kind
        }
        TermKind::Name(_) | TermKind::Function(..) | TermKind::Other(_) => return None,
    };
    Some(Expr { kind, span })
}

/// A function of `Math`. All numbers are whole.
fn math(name: &str, a: Expr, b: Option<Expr>, span: Span) -> Option<ExprKind> {
    let choice = |op: BinaryOp, a: Expr, b: Expr, yes: Expr, no: Expr| {
        let condition = Expr { kind: ExprKind::Binary(op, Box::new(a), Box::new(b)), span };
        ExprKind::Conditional(Box::new(condition), Box::new(yes), Box::new(no))
    };
    match (name, b) {
        ("min", Some(b)) => Some(choice(BinaryOp::Lt, a.clone(), b.clone(), a, b)),
        ("max", Some(b)) => Some(choice(BinaryOp::Gt, a.clone(), b.clone(), a, b)),
        ("pow", Some(b)) => Some(ExprKind::Call(Function::Pow, vec![a, b])),
        ("abs", None) => {
            let zero = Expr { kind: ExprKind::Int(0), span };
            let negated = Expr { kind: ExprKind::Neg(Box::new(a.clone())), span };
            Some(choice(BinaryOp::Lt, a.clone(), zero, negated, a))
        }
        ("floor" | "round" | "ceil" | "trunc", None) => Some(a.kind),
        _ => None,
    }
}

fn text(text: &str, span: Span) -> Expr {
    Expr { kind: ExprKind::Text(quoted(text)), span }
}

/// A number without a fraction.
pub(super) fn whole(value: f64) -> Option<i64> {
    const LIMIT: f64 = 9_007_199_254_740_992.0;
    (value.fract() == 0.0 && value.abs() < LIMIT).then_some(value as i64)
}

/// A text as a symbol. `null` and `undefined` are symbols of their own.
pub(super) fn quoted(text: &str) -> Arc<str> {
    if matches!(text, "null" | "undefined") { format!("'{text}'").into() } else { text.into() }
}
