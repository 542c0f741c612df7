//! Tests of mutation as a whole.

mod chains;
mod control;
mod counts;
mod operators;
mod random;
mod texts;

use super::*;
use specwright_model::Model;
use specwright_model::lower::smv::{Options as LowerOptions, lower};
use specwright_syntax::smv::ast::Dialect;
use specwright_syntax::smv::parse;
use specwright_syntax::span::SourceMap;
use std::collections::BTreeMap;

/// A model and its text.
pub(super) fn load(text: &str) -> (Model, SourceMap) {
    let mut sources = SourceMap::default();
    sources.add("model.smv", text).unwrap();
    let (file, diagnostics) = parse(&sources.files()[0], Dialect::NuSmv);
    assert!(diagnostics.is_empty(), "{diagnostics:?}\n{text}");
    let (model, diagnostics) = lower(&file, &LowerOptions::default());
    (model.unwrap_or_else(|| panic!("{diagnostics:?}\n{text}")), sources)
}

/// The text of an example.
fn example(path: &str) -> String {
    let path = format!("{}/../../examples/{path}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap()
}

const EXAMPLES: [&str; 4] = [
    "card-stack/card_stack.smv",
    "cruise-control/cruise_control.smv",
    "request-busy/request_busy.smv",
    "safety-injection/safety_injection.smv",
];

/// Options for these operators.
fn operators(names: &[&str]) -> Options {
    let selections = names.iter().map(|name| Selection::named(name).unwrap());
    Options { selection: selections.fold(Selection::NONE, Selection::and), ..Options::default() }
}

/// The number of mutants of each operator.
fn counts(model: &mut Model, options: Options) -> BTreeMap<Operator, usize> {
    let mut counts = BTreeMap::new();
    for mutant in Mutants::new(model, options) {
        for origin in &mutant.origins {
            *counts.entry(origin.operator).or_default() += 1;
        }
    }
    counts
}
