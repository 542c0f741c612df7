//! `enqueueActions`: actions that a function collects.
//!
//! The function sees the context as it is before all of its actions. So its conditions are evaluated first, whatever
//! they depend on, and then the actions are executed.

use super::expressions::{Scope, value_of};
use super::{Reader, Stop, effect};
use crate::op::BinaryOp;
use crate::span::Span;
use crate::statechart::ast::{Action, ActionKind, Expr, ExprKind, StateId};
use crate::statechart::codes;
use crate::statechart::term::{Body, Statement, Term, TermKind};

/// Maximal number of outcomes of all conditions together.
const MAX_OUTCOMES: usize = 64;

/// Decisions with the actions that they lead to.
#[derive(Clone)]
enum Tree {
    Actions(Vec<Action>),
    Decision(Expr, Box<Tree>, Box<Tree>),
}

impl Tree {
    /// Executes something afterwards.
    fn then(self, next: &Tree) -> Tree {
        match (self, next) {
            (Tree::Actions(mut first), Tree::Actions(rest)) => {
                first.extend(rest.iter().cloned());
                Tree::Actions(first)
            }
            (first @ Tree::Actions(_), Tree::Decision(condition, yes, no)) => {
                let (yes, no) = (first.clone().then(yes), first.then(no));
                Tree::Decision(condition.clone(), Box::new(yes), Box::new(no))
            }
            (Tree::Decision(condition, yes, no), next) => {
                Tree::Decision(condition, Box::new(yes.then(next)), Box::new(no.then(next)))
            }
        }
    }

    fn n_outcomes(&self) -> usize {
        match self {
            Tree::Actions(_) => 1,
            Tree::Decision(_, yes, no) => yes.n_outcomes() + no.n_outcomes(),
        }
    }

    fn actions(self, span: Span) -> Vec<Action> {
        match self {
            Tree::Actions(actions) => actions,
            Tree::Decision(condition, yes, no) => {
                let branches = vec![(Some(condition), yes.actions(span)), (None, no.actions(span))];
                vec![Action { kind: ActionKind::If(branches), span }]
            }
        }
    }
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
        let scope = Scope::new(patterns, params);
        self.has_enqueued_assignment = false;
        let tree = match body {
            Body::Block(statements) => self.statements(statements, &scope, state, params, depth)?,
            Body::Value(call) => Tree::Actions(vec![self.enqueued_call(call, &scope, state, params, depth)?]),
            Body::Code => return Err(self.unreadable_action(span)),
        };
        Ok(ActionKind::If(vec![(None, tree.actions(span))]))
    }

    fn statements(
        &mut self,
        statements: &'t [Statement],
        scope: &Scope<'t>,
        state: StateId,
        params: Option<&'t Term>,
        depth: usize,
    ) -> Result<Tree, Stop> {
        let mut all = Tree::Actions(Vec::new());
        for statement in statements {
            let (next, span) = match statement {
                Statement::Call(call) => {
                    let action = self.enqueued_call(call, scope, state, params, depth)?;
                    (Tree::Actions(vec![action]), call.span)
                }
                Statement::If(condition, yes, no) => {
                    let read = self.condition(condition, scope, state, params, depth)?;
                    let yes = self.statements(yes, scope, state, params, depth)?;
                    let no = self.statements(no, scope, state, params, depth)?;
                    (Tree::Decision(read, Box::new(yes), Box::new(no)), condition.span)
                }
                Statement::Assign(place, _) => return Err(self.unreadable_action(place.span)),
            };
            if all.n_outcomes() * next.n_outcomes() > MAX_OUTCOMES {
                let message = format!("`enqueueActions` has conditions with more than {MAX_OUTCOMES} outcomes");
                return Err(self.error(codes::TOO_LARGE, span, message));
            }
            all = all.then(&next);
        }
        Ok(all)
    }

    /// `enqueue('name')`, `enqueue.assign({ … })` and so on.
    fn enqueued_call(
        &mut self,
        call: &'t Term,
        scope: &Scope<'t>,
        state: StateId,
        params: Option<&'t Term>,
        depth: usize,
    ) -> Result<Action, Stop> {
        let TermKind::Call(callee, arguments) = &call.kind else { return Err(self.unreadable_action(call.span)) };
        let path = scope.path(callee).unwrap_or_default();
        let path: Vec<&str> = path.iter().map(|key| &**key).collect();
        let kind = match (&path[..], &arguments[..]) {
            (["enqueue"], [action]) => self.action(action, state, params, depth + 1)?,
            (["enqueue", "assign"], [assignments]) => {
                let assignments = self.resolve(assignments);
                self.refuse_old_values(assignments, scope)?;
                self.assign(assignments, call.span, params, Some(scope))
            }
            (["enqueue", built_in], arguments) => {
                self.built_in(&(*built_in).into(), arguments, call.span, state, params, depth + 1)?
            }
            // Other calls, such as those of a logger, change nothing in the chart.
            _ => effect("(anonymous)"),
        };
        if let ActionKind::Assign(_) = &kind {
            self.has_enqueued_assignment = true;
        }
        Ok(Action { kind, span: call.span })
    }

    /// A value that is no function reads the context as it was before all actions. After another assignment, that is not
    /// what the model has.
    fn refuse_old_values(&mut self, assignments: &'t Term, scope: &Scope<'t>) -> Result<(), Stop> {
        let TermKind::Object(entries) = &assignments.kind else { return Ok(()) };
        for entry in entries.iter().filter(|_| self.has_enqueued_assignment) {
            let read = value_of(self, self.resolve(&entry.value), scope);
            if !matches!(
                read.map(|read| read.kind),
                None | Some(ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::Text(_))
            ) {
                let message =
                    "this value reads the context as it was before the assignment above: write it as a function";
                return Err(self.error(codes::UNREADABLE, entry.value.span, message));
            }
        }
        Ok(())
    }

    /// A condition on the context, or on guards by `check`.
    fn condition(
        &mut self,
        term: &'t Term,
        scope: &Scope<'t>,
        state: StateId,
        params: Option<&'t Term>,
        depth: usize,
    ) -> Result<Expr, Stop> {
        let span = term.span;
        match &term.kind {
            TermKind::Not(inner) => {
                let inner = self.condition(inner, scope, state, params, depth)?;
                Ok(Expr { kind: ExprKind::Not(Box::new(inner)), span })
            }
            TermKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                let a = self.condition(a, scope, state, params, depth)?;
                let b = self.condition(b, scope, state, params, depth)?;
                Ok(Expr { kind: ExprKind::Binary(*op, Box::new(a), Box::new(b)), span })
            }
            TermKind::Call(callee, arguments) if scope.path(callee).is_some_and(|path| path == ["check".into()]) => {
                match &arguments[..] {
                    [guard] => self.guard_within(guard, state, None, params, depth + 1),
                    _ => Err(self.error(codes::WRONG_KIND, span, "`check` takes a guard")),
                }
            }
            _ => match value_of(self, term, scope) {
                Some(read) => Ok(read),
                None => Err(self.error(
                    codes::UNREADABLE,
                    span,
                    "this condition cannot be read: `check` takes guards by name",
                )),
            },
        }
    }
}
