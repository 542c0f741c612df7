//! From settings to properties, dangers and mutants.

use super::SafetySettings;
use crate::events::Events;
use crate::failure::Failure;
use crate::goals::{find_property, ignores, selection};
use crate::mutate::variables;
use crate::session::Session;
use crate::words::{count, hint};
use specwright_model::Model;
use specwright_model::formula::{FormulaError, formula};
use specwright_testgen::mutate::{Mutant, Options, Targets};
use specwright_testgen::safety::{Danger, Invariant};

/// The properties to protect. An expression becomes a source of its own, so that mistakes are shown in place.
pub(super) fn invariants(
    events: &mut dyn Events,
    session: &mut Session,
    settings: &SafetySettings,
) -> Result<Vec<Invariant>, Failure> {
    let mut invariants = Vec::new();
    if settings.property.is_empty() {
        let all = 0..session.model.properties.len();
        invariants = all.filter_map(|index| Invariant::of_property(&session.model, index).ok()).collect();
        if invariants.is_empty() {
            let name = &session.model.name;
            let why = format!("{name} has no invariant: name a safety property with `--property 'EXPRESSION'`");
            return Err(Failure::Message(why));
        }
        let n_others = session.model.properties.len() - invariants.len();
        if n_others > 0 {
            let others = count(n_others, "property");
            events.note(format_args!("{others} left out: only invariants are safety properties"));
        }
    }
    for given in names(&session.model, &settings.property) {
        let invariant = match find_property(&session.model, &given) {
            Some(index) => Invariant::of_property(&session.model, index),
            None => expression(events, session, &given)?,
        };
        match invariant {
            Ok(invariant) if invariants.contains(&invariant) => {}
            Ok(invariant) => invariants.push(invariant),
            Err(why) => {
                return Err(Failure::Message(format!("--property: `{given}` is not a safety property: {why}")));
            }
        }
    }
    Ok(invariants)
}

/// An expression as an invariant.
fn expression(
    events: &mut dyn Events,
    session: &mut Session,
    given: &str,
) -> Result<Result<Invariant, specwright_testgen::safety::NoInvariant>, Failure> {
    let Ok(index) = session.sources.add("--property", given) else {
        return Err(Failure::message("--property is too long"));
    };
    let file = session.sources.files()[index].clone();
    match formula(&session.model, &file, session.reading.dialect) {
        Ok((expr, _)) => Ok(Invariant::of_expr(&session.model, given.to_owned(), expr)),
        Err(FormulaError::NotBoolean) => Err(Failure::Message(format!("--property: `{given}` is not boolean"))),
        Err(FormulaError::Invalid(found)) => {
            events.report(&session.sources, &found);
            let known = session.model.properties.iter().filter_map(|property| property.name.as_deref());
            let hint = hint(given, known);
            if !hint.is_empty() {
                events.note(format_args!("unknown property `{given}`{hint}"));
            }
            Err(Failure::Invalid)
        }
    }
}

/// A list of names is a list; everything else is one thing.
fn names(model: &Model, given: &[String]) -> Vec<String> {
    let split = |text: &String| -> Vec<String> {
        let parts: Vec<&str> = text.split(',').map(str::trim).collect();
        let is_list = parts.len() > 1 && parts.iter().all(|part| find_property(model, part).is_some());
        if is_list { parts.into_iter().map(str::to_owned).collect() } else { vec![text.trim().to_owned()] }
    };
    given.iter().flat_map(split).collect()
}

/// The ways in which traces are to be dangerous, in the order of the paper.
pub(super) fn dangers(settings: &SafetySettings) -> Vec<Danger> {
    let wanted = |danger: &Danger| settings.dangers.is_empty() || settings.dangers.contains(danger);
    Danger::ALL.into_iter().filter(wanted).collect()
}

/// How to mutate the machine.
pub(super) fn mutation(model: &Model, settings: &SafetySettings) -> Result<Options, Failure> {
    Ok(Options {
        selection: selection(&settings.operators, &settings.exclude)?,
        targets: Targets::FiniteMachine,
        variables: variables(model, &settings.variable)?,
        ignores: ignores(&settings.ignore)?,
        ..Options::default()
    })
}

/// The mutants of these names; all if there are none.
pub(super) fn only(mutants: Vec<Mutant>, names: &[String]) -> Result<Vec<Mutant>, Failure> {
    if names.is_empty() {
        return Ok(mutants);
    }
    // The letters in front only say which operator comes first.
    let key = |name: &str| name.split_once('-').map_or(name, |(_, key)| key).to_owned();
    let wanted: Vec<String> = names.iter().map(|name| key(name)).collect();
    if let Some(index) = wanted.iter().position(|key| mutants.iter().all(|mutant| mutant.id.key() != *key)) {
        let why = format!("--mutant: there is no mutant {} of the machine with these operators", names[index]);
        return Err(Failure::Message(why));
    }
    Ok(mutants.into_iter().filter(|mutant| wanted.contains(&mutant.id.key())).collect())
}
