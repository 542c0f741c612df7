//! Expressions over the context, as far as they can be read.

use super::{Reader, Stop};
use crate::diagnostic::Diagnostic;
use crate::op::BinaryOp;
use crate::span::Span;
use crate::statechart::ast::{Expr, ExprKind};
use crate::statechart::codes;
use crate::statechart::term::{Pattern, Term, TermKind};
use std::sync::Arc;

/// What the names in a function stand for.
pub(super) struct Scope<'t> {
    /// Names, and the paths in the arguments that they are bound to, such as `context` and `count`.
    bound: Vec<(Arc<str>, Vec<Arc<str>>)>,
    /// The parameters of a guard or an action.
    params: Option<&'t Term>,
}

impl<'t> Scope<'t> {
    pub(super) fn new(patterns: &[Pattern], params: Option<&'t Term>) -> Scope<'t> {
        let mut bound = Vec::new();
        for (pattern, start) in patterns.iter().zip([Vec::new(), vec![Arc::from("params")]]) {
            bind(pattern, &start, &mut bound);
        }
        Scope { bound, params }
    }

    /// Whether a term is the context as a whole.
    pub(super) fn is_context(&self, term: &Term) -> bool {
        self.path(term).is_some_and(|path| path.len() == 1 && &*path[0] == "context")
    }

    /// The path in the arguments that a term stands for.
    pub(super) fn path(&self, term: &Term) -> Option<Vec<Arc<str>>> {
        match &term.kind {
            TermKind::Name(name) => self.bound.iter().find(|(other, _)| other == name).map(|(_, path)| path.clone()),
            TermKind::Member(object, key) => {
                let mut path = self.path(object)?;
                path.push(key.clone());
                Some(path)
            }
            _ => None,
        }
    }
}

fn bind(pattern: &Pattern, path: &[Arc<str>], bound: &mut Vec<(Arc<str>, Vec<Arc<str>>)>) {
    match pattern {
        Pattern::Name(name) => bound.push((name.clone(), path.to_vec())),
        Pattern::Object(fields) => {
            for (key, inner) in fields {
                let mut path = path.to_vec();
                path.push(key.clone());
                bind(inner, &path, bound);
            }
        }
        Pattern::Other => {}
    }
}

/// The expression that a term stands for, if it can be read.
pub(super) fn value_of<'t>(reader: &Reader<'t>, term: &'t Term, scope: &Scope<'t>) -> Option<Expr> {
    let span = term.span;
    if let Some(path) = scope.path(term) {
        return of_path(reader, &path, scope, span);
    }
    if let Some(constant) = Reader::constant(term) {
        return Some(constant);
    }
    let part = |term: &'t Term| value_of(reader, term, scope).map(Box::new);
    let kind = match &term.kind {
        TermKind::Name(_) | TermKind::Member(..) => {
            let resolved = reader.resolve(term);
            return if std::ptr::eq(resolved, term) { None } else { Reader::constant(resolved) };
        }
        TermKind::Not(inner) => ExprKind::Not(part(inner)?),
        TermKind::Neg(inner) => ExprKind::Neg(part(inner)?),
        TermKind::Binary(op, left, right) => {
            let (left, right) = (part(left)?, part(right)?);
            // The rest of a division by zero is no number.
            if *op == BinaryOp::Mod && !matches!(right.kind, ExprKind::Int(number) if number != 0) {
                return None;
            }
            ExprKind::Binary(*op, left, right)
        }
        TermKind::Conditional(condition, yes, no) => ExprKind::Conditional(part(condition)?, part(yes)?, part(no)?),
        TermKind::Call(callee, arguments) => return math(reader, callee, arguments, scope, span),
        _ => return None,
    };
    Some(Expr { kind, span })
}

/// `Math.min(a, b)` and `Math.max(a, b)`.
fn math<'t>(reader: &Reader<'t>, callee: &Term, arguments: &'t [Term], scope: &Scope<'t>, span: Span) -> Option<Expr> {
    let TermKind::Member(object, name) = &callee.kind else { return None };
    let op = match (&object.kind, &**name) {
        (TermKind::Name(object), "min") if &**object == "Math" => BinaryOp::Lt,
        (TermKind::Name(object), "max") if &**object == "Math" => BinaryOp::Gt,
        _ => return None,
    };
    let [left, right] = arguments else { return None };
    let (left, right) = (value_of(reader, left, scope)?, value_of(reader, right, scope)?);
    let (left, right) = (Box::new(left), Box::new(right));
    let first = Expr { kind: ExprKind::Binary(op, left.clone(), right.clone()), span };
    Some(Expr { kind: ExprKind::Conditional(Box::new(first), left, right), span })
}

fn of_path<'t>(reader: &Reader<'t>, path: &[Arc<str>], scope: &Scope<'t>, span: Span) -> Option<Expr> {
    let (first, rest) = path.split_first()?;
    match &**first {
        "context" => {
            let name: Arc<str> = rest.join(".").into();
            let is_known = reader.data.iter().any(|datum| datum.name.text == name);
            is_known.then_some(Expr { kind: ExprKind::Var(name), span })
        }
        "params" => {
            let mut term = scope.params?;
            for key in rest {
                term = reader.get(term, key)?;
            }
            Reader::constant(term)
        }
        _ => None,
    }
}

impl Reader<'_> {
    /// An expression that is written as a text in JSON, such as `context.count < 3`.
    pub(super) fn embedded(&mut self, text: &str, span: Span) -> Result<Option<Expr>, Stop> {
        let parsed = crate::statechart::script::parse_text(text, span);
        match parsed {
            Ok(term) => {
                // The term lives only here, so it is read by a reader of its own.
                let reader = Reader { data: self.data.clone(), ..Reader::new(&[], Vec::new()) };
                let scope = Scope { bound: vec![("context".into(), vec!["context".into()])], params: None };
                let read = value_of(&reader, &term, &scope);
                if read.is_none() {
                    let message = "this expression cannot be read";
                    self.diagnostics.push(Diagnostic::error(codes::UNREADABLE, span, message));
                    return Err(Stop);
                }
                Ok(read)
            }
            Err(diagnostic) => {
                self.diagnostics.push(*diagnostic);
                Err(Stop)
            }
        }
    }
}
