//! `enqueueActions`: actions that a function collects.
//!
//! The function sees the context as it is before all of its actions. So its conditions are evaluated first, whatever
//! they depend on, and then the actions are executed.

use super::expressions::{MAX_OUTCOMES, Scope, value_of};
use super::{Reader, Stop, effect};
use crate::diagnostic::Diagnostic;
use crate::op::BinaryOp;
use crate::span::Span;
use crate::statechart::ast::{Action, ActionKind, Expr, ExprKind, StateId};
use crate::statechart::codes;
use crate::statechart::expressions::known;
use crate::statechart::term::{Body, Statement, Term, TermKind};
use std::sync::Arc;

/// Why it is not known whether something is executed.
const UNDER_CONDITION: &str = "the condition of this cannot be read";
const IN_LOOP: &str = "this is executed any number of times";

/// A way through the function: the names that it has declared, and the actions that it has enqueued.
#[derive(Clone)]
struct Way<'t> {
    scope: Scope<'t>,
    actions: Vec<Action>,
}

/// Where an action stands: in which state, with which parameters, and how deep.
#[derive(Clone, Copy)]
struct Place<'t> {
    state: StateId,
    params: Option<&'t Term>,
    depth: usize,
    span: Span,
}

impl<'t> Reader<'t> {
    /// The actions of a function that enqueues them.
    pub(super) fn enqueued(
        &mut self,
        collect: &'t Term,
        span: Span,
        state: StateId,
        params: Option<&'t Term>,
        depth: usize,
    ) -> Result<ActionKind, Stop> {
        let TermKind::Function(patterns, body) = &collect.kind else { return Err(self.unreadable_action(span)) };
        let scope = Scope::new(patterns, params).on(self.event.as_ref());
        let mut way = Way { scope, actions: Vec::new() };
        let place = Place { state, params, depth, span };
        let actions = match body {
            Body::Block(statements) => {
                let mut n_outcomes = 1;
                self.statements(&[statements], way, place, &mut n_outcomes)?
            }
            Body::Value(call) => {
                let action = self.enqueued_call(call, &way, place)?;
                way.actions.push(action);
                way.actions
            }
            Body::Code => return Err(self.unreadable_action(span)),
        };
        Ok(ActionKind::If(vec![(None, actions)]))
    }

    /// The actions of statements, those of the first list before those of the others.
    fn statements(
        &mut self,
        lists: &[&'t [Statement]],
        mut way: Way<'t>,
        place: Place<'t>,
        n_outcomes: &mut usize,
    ) -> Result<Vec<Action>, Stop> {
        let Some((first, rest)) = lists.split_first() else { return Ok(way.actions) };
        for (at, statement) in first.iter().enumerate() {
            match statement {
                Statement::Call(call) => {
                    let action = self.enqueued_call(call, &way, place)?;
                    way.actions.push(action);
                }
                Statement::If(condition, yes, no) => {
                    let span = condition.span;
                    let after = |branch: &'t [Statement]| [&[branch, &first[at + 1..]], rest].concat();
                    let Some(condition) = self.condition(condition, &way.scope, place)? else {
                        let mut may_end = false;
                        for branch in [yes, no] {
                            may_end |= self.forgotten(branch, UNDER_CONDITION, &mut way, place)?;
                        }
                        if may_end {
                            for list in [&[&first[at + 1..]], rest].concat() {
                                self.forgotten(list, UNDER_CONDITION, &mut way, place)?;
                            }
                            return Ok(way.actions);
                        }
                        continue;
                    };
                    if let Some(truth) = known(&condition) {
                        return self.statements(&after(if truth { yes } else { no }), way, place, n_outcomes);
                    }
                    *n_outcomes += 1;
                    if *n_outcomes > MAX_OUTCOMES {
                        let message = format!("`enqueueActions` has conditions with more than {MAX_OUTCOMES} outcomes");
                        return Err(self.error(codes::TOO_LARGE, span, message));
                    }
                    let yes = self.statements(&after(yes), way.clone(), place, n_outcomes)?;
                    let no = self.statements(&after(no), way, place, n_outcomes)?;
                    let kind = ActionKind::If(vec![(Some(condition), yes), (None, no)]);
                    return Ok(vec![Action { kind, span }]);
                }
                Statement::Assign(target, value) => {
                    if !way.scope.assign(self, target, value) {
                        return Err(self.unreadable_action(target.span));
                    }
                }
                Statement::Loop(body) => {
                    way.scope.forget_names(body);
                    if self.forgotten(body, IN_LOOP, &mut way, place)? {
                        return Err(self.unreadable_action(place.span));
                    }
                }
                Statement::Return(_) => return Ok(way.actions),
                Statement::Throw | Statement::Break => return Err(self.unreadable_action(place.span)),
            }
        }
        self.statements(rest, way, place, n_outcomes)
    }

    /// Statements that are executed or not, which is not known: what they assign is not known afterwards. They may do
    /// nothing else. Whether they may end the function.
    fn forgotten(
        &mut self,
        body: &'t [Statement],
        why: &'static str,
        way: &mut Way<'t>,
        place: Place<'t>,
    ) -> Result<bool, Stop> {
        let mut may_end = false;
        for statement in body {
            match statement {
                Statement::Call(call) => {
                    let action = self.enqueued_call(call, way, place)?;
                    let action = self.uncertain(action, why)?;
                    way.actions.push(action);
                }
                Statement::If(_, yes, no) => {
                    may_end |= self.forgotten(yes, why, way, place)?;
                    may_end |= self.forgotten(no, why, way, place)?;
                }
                Statement::Loop(inner) => {
                    way.scope.forget_names(inner);
                    may_end |= self.forgotten(inner, why, way, place)?;
                }
                Statement::Assign(target, _) => {
                    if !way.scope.forget(std::slice::from_ref(statement)) {
                        return Err(self.unreadable_action(target.span));
                    }
                }
                Statement::Break => {}
                Statement::Return(_) => return Ok(true),
                Statement::Throw => return Err(self.unreadable_action(place.span)),
            }
        }
        Ok(may_end)
    }

    /// An action that is executed or not, which is not known.
    fn uncertain(&mut self, action: Action, why: &'static str) -> Result<Action, Stop> {
        let kind = match action.kind {
            ActionKind::Assign(assigned) => {
                let message = format!("{why}: what is assigned there is not part of the model");
                let diagnostic = Diagnostic::warning(codes::UNREADABLE, action.span, message);
                if !self.diagnostics.contains(&diagnostic) {
                    self.diagnostics.push(diagnostic);
                }
                ActionKind::Assign(assigned.into_iter().map(|(name, _)| (name, None)).collect())
            }
            kind @ (ActionKind::Effect(_) | ActionKind::SendTo(_)) => kind,
            ActionKind::If(branches) => {
                let mut all = Vec::new();
                for action in branches.into_iter().flat_map(|(_, actions)| actions) {
                    all.push(self.uncertain(action, why)?);
                }
                ActionKind::If(vec![(None, all)])
            }
            _ => {
                let message = format!("{why}, and it decides about events");
                let diagnostic = Diagnostic::error(codes::UNREADABLE, action.span, message);
                self.diagnostics.push(diagnostic.help("give the condition as a guard, and ask for it by `check`"));
                return Err(Stop);
            }
        };
        Ok(Action { kind, span: action.span })
    }

    /// `list.forEach((item) => enqueue(…))`: whatever the function enqueues, any number of times.
    fn for_each(
        &mut self,
        callee: &Term,
        arguments: &'t [Term],
        way: &Way<'t>,
        place: Place<'t>,
    ) -> Result<Option<ActionKind>, Stop> {
        let is_loop = matches!(&callee.kind, TermKind::Member(_, name) if matches!(&**name, "forEach" | "map"));
        let [Term { kind: TermKind::Function(patterns, body), .. }] = arguments else { return Ok(None) };
        if !is_loop {
            return Ok(None);
        }
        let mut inner = Way { scope: way.scope.clone(), actions: Vec::new() };
        let mut names = Vec::new();
        for pattern in patterns {
            pattern.names(&mut names);
        }
        inner.scope.forget_all(names);
        match body {
            Body::Block(statements) => {
                self.forgotten(statements, IN_LOOP, &mut inner, place)?;
            }
            Body::Value(call) => {
                let action = self.enqueued_call(call, &inner, place)?;
                let action = self.uncertain(action, IN_LOOP)?;
                inner.actions.push(action);
            }
            Body::Code => return Ok(None),
        }
        Ok(Some(ActionKind::If(vec![(None, inner.actions)])))
    }

    /// `enqueue('name')`, `enqueue.assign({ … })` and so on.
    fn enqueued_call(&mut self, call: &'t Term, way: &Way<'t>, place: Place<'t>) -> Result<Action, Stop> {
        let TermKind::Call(callee, arguments) = &call.kind else { return Err(self.unreadable_action(call.span)) };
        let Place { state, params, depth, .. } = place;
        let path = way.scope.path(callee).unwrap_or_default();
        let path: Vec<&str> = path.iter().map(|key| &**key).collect();
        let kind = match (&path[..], &arguments[..]) {
            (["enqueue"], [action]) => self.action(action, state, params, depth + 1)?,
            (["enqueue", "assign"], [assignments]) => {
                let assignments = self.resolve(assignments);
                let mut kind = self.assign(assignments, call.span, params, Some(&way.scope));
                if !matches!(assignments.kind, TermKind::Function(..)) {
                    self.forget_old_values(assignments, &mut kind, way);
                }
                kind
            }
            (["enqueue", built_in], arguments) => {
                self.built_in(built_in, arguments, call.span, state, params, depth + 1)?
            }
            // Other calls, such as those of a logger, change nothing in the chart, unless they enqueue something.
            _ if !way.scope.mentions(call, "enqueue") => effect("(anonymous)"),
            _ => match self.for_each(callee, arguments, way, place)? {
                Some(kind) => kind,
                None => return Err(self.unreadable_action(call.span)),
            },
        };
        Ok(Action { kind, span: call.span })
    }

    /// A value that is no function reads the context as it was before all actions. Where another action has changed what it
    /// reads, that is not what the model has.
    fn forget_old_values(&mut self, assignments: &'t Term, kind: &mut ActionKind, way: &Way<'t>) {
        let TermKind::Object(entries) = &assignments.kind else { return };
        let ActionKind::Assign(assigned) = kind else { return };
        let mut changed = Vec::new();
        collect_assigned(&way.actions, &mut changed);
        for (name, value) in assigned {
            let key = name.text.split('.').next().unwrap_or_default();
            let entry = entries.iter().rev().find(|entry| entry.key.as_deref() == Some(key));
            let is_function =
                entry.is_some_and(|entry| matches!(self.resolve(&entry.value).kind, TermKind::Function(..)));
            if !is_function && value.as_ref().is_some_and(|value| reads(value, &changed)) {
                let message =
                    "this value reads the context as it was before the assignment above: write it as a function";
                let note = format!("`{}` is not part of the model", name.text);
                self.diagnostics.push(Diagnostic::warning(codes::UNREADABLE, name.span, message).note(note));
                *value = None;
            }
        }
    }

    /// A condition on the context, or on guards by `check`; nothing if it cannot be read.
    fn condition(&mut self, term: &'t Term, scope: &Scope<'t>, place: Place<'t>) -> Result<Option<Expr>, Stop> {
        let span = term.span;
        match &term.kind {
            TermKind::Not(inner) => {
                let inner = self.condition(inner, scope, place)?;
                Ok(inner.map(|inner| Expr { kind: ExprKind::Not(Box::new(inner)), span }))
            }
            TermKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                let (a, b) = (self.condition(a, scope, place)?, self.condition(b, scope, place)?);
                Ok(a.zip(b).map(|(a, b)| Expr { kind: ExprKind::Binary(*op, Box::new(a), Box::new(b)), span }))
            }
            TermKind::Call(callee, arguments) if scope.path(callee).is_some_and(|path| path == ["check".into()]) => {
                match &arguments[..] {
                    [guard] => self.guard_within(guard, place.params, place.depth + 1),
                    _ => Err(self.error(codes::WRONG_KIND, span, "`check` takes a guard")),
                }
            }
            _ => Ok(value_of(self, term, scope)),
        }
    }
}

/// The variables that actions assign.
fn collect_assigned(actions: &[Action], names: &mut Vec<Arc<str>>) {
    for action in actions {
        if let ActionKind::Assign(assigned) = &action.kind {
            names.extend(assigned.iter().map(|(name, _)| name.text.clone()));
        }
        for inner in action.kind.inner() {
            collect_assigned(inner, names);
        }
    }
}

/// Whether an expression reads one of some variables.
fn reads(expr: &Expr, names: &[Arc<str>]) -> bool {
    let mut waiting = vec![expr];
    while let Some(expr) = waiting.pop() {
        if matches!(&expr.kind, ExprKind::Var(name) if names.contains(name)) {
            return true;
        }
        waiting.extend(expr.parts());
    }
    false
}
