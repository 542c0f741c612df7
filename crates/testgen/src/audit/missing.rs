//! The missing properties: what would kill a survivor.
//!
//! First come the clauses of the machine's reflection: they restate an assignment, hold on the machine, and read as a person would write
//! them. Where none of them fails on a survivor, a clause is made from the execution that shows the difference, and then
//! generalized: a condition is dropped as long as the clause holds on the machine and fails on the mutant.

use super::literals::{all, always, literals, make, none, state_vars};
use super::safety_clause::always_claim;
use crate::grade::{Grader, Quantifiers};
use crate::reflect::shorten::{Shortening, shorten_clause};
use crate::reflect::{self, Clause, reflect, settle};
use crate::safety::Substitution;
use rustc_hash::FxHashMap;
use specwright_mc::{Difference, Place, Query, Symbolic};
use specwright_model::interp::{kills, support};
use specwright_model::model::{Property, PropertyKind};
use specwright_model::op::UnaryOp;
use specwright_model::typing::is_temporal;
use specwright_model::{ExprId, Model, Node, SourcedExpr, State, Trace, VarId};
use specwright_syntax::span::Span;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// A property that the model does not have: it holds on the machine, and fails on some survivors.
#[derive(Clone, Debug)]
pub struct Missing {
    /// A name, unique among the missing properties.
    pub name: String,
    /// The property.
    pub property: Property,
    /// Its form.
    pub form: Form,
}

/// The forms of missing properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Form {
    /// A clause of the reflection of the machine.
    Reflection,
    /// What must not be, in initial states, always, or after a step.
    Universal,
    /// What must be possible: `AG (p -> EX q)` or `EF q`.
    Existential,
    /// What must happen, or may go on, without end: `AG (p -> AF q)`, `AG AF q` or `EF EG q`.
    Liveness,
}

impl Missing {
    /// It as a declaration of SMV, under some name.
    pub fn declaration(&self, model: &Model, name: &str) -> String {
        format!("{} NAME {name} := {};", self.kind(), model.show_requirement(self.property.formula.expr))
    }

    /// The keyword of its declaration.
    pub fn kind(&self) -> &'static str {
        if self.property.kind == PropertyKind::Ltl { "LTLSPEC" } else { "CTLSPEC" }
    }
}

impl Form {
    /// Its name in JSON documents.
    pub fn word(self) -> &'static str {
        match self {
            Form::Reflection => "reflection",
            Form::Universal => "universal",
            Form::Existential => "existential",
            Form::Liveness => "liveness",
        }
    }
}

/// Properties that would kill survivors.
pub(super) struct Wanted {
    clauses: Vec<Clause>,
    grader: Grader,
    /// The place of a clause among the missing ones, once it is needed.
    places: Vec<Option<usize>>,
    missing: Vec<Missing>,
    claims: Rc<RefCell<Claims>>,
}

/// What missing properties say of all states or steps, by their formulas and whether these are of CTL: each is tried on every survivor.
type Claims = FxHashMap<(ExprId, bool), Option<ExprId>>;

impl Wanted {
    /// Restates the machine.
    pub(super) fn new(model: &mut Model, engine: &mut Symbolic) -> Wanted {
        let options = reflect::Options { expound: true, trans: true, ..reflect::Options::default() };
        let mut reflection = reflect(model, options);
        settle(model, engine, &mut reflection);
        let clauses = reflection.clauses;
        let targets: Vec<Query> = clauses.iter().map(|clause| violation(model, clause.formula.expr)).collect();
        let grader = Grader::new(model, targets, Quantifiers::Path);
        Wanted { places: vec![None; clauses.len()], clauses, grader, missing: Vec::new(), claims: Rc::default() }
    }

    pub(super) fn into_missing(self) -> Vec<Missing> {
        self.missing
    }

    /// The missing properties, for one that is found elsewhere.
    pub(super) fn missing(&mut self) -> &mut Vec<Missing> {
        &mut self.missing
    }

    /// The missing properties that kill a survivor. Makes one if there is none and one can be found.
    pub(super) fn close(
        &mut self,
        model: &mut Model,
        engine: &mut Symbolic,
        mutant: &mut Symbolic,
        changes: &[(Place, ExprId)],
        difference: &Difference,
    ) -> Vec<usize> {
        let mutated = Substitution::of_defines(model, changes);
        let mut case = Case { model, engine, mutant, mutated, changes, claims: self.claims.clone() };
        let mut violated = self.violated(&mut case, difference);
        let is_enough = case.mutant.is_fair_everywhere();
        violated.retain(|clause| {
            let claim = property(self.clauses[*clause].formula.expr);
            case.holds_on_machine(&claim) && (is_enough || case.fails_on_mutant(&claim))
        });
        let mut found: Vec<usize> = Vec::new();
        for index in violated {
            let place = *self.places[index].get_or_insert_with(|| {
                let clause = &mut self.clauses[index];
                // Without superfluous conditions it says more, and is easier to read.
                shorten_clause(model, engine, clause, Shortening::All);
                let (name, form) = (clause.id.clone(), Form::Reflection);
                self.missing.push(Missing { name, property: clause.property(), form });
                self.missing.len() - 1
            });
            found.push(place);
        }
        let mutated = Substitution::of_defines(model, changes);
        let mut case = Case { model, engine, mutant, mutated, changes, claims: self.claims.clone() };
        for (place, missing) in self.missing.iter().enumerate() {
            let is_made = missing.form != Form::Reflection;
            if is_made && !found.contains(&place) && case.fails_on_mutant(&missing.property) {
                found.push(place);
            }
        }
        if found.is_empty()
            && let Some((property, form)) = case.make(changes, difference)
        {
            found.push(add(&mut self.missing, property, form));
        }
        found.sort_unstable();
        found
    }

    /// The clauses that an execution of the mutant violates.
    fn violated(&mut self, case: &mut Case<'_>, difference: &Difference) -> Vec<usize> {
        let (Difference::Added(trace) | Difference::Define(trace)) = difference else { return Vec::new() };
        let as_written = self.grader.reached(case.model, trace);
        let mut violated = Vec::new();
        for (index, clause) in self.clauses.iter().enumerate() {
            let expr = case.mutated.apply(case.model, clause.formula.expr);
            let is_violated = if expr == clause.formula.expr {
                as_written.contains(index)
            } else {
                kills(case.model, trace, &property(expr)).unwrap_or(false)
            };
            if is_violated {
                violated.push(index);
            }
        }
        violated
    }
}

/// A survivor, to be killed.
pub(super) struct Case<'a> {
    pub(super) model: &'a Model,
    engine: &'a mut Symbolic,
    mutant: &'a mut Symbolic,
    mutated: Substitution,
    changes: &'a [(Place, ExprId)],
    claims: Rc<RefCell<Claims>>,
}

impl Case<'_> {
    pub(super) fn holds_on_machine(&mut self, property: &Property) -> bool {
        self.engine.check(property).is_impossible()
    }

    /// Whether a property fails on the mutant that holds on the machine.
    pub(super) fn fails_on_mutant(&mut self, property: &Property) -> bool {
        let expr = self.mutated.apply(self.model, property.formula.expr);
        if expr == property.formula.expr
            && self.engine.is_fair_everywhere()
            && self.mutant.is_fair_everywhere()
            && let Some(always) = self.always_claim(property)
            && let Ok(Some(violates)) = self.engine.violates(self.mutant, self.changes, always)
        {
            return violates;
        }
        let formula = SourcedExpr { expr, spans: property.formula.spans.clone() };
        self.mutant.check(&Property { formula, ..property.clone() }).is_found()
    }

    /// What a missing property, which is of CTL or LTL, says of all states or steps.
    fn always_claim(&self, property: &Property) -> Option<ExprId> {
        let key = (property.formula.expr, property.kind == PropertyKind::Ctl);
        *self.claims.borrow_mut().entry(key).or_insert_with(|| always_claim(self.model, property))
    }

    fn holds(&mut self, expr: ExprId) -> bool {
        self.holds_on_machine(&property(expr))
    }

    fn fails(&mut self, expr: ExprId) -> bool {
        self.fails_on_mutant(&property(expr))
    }

    /// A property that kills the survivor, made from the execution that shows the difference.
    fn make(&mut self, changes: &[(Place, ExprId)], difference: &Difference) -> Option<(Property, Form)> {
        let vars = self.nearest_first(changes);
        let found = match difference {
            Difference::Added(trace) => {
                let found = match last_step(trace) {
                    Some((now, next)) => self.forbid(&vars, Some(now), next),
                    None => self.forbid(&vars, None, trace.states.first()?),
                };
                let reachable = || last_step(trace).map(|(now, _)| now);
                match found {
                    Some(expr) => Some((expr, Form::Universal)),
                    // Where fair paths go elsewhere, what is wrong may be that they do.
                    None => reachable()
                        .and_then(|now| self.demand_reachable(&vars, now))
                        .map(|expr| (expr, Form::Existential)),
                }
            }
            Difference::Removed(trace) => {
                let found = match last_step(trace) {
                    Some((now, next)) => self
                        .demand(&vars, now, next)
                        .or_else(|| self.demand_reachable(&vars, next))
                        .or_else(|| self.demand_reachable(&vars, now)),
                    None => self.demand_reachable(&vars, trace.states.first()?),
                };
                found.map(|expr| (expr, Form::Existential))
            }
            Difference::Define(trace) => {
                let state = trace.states.last()?;
                let found = self.define(&vars, changes, state);
                found.map(|expr| (expr, Form::Universal))
            }
            Difference::FairAdded(_) | Difference::FairRemoved(_) => return self.liveness(changes, difference),
        };
        found.map(|(expr, form)| (property(expr), form))
    }

    /// The variables of states: those that the changed places speak of come last, so that others are dropped first.
    fn nearest_first(&self, changes: &[(Place, ExprId)]) -> Vec<VarId> {
        let mut near = std::collections::BTreeSet::new();
        for (place, expr) in changes {
            let support = support(self.model, *expr);
            near.extend(support.now.into_iter().chain(support.next));
            if let Place::Assign(index) = place {
                near.insert(self.model.assigns[*index].var);
            }
        }
        let (near, far): (Vec<VarId>, Vec<VarId>) =
            state_vars(self.model).into_iter().partition(|var| near.contains(var));
        far.into_iter().chain(near).collect()
    }

    /// `AG (p -> AX !q)`, or `!q` in initial states.
    fn forbid(&mut self, vars: &[VarId], now: Option<&State>, next: &State) -> Option<ExprId> {
        let model = self.model;
        let write = |before: &[ExprId], after: &[ExprId]| {
            let claim = none(model, after)?;
            if now.is_none() {
                return Some(claim);
            }
            Some(always(model, all(model, before), make(model, Node::Unary(UnaryOp::AX, claim))))
        };
        let before = now.map_or_else(Vec::new, |now| literals(model, now, vars));
        let after = literals(model, next, vars);
        if !write(&before, &after).is_some_and(|expr| self.holds(expr)) {
            return None;
        }
        // Fewer conditions on either side forbid more.
        let after = self.fewer(after, &mut |case, after| write(&before, after).is_some_and(|expr| case.holds(expr)));
        let before = self.fewer(before, &mut |case, before| write(before, &after).is_some_and(|expr| case.holds(expr)));
        write(&before, &after).filter(|expr| self.fails(*expr))
    }

    /// `AG (p -> EX q)`
    fn demand(&mut self, vars: &[VarId], now: &State, next: &State) -> Option<ExprId> {
        let model = self.model;
        let write = |before: &[ExprId], after: &[ExprId]| {
            let claim = make(model, Node::Unary(UnaryOp::EX, all(model, after)?));
            Some(always(model, all(model, before), claim))
        };
        let (before, after) = (literals(model, now, vars), literals(model, next, vars));
        let kills = |case: &mut Case<'_>, expr: ExprId| case.holds(expr) && case.fails(expr);
        if !write(&before, &after).is_some_and(|expr| kills(self, expr)) {
            return None;
        }
        // A weaker claim holds on the machine, too; a weaker condition fails on the mutant, too.
        let after = self.fewer(after, &mut |case, after| write(&before, after).is_some_and(|expr| case.fails(expr)));
        let before = self.fewer(before, &mut |case, before| write(before, &after).is_some_and(|expr| case.holds(expr)));
        write(&before, &after).filter(|expr| kills(self, *expr))
    }

    /// `EF q`
    fn demand_reachable(&mut self, vars: &[VarId], state: &State) -> Option<ExprId> {
        let model = self.model;
        let write = |after: &[ExprId]| Some(make(model, Node::Unary(UnaryOp::EF, all(model, after)?)));
        let after = literals(model, state, vars);
        let kills = |case: &mut Case<'_>, expr: ExprId| case.holds(expr) && case.fails(expr);
        if !write(&after).is_some_and(|expr| kills(self, expr)) {
            return None;
        }
        let after = self.fewer(after, &mut |case, after| write(after).is_some_and(|expr| case.fails(expr)));
        write(&after).filter(|expr| kills(self, *expr))
    }

    /// `AG (p -> d)` or `AG (p -> d = v)` for a define that has another value in the mutant.
    fn define(&mut self, vars: &[VarId], changes: &[(Place, ExprId)], state: &State) -> Option<ExprId> {
        let model = self.model;
        for (place, body) in changes {
            let Place::Define(define) = *place else { continue };
            let reading = model.make(Node::Define(define)).ok()?;
            let value = |expr| specwright_model::interp::eval(model, expr, state, None).ok();
            let (Some(is), Some(would_be)) = (value(model.body(define)), value(*body)) else { continue };
            if is == would_be {
                continue;
            }
            let claim = super::literals::with_value(model, reading, is)?;
            let before = literals(model, state, vars);
            let write = |before: &[ExprId]| always(model, all(model, before), claim);
            if !self.holds(write(&before)) {
                continue;
            }
            let before = self.fewer(before, &mut |case, before| case.holds(write(before)));
            let expr = write(&before);
            if self.fails(expr) {
                return Some(expr);
            }
        }
        None
    }

    /// A smallest part of conditions that is good, tried one condition after the other. All of them together are good.
    fn fewer(
        &mut self,
        mut conditions: Vec<ExprId>,
        is_good: &mut dyn FnMut(&mut Case<'_>, &[ExprId]) -> bool,
    ) -> Vec<ExprId> {
        let mut at = 0;
        while at < conditions.len() {
            let dropped = conditions.remove(at);
            if !is_good(self, &conditions) {
                conditions.insert(at, dropped);
                at += 1;
            }
        }
        conditions
    }
}

/// The last step of an execution.
fn last_step(trace: &Trace) -> Option<(&State, &State)> {
    let n = trace.states.len();
    (n > 1).then(|| (&trace.states[n - 2], &trace.states[n - 1]))
}

/// A formula of CTL as a property.
pub(super) fn property(expr: ExprId) -> Property {
    let formula = SourcedExpr { expr, spans: Arc::new([]) };
    Property { name: None, kind: PropertyKind::Ctl, formula, target: None, span: Span::NONE }
}

/// Adds a property that was made for a survivor, with a name of its own, unless it is there. Returns its place.
pub(super) fn add(missing: &mut Vec<Missing>, property: Property, form: Form) -> usize {
    let is_it =
        |other: &Missing| other.property.kind == property.kind && other.property.formula.expr == property.formula.expr;
    if let Some(known) = missing.iter().position(is_it) {
        return known;
    }
    let n_made = missing.iter().filter(|missing| missing.form != Form::Reflection).count();
    let name = format!("missing_{}", n_made + 1);
    let property = Property { name: Some(name.clone()), ..property };
    missing.push(Missing { name, property, form });
    missing.len() - 1
}

/// What an execution shows that violates a clause. Without temporal operators it is about initial states.
fn violation(model: &Model, expr: ExprId) -> Query {
    if model.mentions(expr, is_temporal) {
        return Query::Falsify(expr);
    }
    Query::Show(make(model, Node::Unary(UnaryOp::Not, expr)))
}
