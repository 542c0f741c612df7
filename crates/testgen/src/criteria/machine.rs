//! Mutation of the machine: every mutant behaves differently, as a tester sees it.

use super::builder::Builder;
use crate::goal::{Goal, MachineMutant};
use crate::mutate::{self, Mutants, Targets};
use crate::safety::places;
use specwright_mc::{Observer, Query};
use specwright_model::{Node, Value};
use specwright_syntax::span::Span;
use std::sync::Arc;

pub(super) fn goals(builder: &mut Builder<'_>) {
    let criterion = builder.criterion;
    if builder.model().source.elements.iter().any(|element| element.kind == "node") {
        let message = format!("`{criterion}` asks for nothing: mutants of rules are not executed; see `rule-mutation`");
        builder.note(Span::NONE, message);
        return;
    }
    let never = builder.make(Node::Const(Value::Bool(false)));
    let observer = Arc::new(Observer::of(&builder.model));
    let selection = builder.options.mutation.selection;
    let variables = builder.options.variables.clone();
    let options = mutate::Options { selection, targets: Targets::Machine, variables, ..mutate::Options::default() };
    let mutants: Vec<_> = Mutants::new(&builder.model, options).collect();
    for mutant in mutants {
        let changes = places(&builder.model, &mutant);
        let site = mutant.site.name(&builder.model);
        let description = mutant.description(&builder.model);
        builder.push(Goal {
            id: format!("{criterion}:{}", mutant.id),
            criterion,
            groups: mutant.operators().into_iter().map(|operator| operator.name().into()).collect(),
            description: site.map_or(description.clone(), |site| format!("{site}: {description}")),
            span: mutant.span,
            property: None,
            target: Query::Kill(never),
            pair: None,
            contradiction: None,
            mutant: Some(MachineMutant { changes: changes.into(), observer: observer.clone() }),
        });
    }
}
