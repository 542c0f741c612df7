//! Guards and actions: those that can be read, and names for the others.

use super::expressions::{Scope, body_value, member_of, returned, value_of};
use super::transitions::MAX_DELAY;
use super::{Reader, Stop, effect};
use crate::diagnostic::Diagnostic;
use crate::op::BinaryOp;
use crate::span::Span;
use crate::statechart::ast::{Action, ActionKind, Expr, ExprKind, Name, StateId};
use crate::statechart::codes;
use crate::statechart::expressions::{literal, whole};
use crate::statechart::term::{Body, Term, TermKind};
use std::sync::Arc;

/// Maximal depth of guards that are made of guards.
const MAX_DEPTH: usize = 20;

impl<'t> Reader<'t> {
    /// The guard of a transition. One that cannot be read is an input, named by its place.
    pub(super) fn guard(&mut self, guard: &'t Term, place: &Arc<str>) -> Result<Expr, Stop> {
        if let Some(read) = self.guard_within(guard, None, 0)? {
            return Ok(read);
        }
        let span = self.resolve(guard).span;
        let message = "this guard cannot be read: it becomes an input that the tester controls";
        let diagnostic = Diagnostic::warning(codes::UNREADABLE, span, message);
        self.diagnostics.push(diagnostic.note(format!("the input is `guard.{place}`")));
        Ok(Expr { kind: ExprKind::Unknown(place.clone()), span })
    }

    /// A guard, unless a part without a name cannot be read.
    pub(super) fn guard_within(
        &mut self,
        guard: &'t Term,
        params: Option<&'t Term>,
        depth: usize,
    ) -> Result<Option<Expr>, Stop> {
        let guard = self.resolve(guard);
        let span = guard.span;
        if depth > MAX_DEPTH {
            return Err(self.error(codes::TOO_LARGE, span, "guards are nested too deeply"));
        }
        match &guard.kind {
            TermKind::Text(name) => self.named_guard(name, span, None, depth).map(Some),
            TermKind::Object(_) => {
                let Some(name) = self.get(guard, "type").and_then(Term::text) else {
                    return Err(self.error(codes::WRONG_KIND, span, "a guard has a `type`"));
                };
                let params = self.get(guard, "params");
                self.named_guard(name, span, params, depth).map(Some)
            }
            TermKind::Call(callee, arguments) => match (self.function_name(callee), &arguments[..]) {
                (Some("not"), [inner]) => {
                    let inner = self.guard_within(inner, None, depth + 1)?;
                    Ok(inner.map(|inner| Expr { kind: ExprKind::Not(Box::new(inner)), span }))
                }
                (Some(name @ ("and" | "or")), [inner]) => {
                    let op = if name == "and" { BinaryOp::And } else { BinaryOp::Or };
                    let mut all: Option<Expr> = None;
                    for item in self.resolve(inner).items() {
                        let Some(item) = self.guard_within(item, None, depth + 1)? else { return Ok(None) };
                        all = Some(match all {
                            Some(all) => Expr { kind: ExprKind::Binary(op, Box::new(all), Box::new(item)), span },
                            None => item,
                        });
                    }
                    Ok(Some(all.unwrap_or(Expr { kind: ExprKind::Bool(op == BinaryOp::And), span })))
                }
                (Some("stateIn"), [value]) => self.state_value(value).map(Some),
                _ => Ok(None),
            },
            TermKind::Function(patterns, body) => {
                let scope = Scope::new(patterns, params).on(self.event.as_ref());
                Ok(body_value(self, body, &scope))
            }
            _ => Ok(None),
        }
    }

    fn named_guard(
        &mut self,
        name: &Arc<str>,
        span: Span,
        params: Option<&'t Term>,
        depth: usize,
    ) -> Result<Expr, Stop> {
        let unknown = Expr { kind: ExprKind::Unknown(name.clone()), span };
        let Some(implementation) = self.implementation("guards", name) else { return Ok(unknown) };
        let read = match &implementation.kind {
            // The condition of a guard beside a configuration in JSON.
            TermKind::Text(text) if self.is_json => {
                let text = text.clone();
                self.embedded(&text, implementation.span)?
            }
            _ => self.guard_within(implementation, params, depth + 1)?,
        };
        let Some(read) = read else { return Ok(unknown) };
        let span = read.span;
        Ok(Expr { kind: ExprKind::Named(name.clone(), Box::new(read)), span })
    }

    /// The name of a function of XState that is called, also as a member of its module or of a `setup`.
    fn function_name(&self, callee: &'t Term) -> Option<&'t str> {
        match &callee.kind {
            TermKind::Name(name) => Some(name),
            TermKind::Member(object, name) => match &self.resolve(object).kind {
                TermKind::Name(module) if !matches!(&**module, "Object" | "console" | "Math" | "JSON") => Some(name),
                TermKind::Call(..) => Some(name),
                _ => None,
            },
            _ => None,
        }
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
                let Some(name) = self.function_name(callee) else {
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
        name: &str,
        arguments: &'t [Term],
        span: Span,
        state: StateId,
        params: Option<&'t Term>,
        depth: usize,
    ) -> Result<ActionKind, Stop> {
        match (name, arguments) {
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
            ("sendTo" | "forwardTo", [target, ..]) => {
                Ok(self.resolve(target).text().map_or(effect(name), |id| ActionKind::SendTo(id.clone())))
            }
            ("log" | "emit" | "sendParent" | "stopChild" | "stop", _) => Ok(effect(name)),
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
            TermKind::Number(number) => whole(*number)
                .and_then(|number| u64::try_from(number).ok())
                .filter(|number| *number <= u64::from(MAX_DELAY)),
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
            TermKind::Function(patterns, body) => match returned(self, body, Scope::new(patterns, None)) {
                Some((value, inner)) => self.resolve_in(value, &inner),
                None => event,
            },
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
        let mut scope = around.cloned().unwrap_or_else(|| Scope::new(&[], params)).on(self.event.as_ref());
        let mut object = assignments;
        let is_function = matches!(assignments.kind, TermKind::Function(..));
        if let TermKind::Function(patterns, body) = &assignments.kind {
            let own = Scope::new(patterns, params).within(around).on(self.event.as_ref());
            match returned(self, body, own.clone()) {
                Some((value, inner)) => (object, scope) = (self.resolve_in(value, &inner), inner),
                None => match body_value(self, body, &own) {
                    Some(read) => return self.assign_object(&read, span),
                    None => return self.assign_all(span),
                },
            }
        }
        let TermKind::Object(entries) = &object.kind else {
            return match value_of(self, object, &scope).filter(|_| is_function) {
                Some(read) => self.assign_object(&read, span),
                None => self.assign_all(span),
            };
        };
        let mut assigned = Vec::new();
        for entry in entries {
            let Some(key) = &entry.key else {
                // `...context` changes nothing.
                if is_function && scope.is_context(&entry.value) {
                    continue;
                }
                return self.assign_all(span);
            };
            let value = self.resolve_in(&entry.value, &scope);
            let read = match &value.kind {
                TermKind::Function(patterns, body) if !is_function => {
                    let own = Scope::new(patterns, params).within(around).on(self.event.as_ref());
                    body_value(self, body, &own)
                }
                _ => value_of(self, value, &scope),
            };
            self.assigned(key, entry.key_span, read.as_ref(), value.span, &mut assigned);
        }
        ActionKind::Assign(assigned)
    }

    /// What a name stands for that is none of a function.
    fn resolve_in(&self, term: &'t Term, scope: &Scope<'t>) -> &'t Term {
        if scope.has(term) { term } else { self.resolve(term) }
    }

    /// An assignment of the members of an object. Other variables keep their values.
    fn assign_object(&mut self, object: &Expr, span: Span) -> ActionKind {
        let mut assigned = Vec::new();
        for datum in self.data.clone() {
            let name = datum.name.text;
            let first = name.split('.').next().unwrap_or_default();
            let value = object_or_kept(object, first, &name);
            assigned.push((Name { text: name, span }, value));
        }
        ActionKind::Assign(assigned)
    }

    fn assigned(
        &mut self,
        key: &Arc<str>,
        key_span: Span,
        read: Option<&Expr>,
        value_span: Span,
        assigned: &mut Vec<(Name, Option<Expr>)>,
    ) {
        let prefix = format!("{key}.");
        for datum in &self.data {
            let name = &datum.name.text;
            let value = if *name == *key {
                read.cloned()
            } else if let Some(path) = name.strip_prefix(&*prefix) {
                read.and_then(|read| member_of(read, path))
            } else {
                continue;
            };
            // What cannot be read initially is unknown anyway.
            if value.is_none() && datum.initial.is_some() {
                let message = format!("the value of `{name}` cannot be read: it is not part of the model");
                let note = "guards that read it become inputs that the tester controls";
                let diagnostic = Diagnostic::warning(codes::UNREADABLE, value_span, message).note(note);
                if !self.diagnostics.contains(&diagnostic) {
                    self.diagnostics.push(diagnostic);
                }
            }
            assigned.push((Name { text: name.clone(), span: key_span }, value));
        }
    }

    /// An assignment that cannot be read may change every variable.
    fn assign_all(&mut self, span: Span) -> ActionKind {
        let message = "this assignment cannot be read: no variable of the context is part of the model";
        let note = "guards that read the context become inputs that the tester controls";
        let diagnostic = Diagnostic::warning(codes::UNREADABLE, span, message).note(note);
        if !self.diagnostics.contains(&diagnostic) {
            self.diagnostics.push(diagnostic);
        }
        ActionKind::Assign(self.data.iter().map(|datum| (Name { text: datum.name.text.clone(), span }, None)).collect())
    }
}

/// The value that an object of a function gives a variable, if the object has its first key; its old value otherwise.
fn object_or_kept(object: &Expr, first: &str, name: &Arc<str>) -> Option<Expr> {
    let kept = || Expr { kind: ExprKind::Var(name.clone()), span: object.span };
    match &object.kind {
        ExprKind::Object(members) if !members.iter().any(|(key, _)| **key == *first) => Some(kept()),
        ExprKind::Object(_) => member_of(object, name),
        ExprKind::Conditional(condition, yes, no) => {
            let (yes, no) = (object_or_kept(yes, first, name)?, object_or_kept(no, first, name)?);
            let kind = ExprKind::Conditional(condition.clone(), Box::new(yes), Box::new(no));
            Some(Expr { kind, span: object.span })
        }
        _ => None,
    }
}

/// Whether a target is the actor itself: `({ self }) => self`.
fn is_self(target: &Term) -> bool {
    let TermKind::Function(patterns, Body::Value(value)) = &target.kind else { return false };
    Scope::new(patterns, None).path(value).is_some_and(|path| path.len() == 1 && &*path[0] == "self")
}
