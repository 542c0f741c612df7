//! Actions. An error ends the actions of its block.

use super::Lowering;
use super::config::Config;
use super::data::Kind;
use super::ecma::Js;
use super::events::{Origin, delay_of};
use super::exprs::Unreadable;
use super::send::ERROR;
use crate::expr::ExprId;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::span::Span;
use specwright_syntax::statechart::ast::{Action, ActionKind, Expr, Name, Profile};
use specwright_syntax::statechart::codes;
use std::sync::Arc;

impl Lowering<'_> {
    /// Executes actions under a condition. The result is the condition under which one of them assigns something.
    pub(super) fn execute(&mut self, actions: &[Action], when: ExprId, config: &mut Config) -> ExprId {
        let mut open = when;
        self.execute_while(actions, &mut open, config)
    }

    /// Executes actions under a condition, from which errors take away.
    fn execute_while(&mut self, actions: &[Action], open: &mut ExprId, config: &mut Config) -> ExprId {
        let mut changed = self.boolean(false);
        for action in actions {
            if self.truth_of(*open) == Some(false) {
                return changed;
            }
            let assigned = self.action(action, open, config);
            changed = self.or(changed, assigned);
        }
        changed
    }

    fn action(&mut self, action: &Action, open: &mut ExprId, config: &mut Config) -> ExprId {
        let when = *open;
        let no = self.boolean(false);
        self.path = Some(when);
        let failed = match &action.kind {
            ActionKind::Assign(list) => {
                let failed = self.assign(list, action.span, when, config);
                self.end(open, failed);
                return when;
            }
            ActionKind::Raise(event) => {
                let event = self.plain_event(&event.text, Origin::Internal);
                self.raise(event, when, config);
                no
            }
            ActionKind::Send(event) => {
                let event = self.plain_event(&event.text, Origin::External);
                self.send(event, when, config);
                no
            }
            ActionKind::Delay { event, milliseconds, id } => {
                let delay = delay_of(self.chart.profile, &event.text, *milliseconds, id.as_ref());
                self.send_later(&event.text, &delay, when, config);
                no
            }
            ActionKind::SendComputed(send) => self.send_computed(send, action.span, when, config),
            ActionKind::Cancel(id) => {
                self.cancel(id, when, config);
                no
            }
            ActionKind::CancelComputed(id) => self.cancel_computed(id, when, config),
            ActionKind::If(branches) => return self.execute_if(branches, open, config),
            ActionKind::ForEach { list, item, index, body } => {
                return self.execute_for_each(list, (item, index.as_ref()), body, open, config);
            }
            ActionKind::Block(actions) => return self.execute(actions, when, config),
            ActionKind::Fail(error) => {
                self.fail(error, None, when, config);
                when
            }
            ActionKind::SendTo(actor) => {
                self.send_to_actor(actor, when, config);
                no
            }
            ActionKind::Effect(_) => no,
        };
        self.end(open, failed);
        no
    }

    /// Executes nothing more where an error was.
    fn end(&mut self, open: &mut ExprId, failed: ExprId) {
        if self.truth_of(failed) != Some(false) {
            let rest = self.without(*open, failed);
            *open = self.pruned(rest);
        }
    }

    /// Assigns values at once. The result is the condition under which that fails.
    fn assign(&mut self, list: &[(Name, Option<Expr>)], span: Span, when: ExprId, config: &mut Config) -> ExprId {
        let old = config.clone();
        let mut failed = self.boolean(false);
        for (name, value) in list {
            let Some(at) = self.data.iter().position(|variable| variable.name == name.text) else { continue };
            let (Some(before), Some(value)) = (config.data[at], value) else { continue };
            let value = self.value(value, &old);
            let thrown = self.take_thrown();
            let fails = self.and(when, thrown);
            let fails = self.pruned(fails);
            failed = self.or(failed, fails);
            self.fail(&ERROR.into(), None, fails, config);
            let Some(value) = value.ok().and_then(|(value, kind)| self.as_value_of(at, value, kind)) else {
                // An error is the only value.
                if self.truth_of(thrown) != Some(true) {
                    self.lose(at);
                }
                continue;
            };
            let when = self.without(when, fails);
            config.data[at] = Some(self.choose(when, value, before));
            self.coverage.assigned(span, &name.text, when, before, value);
        }
        failed
    }

    /// A value as one of a variable; nothing if its type is another one.
    pub(super) fn as_value_of(&mut self, at: usize, value: ExprId, kind: Kind) -> Option<ExprId> {
        match self.data[at].kind {
            Kind::Any => self.any_value(value, kind).ok(),
            own => (own == kind).then_some(value),
        }
    }

    /// Leaves a variable out of the model: it gets a value that cannot be read.
    fn lose(&mut self, at: usize) {
        if self.facts.opaque.insert(at) {
            self.is_incomplete = true;
        }
    }

    /// Gives a variable of several types a value.
    pub(super) fn set(&mut self, name: &Arc<str>, value: ExprId, when: ExprId, config: &mut Config) {
        if let Some(at) = self.data.iter().position(|variable| variable.name == *name)
            && let Some(before) = config.data[at]
        {
            config.data[at] = Some(self.choose(when, value, before));
        }
    }

    fn execute_if(
        &mut self,
        branches: &[(Option<Expr>, Vec<Action>)],
        open: &mut ExprId,
        config: &mut Config,
    ) -> ExprId {
        let mut changed = self.boolean(false);
        let mut rest = *open;
        for (condition, actions) in branches {
            self.path = Some(rest);
            let holds = match condition {
                Some(condition) => {
                    let holds = match self.truth(condition, config) {
                        Ok(holds) => holds,
                        Err(Unreadable) if self.chart.profile == Profile::XState => {
                            self.lose_assigned(branches, condition.span);
                            return changed;
                        }
                        Err(Unreadable) => self.unknown_condition(condition.span),
                    };
                    // A condition that throws is false.
                    let thrown = self.take_thrown();
                    let fails = self.and(rest, thrown);
                    self.fail(&ERROR.into(), None, fails, config);
                    self.without(holds, thrown)
                }
                None => self.boolean(true),
            };
            let here = self.and(rest, holds);
            let here = self.pruned(here);
            rest = self.without(rest, holds);
            let mut inner = here;
            let assigned = self.execute_while(actions, &mut inner, config);
            changed = self.or(changed, assigned);
            let ended = self.without(here, inner);
            self.end(open, ended);
        }
        changed
    }

    /// Leaves the variables out that actions assign under a condition which no tester controls.
    fn lose_assigned(&mut self, branches: &[(Option<Expr>, Vec<Action>)], span: Span) {
        let mut waiting: Vec<&Action> = branches.iter().flat_map(|(_, actions)| actions).collect();
        while let Some(action) = waiting.pop() {
            match &action.kind {
                ActionKind::Assign(list) => {
                    for (name, _) in list {
                        if let Some(at) = self.data.iter().position(|variable| variable.name == name.text) {
                            self.lose(at);
                        }
                    }
                }
                ActionKind::If(_) | ActionKind::Block(_) => {
                    waiting.extend(action.kind.inner().into_iter().flatten());
                }
                ActionKind::Effect(_) | ActionKind::SendTo(_) => {}
                _ => {
                    let message = "this condition reads what is not part of the model, and it decides about events";
                    let help = "give the condition as a guard, and ask for it by `check`";
                    self.diagnostics.push(Diagnostic::error(codes::UNREADABLE, span, message).help(help));
                    return;
                }
            }
        }
    }

    fn execute_for_each(
        &mut self,
        list: &Expr,
        (item, index): (&Name, Option<&Name>),
        body: &[Action],
        open: &mut ExprId,
        config: &mut Config,
    ) -> ExprId {
        let mut changed = self.boolean(false);
        let Ok(cases) = self.cases(list, config) else {
            let message = "this list depends on what is not part of the model";
            self.diagnostics.push(Diagnostic::error(codes::UNREADABLE, list.span, message));
            return changed;
        };
        let when = *open;
        for (case, by) in cases {
            let here = self.and(when, by);
            let here = self.pruned(here);
            if self.truth_of(here) == Some(false) {
                continue;
            }
            let Ok(Js::Array(items)) = case else {
                self.fail(&ERROR.into(), None, here, config);
                self.end(open, here);
                continue;
            };
            changed = self.or(changed, here);
            let mut inner = here;
            for (at, value) in items.iter().enumerate() {
                let value = self.js_constant(value);
                self.set(&item.text, value, inner, config);
                if let Some(index) = index {
                    let at = self.js_constant(&Js::count(at));
                    self.set(&index.text, at, inner, config);
                }
                self.execute_while(body, &mut inner, config);
            }
            let ended = self.without(here, inner);
            self.end(open, ended);
        }
        changed
    }
}
