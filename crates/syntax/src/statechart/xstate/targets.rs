//! Targets of transitions and values of states, as states.

use super::{Reader, Stop};
use crate::diagnostic::{Diagnostic, closest};
use crate::op::BinaryOp;
use crate::span::Span;
use crate::statechart::ast::{Expr, ExprKind, StateId};
use crate::statechart::codes;
use crate::statechart::term::{Term, TermKind};

impl<'t> Reader<'t> {
    /// The target of a transition from a state.
    pub(super) fn target(&mut self, source: StateId, target: &'t Term) -> Result<StateId, Stop> {
        let Some(text) = target.text() else {
            let message = format!("a target is a string, and this is {}", target.describe());
            return Err(self.error(codes::WRONG_KIND, target.span, message));
        };
        if text.starts_with('#') {
            return self.path_target(source, target);
        }
        if let Some(rest) = text.strip_prefix('.') {
            return self.descend(source, rest, target.span);
        }
        if let Some(parent) = self.states[source.index()].parent {
            self.descend(parent, text, target.span)
        } else {
            let message = format!("`{text}` is not a target of the root, which has no siblings");
            self.diagnostics.push(
                Diagnostic::error(codes::UNKNOWN_STATE, target.span, message).help(format!("`.{text}` is its child")),
            );
            Err(Stop)
        }
    }

    /// The state that a path leads to, from a state or from the state with an id.
    pub(super) fn path_target(&mut self, from: StateId, target: &'t Term) -> Result<StateId, Stop> {
        let Some(text) = target.text() else {
            let message = format!("a target is a string, and this is {}", target.describe());
            return Err(self.error(codes::WRONG_KIND, target.span, message));
        };
        let Some(rest) = text.strip_prefix('#') else {
            return self.descend(from, text.strip_prefix('.').unwrap_or(text), target.span);
        };
        // The whole text may be an id, or its first part.
        if let Some(state) = self.ids.get(rest) {
            return Ok(*state);
        }
        let (id, path) = rest.split_once('.').unwrap_or((rest, ""));
        match self.ids.get(id).copied() {
            Some(state) if path.is_empty() => Ok(state),
            Some(state) => self.descend(state, path, target.span),
            None => {
                let message = format!("no state has the id `{id}`");
                let mut diagnostic = Diagnostic::error(codes::UNKNOWN_STATE, target.span, message);
                let mut ids: Vec<&str> = self.ids.keys().map(|id| &**id).collect();
                ids.sort_unstable();
                if let Some(near) = closest(id, ids) {
                    diagnostic = diagnostic.help(format!("`#{near}` has a similar name"));
                }
                self.diagnostics.push(diagnostic);
                Err(Stop)
            }
        }
    }

    /// The descendant of a state by its path.
    fn descend(&mut self, from: StateId, path: &str, span: Span) -> Result<StateId, Stop> {
        let mut state = from;
        for key in path.split('.') {
            let children = &self.states[state.index()].children;
            let child = children.iter().copied().find(|child| &*self.states[child.index()].key.text == key);
            let Some(child) = child else {
                let owner = &self.states[state.index()];
                let message = match owner.parent {
                    Some(_) => format!("`{}` has no state `{key}`", owner.key.text),
                    None => format!("unknown state `{key}`"),
                };
                let mut diagnostic = Diagnostic::error(codes::UNKNOWN_STATE, span, message);
                let keys = children.iter().map(|child| &*self.states[child.index()].key.text);
                if let Some(near) = closest(key, keys) {
                    diagnostic = diagnostic.help(format!("`{near}` has a similar name"));
                } else if self.states.iter().any(|state| &*state.key.text == key) {
                    diagnostic = diagnostic.help("a state elsewhere is named by its id, as in `#id`");
                }
                self.diagnostics.push(diagnostic);
                return Err(Stop);
            };
            state = child;
        }
        Ok(state)
    }

    /// Whether the machine is in a state, as `stateIn` and `matches` say it.
    pub(super) fn state_value(&mut self, value: &'t Term) -> Result<Expr, Stop> {
        let value = self.resolve(value);
        let span = value.span;
        match &value.kind {
            TermKind::Text(_) => {
                let state = self.path_target(StateId::ROOT, value)?;
                Ok(Expr { kind: ExprKind::In(state), span })
            }
            TermKind::Object(_) => self.nested_value(StateId::ROOT, value),
            _ => Err(self.error(codes::WRONG_KIND, span, "expected the value of a state")),
        }
    }

    fn nested_value(&mut self, from: StateId, value: &'t Term) -> Result<Expr, Stop> {
        let span = value.span;
        let TermKind::Object(entries) = &value.kind else {
            let state = self.path_target(from, value)?;
            return Ok(Expr { kind: ExprKind::In(state), span });
        };
        let mut all: Option<Expr> = None;
        for entry in entries {
            let Some(key) = &entry.key else {
                return Err(self.error(codes::UNREADABLE, entry.key_span, "a computed key"));
            };
            let child = self.descend(from, key, entry.key_span)?;
            let inside = match &entry.value.kind {
                TermKind::Object(inner) if inner.is_empty() => Expr { kind: ExprKind::In(child), span },
                _ => self.nested_value(child, &entry.value)?,
            };
            all = Some(match all {
                Some(all) => Expr { kind: ExprKind::Binary(BinaryOp::And, Box::new(all), Box::new(inside)), span },
                None => inside,
            });
        }
        Ok(all.unwrap_or(Expr { kind: ExprKind::In(from), span }))
    }
}
