//! Random small models with properties, for tests that compare one way of computing with another.
//!
//! The same seed gives the same model, on every machine. Models are SMV text that NuSMV accepts, so that it can be
//! asked too; every model is well-typed, its cases are exhaustive, its assignments stay in their domains, and nothing
//! divides by zero. Some models have no initial state, some have deadlocks, some have no fair path: tools must agree
//! on these as well.

mod exprs;
mod formulas;
mod models;

pub use models::{Options, random_smv, random_smv_with};

use crate::model::Model;
use specwright_syntax::smv::ast::Dialect;
use specwright_syntax::span::SourceMap;

/// The model that a text of SMV describes.
///
/// # Panics
/// If the text is not a model, with what is wrong in it.
pub fn model(text: &str) -> Model {
    let mut sources = SourceMap::default();
    let file = sources.add("test.smv", text).expect("test models are small");
    let (ast, mut diagnostics) = specwright_syntax::smv::parse(&sources.files()[file], Dialect::NuSmv);
    let (model, more) = crate::lower::smv::lower(&ast, &crate::lower::smv::Options::default());
    diagnostics.extend(more);
    let errors: Vec<&str> = diagnostics.iter().filter(|d| d.is_error()).map(|d| d.message.as_str()).collect();
    model.unwrap_or_else(|| panic!("{errors:?} in\n{text}"))
}

/// The model of a seed.
pub fn random_model(seed: u64) -> Model {
    model(&random_smv(seed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interp::{Graph, Limits, check_property};

    #[test]
    fn random_models_can_be_explored_and_all_their_properties_decided() {
        let mut n_states = 0;
        for seed in 0..150 {
            let model = random_model(seed);
            let graph = Graph::explore(&model, Limits::default());
            let graph = graph.unwrap_or_else(|error| panic!("seed {seed}: {}", error.describe(&model)));
            n_states += graph.len();
            for property in &model.properties {
                let answer = check_property(&graph, property);
                answer.unwrap_or_else(|error| panic!("seed {seed}: {}", error.describe(&model)));
            }
        }
        assert!(n_states > 500, "only {n_states} states in all");
    }

    #[test]
    fn a_seed_always_gives_the_same_model() {
        assert_eq!(random_smv(7), random_smv(7));
        assert_ne!(random_smv(7), random_smv(8));
    }
}
