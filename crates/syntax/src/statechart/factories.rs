//! Calls of functions that make parts of machines, such as `entry: remember("name")` or `states: { a: step("b") }`: what
//! they make, with the arguments in the places of the parameters.

use super::term::{Body, Pattern, SPREAD, Statement, Term, TermKind};
use crate::op::BinaryOp;
use crate::span::Span;
use std::sync::Arc;

/// Functions of XState that make actions, guards and machines.
const MAKERS: [&str; 17] = [
    "assign",
    "raise",
    "sendTo",
    "sendParent",
    "forwardTo",
    "cancel",
    "enqueueActions",
    "log",
    "emit",
    "spawnChild",
    "stopChild",
    "and",
    "or",
    "not",
    "stateIn",
    "createAction",
    "createMachine",
];

/// What names stand for.
type Bindings = Vec<(Arc<str>, Term)>;

/// What a function makes of arguments; nothing if it does more than that, or if that is no part of a machine. Inside of
/// functions, only actions and guards are: values are found where expressions are read.
pub(super) fn made(
    patterns: &[Pattern],
    body: &Body,
    (arguments, place): (&[Term], Span),
    in_function: bool,
    left: &mut usize,
) -> Option<Term> {
    if has_spread(arguments) {
        return None;
    }
    let mut bindings = Bindings::new();
    for (at, pattern) in patterns.iter().enumerate() {
        bind(pattern, arguments.get(at), place, &mut bindings, left)?;
    }
    let value = match body {
        Body::Value(value) => value,
        Body::Block(statements) => {
            let (last, before) = statements.split_last()?;
            for statement in before {
                let Statement::Assign(Term { kind: TermKind::Name(name), .. }, value) = statement else { return None };
                let value = substituted(value, &bindings, left)?;
                bindings.push((name.clone(), value));
            }
            let Statement::Return(Some(value)) = last else { return None };
            value
        }
        Body::Code => return None,
    };
    let is_maker = |callee: &Term| match &callee.kind {
        TermKind::Name(name) | TermKind::Member(_, name) => MAKERS.contains(&&**name),
        _ => false,
    };
    let is_part = match &value.kind {
        TermKind::Call(callee, _) => is_maker(callee),
        TermKind::Function(..) => true,
        TermKind::Object(_) | TermKind::Array(_) | TermKind::Text(_) => !in_function,
        _ => false,
    };
    if !is_part {
        return None;
    }
    // A name in an argument must not be taken for one that the function declares.
    let mut own = Vec::new();
    declared(value, &mut own);
    let is_free = |name: &Arc<str>| !own.contains(name);
    let mut used = Vec::new();
    for (_, term) in &bindings {
        names(term, &mut used);
    }
    used.iter().all(is_free).then(|| substituted(value, &bindings, left)).flatten()
}

/// What is missing is `undefined`, with this place.
pub(super) fn bind(
    pattern: &Pattern,
    argument: Option<&Term>,
    place: Span,
    bindings: &mut Bindings,
    left: &mut usize,
) -> Option<()> {
    match (pattern, argument) {
        (Pattern::Default(inner, default), None | Some(Term { kind: TermKind::Undefined, .. })) => {
            // It may depend on parameters before it.
            let default = substituted(default, bindings, left)?;
            bind(inner, Some(&default), place, bindings, left)?;
        }
        (Pattern::Default(inner, _), Some(given)) if is_defined(given) => {
            bind(inner, argument, place, bindings, left)?;
        }
        (Pattern::Name(name), Some(argument)) => bindings.push((name.clone(), argument.clone())),
        (Pattern::Name(name), None) => {
            bindings.push((name.clone(), Term { kind: TermKind::Undefined, span: place }));
        }
        (Pattern::Object(fields), Some(object)) => {
            let TermKind::Object(entries) = &object.kind else { return None };
            if entries.iter().any(|entry| entry.key.is_none()) {
                return None;
            }
            for (key, inner) in fields {
                bind(inner, object.get(key), place, bindings, left)?;
            }
        }
        _ => return None,
    }
    Some(())
}

/// A copy of a term with values in the places of names; nothing if that is too large.
pub(super) fn substituted(term: &Term, bindings: &[(Arc<str>, Term)], left: &mut usize) -> Option<Term> {
    *left = left.checked_sub(1)?;
    if let TermKind::Name(name) = &term.kind {
        let value = bindings.iter().rev().find(|(other, _)| other == name).map(|(_, value)| value);
        return match value {
            Some(value) => {
                *left = left.checked_sub(size(value))?;
                Some(value.clone())
            }
            None => Some(term.clone()),
        };
    }
    let own = term.declared();
    let inner: Bindings;
    let bindings = if own.is_empty() {
        bindings
    } else {
        inner = bindings.iter().filter(|(name, _)| !own.contains(name)).cloned().collect();
        &inner
    };
    let mut copy = term.clone();
    for part in copy.parts_mut() {
        *part = substituted(part, bindings, left)?;
    }
    Some(copy)
}

fn size(term: &Term) -> usize {
    1 + term.parts().into_iter().map(size).sum::<usize>()
}

/// Whether a term has a value that is not `undefined`.
pub(super) fn is_defined(term: &Term) -> bool {
    matches!(
        &term.kind,
        TermKind::Null
            | TermKind::Bool(_)
            | TermKind::Number(_)
            | TermKind::Text(_)
            | TermKind::Array(_)
            | TermKind::Object(_)
            | TermKind::Function(..)
            | TermKind::Not(_)
            | TermKind::Neg(_)
            | TermKind::Loose(..)
            | TermKind::Typeof(_)
            | TermKind::Has(..)
    ) || matches!(&term.kind, TermKind::Binary(op, ..) if !matches!(op, BinaryOp::And | BinaryOp::Or))
}

/// Whether the number of arguments is not known.
pub(super) fn has_spread(arguments: &[Term]) -> bool {
    arguments.iter().any(|argument| argument.kind == SPREAD)
}

/// The names that a term mentions.
fn names(term: &Term, found: &mut Vec<Arc<str>>) {
    if let TermKind::Name(name) = &term.kind {
        found.push(name.clone());
    }
    term.parts().into_iter().for_each(|part| names(part, found));
}

/// The names that functions inside of a term declare.
fn declared(term: &Term, found: &mut Vec<Arc<str>>) {
    found.extend(term.declared());
    term.parts().into_iter().for_each(|part| declared(part, found));
}
