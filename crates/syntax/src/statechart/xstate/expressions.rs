//! Expressions over the context, as far as they can be read.

use super::{Reader, Stop};
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::statechart::ast::{Expr, ExprKind};
use crate::statechart::codes;
use crate::statechart::expressions::{Leaf, literal, quoted, read};
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
    read(term, &mut |term| {
        let known = |read: Option<Expr>| read.map_or(Leaf::Unreadable, Leaf::Value);
        if let Some(path) = scope.path(term) {
            return known(of_path(reader, &path, scope, term.span));
        }
        if !matches!(term.kind, TermKind::Name(_) | TermKind::Member(..)) {
            return Leaf::Other;
        }
        // The name of a constant, or the member of one.
        let resolved = reader.resolve(term);
        match std::ptr::eq(resolved, term) {
            true if matches!(term.kind, TermKind::Member(..)) => Leaf::Other,
            is_unknown => known(if is_unknown { None } else { literal(resolved) }),
        }
    })
}

fn of_path<'t>(reader: &Reader<'t>, path: &[Arc<str>], scope: &Scope<'t>, span: Span) -> Option<Expr> {
    let (first, rest) = path.split_first()?;
    match &**first {
        "context" => {
            // The longest start that is a variable, and members of its value.
            let of = |n: usize| {
                let name: Arc<str> = rest[..n].join(".").into();
                reader.data.iter().any(|datum| datum.name.text == name).then_some((n, name))
            };
            let (n, name) = (1..=rest.len()).rev().find_map(of)?;
            let variable = Expr { kind: ExprKind::Var(name), span };
            Some(rest[n..].iter().fold(variable, |object, key| {
                let key = Expr { kind: ExprKind::Text(quoted(key)), span };
                Expr { kind: ExprKind::Member(Box::new(object), Box::new(key)), span }
            }))
        }
        "params" => {
            let mut term = scope.params?;
            for key in rest {
                term = reader.get(term, key)?;
            }
            literal(term)
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
