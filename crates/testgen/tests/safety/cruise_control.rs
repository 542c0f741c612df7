//! The cruise control of the paper: the numbers of mutants and tests in the book.

use crate::{analysis, engine, tests};
use specwright_model::testing::model;
use specwright_testgen::safety::{Analysis, Class, Danger, Kind};
use std::path::Path;

/// The operators of the paper, on the conditions of the mode table.
pub(crate) const OPERATORS: [&str; 6] = ["CRO-if", "VRO", "SNO", "ENO", "LRO-or", "STO"];

/// The model of the examples.
pub(crate) fn text() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/cruise-control/cruise_control.smv");
    std::fs::read_to_string(path).expect("a test may fail here")
}

/// The mutants of the mode table, without those of the environment.
fn on_the_table(model: &specwright_model::Model, engine: &mut specwright_mc::Symbolic) -> Analysis {
    let mut analysis = analysis(model, engine, &OPERATORS);
    let table = model.assigns.len() - 1;
    analysis.found.retain(|found| found.mutant.site == specwright_testgen::mutate::SiteId::Assign(table));
    analysis
}

fn dangerous(analysis: &Analysis, property: usize) -> [usize; 4] {
    let n = |danger| analysis.found.iter().filter(|found| found.has(property, danger) == Some(true)).count();
    Danger::ALL.map(n)
}

#[test]
fn as_many_mutants_are_dangerous_as_the_book_says() {
    let model = model(&text());
    let mut engine = engine(&model);
    let analysis = on_the_table(&model, &mut engine);
    assert_eq!(analysis.found.len(), 488);
    assert_eq!(analysis.found.iter().filter(|found| found.is_dangerous()).count(), 309);
    assert_eq!(analysis.found.iter().filter(|found| found.class == Class::Equivalent).count(), 79);
    assert_eq!(dangerous(&analysis, 0), [28, 38, 28, 38]);
    assert_eq!(dangerous(&analysis, 1), [33, 39, 33, 39]);
    assert_eq!(dangerous(&analysis, 2), [187, 208, 187, 208]);
    assert_eq!(dangerous(&analysis, 3), [52, 61, 52, 61]);
    let tests = tests(&mut engine, &analysis);
    let sizes = |kind| (0..4).map(|property| tests.n_needed(property, Danger::Ex, kind)).collect::<Vec<_>>();
    assert_eq!(sizes(Kind::Passing), [3, 3, 7, 2]);
    assert_eq!(sizes(Kind::Failing), [6, 7, 21, 6]);
}

#[test]
fn with_free_inputs_fewer_departures_are_inevitable() {
    let text = text().replace("lever_changes) = 1", "lever_changes) <= 1");
    let model = model(&text);
    let mut engine = engine(&model);
    let analysis = on_the_table(&model, &mut engine);
    assert_eq!(analysis.found.iter().filter(|found| found.is_dangerous()).count(), 309);
    assert_eq!(dangerous(&analysis, 2), [172, 208, 172, 208]);
}
