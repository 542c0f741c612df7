//! From what was typed to what it means: properties, dangers and mutants.

use super::ALL;
use crate::args::{DangerName, Safety};
use crate::cmd::mutate::options::variables;
use crate::console::Console;
use crate::diagnostics;
use anyhow::bail;
use specwright::Failure;
use specwright::Session;
use specwright::goals::{find_property, ignores, selection};
use specwright::words::hint;
use specwright_model::Model;
use specwright_model::formula::{FormulaError, formula};
use specwright_testgen::mutate::{Mutant, Options, Targets};
use specwright_testgen::safety::{Danger, Invariant};

/// The properties to protect. An expression becomes a source of its own, so that mistakes are shown in place.
pub(super) fn invariants(
    console: &mut Console,
    session: &mut Session,
    args: &Safety,
) -> anyhow::Result<Vec<Invariant>> {
    let mut invariants = Vec::new();
    if args.property.is_empty() {
        let all = 0..session.model.properties.len();
        invariants = all.filter_map(|index| Invariant::of_property(&session.model, index).ok()).collect();
        if invariants.is_empty() {
            bail!("{} claims no invariant: say with --property what must never be broken", session.model.name);
        }
        let n_others = session.model.properties.len() - invariants.len();
        if n_others > 0 {
            let others = crate::diagnostics::count(n_others, "property");
            console.note(format_args!("{others} left out: only invariants are protected"));
        }
    }
    for given in names(&session.model, &args.property) {
        let invariant = if let Some(index) = find_property(&session.model, &given) {
            Invariant::of_property(&session.model, index)
        } else {
            let Ok(index) = session.sources.add("--property", given.as_str()) else { bail!("--property is too long") };
            let file = session.sources.files()[index].clone();
            match formula(&session.model, &file, args.model.reading.dialect.into()) {
                Ok((expr, _)) => Invariant::of_expr(&session.model, given.clone(), expr),
                Err(FormulaError::NotBoolean) => bail!("--property: `{given}` is neither true nor false"),
                Err(FormulaError::Invalid(found)) => {
                    diagnostics::report(console, &session.sources, &found);
                    let known = session.model.properties.iter().filter_map(|property| property.name.as_deref());
                    let hint = hint(&given, known);
                    if !hint.is_empty() {
                        console.note(format_args!("there is no property `{given}`{hint}"));
                    }
                    return Err(Failure::Invalid.into());
                }
            }
        };
        match invariant {
            Ok(invariant) if invariants.contains(&invariant) => {}
            Ok(invariant) => invariants.push(invariant),
            Err(why) => bail!("--property: `{given}` cannot be protected: {why}"),
        }
    }
    Ok(invariants)
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

pub(super) fn dangers(args: &Safety) -> Vec<Danger> {
    let wanted = |danger: &Danger| {
        args.criterion.is_empty()
            || args.criterion.contains(match danger {
                Danger::Ax => &DangerName::Ax,
                Danger::Ex => &DangerName::Ex,
                Danger::Af => &DangerName::Af,
                Danger::Ef => &DangerName::Ef,
            })
    };
    ALL.into_iter().filter(wanted).collect()
}

/// How to mutate the machine.
pub(super) fn mutation(model: &Model, args: &Safety) -> anyhow::Result<Options> {
    let variables = args.variable.iter().map(|name| variables(model, name));
    Ok(Options {
        selection: selection(&args.operators.operators, &args.operators.exclude)?,
        targets: Targets::Machine,
        variables: variables.collect::<anyhow::Result<Vec<_>>>()?.concat(),
        ignores: ignores(&args.ignores.ignore)?,
        ..Options::default()
    })
}

/// The mutants of these names; all if there are none.
pub(super) fn only(mutants: Vec<Mutant>, names: &[String]) -> anyhow::Result<Vec<Mutant>> {
    if names.is_empty() {
        return Ok(mutants);
    }
    // The letters in front only say which operator comes first.
    let key = |name: &str| name.split_once('-').map_or(name, |(_, key)| key).to_owned();
    let wanted: Vec<String> = names.iter().map(|name| key(name)).collect();
    if let Some(index) = wanted.iter().position(|key| mutants.iter().all(|mutant| mutant.id.key() != *key)) {
        bail!("--mutant: there is no mutant {} of the machine with these operators", names[index]);
    }
    Ok(mutants.into_iter().filter(|mutant| wanted.contains(&mutant.id.key())).collect())
}
