//! Guards and actions: those that can be read, and names for the others.

use super::expressions::{Scope, value_of};
use super::{Reader, Stop, effect};
use crate::diagnostic::Diagnostic;
use crate::op::BinaryOp;
use crate::span::Span;
use crate::statechart::ast::{Action, ActionKind, Expr, ExprKind, Name, StateId};
use crate::statechart::codes;
use crate::statechart::expressions::{literal, whole};
use crate::statechart::term::{Body, Pattern, Term, TermKind};
use std::sync::Arc;

/// Maximal depth of guards that are made of guards.
const MAX_DEPTH: usize = 20;

impl<'t> Reader<'t> {
    /// A guard.
    pub(super) fn guard(&mut self, guard: &'t Term, source: StateId, event: Option<&Arc<str>>) -> Result<Expr, Stop> {
        self.guard_within(guard, source, event, None, 0)
    }

    pub(super) fn guard_within(
        &mut self,
        guard: &'t Term,
        source: StateId,
        event: Option<&Arc<str>>,
        params: Option<&'t Term>,
        depth: usize,
    ) -> Result<Expr, Stop> {
        let guard = self.resolve(guard);
        let span = guard.span;
        if depth > MAX_DEPTH {
            return Err(self.error(codes::TOO_LARGE, span, "guards are nested too deeply"));
        }
        match &guard.kind {
            TermKind::Text(name) => self.named_guard(name, span, source, event, None, depth),
            TermKind::Object(_) => {
                let Some(name) = self.get(guard, "type").and_then(Term::text) else {
                    return Err(self.error(codes::WRONG_KIND, span, "a guard has a `type`"));
                };
                let params = self.get(guard, "params");
                self.named_guard(name, span, source, event, params, depth)
            }
            TermKind::Call(callee, arguments) => match (&callee.kind, &arguments[..]) {
                (TermKind::Name(name), [inner]) if &**name == "not" => {
                    let inner = self.guard_within(inner, source, event, None, depth + 1)?;
                    Ok(Expr { kind: ExprKind::Not(Box::new(inner)), span })
                }
                (TermKind::Name(name), [inner]) if matches!(&**name, "and" | "or") => {
                    let op = if &**name == "and" { BinaryOp::And } else { BinaryOp::Or };
                    let mut all: Option<Expr> = None;
                    for item in self.resolve(inner).items() {
                        let item = self.guard_within(item, source, event, None, depth + 1)?;
                        all = Some(match all {
                            Some(all) => Expr { kind: ExprKind::Binary(op, Box::new(all), Box::new(item)), span },
                            None => item,
                        });
                    }
                    Ok(all.unwrap_or(Expr { kind: ExprKind::Bool(op == BinaryOp::And), span }))
                }
                (TermKind::Name(name), [value]) if &**name == "stateIn" => self.state_value(value),
                _ => Ok(self.unnamed_guard(span, source, event)),
            },
            TermKind::Function(patterns, Body::Value(value)) => {
                let scope = Scope::new(patterns, params);
                match value_of(self, value, &scope) {
                    Some(read) => Ok(read),
                    None => Ok(self.unnamed_guard(span, source, event)),
                }
            }
            _ => Ok(self.unnamed_guard(span, source, event)),
        }
    }

    fn named_guard(
        &mut self,
        name: &Arc<str>,
        span: Span,
        source: StateId,
        event: Option<&Arc<str>>,
        params: Option<&'t Term>,
        depth: usize,
    ) -> Result<Expr, Stop> {
        let unknown = Expr { kind: ExprKind::Unknown(name.clone()), span };
        let Some(implementation) = self.implementation("guards", name) else { return Ok(unknown) };
        match &implementation.kind {
            TermKind::Function(patterns, Body::Value(value)) => {
                Ok(value_of(self, value, &Scope::new(patterns, params)).unwrap_or(unknown))
            }
            // The condition of a guard beside a configuration in JSON.
            TermKind::Text(text) if self.is_json => {
                let text = text.clone();
                self.embedded(&text, implementation.span).map(|read| read.unwrap_or(unknown))
            }
            TermKind::Text(_) | TermKind::Object(_) => {
                self.guard_within(implementation, source, event, params, depth + 1)
            }
            TermKind::Call(callee, _) if matches!(&callee.kind, TermKind::Name(name) if matches!(&**name, "and" | "or" | "not" | "stateIn")) => {
                self.guard_within(implementation, source, event, params, depth + 1)
            }
            _ => Ok(unknown),
        }
    }

    /// A guard without a name that cannot be read.
    fn unnamed_guard(&mut self, span: Span, source: StateId, event: Option<&Arc<str>>) -> Expr {
        self.n_unnamed += 1;
        let event = event.map_or("always", |event| event);
        let name: Arc<str> = format!("{}.{event}.{}", self.states[source.index()].key.text, self.n_unnamed).into();
        let message = "this guard cannot be read: it becomes an input that the tester controls";
        self.diagnostics.push(
            Diagnostic::warning(codes::UNREADABLE, span, message)
                .note(format!("the input is `guard.{name}`"))
                .help("a guard with a name can be replaced in tests by `machine.provide`"),
        );
        Expr { kind: ExprKind::Unknown(name), span }
    }

    /// A list of actions.
    pub(super) fn actions(&mut self, actions: &'t Term, state: StateId) -> Vec<Action> {
        let actions = self.resolve(actions);
        let mut read = Vec::new();
        for item in actions.items() {
            if let Ok(kind) = self.action(item, state, None, 0) {
                read.push(Action { kind, span: item.span });
            }
        }
        read
    }

    pub(super) fn action(
        &mut self,
        action: &'t Term,
        state: StateId,
        params: Option<&'t Term>,
        depth: usize,
    ) -> Result<ActionKind, Stop> {
        let action = self.resolve(action);
        if depth > MAX_DEPTH {
            return Err(self.error(codes::TOO_LARGE, action.span, "actions are nested too deeply"));
        }
        match &action.kind {
            TermKind::Text(name) => self.named_action(name, action.span, state, None, depth),
            TermKind::Object(_) => {
                let Some(name) = self.get(action, "type").and_then(Term::text) else {
                    return Err(self.error(codes::WRONG_KIND, action.span, "an action has a `type`"));
                };
                let params = self.get(action, "params");
                self.named_action(name, action.span, state, params, depth)
            }
            TermKind::Function(..) => Ok(effect("(anonymous)")),
            TermKind::Call(callee, arguments) => {
                let TermKind::Name(name) = &callee.kind else {
                    return Err(self.unreadable_action(action.span));
                };
                self.built_in(name, arguments, action.span, state, params, depth)
            }
            TermKind::Name(name) => {
                self.unimplemented.push(Name { text: name.clone(), span: action.span });
                Ok(effect(name))
            }
            _ => Err(self.unreadable_action(action.span)),
        }
    }

    pub(super) fn unreadable_action(&mut self, span: Span) -> Stop {
        self.error(codes::UNREADABLE, span, "this action cannot be read, and it may change the context or raise events")
    }

    fn named_action(
        &mut self,
        name: &Arc<str>,
        span: Span,
        state: StateId,
        params: Option<&'t Term>,
        depth: usize,
    ) -> Result<ActionKind, Stop> {
        let Some(implementation) = self.implementation("actions", name) else {
            self.unimplemented.push(Name { text: name.clone(), span });
            return Ok(effect(name));
        };
        match &implementation.kind {
            TermKind::Function(..) => Ok(effect(name)),
            // The assignments of an action beside a configuration in JSON.
            TermKind::Object(entries) if self.is_json => {
                let mut assigned = Vec::new();
                for entry in entries {
                    let Some(key) = &entry.key else { continue };
                    let value = match entry.value.text() {
                        Some(text) => self.embedded(&text.clone(), entry.value.span)?,
                        None => literal(&entry.value),
                    };
                    assigned.push((Name { text: key.clone(), span: entry.key_span }, value));
                }
                Ok(ActionKind::Assign(assigned))
            }
            _ => self.action(implementation, state, params, depth + 1),
        }
    }

    pub(super) fn built_in(
        &mut self,
        name: &Arc<str>,
        arguments: &'t [Term],
        span: Span,
        state: StateId,
        params: Option<&'t Term>,
        depth: usize,
    ) -> Result<ActionKind, Stop> {
        match (&**name, arguments) {
            ("assign", [assignments, ..]) => Ok(self.assign(self.resolve(assignments), span, params, None)),
            ("raise", [event, rest @ ..]) => {
                let event = self.raised(self.resolve(event), span)?;
                Ok(self.maybe_later(event, rest.first(), ActionKind::Raise))
            }
            ("sendTo", [target, event, rest @ ..]) if is_self(self.resolve(target)) => {
                let event = self.raised(self.resolve(event), span)?;
                Ok(self.maybe_later(event, rest.first(), ActionKind::Send))
            }
            ("cancel", [id]) => match self.resolve(id).text() {
                Some(id) => Ok(ActionKind::Cancel(id.clone())),
                None => Err(self.error(codes::UNREADABLE, span, "the id of the delayed event cannot be read")),
            },
            ("log" | "emit" | "sendTo" | "sendParent" | "forwardTo" | "stopChild" | "stop", _) => Ok(effect(name)),
            ("spawnChild", _) => {
                let message = "the events of a spawned actor are not part of the model: only those of `invoke` are";
                self.diagnostics.push(Diagnostic::warning(codes::UNSUPPORTED, span, message));
                Ok(effect(name))
            }
            ("enqueueActions", [collect]) => self.enqueued(self.resolve(collect), span, state, params, depth),
            _ => Err(self.unreadable_action(span)),
        }
    }

    /// An event that is sent at once, or after the delay of some options.
    fn maybe_later(&mut self, event: Name, options: Option<&'t Term>, at_once: fn(Name) -> ActionKind) -> ActionKind {
        let Some(options) = options.map(|options| self.resolve(options)) else { return at_once(event) };
        let Some(delay) = self.get(options, "delay") else { return at_once(event) };
        let id = self.get(options, "id").and_then(Term::text).cloned();
        let milliseconds = match &delay.kind {
            TermKind::Number(number) => whole(*number).and_then(|number| u64::try_from(number).ok()),
            TermKind::Text(name) => self.named_delay(name),
            _ => None,
        };
        if milliseconds.is_none() {
            let message = "this delay is unknown: it may end at any time";
            self.diagnostics.push(Diagnostic::warning(codes::UNKNOWN_DELAY, delay.span, message));
        }
        ActionKind::Delay { event, milliseconds, id }
    }

    /// The name of a raised event.
    fn raised(&mut self, event: &'t Term, span: Span) -> Result<Name, Stop> {
        let object = match &event.kind {
            TermKind::Function(_, Body::Value(value)) => self.resolve(value),
            _ => event,
        };
        match self.get(object, "type").and_then(Term::text) {
            Some(name) => Ok(Name { text: name.clone(), span: object.span }),
            None => Err(self.error(codes::UNREADABLE, span, "the raised event cannot be read")),
        }
    }

    /// An assignment. Values that are no functions may use the names of a function around it.
    pub(super) fn assign(
        &mut self,
        assignments: &'t Term,
        span: Span,
        params: Option<&'t Term>,
        around: Option<&Scope<'t>>,
    ) -> ActionKind {
        let (object, patterns): (&Term, &[Pattern]) = match &assignments.kind {
            TermKind::Function(patterns, Body::Value(value)) => (self.resolve(value), patterns),
            _ => (assignments, &[]),
        };
        let TermKind::Object(entries) = &object.kind else { return self.assign_all(span) };
        let is_function = matches!(assignments.kind, TermKind::Function(..));
        let own = Scope::new(patterns, params);
        let scope = around.filter(|_| !is_function).unwrap_or(&own);
        let mut assigned = Vec::new();
        for entry in entries {
            let Some(key) = &entry.key else {
                // `...context` changes nothing.
                if is_function && scope.is_context(&entry.value) {
                    continue;
                }
                return self.assign_all(span);
            };
            let value = self.resolve(&entry.value);
            let read = match &value.kind {
                TermKind::Function(patterns, Body::Value(body)) if !is_function => {
                    value_of(self, body, &Scope::new(patterns, params))
                }
                TermKind::Function(_, Body::Code | Body::Block(_)) => None,
                _ => value_of(self, value, scope),
            };
            self.assigned(key, entry.key_span, read, value.span, &mut assigned);
        }
        ActionKind::Assign(assigned)
    }

    fn assigned(
        &mut self,
        key: &Arc<str>,
        key_span: Span,
        read: Option<Expr>,
        value_span: Span,
        assigned: &mut Vec<(Name, Option<Expr>)>,
    ) {
        let name = |text: Arc<str>| Name { text, span: key_span };
        if let Some(datum) = self.data.iter().find(|datum| datum.name.text == *key) {
            // What cannot be read initially is unknown anyway.
            if read.is_none() && datum.initial.is_some() {
                let message = format!("the value of `{key}` cannot be read: it is not part of the model");
                let note = "guards that read it become inputs that the tester controls";
                self.diagnostics.push(Diagnostic::warning(codes::UNREADABLE, value_span, message).note(note));
            }
            assigned.push((name(key.clone()), read));
            return;
        }
        let prefix = format!("{key}.");
        let parts: Vec<Arc<str>> = self.data.iter().map(|datum| datum.name.text.clone()).collect();
        assigned.extend(parts.into_iter().filter(|part| part.starts_with(&prefix)).map(|part| (name(part), None)));
    }

    /// An assignment that cannot be read may change every variable.
    fn assign_all(&mut self, span: Span) -> ActionKind {
        let message = "this assignment cannot be read: no variable of the context is part of the model";
        let note = "guards that read the context become inputs that the tester controls";
        self.diagnostics.push(Diagnostic::warning(codes::UNREADABLE, span, message).note(note));
        ActionKind::Assign(self.data.iter().map(|datum| (Name { text: datum.name.text.clone(), span }, None)).collect())
    }
}

/// Whether a target is the actor itself: `({ self }) => self`.
fn is_self(target: &Term) -> bool {
    let TermKind::Function(patterns, Body::Value(value)) = &target.kind else { return false };
    Scope::new(patterns, None).path(value).is_some_and(|path| path.len() == 1 && &*path[0] == "self")
}
