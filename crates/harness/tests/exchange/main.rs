//! Export and import, and files of other tools.
#![expect(clippy::unwrap_used, reason = "a test that cannot do its work should say so and stop")]

mod foreign;
mod odd_names;
mod round_trips;
mod skeleton;
mod templates;

use specwright_harness::import::{self, Mapping};
use specwright_model::Model;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::span::SourceMap;
use specwright_testgen::suite::Suite;

/// Reads files, each with its name.
fn read(model: &Model, files: &[(String, String)], mapping: &Mapping) -> (Suite, Vec<Diagnostic>) {
    let mut sources = SourceMap::default();
    for (name, text) in files {
        sources.add(name.clone(), text.as_str()).unwrap();
    }
    let (read, found) = import::read(model, sources.files(), sources.files(), mapping);
    assert_eq!(read.suite.tests.len(), read.places.len());
    (read.suite, found)
}
