//! The verdict on one mutant after the other.

use super::labels::Seen;
use super::missing::{Missing, Wanted};
use super::safety_clause::{always_claim, is_universal};
use super::{MachineMutant, Open, SatAuditor, Survivor, Verdict, Why};
use crate::policy::{AUDIT_MUTANT_MULTIPLE, AUDIT_MUTANT_STEPS};
use crate::safety::Substitution;
use rustc_hash::{FxHashMap, FxHashSet};
use specwright_mc::bdd::Limit;
use specwright_mc::{Answer, Behaviour, BuildError, MutantKey, Options, Place, Reason, Symbolic};
use specwright_model::cone::{Cone, Influence};
use specwright_model::model::{Property, PropertyKind};
use specwright_model::op::Logic;
use specwright_model::{ExprId, Model, SourcedExpr};

/// Judges the mutants of one machine by the properties that hold on it.
pub struct Auditor<'a> {
    pub(super) model: &'a mut Model,
    /// The engine of the model. It need not make traces.
    pub(super) engine: &'a mut Symbolic,
    properties: Vec<Claim>,
    seen: Seen,
    /// The verdicts on mutants. Different changes often make the same machine.
    known: FxHashMap<MutantKey, Verdict>,
    /// The properties of CTL whose searches on the model are remembered.
    searched: FxHashSet<usize>,
    /// The properties that would kill survivors, if they are wanted.
    wanted: Option<Wanted>,
    /// The steps of decision diagrams for each mutant.
    steps: u64,
    /// Limits of SAT-based search.
    options: Options,
    /// What judges mutants whose states are too many, once there was one.
    by_sat: Option<Box<SatAuditor>>,
    /// Whether every property was decided on every killed mutant.
    is_exact: bool,
}

/// A property that mutants are judged by.
struct Claim {
    /// Its number.
    index: usize,
    property: Property,
    /// Whether it holds on every machine with some of the executions of one on which it holds.
    is_universal: bool,
    /// What it says of all states or steps, if it says it of these.
    always: Option<ExprId>,
    /// The variables that can affect it.
    cone: Cone,
}

impl Claim {
    /// Whether a mutant that is no invalid machine may violate it, although its formula stays as it is.
    fn may_fail(&self, model: &Model, changes: &[(Place, ExprId)], behaviour: Option<Behaviour>) -> bool {
        let is_in_cone = |(place, _): &(Place, ExprId)| match *place {
            // A define matters where it is used.
            Place::Define(_) => false,
            Place::Assign(index) => self.cone.contains(model.assigns[index].var),
            Place::Init(_) | Place::Invar(_) | Place::Trans(_) | Place::Fairness(_) => true,
        };
        !(self.is_universal && behaviour == Some(Behaviour::Fewer)) && changes.iter().any(is_in_cone)
    }
}

impl<'a> Auditor<'a> {
    /// Judges by these properties of the model, all of which must hold on it. If `suggest`, properties that would kill
    /// survivors are looked for. The options are limits of SAT-based search.
    pub fn new(
        model: &'a mut Model,
        engine: &'a mut Symbolic,
        properties: &[usize],
        suggest: bool,
        options: &Options,
    ) -> Auditor<'a> {
        // Variables with constraints in common stay together: a mutant of one may stop the others.
        let mut influence = Influence::new(model).assume_defined().with_deadlock_check(|_| false);
        let claim = |index: &usize| {
            let property = model.properties[*index].clone();
            let exprs = [Some(&property.formula), property.target.as_ref()].into_iter().flatten();
            let cone = influence.cone(exprs.map(|sourced| sourced.expr), []);
            let always = always_claim(model, &property);
            Claim { index: *index, is_universal: is_universal(model, &property), always, cone, property }
        };
        let properties: Vec<Claim> = properties.iter().map(claim).collect();
        drop(influence);
        let formulas: Vec<ExprId> = properties.iter().map(|claim| claim.property.formula.expr).collect();
        let seen = Seen::new(model, &formulas);
        let steps = AUDIT_MUTANT_STEPS.max(AUDIT_MUTANT_MULTIPLE.saturating_mul(engine.steps()));
        let wanted = suggest.then(|| Wanted::new(model, engine));
        let (known, searched, options, by_sat) = (FxHashMap::default(), FxHashSet::default(), options.clone(), None);
        let is_exact = true;
        Auditor { model, engine, properties, seen, known, searched, wanted, steps, options, by_sat, is_exact }
    }

    /// Whether killed mutants name all properties that kill them: every property was decided on each.
    pub fn is_exact(&self) -> bool {
        self.is_exact
    }

    /// The model, with the expressions that were made.
    pub fn model(&self) -> &Model {
        self.model
    }

    /// The properties that would kill survivors, so far.
    pub fn into_missing(self) -> Vec<Missing> {
        self.wanted.map_or_else(Vec::new, Wanted::into_missing)
    }

    /// The verdict on a mutant.
    pub fn judge(&mut self, mutant: &MachineMutant) -> Verdict {
        let judged = self.judge_changes(&mutant.changes);
        self.or_by_sat(mutant, judged)
    }

    /// The verdict, or that of SAT-based search where a limit was reached.
    fn or_by_sat(&mut self, mutant: &MachineMutant, judged: Result<Verdict, Reason>) -> Verdict {
        match judged {
            Ok(verdict) => verdict,
            Err(reason @ Reason::Limit(Limit::Steps | Limit::Nodes)) => {
                self.judge_by_sat(mutant).unwrap_or(Verdict::Undecided(reason))
            }
            Err(reason) => Verdict::Undecided(reason),
        }
    }

    /// The verdict on a mutant whose states are too many; nothing if SAT-based search does not decide it, either.
    fn judge_by_sat(&mut self, mutant: &MachineMutant) -> Option<Verdict> {
        if self.by_sat.is_none() {
            let properties: Vec<usize> = self.properties.iter().map(|claim| claim.index).collect();
            self.by_sat = Some(Box::new(SatAuditor::new(self.model, &properties, &self.options)?));
        }
        let auditor = self.by_sat.as_mut()?;
        let verdict = auditor.judge(self.model, mutant, self.wanted.as_mut().map(Wanted::missing));
        self.is_exact &= auditor.is_exact();
        (!matches!(verdict, Verdict::Undecided(_))).then_some(verdict)
    }

    /// The verdict on a mutant that is known to have survived.
    pub fn judge_survivor(&mut self, mutant: &MachineMutant) -> Verdict {
        let judged = self.judge_known(&mutant.changes);
        self.or_by_sat(mutant, judged)
    }

    fn judge_known(&mut self, changes: &[(Place, ExprId)]) -> Result<Verdict, Reason> {
        let Ok(mut mutant) = self.engine.mutant(changes) else { return self.judge_changes(changes) };
        // This finds the states of the mutant.
        let limit = self.engine.limit_steps(self.steps);
        self.engine.invalid(&mut mutant, changes)?;
        drop(limit);
        self.survived(&mut mutant, changes)
    }

    fn judge_changes(&mut self, changes: &[(Place, ExprId)]) -> Result<Verdict, Reason> {
        self.engine.prepare_mutants()?;
        let mut limit = self.engine.limit_steps(self.steps);
        let key = match self.engine.mutant_key(changes) {
            Ok(key) => key,
            Err(error) => return refused(error),
        };
        if let Some(verdict) = key.as_ref().and_then(|key| self.known.get(key)) {
            return Ok(verdict.clone());
        }
        let verdict = loop {
            match self.judge_machine(changes)? {
                Judged::Verdict(verdict) => break verdict,
                Judged::Survived(mut mutant) => {
                    // What is left says more of the mutant, and takes what it takes.
                    drop(limit);
                    break self.survived(&mut mutant, changes)?;
                }
                Judged::Needs(index) => {
                    // All mutants use the searches of the model, so none of them pays for them.
                    drop(limit);
                    self.search(index);
                    limit = self.engine.limit_steps(self.steps);
                }
            }
        };
        if let Some(key) = key {
            self.known.insert(key, verdict.clone());
        }
        Ok(verdict)
    }

    fn judge_machine(&mut self, changes: &[(Place, ExprId)]) -> Result<Judged, Reason> {
        let decided = |verdict| Ok(Judged::Verdict(verdict));
        let behaviour = self.engine.evident_behaviour(changes)?;
        if behaviour == Some(Behaviour::Same) {
            return decided(Verdict::Equivalent);
        }
        let mut mutant = match self.engine.mutant(changes) {
            Ok(mutant) => Box::new(mutant),
            Err(error) => return refused(error).map(Judged::Verdict),
        };
        if let Some(invalid) = self.engine.invalid(&mut mutant, changes)? {
            return decided(Verdict::Invalid(Why::Machine(invalid)));
        }
        let is_fair = self.engine.is_fair_everywhere() && mutant.is_fair_everywhere();
        let mut mutated = Substitution::of_defines(self.model, changes);
        let (mut killing, mut undecided) = (Vec::new(), None);
        for claim in &self.properties {
            let property = &claim.property;
            let expr = mutated.apply(self.model, property.formula.expr);
            if expr == property.formula.expr && !claim.may_fail(self.model, changes, behaviour) {
                continue;
            }
            if let Some(always) = claim.always
                && expr == property.formula.expr
                && (property.kind == PropertyKind::Invar || is_fair)
                && let Some(violates) = self.engine.violates(&mut mutant, changes, always)?
            {
                killing.extend(violates.then_some(claim.index));
                continue;
            }
            let is_ctl = matches!(property.kind, PropertyKind::Ctl | PropertyKind::Psl(Logic::Ctl));
            if is_ctl && !self.searched.contains(&claim.index) {
                return Ok(Judged::Needs(claim.index));
            }
            let formula = SourcedExpr { expr, spans: property.formula.spans.clone() };
            let property = Property { formula, ..property.clone() };
            let mut answer = mutant.check(&property);
            if matches!(answer, Answer::Undecided(Reason::Undefined(_))) {
                // It may be undefined in states that the mutant does not reach.
                mutant.explore_exactly()?;
                answer = mutant.check(&property);
            }
            match answer {
                Answer::Found(_) => killing.push(claim.index),
                Answer::Impossible(_) => {}
                Answer::Undecided(reason) => undecided = Some(reason),
            }
        }
        if !killing.is_empty() {
            self.is_exact &= undecided.is_none();
            return decided(Verdict::Killed(killing));
        }
        if let Some(reason) = undecided {
            return Err(reason);
        }
        if behaviour.is_none() && self.engine.behaviour(&mutant, changes)? == Behaviour::Same {
            return decided(Verdict::Equivalent);
        }
        if self.seen.hides(self.model) {
            let labels = self.seen.labels(self.model, changes).ok_or(Reason::Unsupported)?;
            match self.engine.is_bisimilar(&mut mutant, changes, &labels) {
                Ok(true) => return decided(Verdict::Equivalent),
                Ok(false) => {}
                // SAT-based search cannot tell, either.
                Err(reason) => return decided(Verdict::Undecided(reason)),
            }
        }
        Ok(Judged::Survived(mutant))
    }

    /// Checks a property of the model again, and remembers the searches for it.
    fn search(&mut self, index: usize) {
        self.engine.remember_searches();
        if self.searched.insert(index)
            && let Some(claim) = self.properties.iter().find(|claim| claim.index == index)
        {
            self.engine.is_violated(&claim.property);
        }
    }

    /// How a mutant differs on which all properties hold, and what would kill it.
    fn survived(&mut self, mutant: &mut Symbolic, changes: &[(Place, ExprId)]) -> Result<Verdict, Reason> {
        let Some(difference) = self.engine.difference(mutant, changes)? else { return Ok(Verdict::Equivalent) };
        let (closed_by, open) = match &mut self.wanted {
            Some(wanted) => {
                let closed_by = wanted.close(self.model, self.engine, mutant, changes, &difference);
                let open = closed_by.is_empty().then_some(Open::NoForm);
                (closed_by, open)
            }
            None => (Vec::new(), None),
        };
        Ok(Verdict::Survived(Box::new(Survivor { difference, closed_by, open })))
    }
}

/// What is known of a mutant without its difference from the machine.
enum Judged {
    Verdict(Verdict),
    /// All properties hold on it, and it is no equivalent mutant as far as is known.
    Survived(Box<Symbolic>),
    /// The searches of the model for this property are to be made first.
    Needs(usize),
}

/// The verdict on a mutant that has no engine.
fn refused(error: BuildError) -> Result<Verdict, Reason> {
    match error {
        BuildError::Undefined(mut undefined) => {
            Ok(Verdict::Invalid(Why::Undefined(Box::new(undefined.swap_remove(0)))))
        }
        BuildError::Limit(limit) => Err(Reason::Limit(limit)),
        BuildError::Unbounded(_) => Err(Reason::Unsupported),
    }
}
