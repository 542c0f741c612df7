//! Criteria about what the author wrote: the rules of a machine, their guards and their updates.
//!
//! Whoever lowers the language attaches them to the model as elements; here they become goals. An element is exercised
//! by a step, so a test for it takes that step.

use super::cx::{Cx, Draft};
use super::decisions::list_conditions;
use super::mcdc::{EITHER, Form, Paired};
use crate::goal::Target;
use crate::mutate::rule_operator;
use specwright_model::model::Element;
use specwright_model::op::BinaryOp;
use specwright_model::{ExprId, Node, Value};
use specwright_syntax::span::Span;

/// More tuples of rules than this are not listed.
const MOST_TUPLES: usize = 100_000;

/// Every rule as it is written is executed.
pub(super) fn basic_rule(cx: &mut Cx<'_>) {
    for element in cx.elements("node") {
        cx.exercise(&element, &element.instances, element.name.clone(), "is executed");
    }
}

/// Every guarded rule fires once, and once it does not.
pub(super) fn rule(cx: &mut Cx<'_>) {
    for element in cx.elements("rule") {
        cx.exercise(&element, &element.instances, format!("{}=fires", element.name), "fires");
        let fires = cx.any_of(&element.instances);
        let rests = cx.not(fires);
        cx.exercise(&element, &[rests], format!("{}=rests", element.name), "does not fire");
    }
}

/// Every condition of a rule is true once and false once, when it is looked at.
pub(super) fn rule_guard(cx: &mut Cx<'_>) {
    for (kind, word) in [("guard", "true"), ("guard-false", "false")] {
        for element in cx.elements(kind) {
            cx.exercise(&element, &element.instances, format!("{}={word}", element.name), &format!("is {word}"));
        }
    }
}

/// Every update changes something.
pub(super) fn rule_update(cx: &mut Cx<'_>) {
    for element in cx.elements("update") {
        cx.exercise(&element, &element.instances, element.name.clone(), "is changed");
    }
}

/// Every slightly wrong machine does something that the right one does not.
pub(super) fn rule_mutation(cx: &mut Cx<'_>) {
    for element in cx.elements("mutant") {
        let predicate = cx.any_of(&element.instances);
        let (operator, rule) = element.name.split_once(' ').unwrap_or((&element.name, ""));
        let change = rule_operator(operator).map_or("a change", |operator| operator.summary);
        let description = format!("{change} of {rule} is told apart");
        // Where the machine has no step because of a contradiction, there is nothing to tell a mutant from.
        cx.step_from(predicate, element.span, operator.to_owned(), element.name.clone(), description);
    }
}

/// Any so many rules fire together.
pub(super) fn parallel(cx: &mut Cx<'_>) {
    let ways = cx.options.ways;
    tuples(cx, ways);
}

/// Any rules up to so many fire together.
pub(super) fn strong_parallel(cx: &mut Cx<'_>) {
    for ways in 1..=cx.options.ways {
        tuples(cx, ways);
    }
}

/// Unordered tuples of different rules.
fn tuples(cx: &mut Cx<'_>, size: usize) {
    let elements = cx.elements("rule");
    let n_tuples = (0..size).try_fold(1usize, |n, at| Some(n.checked_mul(elements.len().checked_sub(at)?)? / (at + 1)));
    let Some(first) = elements.first() else { return };
    if size == 0 || n_tuples == Some(0) || n_tuples.is_none() && elements.len() < size {
        return;
    }
    if n_tuples.is_none_or(|n| n > MOST_TUPLES) {
        let message = format!(
            "there are more than {MOST_TUPLES} ways to take {size} of {} rules: they are left out",
            elements.len()
        );
        cx.note(first.span, message);
        return;
    }
    let guards: Vec<ExprId> = elements.iter().map(|element| cx.any_of(&element.instances)).collect();
    let mut places: Vec<usize> = (0..size).collect();
    loop {
        let names: Vec<&str> = places.iter().map(|at| elements[*at].name.as_str()).collect();
        let together = cx.all(places.iter().map(|at| guards[*at]));
        let span = elements[places[size - 1]].span;
        let verb = if size == 1 { "fires" } else { "fire together" };
        cx.step(together, span, "rules".into(), names.join("|"), format!("{} {verb}", names.join(" and ")));
        // The next tuple in order.
        let Some(at) = (0..size).rev().find(|at| places[*at] < elements.len() - size + at) else { return };
        places[at] += 1;
        for later in at + 1..size {
            places[later] = places[later - 1] + 1;
        }
    }
}

/// Every condition of every guarded rule decides alone whether it fires, or masked where that is impossible.
pub(super) fn rule_mcdc(cx: &mut Cx<'_>) {
    pairs(cx, EITHER);
}

/// Every condition of every guarded rule decides alone whether it fires.
pub(super) fn rule_mcdc_unique_cause(cx: &mut Cx<'_>) {
    pairs(cx, &[Form::UniqueCause]);
}

/// Every condition of every guarded rule decides whether it fires while the others have no influence.
pub(super) fn rule_mcdc_masking(cx: &mut Cx<'_>) {
    pairs(cx, &[Form::Masking]);
}

fn pairs(cx: &mut Cx<'_>, forms: &[Form]) {
    for element in cx.elements("rule") {
        let conditions: Vec<Vec<ExprId>> = element
            .instances
            .iter()
            .map(|guard| {
                let mut conditions = Vec::new();
                list_conditions(cx.model(), *guard, &mut conditions);
                conditions
            })
            .collect();
        let n = conditions.iter().map(Vec::len).max().unwrap_or(0);
        for at in 0..n {
            // Unfolded from the same text, the instances have the same conditions in the same order.
            let (mut halves, mut paired) = ([Vec::new(), Vec::new()], Paired::default());
            for (guard, conditions) in element.instances.iter().zip(&conditions) {
                let Some(condition) = conditions.get(at) else { continue };
                let predicates = cx.halves(*guard, *condition, false);
                halves[0].push(predicates[0]);
                halves[1].push(predicates[1]);
                let predicates = predicates.map(|predicate| cx.in_step(predicate));
                paired.add(cx, forms, *guard, *condition, conditions, predicates);
            }
            let text = conditions.iter().find_map(|conditions| conditions.get(at)).map(|expr| cx.text(*expr));
            let text = text.unwrap_or_default();
            for (second, (half, word)) in halves.iter().zip(["true", "false"]).enumerate() {
                let predicate = cx.any_of(half);
                let key = format!("{}/{}={word}", element.name, at + 1);
                let description = format!("{}: `{text}` is {word} and decides", element.name);
                let goal = cx.step(predicate, element.span, group_of(&element), key, description);
                paired.pair(cx, goal, second == 1);
            }
        }
    }
}

/// The named rule that an element is a part of.
fn group_of(element: &Element) -> String {
    element.name.split(['.', '#', ' ']).next().unwrap_or_default().to_owned()
}

impl Cx<'_> {
    /// The elements of a kind.
    fn elements(&mut self, kind: &str) -> Vec<Element> {
        let found: Vec<Element> =
            self.model().elements.iter().filter(|element| element.kind == kind).cloned().collect();
        if found.is_empty() {
            let criterion = self.criterion;
            let has_rules = self.model().elements.iter().any(|element| element.kind == "node");
            let why = if has_rules { "no rule has what it is about" } else { "the specification has no rules" };
            self.note(Span::NONE, format!("`{criterion}` asks for nothing: {why}"));
        }
        found
    }

    /// Any of these, as a balanced tree.
    pub(super) fn any_of(&mut self, parts: &[ExprId]) -> ExprId {
        match parts {
            [] => self.make(Node::Const(Value::Bool(false))),
            [one] => *one,
            _ => {
                let (left, right) = parts.split_at(parts.len() / 2);
                let (left, right) = (self.any_of(left), self.any_of(right));
                self.binary(BinaryOp::Or, left, right)
            }
        }
    }

    fn exercise(&mut self, element: &Element, instances: &[ExprId], key: String, verb: &str) {
        let predicate = self.any_of(instances);
        let description = format!("{} {verb}", element.name);
        // Rules of a kind are counted together, but single ones on their own.
        let group = if element.kind == "node" { element.name.clone() } else { group_of(element) };
        self.step(predicate, element.span, group, key, description);
    }

    /// The goal of taking a step from a state in which something holds, or of finding that a contradiction stops it.
    fn step(
        &mut self,
        predicate: ExprId,
        span: Span,
        group: String,
        key: String,
        description: String,
    ) -> Option<usize> {
        let added = self.step_from(predicate, span, group, key, description)?;
        self.goals[added].contradiction = self.contradiction(predicate);
        Some(added)
    }

    /// The goal of taking a step from a state in which something holds.
    fn step_from(
        &mut self,
        predicate: ExprId,
        span: Span,
        group: String,
        key: String,
        description: String,
    ) -> Option<usize> {
        let target = Target::Reach(self.in_step(predicate));
        self.add(Draft { key: Some(key), group, description, span, target })
    }

    /// A predicate of states from which a step is taken.
    fn in_step(&mut self, predicate: ExprId) -> ExprId {
        let never = matches!(self.model()[predicate], Node::Const(Value::Bool(false)));
        let step = if never { None } else { self.any_step() };
        self.all([predicate].into_iter().chain(step))
    }
}
