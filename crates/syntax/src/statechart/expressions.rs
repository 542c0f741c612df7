//! Expressions of ECMAScript that can be read. What names stand for depends on the notation.

use super::ast::{Expr, ExprKind, Function};
use super::term::{Term, TermKind};
use crate::op::BinaryOp;
use crate::span::Span;
use std::sync::Arc;

/// Maximal depth of expressions.
const MAX_DEPTH: usize = 60;

/// Maximal number of nodes of an expression that is written once and stands in several places.
pub(super) const MAX_COPIED: usize = 500;

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
        // What is known to be skipped need not be read.
        TermKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
            let left = part(left)?;
            match known(&left) {
                Some(truth) if truth == (*op == BinaryOp::Or) => left.kind,
                Some(_) => part(right)?.kind,
                None => ExprKind::Binary(*op, left, part(right)?),
            }
        }
        TermKind::Binary(op, left, right) => ExprKind::Binary(*op, part(left)?, part(right)?),
        TermKind::Loose(left, right) => ExprKind::Loose(part(left)?, part(right)?),
        TermKind::Conditional(condition, yes, no) => {
            let condition = part(condition)?;
            match known(&condition) {
                Some(truth) => part(if truth { yes } else { no })?.kind,
                None => ExprKind::Conditional(condition, part(yes)?, part(no)?),
            }
        }
        TermKind::Coalesce(left, right) => {
            let left = part(left)?;
            let (is_there, left) = (is_nullish(&left, span)?, left);
            ExprKind::Conditional(Box::new(is_there), part(right)?, left)
        }
        TermKind::Optional(object, key) => {
            let object = part(object)?;
            let is_nothing = is_nullish(&object, span)?;
            let nothing = Expr { kind: ExprKind::Text("undefined".into()), span };
            let member = Expr { kind: ExprKind::Member(object, Box::new(text(key, span))), span };
            ExprKind::Conditional(Box::new(is_nothing), Box::new(nothing), Box::new(member))
        }
        TermKind::Array(items) => {
            // The lists between spreads, joined.
            let mut joined: Option<Expr> = None;
            let mut run = Vec::new();
            for item in items {
                let TermKind::Spread(list) = &item.kind else {
                    run.push(*part(item)?);
                    continue;
                };
                let before = Expr { kind: ExprKind::Array(std::mem::take(&mut run)), span };
                let before = join(joined, before, span);
                joined = Some(join(Some(before), *part(list)?, span));
            }
            let rest = Expr { kind: ExprKind::Array(run), span };
            join(joined, rest, span).kind
        }
        TermKind::Object(entries) => {
            let mut object = ExprKind::Object(Vec::new());
            for (at, entry) in entries.iter().enumerate() {
                let value = *part(&entry.value)?;
                // All members come before those that are added.
                if entry.is_spread && at == 0 {
                    object = value.kind;
                    continue;
                }
                let key = entry.key.as_ref()?;
                object = with(Expr { kind: object, span }, key, value);
            }
            object
        }
        TermKind::Member(object, key) => match *part(object)? {
            Expr { kind: ExprKind::Array(items), .. } if &**key == "length" => {
                ExprKind::Int(i64::try_from(items.len()).ok()?)
            }
            object => ExprKind::Member(Box::new(object), Box::new(text(key, span))),
        },
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
                (_, "slice") => {
                    let (from, to) = (next()??, next());
                    let to = to.map_or(Some(None), |to| to.map(Some))?;
                    let object = *part(object)?;
                    ExprKind::Call(Function::Slice, [object, from].into_iter().chain(to).collect())
                }
                _ => return None,
            };
            if arguments.next().is_some() {
                return None;
            }
            kind
        }
        TermKind::Name(_) | TermKind::Function(..) | TermKind::Spread(_) | TermKind::Other(_) => return None,
    };
    Some(Expr { kind, span })
}

/// The truth of a condition, where constants say it.
pub(super) fn known(expr: &Expr) -> Option<bool> {
    match &expr.kind {
        ExprKind::Bool(value) => Some(*value),
        ExprKind::Not(inner) => known(inner).map(|truth| !truth),
        ExprKind::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), a, b) => match (&a.kind, &b.kind) {
            (ExprKind::Text(a), ExprKind::Text(b)) => Some((a == b) == (*op == BinaryOp::Eq)),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a value is `null` or `undefined`; the value is small enough to stand in two places.
fn is_nullish(expr: &Expr, span: Span) -> Option<Expr> {
    let null = Expr { kind: ExprKind::Text("null".into()), span };
    let kind = ExprKind::Loose(Box::new(copied(expr)?), Box::new(null));
    Some(Expr { kind, span })
}

/// A copy of an expression, unless it is large.
fn copied(expr: &Expr) -> Option<Expr> {
    expr.size(MAX_COPIED).map(|_| expr.clone())
}

/// Lists one after the other.
fn join(first: Option<Expr>, rest: Expr, span: Span) -> Expr {
    match (first, &rest.kind) {
        (None, _) => rest,
        (Some(first), ExprKind::Array(items)) if items.is_empty() => first,
        (Some(Expr { kind: ExprKind::Array(items), .. }), _) if items.is_empty() => {
            Expr { kind: ExprKind::Call(Function::Spread, vec![rest]), span }
        }
        (Some(first), _) => Expr { kind: ExprKind::Call(Function::Spread, vec![first, rest]), span },
    }
}

/// An object with a member replaced or added.
pub(super) fn with(object: Expr, key: &Arc<str>, value: Expr) -> ExprKind {
    let span = value.span;
    match object.kind {
        ExprKind::Object(mut members) => {
            match members.iter_mut().find(|(other, _)| other == key) {
                Some((_, old)) => *old = value,
                None => members.push((key.clone(), value)),
            }
            ExprKind::Object(members)
        }
        kind => {
            let object = Expr { kind, span: object.span };
            ExprKind::With(Box::new(object), Box::new(text(key, span)), Box::new(value))
        }
    }
}

/// A function of `Math`. All numbers are whole.
fn math(name: &str, a: Expr, b: Option<Expr>, span: Span) -> Option<ExprKind> {
    let choice = |op: BinaryOp, a: Expr, b: Expr, yes: Expr, no: Expr| {
        let condition = Expr { kind: ExprKind::Binary(op, Box::new(a), Box::new(b)), span };
        ExprKind::Conditional(Box::new(condition), Box::new(yes), Box::new(no))
    };
    match (name, b) {
        ("min", Some(b)) => Some(choice(BinaryOp::Lt, copied(&a)?, copied(&b)?, a, b)),
        ("max", Some(b)) => Some(choice(BinaryOp::Gt, copied(&a)?, copied(&b)?, a, b)),
        ("pow", Some(b)) => Some(ExprKind::Call(Function::Pow, vec![a, b])),
        ("abs", None) => {
            let zero = Expr { kind: ExprKind::Int(0), span };
            let negated = Expr { kind: ExprKind::Neg(Box::new(copied(&a)?)), span };
            Some(choice(BinaryOp::Lt, copied(&a)?, zero, negated, a))
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
