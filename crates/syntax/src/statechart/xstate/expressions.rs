//! Expressions over the context, as far as they can be read.

use super::{Reader, Stop};
use crate::diagnostic::Diagnostic;
use crate::op::BinaryOp;
use crate::span::Span;
use crate::statechart::ast::{Expr, ExprKind};
use crate::statechart::codes;
use crate::statechart::expressions::{Leaf, MAX_COPIED, known, literal, quoted, read};
use crate::statechart::factories::{has_spread, is_defined};
use crate::statechart::term::{Body, Pattern, Statement, Term, TermKind};
use std::sync::Arc;

/// Maximal depth of functions that call each other.
const MAX_CALLS: usize = 12;

/// Maximal number of ways through a function.
pub(super) const MAX_OUTCOMES: usize = 64;

/// Methods that change the object that they are called on.
const CHANGING: [&str; 13] = [
    "push",
    "pop",
    "shift",
    "unshift",
    "splice",
    "sort",
    "reverse",
    "fill",
    "copyWithin",
    "set",
    "add",
    "delete",
    "clear",
];

/// What a name in a function stands for.
#[derive(Clone)]
enum Binding {
    /// A path in the arguments, such as `context` and `count`.
    Path(Vec<Arc<str>>),
    /// A value.
    Value(Expr),
    /// Something that cannot be read.
    Unreadable,
}

/// What the names in a function stand for.
#[derive(Clone)]
pub(super) struct Scope<'t> {
    bound: Vec<(Arc<str>, Binding)>,
    /// The parameters of a guard or an action.
    params: Option<&'t Term>,
    /// The type of the event, if it is known.
    event: Option<Arc<str>>,
    /// The number of calls around it.
    depth: usize,
}

impl<'t> Scope<'t> {
    pub(super) fn new(patterns: &[Pattern], params: Option<&'t Term>) -> Scope<'t> {
        let mut scope = Scope { bound: Vec::new(), params, event: None, depth: 0 };
        for (pattern, start) in patterns.iter().zip([Vec::new(), vec![Arc::from("params")]]) {
            scope.bind_path(pattern, &start);
        }
        scope
    }

    /// The same inside of another function. It runs later, when the context may have changed.
    pub(super) fn within(mut self, around: Option<&Scope<'t>>) -> Scope<'t> {
        let lasting = |binding: &Binding| match binding {
            Binding::Path(path) => path.first().is_some_and(|first| matches!(&**first, "params" | "event")),
            Binding::Value(value) => matches!(value.kind, ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::Text(_)),
            Binding::Unreadable => true,
        };
        let outer = around.iter().flat_map(|around| &around.bound).map(|(name, binding)| {
            (name.clone(), if lasting(binding) { binding.clone() } else { Binding::Unreadable })
        });
        self.bound.splice(0..0, outer);
        self
    }

    /// The same where the event is known.
    pub(super) fn on(mut self, event: Option<&Arc<str>>) -> Scope<'t> {
        self.event = event.filter(|event| !event.ends_with('*')).cloned();
        self
    }

    fn binding(&self, name: &str) -> Option<&Binding> {
        self.bound.iter().rev().find(|(other, _)| **other == *name).map(|(_, binding)| binding)
    }

    /// Whether the function says what a term stands for, and not the script around it.
    pub(super) fn has(&self, term: &Term) -> bool {
        match &term.kind {
            TermKind::Name(name) => self.binding(name).is_some(),
            TermKind::Member(object, _) | TermKind::Index(object, _) | TermKind::Optional(object, _) => {
                self.has(object)
            }
            _ => false,
        }
    }

    /// Whether a term is the context as a whole.
    pub(super) fn is_context(&self, term: &Term) -> bool {
        self.path(term).is_some_and(|path| path.len() == 1 && &*path[0] == "context")
    }

    /// The path in the arguments that a term stands for.
    pub(super) fn path(&self, term: &Term) -> Option<Vec<Arc<str>>> {
        match &term.kind {
            TermKind::Name(name) => match self.binding(name)? {
                Binding::Path(path) => Some(path.clone()),
                _ => None,
            },
            TermKind::Member(object, key) => {
                let mut path = self.path(object)?;
                path.push(key.clone());
                Some(path)
            }
            _ => None,
        }
    }

    fn bind_path(&mut self, pattern: &Pattern, path: &[Arc<str>]) {
        match pattern {
            Pattern::Name(name) => self.bound.push((name.clone(), Binding::Path(path.to_vec()))),
            Pattern::Object(fields) => {
                for (key, inner) in fields {
                    self.bind_path(inner, &[path, std::slice::from_ref(key)].concat());
                }
            }
            // Whether there is a value is not known.
            Pattern::Default(..) | Pattern::Other(_) => self.bind_value(pattern, None),
        }
    }

    fn bind_value(&mut self, pattern: &Pattern, value: Option<Expr>) {
        match pattern {
            Pattern::Name(name) => {
                self.bound.push((name.clone(), value.map_or(Binding::Unreadable, Binding::Value)));
            }
            Pattern::Object(fields) => {
                for (key, inner) in fields {
                    let member = value.clone().map(|object| {
                        let span = object.span;
                        let key = Expr { kind: ExprKind::Text(quoted(key)), span };
                        Expr { kind: ExprKind::Member(Box::new(object), Box::new(key)), span }
                    });
                    self.bind_value(inner, member);
                }
            }
            Pattern::Default(inner, _) => self.bind_value(inner, value.filter(is_known)),
            Pattern::Other(names) => self.forget_all(names.clone()),
        }
    }

    /// Binds a name to the value that counts where there is none: its default, or `undefined`.
    fn bind_missing(&mut self, reader: &Reader<'t>, pattern: &'t Pattern, span: Span) {
        match pattern {
            Pattern::Default(inner, default) => {
                let before = self.clone();
                self.bind(reader, inner, default, &before);
            }
            Pattern::Name(_) => {
                self.bind_value(pattern, Some(Expr { kind: ExprKind::Text("undefined".into()), span }));
            }
            Pattern::Object(_) | Pattern::Other(_) => self.bind_value(pattern, None),
        }
    }

    /// Binds a name to a term of another scope.
    fn bind(&mut self, reader: &Reader<'t>, pattern: &'t Pattern, term: &'t Term, of: &Scope<'t>) {
        match (of.path(term), pattern, &term.kind) {
            (_, Pattern::Default(..), TermKind::Undefined) => self.bind_missing(reader, pattern, term.span),
            (None, Pattern::Default(inner, _), _) if is_defined(reader.resolve(term)) && !of.has(term) => {
                self.bind(reader, inner, term, of);
            }
            (Some(path), ..) => self.bind_path(pattern, &path),
            (None, Pattern::Object(fields), TermKind::Object(entries)) if entries.iter().all(|e| e.key.is_some()) => {
                for (key, inner) in fields {
                    match term.entry(key) {
                        Some(entry) => self.bind(reader, inner, &entry.value, of),
                        None if key.is_empty() => self.bind_value(inner, None),
                        None => self.bind_missing(reader, inner, term.span),
                    }
                }
            }
            _ => self.bind_value(pattern, value_of(reader, term, of)),
        }
    }

    /// Binds a name that is declared or assigned. Whether that changes nothing else.
    pub(super) fn assign(&mut self, reader: &Reader<'t>, place: &Term, value: &'t Term) -> bool {
        let TermKind::Name(name) = &place.kind else { return self.change(place) };
        let binding = match self.path(value) {
            Some(path) => Binding::Path(path),
            None => value_of(reader, value, self).map_or(Binding::Unreadable, Binding::Value),
        };
        self.bound.push((name.clone(), binding));
        true
    }

    /// Forgets the value of an object that changes in place. Whether it is no argument, whose changes others see.
    fn change(&mut self, place: &Term) -> bool {
        match &place.kind {
            TermKind::Name(name) => match self.binding(name) {
                Some(Binding::Path(_)) | None => false,
                Some(_) => {
                    self.bound.push((name.clone(), Binding::Unreadable));
                    true
                }
            },
            TermKind::Member(object, _) | TermKind::Index(object, _) => self.change(object),
            _ => false,
        }
    }

    /// Forgets the values of names.
    pub(super) fn forget_all(&mut self, names: Vec<Arc<str>>) {
        self.bound.extend(names.into_iter().map(|name| (name, Binding::Unreadable)));
    }

    /// Forgets the values of the names that statements assign.
    pub(super) fn forget_names(&mut self, body: &[Statement]) {
        let mut names = Vec::new();
        for statement in body {
            statement.names(&mut names);
        }
        self.forget_all(names);
    }

    /// Whether a term mentions an argument of the function.
    pub(super) fn mentions(&self, term: &Term, argument: &str) -> bool {
        let is_it = |path: Vec<Arc<str>>| path.first().is_some_and(|first| **first == *argument);
        self.path(term).is_some_and(is_it) || term.parts().into_iter().any(|part| self.mentions(part, argument))
    }

    /// Forgets what statements assign that are executed any number of times. Whether they change nothing else.
    pub(super) fn forget(&mut self, body: &[Statement]) -> bool {
        self.forget_names(body);
        body.iter().all(|statement| match statement {
            Statement::Call(call) => self.call(call),
            Statement::Assign(Term { kind: TermKind::Name(_), .. }, _) | Statement::Break => true,
            Statement::Assign(place, _) => self.change(place),
            Statement::If(_, yes, no) => self.forget(yes) && self.forget(no),
            Statement::Loop(body) => self.forget(body),
            Statement::Return(_) | Statement::Throw => false,
        })
    }

    /// Takes note of a call whose result does not matter. Whether it changes no argument.
    fn call(&mut self, call: &Term) -> bool {
        let TermKind::Call(callee, _) = &call.kind else { return true };
        let TermKind::Member(object, method) = &callee.kind else { return true };
        !CHANGING.contains(&&**method) || !self.has(object) || self.change(object)
    }
}

/// The expression that a term stands for, if it can be read.
pub(super) fn value_of<'t>(reader: &Reader<'t>, term: &'t Term, scope: &Scope<'t>) -> Option<Expr> {
    let found = |read: Option<Expr>| read.map_or(Leaf::Unreadable, Leaf::Value);
    read(term, &mut |term| {
        if let Some(path) = scope.path(term) {
            return found(of_path(reader, &path, scope, term.span));
        }
        match &term.kind {
            TermKind::Name(name) => match scope.binding(name) {
                Some(Binding::Value(value)) => found(reader.copy(value)),
                Some(_) => Leaf::Unreadable,
                None => match reader.resolve(term) {
                    resolved if std::ptr::eq(resolved, term) => Leaf::Unreadable,
                    resolved => found(literal(resolved)),
                },
            },
            TermKind::Member(..) | TermKind::Index(..) if !scope.has(term) => match reader.resolve(term) {
                resolved if std::ptr::eq(resolved, term) => Leaf::Other,
                resolved => found(literal(resolved)),
            },
            // A member of an argument by a key that is known.
            TermKind::Index(object, key)
                if matches!(key.kind, TermKind::Name(_) | TermKind::Member(..) | TermKind::Text(_)) =>
            {
                match (scope.path(object), value_of(reader, key, scope)) {
                    (Some(mut path), Some(Expr { kind: ExprKind::Text(key), .. })) if reader.is_part(&path, &key) => {
                        path.push(key);
                        found(of_path(reader, &path, scope, term.span))
                    }
                    _ => Leaf::Other,
                }
            }
            TermKind::Optional(object, key) => match scope.path(object) {
                Some(mut path) if reader.is_part(&path, key) => {
                    path.push(key.clone());
                    found(of_path(reader, &path, scope, term.span))
                }
                _ => Leaf::Other,
            },
            TermKind::Call(callee, arguments) => match (&callee.kind, &arguments[..]) {
                (TermKind::Name(name), [value]) if &**name == "Boolean" => {
                    found(value_of(reader, value, scope).map(|v| {
                        let not = |expr: Expr| Expr { span: expr.span, kind: ExprKind::Not(Box::new(expr)) };
                        not(not(v))
                    }))
                }
                (TermKind::Name(name), [value]) if &**name == "String" => {
                    found(value_of(reader, value, scope).map(|value| {
                        let span = value.span;
                        let empty = Expr { kind: ExprKind::Text("".into()), span };
                        Expr { kind: ExprKind::Binary(BinaryOp::Add, Box::new(empty), Box::new(value)), span }
                    }))
                }
                _ if scope.has(callee) => Leaf::Other,
                _ => match &reader.resolve(callee).kind {
                    TermKind::Function(patterns, body) => {
                        found(called(reader, patterns, body, (arguments, term.span), scope))
                    }
                    _ => Leaf::Other,
                },
            },
            _ => Leaf::Other,
        }
    })
}

/// Whether an expression is a constant other than `undefined`.
fn is_known(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::Object(_) => true,
        ExprKind::Text(text) => **text != *"undefined",
        _ => false,
    }
}

/// The value of a function of the script for some arguments.
fn called<'t>(
    reader: &Reader<'t>,
    patterns: &'t [Pattern],
    body: &'t Body,
    (arguments, place): (&'t [Term], Span),
    scope: &Scope<'t>,
) -> Option<Expr> {
    if scope.depth >= MAX_CALLS || has_spread(arguments) || !reader.spend(1) {
        return None;
    }
    let mut inner = Scope { bound: Vec::new(), params: None, event: scope.event.clone(), depth: scope.depth + 1 };
    for (at, pattern) in patterns.iter().enumerate() {
        match arguments.get(at) {
            Some(argument) => inner.bind(reader, pattern, argument, scope),
            None => inner.bind_missing(reader, pattern, place),
        }
    }
    body_value(reader, body, &inner)
}

/// The value that a function returns, if it can be read.
pub(super) fn body_value<'t>(reader: &Reader<'t>, body: &'t Body, scope: &Scope<'t>) -> Option<Expr> {
    match body {
        Body::Value(value) => value_of(reader, value, scope),
        Body::Block(statements) => block_value(reader, &[statements], scope.clone(), &mut 1),
        Body::Code => None,
    }
}

/// The value that statements return, those of the first list before those of the others.
fn block_value<'t>(
    reader: &Reader<'t>,
    lists: &[&'t [Statement]],
    mut scope: Scope<'t>,
    n_outcomes: &mut usize,
) -> Option<Expr> {
    let (first, rest) = lists.split_first()?;
    for (at, statement) in first.iter().enumerate() {
        if !reader.spend(1) {
            return None;
        }
        match statement {
            Statement::Call(call) if scope.call(call) => {}
            Statement::Assign(place, value) if scope.assign(reader, place, value) => {}
            Statement::Loop(body) if scope.forget(body) => {}
            Statement::If(condition, yes, no) => {
                let condition = value_of(reader, condition, &scope)?;
                let after = |branch: &'t [Statement]| [&[branch, &first[at + 1..]], rest].concat();
                if let Some(truth) = known(&condition) {
                    return block_value(reader, &after(if truth { yes } else { no }), scope, n_outcomes);
                }
                *n_outcomes += 1;
                if *n_outcomes > MAX_OUTCOMES {
                    return None;
                }
                let yes = block_value(reader, &after(yes), scope.clone(), n_outcomes)?;
                let no = block_value(reader, &after(no), scope, n_outcomes)?;
                let span = condition.span;
                let kind = ExprKind::Conditional(Box::new(condition), Box::new(yes), Box::new(no));
                return Some(Expr { kind, span });
            }
            Statement::Return(Some(value)) => return value_of(reader, value, &scope),
            _ => return None,
        }
    }
    block_value(reader, rest, scope, n_outcomes)
}

/// The term that a function returns, with what its names stand for, if conditions on the way are known.
pub(super) fn returned<'t>(reader: &Reader<'t>, body: &'t Body, mut scope: Scope<'t>) -> Option<(&'t Term, Scope<'t>)> {
    let mut waiting: Vec<&'t Statement> = match body {
        Body::Value(value) => return Some((value, scope)),
        Body::Block(statements) => statements.iter().rev().collect(),
        Body::Code => return None,
    };
    while let Some(statement) = waiting.pop() {
        match statement {
            Statement::Call(call) if scope.call(call) => {}
            Statement::Assign(place, value) if scope.assign(reader, place, value) => {}
            Statement::Loop(body) if scope.forget(body) => {}
            Statement::If(condition, yes, no) => {
                let truth = known(&value_of(reader, condition, &scope)?)?;
                waiting.extend(if truth { yes } else { no }.iter().rev());
            }
            Statement::Return(Some(value)) => return Some((value, scope)),
            _ => return None,
        }
    }
    None
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
            let Some((n, name)) = (1..=rest.len()).rev().find_map(of) else { return object_of(reader, rest, span) };
            let variable = Expr { kind: ExprKind::Var(name), span };
            Some(rest[n..].iter().fold(variable, |object, key| {
                let key = Expr { kind: ExprKind::Text(quoted(key)), span };
                Expr { kind: ExprKind::Member(Box::new(object), Box::new(key)), span }
            }))
        }
        "params" => {
            let mut term = scope.params?;
            let mut computed = None;
            // `params: ({ context }) => ({ … })`
            if let TermKind::Function(patterns, body) = &term.kind {
                let (value, inner) = returned(reader, body, Scope::new(patterns, None).on(scope.event.as_ref()))?;
                term = value;
                computed = Some(inner);
            }
            for key in rest {
                term = term.get(key).map(|value| reader.resolve(value))?;
            }
            match computed {
                Some(inner) => value_of(reader, term, &inner),
                None => literal(term),
            }
        }
        "event" if rest.len() == 1 && &*rest[0] == "type" => {
            scope.event.as_ref().map(|event| Expr { kind: ExprKind::Text(quoted(event)), span })
        }
        _ => None,
    }
}

/// An object of the context whose members are variables.
fn object_of(reader: &Reader<'_>, path: &[Arc<str>], span: Span) -> Option<Expr> {
    let prefix = format!("{}.", path.join("."));
    let mut object = Expr { kind: ExprKind::Object(Vec::new()), span };
    for datum in &reader.data {
        let Some(rest) = datum.name.text.strip_prefix(&*prefix) else { continue };
        let value = Expr { kind: ExprKind::Var(datum.name.text.clone()), span };
        add_member(&mut object, rest, value);
    }
    matches!(&object.kind, ExprKind::Object(members) if !members.is_empty() && !path.is_empty()).then_some(object)
}

fn add_member(object: &mut Expr, path: &str, value: Expr) {
    let ExprKind::Object(members) = &mut object.kind else { return };
    let Some((first, rest)) = path.split_once('.') else {
        members.push((path.into(), value));
        return;
    };
    if members.last().is_none_or(|(key, _)| **key != *first) {
        members.push((first.into(), Expr { kind: ExprKind::Object(Vec::new()), span: object.span }));
    }
    if let Some((_, inner)) = members.last_mut() {
        add_member(inner, rest, value);
    }
}

/// The member of an object by its path, `a.b`; nothing if it is not known.
pub(super) fn member_of(object: &Expr, path: &str) -> Option<Expr> {
    let (key, rest) = path.split_once('.').map_or((path, None), |(key, rest)| (key, Some(rest)));
    let inner = |value: &Expr| rest.map_or_else(|| Some(value.clone()), |rest| member_of(value, rest));
    match &object.kind {
        ExprKind::Object(members) => match members.iter().find(|(other, _)| **other == *key) {
            Some((_, value)) => inner(value),
            None if rest.is_none() => Some(Expr { kind: ExprKind::Text("undefined".into()), span: object.span }),
            None => None,
        },
        ExprKind::With(object, other, value) => match &other.kind {
            ExprKind::Text(other) if **other == *key => inner(value),
            ExprKind::Text(_) => member_of(object, path),
            _ => None,
        },
        ExprKind::Conditional(condition, yes, no) => {
            let (yes, no) = (Box::new(member_of(yes, path)?), Box::new(member_of(no, path)?));
            Some(Expr { kind: ExprKind::Conditional(condition.clone(), yes, no), span: object.span })
        }
        _ => None,
    }
}

impl Reader<'_> {
    /// Whether a member of the context, or of an object in it, is a variable or has variables as its parts.
    fn is_part(&self, path: &[Arc<str>], key: &str) -> bool {
        let Some((first, rest)) = path.split_first() else { return false };
        let name = rest.iter().map(|part| &**part).chain([key]).collect::<Vec<_>>().join(".");
        let inside = format!("{name}.");
        let is_it = |other: &Arc<str>| **other == *name || other.starts_with(&inside);
        &**first == "context" && self.data.iter().any(|datum| is_it(&datum.name.text))
    }

    /// Takes some work from what is left for functions of the script. Whether there was as much.
    fn spend(&self, work: usize) -> bool {
        let left = self.work_left.get().checked_sub(work);
        self.work_left.set(left.unwrap_or(0));
        left.is_some()
    }

    /// A copy of a value, as long as there is work left.
    fn copy(&self, value: &Expr) -> Option<Expr> {
        let size = value.size(MAX_COPIED)?;
        self.spend(size).then(|| value.clone())
    }

    /// An expression that is written as a text in JSON, such as `context.count < 3`.
    pub(super) fn embedded(&mut self, text: &str, span: Span) -> Result<Option<Expr>, Stop> {
        let parsed = crate::statechart::script::parse_text(text, span);
        match parsed {
            Ok(term) => {
                // The term lives only here, so it is read by a reader of its own.
                let reader = Reader { data: self.data.clone(), ..Reader::new(&[], Vec::new()) };
                let scope =
                    Scope::new(&[Pattern::Object(vec![("context".into(), Pattern::Name("context".into()))])], None);
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
