//! Constants in the place of parts of objects and texts, `{ ...common, [EVENTS.GO]: `.${FIRST}` }`, and what functions make
//! in the place of their calls.

use super::factories;
use super::script::Script;
use super::term::{Entry, Term, TermKind};
use crate::op::BinaryOp;
use crate::span::Span;
use std::sync::Arc;

/// Maximal length of a chain of names that stand for each other.
pub(super) const MAX_REFERENCES: usize = 20;

/// Maximal number of entries and other parts that spreads and calls may add to a script.
const MAX_ENTRIES: usize = 20_000;

/// Maximal number of calls inside of each other.
const MAX_CALLS: usize = 8;

/// What a name at the top level of a script stands for.
pub(super) fn resolve<'t>(constants: &'t [(Arc<str>, Term)], term: &'t Term) -> &'t Term {
    resolve_within(constants, term, 0)
}

fn resolve_within<'t>(constants: &'t [(Arc<str>, Term)], term: &'t Term, depth: usize) -> &'t Term {
    let mut term = term;
    for _ in depth..MAX_REFERENCES {
        let named = |name: &Arc<str>| constants.iter().find(|(other, _)| other == name).map(|(_, term)| term);
        let next = match &term.kind {
            TermKind::Name(name) => named(name),
            TermKind::Member(object, key) => resolve_within(constants, object, depth + 1).get(key),
            TermKind::Index(object, key) => {
                let key = match &key.kind {
                    TermKind::Name(name) => named(name).unwrap_or(key),
                    _ => key,
                };
                let object = resolve_within(constants, object, depth + 1);
                match (&key.kind, &object.kind) {
                    (TermKind::Number(at), TermKind::Array(items)) => index(*at).and_then(|at| items.get(at)),
                    (TermKind::Text(key), _) => object.get(key),
                    _ => None,
                }
            }
            // `setup({…}).createStateConfig({…})`
            TermKind::Call(callee, arguments) => match (&callee.kind, &arguments[..]) {
                (TermKind::Member(_, name), [given]) if matches!(&**name, "createStateConfig" | "createAction") => {
                    Some(given)
                }
                _ => None,
            },
            _ => None,
        };
        match next {
            Some(next) => term = next,
            None => break,
        }
    }
    term
}

/// Replaces spreads and computed keys that constants say. Others stay as they are, and are reported where they matter.
pub(super) fn expand(script: &mut Script) {
    let mut left = MAX_ENTRIES;
    // Functions can be called before they are declared.
    script.constants.sort_by_key(|(_, term)| !matches!(term.kind, TermKind::Function(..)));
    // A constant is made of those before it.
    for at in 0..script.constants.len() {
        let (before, rest) = script.constants.split_at_mut(at);
        expand_term(&mut rest[0].1, before, &mut Vec::new(), &mut left, 0);
    }
    for value in &mut script.values {
        let visible = value.visible(&script.constants);
        let constants = visible.as_deref().unwrap_or(&script.constants);
        expand_term(&mut value.term, constants, &mut Vec::new(), &mut left, 0);
    }
}

/// What a term stands for, unless a function around it has a name of its own there.
fn constant<'t>(constants: &'t [(Arc<str>, Term)], term: &'t Term, bound: &[Arc<str>]) -> &'t Term {
    let mut first = term;
    while let TermKind::Member(object, _) | TermKind::Index(object, _) = &first.kind {
        first = object;
    }
    let is_bound = matches!(&first.kind, TermKind::Name(name) if bound.contains(name));
    if is_bound { term } else { resolve(constants, term) }
}

/// A number as the place of an item.
fn index(number: f64) -> Option<usize> {
    let is_place = number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number);
    #[expect(clippy::cast_sign_loss, reason = "it is not negative")]
    is_place.then_some(number as usize)
}

fn expand_term(
    term: &mut Term,
    constants: &[(Arc<str>, Term)],
    bound: &mut Vec<Arc<str>>,
    left: &mut usize,
    n_calls: usize,
) {
    let n = bound.len();
    bound.extend(term.declared());
    for part in term.parts_mut() {
        expand_term(part, constants, bound, left, n_calls);
    }
    bound.truncate(n);
    match &mut term.kind {
        TermKind::Object(entries) => {
            let mut expanded: Vec<Entry> = Vec::new();
            for mut entry in std::mem::take(entries) {
                if let Some(computed) = &entry.computed {
                    entry.key = text_of(&constant(constants, computed, bound).kind);
                }
                match &constant(constants, &entry.value, bound).kind {
                    TermKind::Undefined | TermKind::Null | TermKind::Bool(_) if entry.is_spread => {}
                    TermKind::Object(inner) if entry.is_spread && inner.len() <= *left => {
                        *left -= inner.len();
                        expanded.extend(inner.iter().cloned());
                    }
                    _ => expanded.push(entry),
                }
            }
            *entries = expanded;
        }
        TermKind::Call(callee, arguments) => {
            if n_calls < MAX_CALLS
                && let TermKind::Function(patterns, body) = &constant(constants, callee, bound).kind
                && let Some(made) = factories::made(patterns, body, (arguments, term.span), !bound.is_empty(), left)
            {
                *term = made;
                expand_term(term, constants, bound, left, n_calls + 1);
            }
        }
        TermKind::Conditional(test, a, b) => {
            if let Some(holds) = truth_of(&constant(constants, test, bound).kind) {
                *term = std::mem::replace(if holds { &mut **a } else { &mut **b }, undefined(term.span));
            }
        }
        TermKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
            if let Some(holds) = truth_of(&constant(constants, a, bound).kind) {
                let is_first = holds == (*op == BinaryOp::Or);
                *term = std::mem::replace(if is_first { &mut **a } else { &mut **b }, undefined(term.span));
            }
        }
        TermKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), a, b) => {
            let (a, b) = (&constant(constants, a, bound).kind, &constant(constants, b, bound).kind);
            if let (TermKind::Number(a), TermKind::Number(b)) = (a, b) {
                term.kind = TermKind::Number(match op {
                    BinaryOp::Add => a + b,
                    BinaryOp::Sub => a - b,
                    _ => a * b,
                });
            } else if *op == BinaryOp::Add
                && (matches!(a, TermKind::Text(_)) || matches!(b, TermKind::Text(_)))
                && let (Some(a), Some(b)) = (text_of(a), text_of(b))
                && a.len() + b.len() <= *left
            {
                *left -= a.len() + b.len();
                term.kind = TermKind::Text(format!("{a}{b}").into());
            }
        }
        _ => {}
    }
}

/// Whether a constant holds as a condition.
fn truth_of(kind: &TermKind) -> Option<bool> {
    match kind {
        TermKind::Undefined | TermKind::Null => Some(false),
        TermKind::Bool(value) => Some(*value),
        TermKind::Number(number) => Some(*number != 0.0 && !number.is_nan()),
        TermKind::Text(text) => Some(!text.is_empty()),
        TermKind::Object(_) | TermKind::Array(_) | TermKind::Function(..) => Some(true),
        _ => None,
    }
}

/// What is left where a term was taken.
fn undefined(span: Span) -> Term {
    Term { kind: TermKind::Undefined, span }
}

/// A constant as a text.
fn text_of(kind: &TermKind) -> Option<Arc<str>> {
    match kind {
        TermKind::Text(text) => Some(text.clone()),
        TermKind::Number(number) => super::expressions::whole(*number).map(|number| number.to_string().into()),
        _ => None,
    }
}
