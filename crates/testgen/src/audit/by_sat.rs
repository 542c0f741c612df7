//! Verdicts by SAT-based search, for machines whose reachable states are too many for decision diagrams.
//!
//! A mutant is a model of its own here. It is killed if a property has a counterexample on it, and all verdicts on properties are
//! decided as `check` decides them. If all properties hold, two searches compare it with the machine: an execution of the mutant
//! whose last step the machine does not have, and the other way round. Where neither exists, initial states and steps are the
//! same, and the mutant is equivalent if the same infinite executions are fair, too.
//!
//! SAT-based search does not find dead ends. That there are none is shown for all states, reachable or not, by diagrams of
//! what constraints depend on; a mutant for which this fails stays undecided. So does a mutant that differs where variables are
//! not seen by testers, which takes a bisimulation.

use super::labels::Seen;
use super::missing::{Missing, property};
use super::missing_by_sat::Survived;
use super::replay::Counterexamples;
use super::{MachineMutant, Survivor, Verdict, Why};
use crate::policy::{AUDIT_SAT_STEPS, AUDIT_TOTAL_STEPS};
use crate::safety::Substitution;
use rustc_hash::FxHashMap;
use specwright_mc::bdd::Limit;
use specwright_mc::{Answer, BuildError, Difference, Invalid, Options, Place, Query, Reason, Sat, Search, Totality};
use specwright_mc::{Witness, apply, fairness_claim};
use specwright_model::model::{AssignKind, Property, PropertyKind};
use specwright_model::op::{BinaryOp, UnaryOp};
use specwright_model::{ExprId, Model, Node, SourcedExpr, Trace, TransitionSystem, Value};
use specwright_syntax::budget::Budget;

/// Judges the mutants of one machine by the properties that hold on it, without its reachable states.
pub struct SatAuditor {
    machine: Sat,
    properties: Vec<(usize, Property)>,
    /// What refuted properties on mutants before.
    counterexamples: Counterexamples,
    seen: Seen,
    options: Options,
    /// Whether machines are total, by what that depends on.
    total: FxHashMap<Vec<ExprId>, Result<bool, Limit>>,
    /// Whether every property was decided on every killed mutant.
    is_exact: bool,
}

impl SatAuditor {
    /// Judges by these properties of the model. Nothing if the model cannot be encoded within the limits.
    pub fn new(model: &Model, properties: &[usize], options: &Options) -> Option<SatAuditor> {
        let machine = Sat::new(model.system.clone(), options).ok()?;
        let properties: Vec<(usize, Property)> =
            properties.iter().map(|index| (*index, model.properties[*index].clone())).collect();
        let counterexamples = Counterexamples::new(model, &properties);
        let formulas: Vec<ExprId> = properties.iter().map(|(_, property)| property.formula.expr).collect();
        let seen = Seen::new(model, &formulas);
        let (options, total) = (options.clone(), FxHashMap::default());
        Some(SatAuditor { machine, properties, counterexamples, seen, options, total, is_exact: true })
    }

    /// Whether killed mutants name all properties that kill them: every property was decided on each.
    pub fn is_exact(&self) -> bool {
        self.is_exact
    }

    /// The verdict on a mutant. A property that would kill a survivor is added to the missing ones, if these are given.
    pub fn judge(&mut self, model: &Model, mutant: &MachineMutant, missing: Option<&mut Vec<Missing>>) -> Verdict {
        self.find(model, &mutant.changes, missing).unwrap_or_else(Verdict::Undecided)
    }

    fn budget(&self) -> Budget {
        self.options.budget.limited(AUDIT_SAT_STEPS)
    }

    fn find(
        &mut self,
        model: &Model,
        changes: &[(Place, ExprId)],
        missing: Option<&mut Vec<Missing>>,
    ) -> Result<Verdict, Reason> {
        let of_machine: Vec<(Place, ExprId)> =
            changes.iter().filter(|(place, _)| !matches!(place, Place::Define(_))).copied().collect();
        let system = apply(&model.system, &of_machine);
        let is_total = self.is_total(&system);
        let is_fair = system.justice.is_empty() && system.compassion.is_empty();
        let mut other = match Sat::new(system, &self.options) {
            Ok(other) => other,
            Err(BuildError::Undefined(mut undefined)) => {
                return Ok(Verdict::Invalid(Why::Undefined(Box::new(undefined.swap_remove(0)))));
            }
            Err(BuildError::Limit(limit)) => return Err(Reason::Limit(limit)),
            Err(BuildError::Unbounded(_)) => return Err(Reason::Unsupported),
        };
        let budget = self.budget();
        let yes = make(model, Node::Const(Value::Bool(true)))?;
        match other.answer(Query::Show(yes), &budget) {
            Answer::Found(_) => {}
            Answer::Impossible(_) => {
                if self.machine.answer(Query::Show(yes), &budget).is_found() {
                    return Ok(Verdict::Invalid(Why::Machine(Invalid::NoInitialState)));
                }
            }
            Answer::Undecided(reason) => return Err(reason),
        }
        if !is_total? {
            return Err(Reason::Unsupported);
        }
        if !is_fair && !has_fair_path(&mut other, &budget)? && has_fair_path(&mut self.machine, &budget)? {
            return Ok(Verdict::Invalid(Why::Machine(Invalid::NoFairPath)));
        }
        let mut mutated = Substitution::of_defines(model, changes);
        let (mut killing, mut undecided) = (Vec::new(), None);
        for (place, (index, property)) in self.properties.iter().enumerate() {
            let expr = mutated.apply(model, property.formula.expr);
            let is_as_written = expr == property.formula.expr;
            if is_as_written && self.counterexamples.refute(place, property, other.system()) {
                killing.push(*index);
                continue;
            }
            let formula = SourcedExpr { expr, spans: property.formula.spans.clone() };
            match check(&mut other, &Property { formula, ..property.clone() }, &budget) {
                Answer::Found(witness) => {
                    killing.push(*index);
                    if is_as_written && let Witness::Trace(trace) = witness {
                        self.counterexamples.add(place, trace);
                    }
                }
                Answer::Impossible(_) => {}
                Answer::Undecided(reason) => undecided = Some(reason),
            }
        }
        if !killing.is_empty() {
            self.is_exact &= undecided.is_none();
            return Ok(Verdict::Killed(killing));
        }
        if let Some(reason) = undecided {
            return Err(reason);
        }
        let difference = match self.difference(model, &mut other, changes)? {
            None => return Ok(Verdict::Equivalent),
            Some(_) if self.seen.hides(model) => return Err(Reason::Unsupported),
            Some(difference) => difference,
        };
        let (machine, mutant) = (&mut self.machine, &mut other);
        let (closed_by, open) = match missing {
            None => (Vec::new(), None),
            Some(missing) => Survived { model, machine, mutant, changes, budget }.close(&difference, missing),
        };
        Ok(Verdict::Survived(Box::new(Survivor { difference, closed_by, open })))
    }

    /// Whether every state of a machine has a successor.
    fn is_total(&mut self, system: &TransitionSystem) -> Result<bool, Reason> {
        let totality = Totality::of(system);
        let options = Options { budget: self.options.budget.limited(AUDIT_TOTAL_STEPS), ..self.options.clone() };
        let known = self.total.entry(totality.key());
        (*known.or_insert_with(|| totality.is_total(&options))).map_err(Reason::Limit)
    }

    /// How a mutant differs from the machine; nothing if it does not.
    fn difference(
        &mut self,
        model: &Model,
        other: &mut Sat,
        changes: &[(Place, ExprId)],
    ) -> Result<Option<Difference>, Reason> {
        let budget = self.budget();
        let (mut added, mut removed, mut defines, mut fairness) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (place, new) in changes {
            match *place {
                Place::Assign(index) => {
                    let old = model.assigns[index].value.expr;
                    added.push(violation(model, index, old)?);
                    removed.push(violation(model, index, *new)?);
                }
                Place::Init(index) => {
                    let old = model.init[index].expr;
                    added.push(Query::Show(make(model, Node::Unary(UnaryOp::Not, old))?));
                    removed.push(Query::Show(make(model, Node::Unary(UnaryOp::Not, *new))?));
                }
                Place::Define(define) => {
                    let differ = Node::Binary(BinaryOp::Ne, model.body(define), *new);
                    defines.push(Query::Reach(make(model, differ)?));
                }
                Place::Invar(index) => {
                    let old = model.invar[index].expr;
                    added.push(Query::Reach(make(model, Node::Unary(UnaryOp::Not, old))?));
                    removed.push(Query::Reach(make(model, Node::Unary(UnaryOp::Not, *new))?));
                }
                Place::Trans(index) => {
                    // A constraint that only the mutant has adds nothing.
                    if let Some(old) = model.trans.get(index) {
                        added.push(Query::Reach(make(model, Node::Unary(UnaryOp::Not, old.expr))?));
                    }
                    removed.push(Query::Reach(make(model, Node::Unary(UnaryOp::Not, *new))?));
                }
                Place::Fairness(index) => fairness.push(index),
            }
        }
        if let Some(trace) = first(other, &added, &budget)? {
            return Ok(Some(Difference::Added(trace)));
        }
        if let Some(trace) = first(&mut self.machine, &removed, &budget)? {
            return Ok(Some(Difference::Removed(trace)));
        }
        if let Some(trace) = first(&mut self.machine, &defines, &budget)? {
            return Ok(Some(Difference::Define(trace)));
        }
        // Initial states and steps are the same, so an execution of one is one of the other.
        for index in &fairness {
            if let Some(trace) = unfair(other, model, *index, &budget)? {
                return Ok(Some(Difference::FairAdded(trace)));
            }
        }
        for index in fairness {
            let mutant = other.system().clone();
            if let Some(trace) = unfair(&mut self.machine, &mutant, index, &budget)? {
                return Ok(Some(Difference::FairRemoved(trace)));
            }
        }
        Ok(None)
    }
}

/// The query for a state or step in which a variable has a value that an assignment with this expression does not give it.
fn violation(model: &Model, assign: usize, value: ExprId) -> Result<Query, Reason> {
    let assign = &model.assigns[assign];
    let mut var = make(model, Node::Var(assign.var))?;
    if assign.kind == AssignKind::Next {
        var = make(model, Node::Next(var))?;
    }
    let is_set = model.context.exprs.ty(value).is_set();
    let op = if is_set { BinaryOp::In } else { BinaryOp::Eq };
    let has_it = make(model, Node::Binary(op, var, value))?;
    let violated = make(model, Node::Unary(UnaryOp::Not, has_it))?;
    Ok(if assign.kind == AssignKind::Init { Query::Show(violated) } else { Query::Reach(violated) })
}

fn make(model: &Model, node: Node) -> Result<ExprId, Reason> {
    model.make(node).map_err(|_| Reason::Unsupported)
}

/// Decides a property by SAT-based search, as far as that can.
pub fn check(sat: &mut Sat, property: &Property, budget: &Budget) -> Answer<Witness> {
    let claim = property.formula.expr;
    let is_initial =
        property.kind != PropertyKind::Invar && !sat.system().mentions(claim, specwright_model::typing::is_temporal);
    if !is_initial {
        return sat.check(property, budget);
    }
    let Ok(wrong) = sat.system().make(Node::Unary(UnaryOp::Not, claim)) else {
        return Answer::Undecided(Reason::Unsupported);
    };
    match sat.answer(Query::Show(wrong), budget) {
        // An initial state counts only if a fair path starts in it, which is not known here.
        Answer::Found(_) if !every_state_starts_a_fair_path(sat.system()) => Answer::Undecided(Reason::Unsupported),
        answer => answer.map(Witness::Trace),
    }
}

/// Whether a fair path starts in an initial state: then a formula of LTL that is never true has a counterexample.
fn has_fair_path(machine: &mut Sat, budget: &Budget) -> Result<bool, Reason> {
    let never = machine.system().make(Node::Const(Value::Bool(false))).map_err(|_| Reason::Unsupported)?;
    match machine.check(&Property { kind: PropertyKind::Ltl, ..property(never) }, budget) {
        Answer::Found(_) => Ok(true),
        Answer::Impossible(_) => Ok(false),
        Answer::Undecided(reason) => Err(reason),
    }
}

/// A fair path of a machine on which a constraint of another one does not hold.
fn unfair(
    machine: &mut Sat,
    other: &TransitionSystem,
    constraint: usize,
    budget: &Budget,
) -> Result<Option<Trace>, Reason> {
    let Some(claim) = fairness_claim(other, constraint) else { return Err(Reason::Unsupported) };
    match machine.check(&Property { kind: PropertyKind::Ltl, ..property(claim) }, budget) {
        Answer::Found(Witness::Trace(trace)) => Ok(Some(trace)),
        Answer::Found(_) => Err(Reason::Unsupported),
        Answer::Impossible(_) => Ok(None),
        Answer::Undecided(reason) => Err(reason),
    }
}

/// Whether every state has a successor and every path is fair, by the form of the system.
fn every_state_starts_a_fair_path(system: &TransitionSystem) -> bool {
    let is_total = system.invar.is_empty() && system.trans.is_empty();
    is_total && system.justice.is_empty() && system.compassion.is_empty()
}

/// The shortest of the executions that answer some queries.
fn first(sat: &mut Sat, queries: &[Query], budget: &Budget) -> Result<Option<Trace>, Reason> {
    let mut shortest: Option<Trace> = None;
    for query in queries {
        match sat.answer(*query, budget) {
            Answer::Found(trace) => {
                if shortest.as_ref().is_none_or(|known| trace.states.len() < known.states.len()) {
                    shortest = Some(trace);
                }
            }
            Answer::Impossible(_) => {}
            Answer::Undecided(reason) => return Err(reason),
        }
    }
    Ok(shortest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use specwright_model::testing::model;

    #[test]
    fn initial_states_without_a_fair_path_refute_nothing() {
        let text = "MODULE main VAR a : boolean; ASSIGN next(a) := a; JUSTICE a; CTLSPEC a CTLSPEC a | !a";
        let model = model(text);
        let mut sat = Sat::new(model.system.clone(), &Options::default()).unwrap();
        let answers = model.properties.iter().map(|property| check(&mut sat, property, &Budget::default()));
        let answers: Vec<Answer<Witness>> = answers.collect();
        assert!(matches!(answers[0], Answer::Undecided(_)));
        assert!(answers[1].is_impossible());
    }
}
