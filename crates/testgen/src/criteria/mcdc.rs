//! Modified condition/decision coverage: every condition is shown to decide its decision alone, by a pair of executions in
//! which it is true and false and the decision comes out differently.
//!
//! With *unique cause* all other conditions have the same values in both. Where that is proved to be impossible, because
//! conditions depend on each other, masking is asked for unless the user wants one form only. With *masking* they may differ as long as none of
//! them has an influence: either time the decision would come out otherwise were the condition otherwise and all else the
//! same (the boolean difference). What asks for the same is asked once.

use super::cx::{Cx, Draft};
use super::decisions::is_connective;
use crate::goal::Target;
use crate::pair::{Pair, Way};
use rustc_hash::FxHashMap;
use specwright_model::op::{BinaryOp, UnaryOp};
use specwright_model::{ExprId, Model, Node, Value};

/// What the other conditions may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// They stay the same.
    UniqueCause,
    /// They may change without an influence.
    Masking,
}

/// Unique cause, and masking where that is impossible.
pub(super) const EITHER: &[Form] = &[Form::UniqueCause, Form::Masking];

pub(super) fn either(cx: &mut Cx<'_>) {
    goals(cx, EITHER);
}

pub(super) fn unique_cause(cx: &mut Cx<'_>) {
    goals(cx, &[Form::UniqueCause]);
}

pub(super) fn masking(cx: &mut Cx<'_>) {
    goals(cx, &[Form::Masking]);
}

fn goals(cx: &mut Cx<'_>, forms: &[Form]) {
    for decision in cx.decisions() {
        let whole = cx.text(decision.expr);
        let conditions = decision.conditions(cx.model());
        for condition in &conditions {
            // A decision of one condition is always decided by it.
            let alone = *condition == decision.expr || cx.not(*condition) == decision.expr;
            let halves = cx.halves(decision.expr, *condition, alone);
            let targets = halves.map(|half| cx.when_decided(&decision, half));
            let mut paired = Paired::default();
            if !alone {
                paired.add(cx, forms, decision.expr, *condition, &conditions, targets.map(Target::expr));
            }
            let text = cx.text(*condition);
            let of = if alone { String::new() } else { format!(" decides `{whole}`") };
            for (second, (target, word)) in targets.into_iter().zip(["true", "false"]).enumerate() {
                let index = cx.add(Draft {
                    key: None,
                    group: decision.owner.clone(),
                    description: format!("{}: `{text}` is {word}{of}", decision.owner),
                    span: decision.span,
                    target,
                });
                paired.pair(cx, index, second == 1);
            }
        }
    }
}

/// The ways to form a pair, for each form, and values of the first to begin with.
#[derive(Default)]
pub(super) struct Paired {
    forms: Vec<Vec<Way>>,
    guess: Option<Vec<bool>>,
}

impl Paired {
    /// Adds the ways of an instance of a decision; none if its connectives tell that the condition never decides.
    pub(super) fn add(
        &mut self,
        cx: &mut Cx<'_>,
        forms: &[Form],
        decision: ExprId,
        condition: ExprId,
        conditions: &[ExprId],
        halves: [ExprId; 2],
    ) {
        self.forms.resize(forms.len(), Vec::new());
        for (at, form) in forms.iter().enumerate() {
            let same = cx.same(*form, decision, condition, conditions);
            let Some(values) = cx.guess(*form, decision, condition, &same) else { return };
            if at == 0 {
                self.guess.get_or_insert(values);
            }
            self.forms[at].push(Way { halves, same, masking: *form == Form::Masking });
        }
    }

    /// Makes a goal the half of a pair, at first with values that are only guessed. If there are none that could be, or if
    /// its halves are independent of each other, it stays as it is.
    pub(super) fn pair(&self, cx: &mut Cx<'_>, goal: Option<usize>, second: bool) {
        let (Some(index), Some(guess)) = (goal, self.guess.clone()) else { return };
        let [first, ..] = &self.forms[..] else { return };
        if first.len() == 1 && first[0].same.is_empty() {
            return;
        }
        let mut goal = cx.goals[index].clone();
        let about = goal.description.clone();
        goal.pair = Some(Pair { forms: self.forms.clone().into(), second, about, settled: false });
        goal.choose(&mut cx.model, &(0, 0, guess), false);
        cx.goals[index] = goal;
    }
}

/// Values for more conditions than this are not tried one by one.
const TRIED: usize = 8;

impl Cx<'_> {
    /// When a condition decides: while it is true, and while it is false.
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

    /// What must be the same in both halves of a pair.
    pub(super) fn same(
        &mut self,
        form: Form,
        decision: ExprId,
        condition: ExprId,
        conditions: &[ExprId],
    ) -> Vec<ExprId> {
        match form {
            Form::UniqueCause => conditions.iter().copied().filter(|other| *other != condition).collect(),
            // The decision comes out differently by itself if it never falls when the condition rises, or never rises.
            Form::Masking if is_unate(self.model(), decision, condition) => Vec::new(),
            Form::Masking => vec![self.binary(BinaryOp::Xor, decision, condition)],
        }
    }

    /// Values with which the condition decides, as far as the connectives tell; none if there are none.
    pub(super) fn guess(&self, form: Form, decision: ExprId, condition: ExprId, same: &[ExprId]) -> Option<Vec<bool>> {
        if form == Form::Masking || same.len() > TRIED {
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

/// The truth of a formula for truth values of its conditions.
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

/// Whether all occurrences of a condition push the decision into one direction.
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
