//! Mutants of machines as audits see them: of expressions, or of rules.

use crate::mutate::{Mutant, Operator, SiteId, rule_operator};
use crate::safety::{fairness, places};
use specwright_mc::Place;
use specwright_model::model::{ChangedPart, Rewrite};
use specwright_model::{ExprId, Model, VarId};
use specwright_syntax::span::Span;

/// A mutant of a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineMutant {
    /// Its id, which survives edits elsewhere in the file.
    pub id: String,
    /// The operators that make it; never empty.
    pub operators: Vec<&'static str>,
    /// The part of the specification that it changes.
    pub part: Part,
    /// Its description, in one line.
    pub description: String,
    /// The source span of what it changes.
    pub span: Span,
    /// The places of the machine that differ, with their new expressions.
    pub changes: Vec<(Place, ExprId)>,
}

/// A part of a specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// An expression of the machine.
    Site(SiteId),
    /// A rule, by its name.
    Rule(String),
}

impl MachineMutant {
    /// The mutant of an expression.
    pub fn of_expression(model: &Model, mutant: &Mutant) -> MachineMutant {
        let mut changes = places(model, mutant);
        changes.extend(fairness(model, &changes));
        MachineMutant {
            id: mutant.id.to_string(),
            operators: mutant.operators().into_iter().map(Operator::name).collect(),
            part: Part::Site(mutant.site),
            description: mutant.description(model),
            span: mutant.span,
            changes,
        }
    }

    /// The mutant of a rule; nothing if its machine is not known.
    pub fn of_rule(rewrite: &Rewrite) -> Option<MachineMutant> {
        let place = |(part, expr): &(ChangedPart, ExprId)| match *part {
            ChangedPart::Assign(index) => (Place::Assign(index), *expr),
            ChangedPart::Trans(index) => (Place::Trans(index), *expr),
        };
        let (operator, rule) = rewrite.name.split_once(' ')?;
        let operator = rule_operator(operator)?;
        Some(MachineMutant {
            id: rewrite.name.clone(),
            operators: vec![operator.name],
            // The name of a rule has the number of the mutant behind it.
            part: Part::Rule(rule.rsplit_once('.').map_or(rule, |(rule, _)| rule).to_owned()),
            description: format!("{rule}: {}", operator.summary),
            span: rewrite.span,
            changes: rewrite.changes.as_ref()?.iter().map(place).collect(),
        })
    }

    /// The variables whose assignments it changes.
    pub fn variables(&self, model: &Model) -> Vec<VarId> {
        let assigned = |(place, _): &(Place, ExprId)| match *place {
            Place::Assign(index) => Some(model.assigns[index].var),
            _ => None,
        };
        let mut variables: Vec<VarId> = self.changes.iter().filter_map(assigned).collect();
        variables.sort_unstable();
        variables.dedup();
        variables
    }

    /// Whether it is a machine with the defines and the fairness constraints of the model.
    pub fn keeps_meanings(&self) -> bool {
        !self.changes.iter().any(|(place, _)| matches!(place, Place::Define(_) | Place::Fairness(_)))
    }
}
