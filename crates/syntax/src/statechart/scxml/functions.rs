//! Functions that a script of a chart declares: their calls become what they return, or what they do.

use super::Reader;
use crate::statechart::factories::{bind, has_spread, substituted};
use crate::statechart::script::Functions;
use crate::statechart::term::{Body, Statement, Term, TermKind};
use std::sync::Arc;

/// Maximal number of calls inside of each other.
const MAX_CALLS: usize = 8;

/// Maximal number of terms that calls may add to a text.
const MAX_ADDED: usize = 5000;

/// What names stand for.
type Bindings = Vec<(Arc<str>, Term)>;

impl Reader<'_> {
    /// A term with what functions return in the places of their calls. Calls of functions that do more stay.
    pub(super) fn inlined(&self, term: &Term) -> Term {
        let mut copy = term.clone();
        if !self.functions.is_empty() {
            let mut left = MAX_ADDED;
            inline(&self.functions, &mut copy, &mut left, 0);
        }
        copy
    }

    /// The statements that a call stands for; nothing if it is none of a function of the chart, or if that cannot be read.
    pub(super) fn called(&self, call: &Term) -> Option<Vec<Statement>> {
        let TermKind::Call(callee, arguments) = &call.kind else { return None };
        let (function, locals) = self.function(callee)?;
        let TermKind::Function(patterns, body) = &function.kind else { return None };
        let statements = match body {
            Body::Block(statements) => statements,
            Body::Value(value) if is_plain(value) => return Some(Vec::new()),
            _ => return None,
        };
        if has_spread(arguments) {
            return None;
        }
        let mut left = MAX_ADDED;
        let mut bindings = Bindings::new();
        for (at, pattern) in patterns.iter().enumerate() {
            bind(pattern, arguments.get(at), call.span, &mut bindings, &mut left)?;
        }
        effects(statements, locals, &mut bindings, &mut left)
    }

    /// The function that a call names, with the names that it declares.
    fn function(&self, callee: &Term) -> Option<&(Term, Vec<Arc<str>>)> {
        let TermKind::Name(name) = &callee.kind else { return None };
        self.functions.get(name)
    }

    /// The first function of the chart that a term calls.
    pub(super) fn calls(&self, term: &Term) -> Option<Arc<str>> {
        if let TermKind::Call(callee, _) = &term.kind
            && let TermKind::Name(name) = &callee.kind
            && self.functions.contains_key(name)
        {
            return Some(name.clone());
        }
        term.parts().into_iter().find_map(|part| self.calls(part))
    }
}

fn inline(functions: &Functions, term: &mut Term, left: &mut usize, depth: usize) {
    for part in term.parts_mut() {
        inline(functions, part, left, depth);
    }
    let TermKind::Call(callee, arguments) = &term.kind else { return };
    let TermKind::Name(name) = &callee.kind else { return };
    let Some((function, locals)) = functions.get(name) else { return };
    if depth >= MAX_CALLS || has_spread(arguments) {
        return;
    }
    let TermKind::Function(patterns, body) = &function.kind else { return };
    let mut bindings = Bindings::new();
    for (at, pattern) in patterns.iter().enumerate() {
        if bind(pattern, arguments.get(at), term.span, &mut bindings, left).is_none() {
            return;
        }
    }
    let value = match body {
        Body::Value(value) => substituted(value, &bindings, left),
        Body::Block(statements) => returned(statements, locals, bindings, left),
        Body::Code => None,
    };
    let Some(mut value) = value else { return };
    inline(functions, &mut value, left, depth + 1);
    value.span = term.span;
    *term = value;
}

/// The value that statements return; nothing if they do more than that.
fn returned(statements: &[Statement], locals: &[Arc<str>], mut bindings: Bindings, left: &mut usize) -> Option<Term> {
    for (at, statement) in statements.iter().enumerate() {
        match statement {
            Statement::Assign(Term { kind: TermKind::Name(name), .. }, value) if locals.contains(name) => {
                let value = substituted(value, &bindings, left)?;
                bindings.push((name.clone(), value));
            }
            Statement::If(condition, yes, no) => {
                let span = condition.span;
                let condition = substituted(condition, &bindings, left)?;
                let rest = &statements[at + 1..];
                let mut branch = |branch: &[Statement]| {
                    *left = left.checked_sub(rest.len())?;
                    returned(&[branch, rest].concat(), locals, bindings.clone(), left).map(Box::new)
                };
                let (yes, no) = (branch(yes)?, branch(no)?);
                return Some(Term { kind: TermKind::Conditional(Box::new(condition), yes, no), span });
            }
            Statement::Return(Some(value)) => return substituted(value, &bindings, left),
            Statement::Call(call) if is_print(call) => {}
            _ => return None,
        }
    }
    None
}

/// What statements do to what is outside of a function, with values in the places of its own names.
fn effects(
    statements: &[Statement],
    locals: &[Arc<str>],
    bindings: &mut Bindings,
    left: &mut usize,
) -> Option<Vec<Statement>> {
    let mut all = Vec::new();
    for (at, statement) in statements.iter().enumerate() {
        match statement {
            Statement::Assign(Term { kind: TermKind::Name(name), .. }, value) if locals.contains(name) => {
                // A value that is kept would not see what is assigned after it.
                let value = substituted(value, bindings, left)?;
                if !is_constant(&value) && statements[at + 1..].iter().any(assigns) {
                    return None;
                }
                bindings.push((name.clone(), value));
            }
            Statement::Assign(place, value) => {
                // Parameters are copies, and what they stand for does not see what is assigned after it.
                if bindings.iter().any(|(_, value)| !is_constant(value)) && all.iter().any(assigns) {
                    return None;
                }
                all.push(Statement::Assign(substituted(place, bindings, left)?, substituted(value, bindings, left)?));
            }
            Statement::If(condition, yes, no) => {
                // What its branches assign to variables of the function is not known after it.
                let mut assigned = Vec::new();
                statement.names(&mut assigned);
                if at + 1 < statements.len() && assigned.iter().any(|name| locals.contains(name)) {
                    return None;
                }
                if bindings.iter().any(|(_, value)| !is_constant(value)) && all.iter().any(assigns) {
                    return None;
                }
                let condition = substituted(condition, bindings, left)?;
                let yes = effects(yes, locals, &mut bindings.clone(), left)?;
                let no = effects(no, locals, &mut bindings.clone(), left)?;
                all.push(Statement::If(condition, yes, no));
            }
            Statement::Call(call) => {
                if bindings.iter().any(|(_, value)| !is_constant(value)) && all.iter().any(assigns) {
                    return None;
                }
                all.push(Statement::Call(substituted(call, bindings, left)?));
            }
            Statement::Return(None) if at + 1 == statements.len() => {}
            _ => return None,
        }
    }
    Some(all)
}

/// Whether a statement may change a variable.
fn assigns(statement: &Statement) -> bool {
    match statement {
        Statement::Assign(..) => true,
        Statement::Call(call) => !is_print(call),
        Statement::If(_, yes, no) => yes.iter().chain(no).any(assigns),
        _ => false,
    }
}

/// Whether the evaluation of a term does nothing else.
fn is_plain(term: &Term) -> bool {
    !matches!(term.kind, TermKind::Call(..) | TermKind::Other(_)) && term.parts().into_iter().all(is_plain)
}

/// Whether a term has the same value at any time.
fn is_constant(term: &Term) -> bool {
    !matches!(term.kind, TermKind::Name(_) | TermKind::Call(..)) && term.parts().into_iter().all(is_constant)
}

/// Whether a call only prints.
fn is_print(call: &Term) -> bool {
    let TermKind::Call(callee, _) = &call.kind else { return false };
    matches!(&callee.kind, TermKind::Member(object, _) if matches!(&object.kind, TermKind::Name(name) if &**name == "console"))
}
