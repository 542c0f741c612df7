//! Winnowing and comparison on whole models.

mod card_stack;
mod minimize;
mod random;
#[path = "../suites/support.rs"]
mod support;

use specwright_mc::{Options as EngineOptions, Symbolic};
use specwright_model::Model;
use std::path::Path;

/// An example of the repository.
fn example(path: &str) -> Model {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    specwright_model::testing::model(&std::fs::read_to_string(root.join(path)).expect("a test may fail here"))
}

fn engine(model: &Model) -> Symbolic {
    Symbolic::new(model.system.clone(), &EngineOptions::default()).unwrap_or_else(|error| panic!("{error:?}"))
}
