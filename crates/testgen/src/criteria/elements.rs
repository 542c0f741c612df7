//! Criteria for elements of the source: the rules of a machine, their guards and their updates.
//!
//! Lowering attaches elements to the model; here they become goals. An element is exercised by a step, so its test
//! includes that step.

use super::builder::{Builder, Draft};
use super::decisions::list_conditions;
use super::mcdc::{EITHER, Form, Paired};
use crate::mutate::rule_operator;
use crate::policy::RULE_TUPLES;
use specwright_mc::Query;
use specwright_model::model::Element;
use specwright_model::op::BinaryOp;
use specwright_model::{ExprId, Node, Value};
use specwright_syntax::span::Span;

/// Every rule of the source is executed.
pub(super) fn basic_rule(builder: &mut Builder<'_>) {
    for element in builder.elements("node") {
        builder.exercise(&element, &element.instances, element.name.clone(), "is executed");
    }
}

/// Every guarded rule fires at least once, and does not fire at least once.
pub(super) fn rule(builder: &mut Builder<'_>) {
    for element in builder.elements("rule") {
        builder.exercise(&element, &element.instances, format!("{}=fires", element.name), "fires");
        let fires = builder.any_of(&element.instances);
        let rests = builder.not(fires);
        builder.exercise(&element, &[rests], format!("{}=rests", element.name), "does not fire");
    }
}

/// Every guard is evaluated to true and to false.
pub(super) fn rule_guard(builder: &mut Builder<'_>) {
    for (kind, word) in [("guard", "true"), ("guard-false", "false")] {
        for element in builder.elements(kind) {
            builder.exercise(&element, &element.instances, format!("{}={word}", element.name), &format!("is {word}"));
        }
    }
}

/// Every update changes its location.
pub(super) fn rule_update(builder: &mut Builder<'_>) {
    for element in builder.elements("update") {
        builder.exercise(&element, &element.instances, element.name.clone(), "is changed");
    }
}

/// Every mutant of a rule is killed.
pub(super) fn rule_mutation(builder: &mut Builder<'_>) {
    for element in builder.elements("mutant") {
        let predicate = builder.any_of(&element.instances);
        let (operator, rule) = element.name.split_once(' ').unwrap_or((&element.name, ""));
        let change = rule_operator(operator).map_or("a change", |operator| operator.summary);
        let description = format!("{change} of {rule} is killed");
        // Where the machine has no step because of inconsistent updates, a mutant cannot be killed.
        builder.step_from(predicate, element.span, operator.to_owned(), element.name.clone(), description);
    }
}

/// Every tuple of `ways` rules fires together.
pub(super) fn parallel(builder: &mut Builder<'_>) {
    let ways = builder.options.ways;
    tuples(builder, ways);
}

/// Every tuple of at most `ways` rules fires together.
pub(super) fn strong_parallel(builder: &mut Builder<'_>) {
    for ways in 1..=builder.options.ways {
        tuples(builder, ways);
    }
}

/// Unordered tuples of distinct rules.
fn tuples(builder: &mut Builder<'_>, size: usize) {
    let elements = builder.elements("rule");
    let n_tuples = (0..size).try_fold(1usize, |n, at| Some(n.checked_mul(elements.len().checked_sub(at)?)? / (at + 1)));
    let Some(first) = elements.first() else { return };
    if size == 0 || n_tuples == Some(0) || n_tuples.is_none() && elements.len() < size {
        return;
    }
    if n_tuples.is_none_or(|n| n > RULE_TUPLES) {
        let message = format!(
            "there are more than {RULE_TUPLES} ways to take {size} of {} rules: they are left out",
            elements.len()
        );
        builder.note(first.span, message);
        return;
    }
    let guards: Vec<ExprId> = elements.iter().map(|element| builder.any_of(&element.instances)).collect();
    let mut places: Vec<usize> = (0..size).collect();
    loop {
        let names: Vec<&str> = places.iter().map(|at| elements[*at].name.as_str()).collect();
        let together = builder.all(places.iter().map(|at| guards[*at]));
        let span = elements[places[size - 1]].span;
        let verb = if size == 1 { "fires" } else { "fire together" };
        builder.step(together, span, "rules".into(), names.join("|"), format!("{} {verb}", names.join(" and ")));
        // The next tuple in lexicographic order.
        let Some(at) = (0..size).rev().find(|at| places[*at] < elements.len() - size + at) else { return };
        places[at] += 1;
        for later in at + 1..size {
            places[later] = places[later - 1] + 1;
        }
    }
}

/// MC/DC of guarded rules: unique cause, and masking where that is impossible.
pub(super) fn rule_mcdc(builder: &mut Builder<'_>) {
    pairs(builder, EITHER);
}

/// MC/DC of guarded rules: unique cause.
pub(super) fn rule_mcdc_unique_cause(builder: &mut Builder<'_>) {
    pairs(builder, &[Form::UniqueCause]);
}

/// MC/DC of guarded rules: masking.
pub(super) fn rule_mcdc_masking(builder: &mut Builder<'_>) {
    pairs(builder, &[Form::Masking]);
}

fn pairs(builder: &mut Builder<'_>, forms: &[Form]) {
    for element in builder.elements("rule") {
        let conditions: Vec<Vec<ExprId>> = element
            .instances
            .iter()
            .map(|guard| {
                let mut conditions = Vec::new();
                list_conditions(builder.model(), *guard, &mut conditions);
                conditions
            })
            .collect();
        let n = conditions.iter().map(Vec::len).max().unwrap_or(0);
        for at in 0..n {
            // The instances are unfolded from the same text, so they have the same conditions in the same order.
            let (mut halves, mut paired) = ([Vec::new(), Vec::new()], Paired::default());
            for (guard, conditions) in element.instances.iter().zip(&conditions) {
                let Some(condition) = conditions.get(at) else { continue };
                let predicates = builder.halves(*guard, *condition, false);
                halves[0].push(predicates[0]);
                halves[1].push(predicates[1]);
                let predicates = predicates.map(|predicate| builder.in_step(predicate));
                paired.add(builder, forms, *guard, *condition, conditions, predicates);
            }
            let text = conditions.iter().find_map(|conditions| conditions.get(at)).map(|expr| builder.text(*expr));
            let text = text.unwrap_or_default();
            for (second, (half, word)) in halves.iter().zip(["true", "false"]).enumerate() {
                let predicate = builder.any_of(half);
                let key = format!("{}/{}={word}", element.name, at + 1);
                let description = format!("{}: `{text}` is {word} and decides", element.name);
                let goal = builder.step(predicate, element.span, group_of(&element), key, description);
                paired.pair(builder, goal, second == 1);
            }
        }
    }
}

/// The named rule that an element belongs to.
pub(super) fn group_of(element: &Element) -> String {
    element.name.split(['.', '#', ' ']).next().unwrap_or_default().to_owned()
}

impl Builder<'_> {
    /// The elements of a kind.
    pub(super) fn elements(&mut self, kind: &str) -> Vec<Element> {
        let found: Vec<Element> =
            self.model().source.elements.iter().filter(|element| element.kind == kind).cloned().collect();
        if found.is_empty() {
            let criterion = self.criterion;
            let has_rules = self.model().source.elements.iter().any(|element| element.kind == "node");
            let why = if has_rules { "no rule has what it is about" } else { "the specification has no rules" };
            self.note(Span::NONE, format!("`{criterion}` has no goals: {why}"));
        }
        found
    }

    /// The disjunction as a balanced tree.
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
        // Nodes are grouped by kind, other elements by rule.
        let group = if element.kind == "node" { element.name.clone() } else { group_of(element) };
        self.step(predicate, element.span, group, key, description);
    }

    /// Adds the goal of a step from a state in which a predicate holds, with the contradiction that may prevent it.
    pub(super) fn step(
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

    /// Adds the goal of a step from a state in which a predicate holds.
    fn step_from(
        &mut self,
        predicate: ExprId,
        span: Span,
        group: String,
        key: String,
        description: String,
    ) -> Option<usize> {
        let target = Query::Reach(self.in_step(predicate));
        self.add(Draft { key: Some(key), group, description, span, target })
    }

    /// A predicate of states that have a successor.
    fn in_step(&mut self, predicate: ExprId) -> ExprId {
        let never = matches!(self.model()[predicate], Node::Const(Value::Bool(false)));
        let step = if never { None } else { self.any_step() };
        self.all([predicate].into_iter().chain(step))
    }
}
