//! Missing properties of survivors that SAT-based search has found.
//!
//! They are made from the execution that shows the difference, as those of [`missing`](super::missing) are, from what the changed
//! assignment reads first. SAT-based search checks that they hold on the machine and fail on the mutant, and conditions are dropped as
//! long as that is so. It decides what holds on all executions, and that something is possible where all executions show that it
//! is not: so `AG (p -> AX !q)`, `EF q` and `G F p` are found, and `AG (p -> EX q)` only where the values that an assignment
//! offers tell.

use super::Open;
use super::by_sat::check;
use super::literals::{all, always, literals, make, none, state_vars, with_value};
use super::missing::{Form, Missing, add, property};
use crate::policy::AUDIT_SAT_CONDITIONS;
use crate::safety::Substitution;
use specwright_mc::{Difference, Place, Query, Sat, Search, fairness_claim};
use specwright_model::interp::{eval, kills, support};
use specwright_model::model::{AssignKind, Property, PropertyKind, VarKind};
use specwright_model::op::{BinaryOp, UnaryOp};
use specwright_model::{ExprId, Model, Node, SourcedExpr, State, Trace, VarId};
use specwright_syntax::budget::Budget;

/// A mutant on which all properties hold, beside the machine.
pub(super) struct Survived<'a> {
    pub(super) model: &'a Model,
    pub(super) machine: &'a mut Sat,
    pub(super) mutant: &'a mut Sat,
    pub(super) changes: &'a [(Place, ExprId)],
    pub(super) budget: Budget,
}

impl Survived<'_> {
    /// The missing properties that kill it, one of which is made if there is none; and why there is none.
    pub(super) fn close(&mut self, difference: &Difference, missing: &mut Vec<Missing>) -> (Vec<usize>, Option<Open>) {
        let known: Vec<usize> = (0..missing.len())
            .filter(|place| {
                let property = &missing[*place].property;
                self.is_shown(property, difference) && self.fails_on_mutant(property)
            })
            .collect();
        if !known.is_empty() {
            return (known, None);
        }
        match self.make(difference) {
            Some((property, form)) => (vec![add(missing, property, form)], None),
            None => (Vec::new(), Some(Open::NotBySat)),
        }
    }

    /// Whether the execution that shows the difference violates a property.
    fn is_shown(&self, property: &Property, difference: &Difference) -> bool {
        let is_of_mutant =
            matches!(difference, Difference::Added(_) | Difference::FairAdded(_) | Difference::Define(_));
        let property = self.as_mutated(property);
        is_of_mutant && kills(self.mutant.system(), difference.trace(), &property).unwrap_or(false)
    }

    fn make(&mut self, difference: &Difference) -> Option<(Property, Form)> {
        match difference {
            Difference::Added(trace) => self.forbid(trace).map(|claim| (property(claim), Form::Universal)),
            Difference::Define(trace) => {
                self.define(trace.states.last()?).map(|claim| (property(claim), Form::Universal))
            }
            Difference::Removed(trace) => {
                let found = self.demand(trace).or_else(|| self.demand_reachable(trace));
                found.map(|claim| (property(claim), Form::Existential))
            }
            Difference::FairAdded(_) => self.recurrence().map(|property| (property, Form::Liveness)),
            Difference::FairRemoved(_) => None,
        }
    }

    fn holds_on_machine(&mut self, claim: ExprId) -> bool {
        check(self.machine, &property(claim), &self.budget).is_impossible()
    }

    fn fails_on_mutant(&mut self, property: &Property) -> bool {
        let property = self.as_mutated(property);
        check(self.mutant, &property, &self.budget).is_found()
    }

    /// A property as the mutant has it, which may have other defines.
    fn as_mutated(&self, property: &Property) -> Property {
        let expr = Substitution::of_defines(self.model, self.changes).apply(self.model, property.formula.expr);
        Property { formula: SourcedExpr { expr, spans: property.formula.spans.clone() }, ..property.clone() }
    }

    /// The variables of states that the changed places of the machine speak of, and the others.
    fn near_and_far(&self) -> (Vec<VarId>, Vec<VarId>) {
        let mut near = std::collections::BTreeSet::new();
        for (place, new) in self.changes {
            let old = match *place {
                Place::Assign(index) => {
                    near.insert(self.model.assigns[index].var);
                    Some(self.model.assigns[index].value.expr)
                }
                Place::Define(define) => Some(self.model.body(define)),
                Place::Init(index) => Some(self.model.init[index].expr),
                Place::Invar(index) => Some(self.model.invar[index].expr),
                Place::Trans(index) => self.model.trans.get(index).map(|constraint| constraint.expr),
                Place::Fairness(_) => None,
            };
            for expr in old.into_iter().chain([*new]) {
                let support = support(self.model, expr);
                near.extend(support.now.into_iter().chain(support.next));
            }
        }
        state_vars(self.model).into_iter().partition(|var| near.contains(var))
    }

    /// `AG (p -> AX !q)`, or `!q` in initial states, for the last step of an execution of the mutant.
    fn forbid(&mut self, trace: &Trace) -> Option<ExprId> {
        let model = self.model;
        let (near, far) = self.near_and_far();
        let write = |before: &[ExprId], after: &[ExprId]| {
            let claim = none(model, after)?;
            if trace.states.len() < 2 {
                return Some(claim);
            }
            Some(always(model, all(model, before), make(model, Node::Unary(UnaryOp::AX, claim))))
        };
        let next = trace.states.last()?;
        let now = trace.states.len().checked_sub(2).map(|at| &trace.states[at]);
        let conditions = |vars: &[VarId]| {
            let before = now.map_or_else(Vec::new, |now| literals(model, now, vars));
            (before, literals(model, next, vars))
        };
        let everything: Vec<VarId> = far.into_iter().chain(near.iter().copied()).collect();
        let found = [near, everything]
            .into_iter()
            .map(|vars| conditions(&vars))
            .find(|(before, after)| write(before, after).is_some_and(|claim| self.holds_on_machine(claim)));
        let (before, after) = found?;
        let after = fewer(after, &mut |after| write(&before, after).is_some_and(|claim| self.holds_on_machine(claim)));
        let before =
            fewer(before, &mut |before| write(before, &after).is_some_and(|claim| self.holds_on_machine(claim)));
        write(&before, &after).filter(|claim| self.fails_on_mutant(&property(*claim)))
    }

    /// `AG (p -> d = v)` for a define that has another value in the mutant.
    fn define(&mut self, state: &State) -> Option<ExprId> {
        let model = self.model;
        let (near, far) = self.near_and_far();
        let everything: Vec<VarId> = far.into_iter().chain(near.iter().copied()).collect();
        for (place, body) in self.changes {
            let Place::Define(define) = *place else { continue };
            let value = |expr| eval(model, expr, state, None).ok();
            let (Some(is), Some(would_be)) = (value(model.body(define)), value(*body)) else { continue };
            if is == would_be {
                continue;
            }
            let claim = with_value(model, make(model, Node::Define(define)), is)?;
            let write = |before: &[ExprId]| always(model, all(model, before), claim);
            let candidates = [&near, &everything].map(|vars| literals(model, state, vars));
            let Some(before) = candidates.into_iter().find(|before| self.holds_on_machine(write(before))) else {
                continue;
            };
            let before = fewer(before, &mut |before| self.holds_on_machine(write(before)));
            if self.fails_on_mutant(&property(write(&before))) {
                return Some(write(&before));
            }
        }
        None
    }

    /// `EF q` for a state of the machine that the mutant does not reach. The machine has to start in one state, because the formula
    /// is about all of those in which it starts.
    fn demand_reachable(&mut self, trace: &Trace) -> Option<ExprId> {
        let model = self.model;
        let (first, state) = (trace.states.first()?, trace.states.last()?);
        let elsewhere = none(model, &literals(model, first, &state_vars(model)))?;
        let starts_here = self.machine.answer(Query::Show(elsewhere), &self.budget).is_impossible();
        if !starts_here || self.is_any_fair() {
            return None; // of fair executions, it would have to be one
        }
        let never = |after: &[ExprId]| none(model, after).map(|claim| always(model, None, claim));
        let is_unreachable = |case: &mut Self, after: &[ExprId]| {
            let Some(claim) = never(after) else { return false };
            let claim = case.as_mutated(&property(claim));
            check(case.mutant, &claim, &case.budget).is_impossible()
        };
        let after = literals(model, state, &state_vars(model));
        if !is_unreachable(self, &after) {
            return None;
        }
        let after = fewer(after, &mut |after| is_unreachable(self, after));
        Some(make(model, Node::Unary(UnaryOp::EF, all(model, &after)?)))
    }

    /// `AG (p -> EX x = v)` for a value that an assignment offers and the mutant does not. The assignments of other variables and
    /// inputs have no say in it, so the values that it offers tell.
    fn demand(&mut self, trace: &Trace) -> Option<ExprId> {
        let model = self.model;
        let is_independent = model.invar.is_empty()
            && model.trans.is_empty()
            && model.assigns.iter().all(|assign| {
                assign.kind == AssignKind::Init
                    || assign.kind == AssignKind::Next && support(model, assign.value.expr).next.is_empty()
            });
        let &[(Place::Assign(index), new)] = self.changes else { return None };
        let assign = &model.assigns[index];
        let old = assign.value.expr;
        let reads_inputs = |expr: ExprId| support(model, expr).now.iter().any(|var| model[*var].kind == VarKind::Input);
        if !is_independent
            || self.is_any_fair()
            || assign.kind != AssignKind::Next
            || !support(model, new).next.is_empty()
            || reads_inputs(old)
            || reads_inputs(new)
        {
            return None;
        }
        let now = &trace.states[trace.states.len().checked_sub(2)?];
        let value = trace.states.last()?.get(assign.var)?;
        let offers = |expr: ExprId| {
            let value = make(model, Node::Const(value));
            let op = if model.context.exprs.ty(expr).is_set() { BinaryOp::In } else { BinaryOp::Eq };
            model.make(Node::Binary(op, value, expr)).ok()
        };
        let (offered, offered_by_mutant) = (offers(old)?, offers(new)?);
        if eval(model, offered_by_mutant, now, None).ok()? != specwright_model::Value::Bool(false) {
            return None;
        }
        let is_always_offered = |case: &mut Self, before: &[ExprId]| {
            let claim = always(model, all(model, before), offered);
            case.holds_on_machine(claim)
        };
        let read: Vec<VarId> = support(model, old).now.into_iter().collect();
        let before = literals(model, now, &read);
        if !is_always_offered(self, &before) {
            return None;
        }
        let before = fewer(before, &mut |before| is_always_offered(self, before));
        // The mutant gets to the last state but one, too: what it lacks is the step.
        let there = all(model, &literals(model, now, &state_vars(model)))?;
        if !self.mutant.answer(Query::Reach(there), &self.budget).is_found() {
            return None;
        }
        let reading = make(model, Node::Var(assign.var));
        let possible = make(model, Node::Unary(UnaryOp::EX, with_value(model, reading, value)?));
        Some(always(model, all(model, &before), possible))
    }

    /// What a changed constraint says of the fair executions of the machine.
    fn recurrence(&mut self) -> Option<Property> {
        self.changes.iter().find_map(|(place, _)| {
            let Place::Fairness(index) = *place else { return None };
            let claim = fairness_claim(self.model, index)?;
            let found = Property { kind: PropertyKind::Ltl, ..property(claim) };
            let holds = check(self.machine, &found, &self.budget).is_impossible();
            (holds && check(self.mutant, &found, &self.budget).is_found()).then_some(found)
        })
    }

    fn is_any_fair(&self) -> bool {
        let is_fair =
            |system: &specwright_model::TransitionSystem| !system.justice.is_empty() || !system.compassion.is_empty();
        is_fair(self.model) || is_fair(self.mutant.system())
    }
}

/// A small part of conditions that is good, tried one condition after the other. All of them together are good.
fn fewer(mut conditions: Vec<ExprId>, is_good: &mut dyn FnMut(&[ExprId]) -> bool) -> Vec<ExprId> {
    let mut at = conditions.len().saturating_sub(AUDIT_SAT_CONDITIONS);
    while at < conditions.len() {
        let dropped = conditions.remove(at);
        if !is_good(&conditions) {
            conditions.insert(at, dropped);
            at += 1;
        }
    }
    conditions
}
