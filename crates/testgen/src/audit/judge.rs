//! The verdict on one mutant after the other.

use super::labels::Seen;
use super::missing::{Missing, Wanted};
use super::{MachineMutant, Survivor, Verdict, Why};
use crate::safety::Substitution;
use specwright_mc::{Answer, BuildError, Place, Reason, Symbolic};
use specwright_model::model::Property;
use specwright_model::{ExprId, Model, SourcedExpr};

/// Judges the mutants of one machine by the properties that hold on it.
pub struct Auditor<'a> {
    pub(super) model: &'a mut Model,
    /// The engine of the model. It need not make traces.
    pub(super) engine: &'a mut Symbolic,
    /// The properties, with their numbers.
    properties: Vec<(usize, Property)>,
    seen: Seen,
    /// The properties that would kill survivors, if they are wanted.
    wanted: Option<Wanted>,
}

impl<'a> Auditor<'a> {
    /// Judges by these properties of the model, all of which must hold on it. If `suggest`, properties that would kill
    /// survivors are looked for.
    pub fn new(model: &'a mut Model, engine: &'a mut Symbolic, properties: &[usize], suggest: bool) -> Auditor<'a> {
        let properties: Vec<(usize, Property)> =
            properties.iter().map(|index| (*index, model.properties[*index].clone())).collect();
        let formulas: Vec<ExprId> = properties.iter().map(|(_, property)| property.formula.expr).collect();
        let seen = Seen::new(model, &formulas);
        let wanted = suggest.then(|| Wanted::new(model, engine));
        Auditor { model, engine, properties, seen, wanted }
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
        self.judge_changes(&mutant.changes).unwrap_or_else(Verdict::Undecided)
    }

    /// The verdict on a mutant that is known to have survived.
    pub fn judge_survivor(&mut self, mutant: &MachineMutant) -> Verdict {
        self.judge_known(&mutant.changes).unwrap_or_else(Verdict::Undecided)
    }

    fn judge_known(&mut self, changes: &[(Place, ExprId)]) -> Result<Verdict, Reason> {
        let Ok(mut mutant) = self.engine.mutant(changes) else { return self.judge_changes(changes) };
        // This finds the states of the mutant.
        self.engine.invalid(&mut mutant, changes)?;
        self.survived(&mut mutant, changes)
    }

    fn judge_changes(&mut self, changes: &[(Place, ExprId)]) -> Result<Verdict, Reason> {
        let mut mutant = match self.engine.mutant(changes) {
            Ok(mutant) => mutant,
            Err(BuildError::Undefined(mut undefined)) => {
                return Ok(Verdict::Invalid(Why::Undefined(Box::new(undefined.swap_remove(0)))));
            }
            Err(BuildError::Limit(limit)) => return Err(Reason::Limit(limit)),
            Err(BuildError::Unbounded(_)) => return Err(Reason::Unsupported),
        };
        if self.engine.is_same(&mutant, changes)? {
            return Ok(Verdict::Equivalent);
        }
        if let Some(invalid) = self.engine.invalid(&mut mutant, changes)? {
            return Ok(Verdict::Invalid(Why::Machine(invalid)));
        }
        let mut mutated = Substitution::of_defines(self.model, changes);
        let (mut killing, mut undecided) = (Vec::new(), None);
        for (index, property) in &self.properties {
            let expr = mutated.apply(self.model, property.formula.expr);
            let formula = SourcedExpr { expr, spans: property.formula.spans.clone() };
            let property = Property { formula, ..property.clone() };
            let mut answer = mutant.check(&property);
            if matches!(answer, Answer::Undecided(Reason::Undefined(_))) {
                // It may be undefined in states that the mutant does not reach.
                mutant.explore_exactly()?;
                answer = mutant.check(&property);
            }
            match answer {
                Answer::Found(_) => killing.push(*index),
                Answer::Impossible(_) => {}
                Answer::Undecided(reason) => undecided = Some(reason),
            }
        }
        if !killing.is_empty() {
            return Ok(Verdict::Killed(killing));
        }
        if let Some(reason) = undecided {
            return Err(reason);
        }
        if self.seen.hides(self.model) {
            let labels = self.seen.labels(self.model, changes).ok_or(Reason::Unsupported)?;
            if self.engine.is_bisimilar(&mut mutant, &labels)? {
                return Ok(Verdict::Equivalent);
            }
        }
        self.survived(&mut mutant, changes)
    }

    /// How a mutant differs on which all properties hold, and what would kill it.
    fn survived(&mut self, mutant: &mut Symbolic, changes: &[(Place, ExprId)]) -> Result<Verdict, Reason> {
        let Some(difference) = self.engine.difference(mutant, changes)? else { return Ok(Verdict::Equivalent) };
        let closed_by = match &mut self.wanted {
            Some(wanted) => wanted.close(self.model, self.engine, mutant, changes, &difference),
            None => Vec::new(),
        };
        Ok(Verdict::Survived(Box::new(Survivor { difference, closed_by })))
    }
}
