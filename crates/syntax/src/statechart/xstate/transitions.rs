//! What a state does: its transitions, delays, actors and actions.

use super::expressions::{Scope, body_value, value_of};
use super::{Reader, Stop};
use crate::diagnostic::Diagnostic;
use crate::op::BinaryOp;
use crate::span::Span;
use crate::statechart::ast::{Delay, Expr, ExprKind, Invoke, StateId, StateKind, Transition};
use crate::statechart::codes;
use crate::statechart::term::{Term, TermKind, ordered};
use std::sync::Arc;

/// Keys of transitions.
const KEYS: [&str; 9] =
    ["target", "guard", "actions", "reenter", "description", "meta", "params", "order", "eventType"];

/// Maximal delay in milliseconds: what `setTimeout` measures. It takes longer ones for none at all.
pub(super) const MAX_DELAY: u32 = (1 << 31) - 1;

impl<'t> Reader<'t> {
    /// The contents of a state.
    pub(super) fn contents(&mut self, state: StateId) -> Result<(), Stop> {
        let config = self.configs[state.index()];
        if matches!(self.states[state.index()].kind, StateKind::History { .. }) {
            return Ok(());
        }
        let entry = self.get(config, "entry").map(|actions| self.actions(actions, state)).unwrap_or_default();
        let exit = self.get(config, "exit").map(|actions| self.actions(actions, state)).unwrap_or_default();
        self.states[state.index()].entry = entry;
        self.states[state.index()].exit = exit;
        if let Some(on) = self.get(config, "on") {
            let TermKind::Object(entries) = &on.kind else { return Err(self.no_object("on", on)) };
            for entry in ordered(entries) {
                let Some(event) = &entry.key else {
                    self.error(codes::UNREADABLE, entry.key_span, "an event whose name is computed cannot be read");
                    continue;
                };
                let is_infix = event.trim_end_matches('*').contains('*');
                if event.is_empty() || is_infix || (event.ends_with('*') && &**event != "*" && !event.ends_with(".*")) {
                    let message = format!("`{event}` is not an event: `*` stands alone or after the last dot");
                    self.error(codes::BAD_STRUCTURE, entry.key_span, message);
                    continue;
                }
                self.transitions(state, (event, Some(event)), self.resolve(&entry.value), entry.key_span);
            }
        }
        if let Some(on_done) = self.get(config, "onDone") {
            let event: Arc<str> = format!("xstate.done.state.{}", self.states[state.index()].id).into();
            let span = config.entry("onDone").map_or(on_done.span, |entry| entry.key_span);
            self.transitions(state, ("done", Some(&event)), on_done, span);
        }
        self.invokes(state, config);
        self.delays(state, config)?;
        if let Some(always) = self.get(config, "always") {
            let span = config.entry("always").map_or(always.span, |entry| entry.key_span);
            self.transitions(state, ("always", None), always, span);
        }
        Ok(())
    }

    /// The transitions for an event, or for none. The name of the event is part of their places.
    fn transitions(
        &mut self,
        source: StateId,
        (label, event): (&str, Option<&Arc<str>>),
        value: &'t Term,
        event_span: Span,
    ) {
        let items: &[Term] = match &value.kind {
            TermKind::Array(items) => items,
            _ => std::slice::from_ref(value),
        };
        let mut path = self.path(source);
        path.push(label);
        let place = path.join(".");
        for (number, item) in items.iter().enumerate() {
            let item = self.resolve(item);
            let place = if number == 0 { place.as_str().into() } else { format!("{place}.{}", number + 1).into() };
            self.event = event.cloned();
            let _ = self.transition(source, place, event, item, event_span);
        }
        self.event = None;
    }

    fn transition(
        &mut self,
        source: StateId,
        place: Arc<str>,
        event: Option<&Arc<str>>,
        term: &'t Term,
        event_span: Span,
    ) -> Result<(), Stop> {
        let mut transition = Transition {
            source,
            place,
            events: event.cloned().into_iter().collect(),
            guard: None,
            targets: Vec::new(),
            actions: Vec::new(),
            reenter: false,
            event_span,
            span: if term.kind == TermKind::Undefined { event_span } else { term.span },
        };
        match &term.kind {
            TermKind::Undefined => {}
            TermKind::Text(_) => transition.targets.push(self.target(source, term)?),
            TermKind::Object(entries) => {
                for entry in entries {
                    match entry.key.as_deref() {
                        Some("cond") => {
                            let message = "`cond` is called `guard` in XState 5";
                            self.error(codes::UNKNOWN_KEY, entry.key_span, message);
                        }
                        Some(key) if KEYS.contains(&key) || key.starts_with("x-") => {}
                        Some(key) => {
                            let message = format!("a transition has no key `{key}`: it is ignored");
                            self.diagnostics.push(Diagnostic::warning(codes::UNKNOWN_KEY, entry.key_span, message));
                        }
                        None => {
                            let message = "a part of the transition is computed and cannot be read";
                            self.error(codes::UNREADABLE, entry.key_span, message);
                        }
                    }
                }
                if let Some(target) = self.get(term, "target") {
                    for item in target.items() {
                        let item = self.resolve(item);
                        let found = self.target(source, item)?;
                        transition.targets.push(found);
                    }
                }
                if let Some(guard) = self.get(term, "guard") {
                    transition.guard = Some(self.guard(guard, &transition.place)?);
                }
                if let Some(actions) = self.get(term, "actions") {
                    transition.actions = self.actions(actions, source);
                }
                transition.reenter = matches!(self.get(term, "reenter").map(|t| &t.kind), Some(TermKind::Bool(true)));
            }
            _ => {
                let message = format!("a transition is a target or an object, and this is {}", term.describe());
                return Err(self.error(codes::WRONG_KIND, term.span, message));
            }
        }
        let index = self.transitions.len();
        self.transitions.push(transition);
        self.states[source.index()].transitions.push(index);
        Ok(())
    }

    fn delays(&mut self, state: StateId, config: &'t Term) -> Result<(), Stop> {
        let Some(after) = self.get(config, "after") else { return Ok(()) };
        let TermKind::Object(entries) = &after.kind else { return Err(self.no_object("after", after)) };
        for entry in ordered(entries) {
            let Some(key) = &entry.key else {
                self.error(codes::UNREADABLE, entry.key_span, "a delay that is computed cannot be read");
                continue;
            };
            let milliseconds = match key.parse::<u64>() {
                Ok(number) => Some(number).filter(|number| *number <= u64::from(MAX_DELAY)),
                Err(_) => self.named_delay(key),
            };
            if milliseconds.is_none() {
                let what = match key.parse::<f64>() {
                    Ok(number) if number > f64::from(MAX_DELAY) => "longer than a clock measures",
                    Ok(_) => "no whole number of milliseconds",
                    Err(_) => "unknown",
                };
                let message = format!("the delay `{key}` is {what}: it may end at any time");
                self.diagnostics.push(Diagnostic::warning(codes::UNKNOWN_DELAY, entry.key_span, message));
            }
            let event: Arc<str> = format!("xstate.after.{key}.{}", self.states[state.index()].id).into();
            let delay = Delay { event: event.clone(), milliseconds, span: entry.key_span };
            self.states[state.index()].delays.push(delay);
            self.transitions(
                state,
                (&format!("after.{key}"), Some(&event)),
                self.resolve(&entry.value),
                entry.key_span,
            );
        }
        Ok(())
    }

    /// The milliseconds of a delay with a name: a number, or a function of nothing.
    pub(super) fn named_delay(&self, name: &str) -> Option<u64> {
        let delay = self.implementation("delays", name)?;
        let value = match &delay.kind {
            TermKind::Function(_, body) => body_value(self, body, &Scope::new(&[], None)),
            _ => value_of(self, delay, &Scope::new(&[], None)),
        };
        number(&value?).and_then(|value| u64::try_from(value).ok()).filter(|number| *number <= u64::from(MAX_DELAY))
    }

    fn invokes(&mut self, state: StateId, config: &'t Term) {
        let Some(invoke) = self.get(config, "invoke") else { return };
        for (number, item) in invoke.items().iter().enumerate() {
            let item = self.resolve(item);
            let TermKind::Object(_) = &item.kind else {
                let message = format!("`invoke` is an object, and this is {}", item.describe());
                self.error(codes::WRONG_KIND, item.span, message);
                continue;
            };
            let id = self.get(item, "id").and_then(Term::text).cloned();
            let id = id.unwrap_or_else(|| format!("{number}.{}", self.states[state.index()].id).into());
            let source = self.get(item, "src").and_then(Term::text).cloned();
            let mut events = Vec::new();
            for (key, label, event) in [
                ("onDone", "done", "xstate.done.actor."),
                ("onError", "error", "xstate.error.actor."),
                ("onSnapshot", "snapshot", "xstate.snapshot."),
            ] {
                let Some(value) = self.get(item, key) else { continue };
                let event: Arc<str> = format!("{event}{id}").into();
                let span = item.entry(key).map_or(value.span, |entry| entry.key_span);
                events.push(event.clone());
                self.transitions(state, (&format!("{label}.{id}"), Some(&event)), value, span);
            }
            self.states[state.index()].invokes.push(Invoke { id, source, events, span: item.span });
        }
    }
}

/// The number that constants say.
fn number(expr: &Expr) -> Option<i64> {
    match &expr.kind {
        ExprKind::Int(value) => Some(*value),
        ExprKind::Neg(inner) => number(inner)?.checked_neg(),
        ExprKind::Binary(BinaryOp::Add, a, b) => number(a)?.checked_add(number(b)?),
        ExprKind::Binary(BinaryOp::Sub, a, b) => number(a)?.checked_sub(number(b)?),
        ExprKind::Binary(BinaryOp::Mul, a, b) => number(a)?.checked_mul(number(b)?),
        _ => None,
    }
}
