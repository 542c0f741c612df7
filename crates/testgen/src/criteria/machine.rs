//! Mutation of the machine: every mutant behaves differently, as a tester sees it.

use super::builder::Builder;
use crate::goal::{Goal, MachineMutant};
use crate::mutate::{self, Mutants, Targets, rule_operator};
use crate::safety::places;
use specwright_mc::{Observer, Place, Query};
use specwright_model::model::{ChangedPart, Rewrite};
use specwright_model::{ExprId, Node, Value};
use specwright_syntax::span::Span;
use std::sync::Arc;

pub(super) fn goals(builder: &mut Builder<'_>) {
    let observer = Arc::new(Observer::of(&builder.model));
    if builder.model().source.elements.iter().any(|element| element.kind == "node") {
        return of_rules(builder, &observer);
    }
    let selection = builder.options.mutation.selection;
    let variables = builder.options.variables.clone();
    let options =
        mutate::Options { selection, targets: Targets::FiniteMachine, variables, ..mutate::Options::default() };
    let mutants: Vec<_> = Mutants::new(&builder.model, options).collect();
    for mutant in mutants {
        let changes = places(&builder.model, &mutant);
        let site = mutant.site.name(&builder.model);
        let description = mutant.description(&builder.model);
        let description = site.map_or(description.clone(), |site| format!("{site}: {description}"));
        let groups = mutant.operators().into_iter().map(|operator| operator.name().into()).collect();
        add(builder, &observer, &mutant.id.to_string(), groups, description, mutant.span, changes);
    }
}

/// The mutants of rules.
fn of_rules(builder: &mut Builder<'_>, observer: &Arc<Observer>) {
    let criterion = builder.criterion;
    let mut n_left_out = 0;
    for Rewrite { name, span, changes, .. } in builder.model().source.rewrites.clone() {
        let Some(changes) = changes else {
            n_left_out += 1;
            continue;
        };
        let place = |(part, expr): (ChangedPart, ExprId)| match part {
            ChangedPart::Assign(index) => (Place::Assign(index), expr),
            ChangedPart::Trans(index) => (Place::Trans(index), expr),
        };
        let (operator, rule) = name.split_once(' ').unwrap_or((&name, ""));
        let change = rule_operator(operator).map_or("a change", |operator| operator.summary);
        let (group, description) = (operator.to_owned(), format!("{rule}: {change}"));
        add(builder, observer, &name, vec![group], description, span, changes.into_iter().map(place).collect());
    }
    if n_left_out > 0 {
        let mutants = if n_left_out == 1 { "1 mutant".into() } else { format!("{n_left_out} mutants") };
        let why = "with choices or values that the machine does not have";
        builder.note(Span::NONE, format!("`{criterion}` leaves out {mutants} of rules {why}"));
    } else if builder.goals.iter().all(|goal| goal.criterion != criterion) {
        builder.note(Span::NONE, format!("`{criterion}` has no goals: the rules have no mutants"));
    }
}

fn add(
    builder: &mut Builder<'_>,
    observer: &Arc<Observer>,
    key: &str,
    groups: Vec<String>,
    description: String,
    span: Span,
    changes: Vec<(Place, ExprId)>,
) {
    let criterion = builder.criterion;
    let never = builder.make(Node::Const(Value::Bool(false)));
    builder.push(Goal {
        id: format!("{criterion}:{key}"),
        criterion,
        groups,
        description,
        span,
        property: None,
        target: Query::Kill(never),
        pair: None,
        contradiction: None,
        bounds: Arc::default(),
        mutant: Some(MachineMutant { changes: changes.into(), observer: observer.clone() }),
    });
}
