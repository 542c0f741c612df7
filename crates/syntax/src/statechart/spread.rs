//! Constants in the place of parts of objects: `{ ...common, [EVENTS.GO]: 'next' }`.

use super::script::Script;
use super::term::{Entry, Term, TermKind};
use std::sync::Arc;

/// Maximal length of a chain of names that stand for each other.
pub(super) const MAX_REFERENCES: usize = 20;

/// Maximal number of entries that spreads may add to a script.
const MAX_ENTRIES: usize = 20_000;

/// What a name at the top level of a script stands for.
pub(super) fn resolve<'t>(constants: &'t [(Arc<str>, Term)], term: &'t Term) -> &'t Term {
    let mut term = term;
    for _ in 0..MAX_REFERENCES {
        let next = match &term.kind {
            TermKind::Name(name) => constants.iter().find(|(other, _)| other == name).map(|(_, term)| term),
            TermKind::Member(object, key) => resolve(constants, object).get(key),
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
    // A constant is made of those before it.
    for at in 0..script.constants.len() {
        let (before, rest) = script.constants.split_at_mut(at);
        expand_term(&mut rest[0].1, before, &mut left);
    }
    for value in &mut script.values {
        expand_term(value, &script.constants, &mut left);
    }
}

fn expand_term(term: &mut Term, constants: &[(Arc<str>, Term)], left: &mut usize) {
    match &mut term.kind {
        TermKind::Object(entries) => {
            let mut expanded: Vec<Entry> = Vec::new();
            for mut entry in std::mem::take(entries) {
                expand_term(&mut entry.value, constants, left);
                if let Some(TermKind::Text(key)) =
                    entry.computed.as_deref().map(|computed| &resolve(constants, computed).kind)
                {
                    entry.key = Some(key.clone());
                }
                match &resolve(constants, &entry.value).kind {
                    TermKind::Object(inner) if entry.is_spread && inner.len() <= *left => {
                        *left -= inner.len();
                        expanded.extend(inner.iter().cloned());
                    }
                    _ => expanded.push(entry),
                }
            }
            *entries = expanded;
        }
        TermKind::Array(items) => {
            for item in items {
                expand_term(item, constants, left);
            }
        }
        TermKind::Call(callee, arguments) => {
            expand_term(callee, constants, left);
            for argument in arguments {
                expand_term(argument, constants, left);
            }
        }
        TermKind::Member(object, _) => expand_term(object, constants, left),
        TermKind::Function(_, super::term::Body::Value(value)) => expand_term(value, constants, left),
        _ => {}
    }
}
