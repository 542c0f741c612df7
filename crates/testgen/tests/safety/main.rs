//! Dangerous traces and their tests, compared with explicit search on small machines and the numbers of the paper.

mod combined;
mod cruise_control;
mod explicit;
mod paper;
mod suites;

use specwright_mc::{Options as EngineOptions, Symbolic};
use specwright_model::Model;
use specwright_testgen::mutate::{Mutant, Mutants, Options, Selection, Targets};
use specwright_testgen::safety::{Analysis, Danger, Invariant, Tests, analyse};
use std::ops::ControlFlow;

fn engine(model: &Model) -> Symbolic {
    Symbolic::new(model.system.clone(), &EngineOptions::default()).unwrap_or_else(|error| panic!("{error:?}"))
}

/// The mutants of the machine by these operators.
fn mutants(model: &Model, names: &[&str]) -> Vec<Mutant> {
    let selection = names.iter().map(|name| Selection::named(name).expect("a test may fail here"));
    let selection = selection.fold(Selection::NONE, Selection::and);
    Mutants::new(model, Options { selection, targets: Targets::Machine, ..Options::default() }).collect()
}

/// The invariants of a model.
fn invariants(model: &Model) -> Vec<Invariant> {
    (0..model.properties.len()).filter_map(|index| Invariant::of_property(model, index).ok()).collect()
}

fn go_on(_: usize) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// The analysis of a model for all its invariants.
fn analysis(model: &Model, engine: &mut Symbolic, names: &[&str]) -> Analysis {
    let mutants = mutants(model, names);
    let invariants = invariants(model);
    analyse(model, engine, invariants, mutants, true, &std::collections::BTreeMap::new(), &mut go_on)
}

fn tests(engine: &mut Symbolic, analysis: &Analysis) -> Tests {
    Tests::new(engine, analysis, &Danger::ALL, &mut go_on)
}
