//! Modified condition/decision coverage: every condition is shown to affect its decision independently, by a pair of
//! executions in which it is true and false and the decision has different outcomes.
//!
//! In the *unique cause* form all other conditions have the same values in both executions. Where that is proved
//! impossible because conditions are coupled, the masking form is used, unless the user asks for one form only. In the
//! *masking* form the other conditions may differ as long as they do not affect the outcome: in both executions the
//! decision would change if only the condition changed (the boolean difference). Duplicate goals are merged.

use super::builder::{Builder, Draft};
use super::decisions::is_connective;
use crate::pair::{Pair, Way};
use crate::policy::MCDC_CONDITIONS;
use rustc_hash::FxHashMap;
use specwright_mc::Query;
use specwright_model::op::{BinaryOp, UnaryOp};
use specwright_model::{ExprId, Model, Node, Value};

/// The forms of MC/DC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// The other conditions are the same in both executions.
    UniqueCause,
    /// The other conditions may differ without affecting the outcome.
    Masking,
}

/// Unique cause, and masking where that is impossible.
pub(super) const EITHER: &[Form] = &[Form::UniqueCause, Form::Masking];

pub(super) fn either(builder: &mut Builder<'_>) {
    goals(builder, EITHER);
}

pub(super) fn unique_cause(builder: &mut Builder<'_>) {
    goals(builder, &[Form::UniqueCause]);
}

pub(super) fn masking(builder: &mut Builder<'_>) {
    goals(builder, &[Form::Masking]);
}

fn goals(builder: &mut Builder<'_>, forms: &[Form]) {
    for decision in builder.decisions() {
        let whole = builder.text(decision.expr);
        let conditions = decision.conditions(builder.model());
        for condition in &conditions {
            // A decision with a single condition is always determined by it.
            let alone = *condition == decision.expr || builder.not(*condition) == decision.expr;
            let halves = builder.halves(decision.expr, *condition, alone);
            let targets = halves.map(|half| builder.when_decided(&decision, half));
            let mut paired = Paired::default();
            if !alone {
                paired.add(builder, forms, decision.expr, *condition, &conditions, targets.map(Query::expr));
            }
            let text = builder.text(*condition);
            let of = if alone { String::new() } else { format!(" decides `{whole}`") };
            for (second, (target, word)) in targets.into_iter().zip(["true", "false"]).enumerate() {
                let index = builder.add(Draft {
                    key: None,
                    group: decision.owner.clone(),
                    description: format!("{}: `{text}` is {word}{of}", decision.owner),
                    span: decision.span,
                    target,
                });
                paired.pair(builder, index, second == 1);
            }
        }
    }
}

/// The ways to form a pair, in order of preference of forms, and initial values for the first way.
#[derive(Default)]
pub(super) struct Paired {
    forms: Vec<Vec<Way>>,
    guess: Option<Vec<bool>>,
}

impl Paired {
    /// Adds the ways for an instance of a decision; none if the condition never affects the decision according to its
    /// connectives.
    pub(super) fn add(
        &mut self,
        builder: &mut Builder<'_>,
        forms: &[Form],
        decision: ExprId,
        condition: ExprId,
        conditions: &[ExprId],
        halves: [ExprId; 2],
    ) {
        self.forms.resize(forms.len(), Vec::new());
        for (at, form) in forms.iter().enumerate() {
            let same = builder.same(*form, decision, condition, conditions);
            let Some(values) = builder.guess(*form, decision, condition, &same) else { return };
            if at == 0 {
                self.guess.get_or_insert(values);
            }
            self.forms[at].push(Way { halves, same, masking: *form == Form::Masking });
        }
    }

    /// Makes a goal one half of a pair, initially with candidate values. The goal is unchanged if there are no
    /// candidates, or if its halves are independent.
    pub(super) fn pair(&self, builder: &mut Builder<'_>, goal: Option<usize>, second: bool) {
        let (Some(index), Some(guess)) = (goal, self.guess.clone()) else { return };
        let [first, ..] = &self.forms[..] else { return };
        if first.len() == 1 && first[0].same.is_empty() {
            return;
        }
        let mut goal = builder.goals[index].clone();
        let about = goal.description.clone();
        goal.pair = Some(Pair { forms: self.forms.clone().into(), second, about, settled: false });
        goal.choose(&builder.model, &(0, 0, guess), false);
        builder.goals[index] = goal;
    }
}

impl Builder<'_> {
    /// The conditions under which the condition determines the decision, while it is true and while it is false.
    pub(super) fn halves(&mut self, decision: ExprId, condition: ExprId, alone: bool) -> [ExprId; 2] {
        let decides = if alone {
            self.all([])
        } else {
            let (with, without) = (self.fix(decision, condition, true), self.fix(decision, condition, false));
            self.binary(BinaryOp::Xor, with, without)
        };
        let opposite = self.not(condition);
        [condition, opposite].map(|value| self.all([value, decides]))
    }

    /// The expressions that must have the same values in both halves of a pair.
    pub(super) fn same(
        &mut self,
        form: Form,
        decision: ExprId,
        condition: ExprId,
        conditions: &[ExprId],
    ) -> Vec<ExprId> {
        match form {
            Form::UniqueCause => conditions.iter().copied().filter(|other| *other != condition).collect(),
            // If the decision is monotone in the condition, the outcomes differ by themselves.
            Form::Masking if is_unate(self.model(), decision, condition) => Vec::new(),
            Form::Masking => vec![self.binary(BinaryOp::Xor, decision, condition)],
        }
    }

    /// Values for which the condition determines the decision according to the connectives; `None` if there are none.
    pub(super) fn guess(&self, form: Form, decision: ExprId, condition: ExprId, same: &[ExprId]) -> Option<Vec<bool>> {
        if form == Form::Masking || same.len() > MCDC_CONDITIONS {
            return Some(vec![true; same.len()]);
        }
        let decides = |values: &Vec<bool>| {
            let mut known: FxHashMap<ExprId, bool> = same.iter().copied().zip(values.iter().copied()).collect();
            let outcomes = [true, false].map(|value| {
                known.insert(condition, value);
                truth(self.model(), decision, &known)
            });
            outcomes[0] != outcomes[1]
        };
        let values = |bits: usize| (0..same.len()).map(|at| bits >> at & 1 == 0).collect::<Vec<bool>>();
        (0..1 << same.len()).map(values).find(decides)
    }
}

/// The truth of a formula under an assignment of its conditions.
fn truth(model: &Model, expr: ExprId, known: &FxHashMap<ExprId, bool>) -> bool {
    if let Some(value) = known.get(&expr) {
        return *value;
    }
    match model[expr] {
        Node::Const(Value::Bool(value)) => value,
        Node::Unary(UnaryOp::Not, a) => !truth(model, a, known),
        Node::Binary(op, a, b) => {
            let (a, b) = (truth(model, a, known), truth(model, b, known));
            match op {
                BinaryOp::And => a && b,
                BinaryOp::Or => a || b,
                BinaryOp::Implies => !a || b,
                BinaryOp::Xor | BinaryOp::Ne => a != b,
                _ => a == b,
            }
        }
        _ => false,
    }
}

/// Whether the decision is monotone (unate) in a condition, judged by the polarity of its occurrences.
fn is_unate(model: &Model, decision: ExprId, condition: ExprId) -> bool {
    let mut seen = [false; 2];
    let mut open = vec![(decision, true, false)];
    while let Some((expr, rises, both)) = open.pop() {
        if expr == condition {
            seen[usize::from(rises)] = true;
            seen[usize::from(!rises)] |= both;
            continue;
        }
        if !is_connective(model, expr) {
            continue;
        }
        match model[expr] {
            Node::Unary(UnaryOp::Not, a) => open.push((a, !rises, both)),
            Node::Binary(BinaryOp::And | BinaryOp::Or, a, b) => open.extend([(a, rises, both), (b, rises, both)]),
            Node::Binary(BinaryOp::Implies, a, b) => open.extend([(a, !rises, both), (b, rises, both)]),
            Node::Binary(_, a, b) => open.extend([(a, rises, true), (b, rises, true)]),
            _ => {}
        }
    }
    seen != [true; 2]
}
