//! Random small models with properties, for differential tests.
//!
//! A seed gives the same model on every machine. Models are SMV text that NuSMV accepts, so that results can be
//! compared with NuSMV; every model is well-typed, its cases are exhaustive, its assignments stay in their domains, and
//! there is no division by zero. Some models have no initial state, some have deadlocks, some have no fair path: tools
//! must agree on these, too.

mod exprs;
mod formulas;
mod models;
mod tasks;

pub use models::{Options, random_smv, random_smv_with};
pub use tasks::random_tasks;

use crate::expr::ExprId;
use crate::interp::{Graph, Length, Limits, Verdict, check_property};
use crate::lower;
use crate::model::Model;
use crate::op::Logic;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::smv;
use specwright_syntax::smv::ast::{Dialect, File};
use specwright_syntax::span::SourceMap;

/// Lowers SMV text.
///
/// # Panics
/// If the text has errors, with their messages.
pub fn model(text: &str) -> Model {
    let mut sources = SourceMap::default();
    let file = sources.add("test.smv", text).expect("test models are small");
    let (ast, mut diagnostics) = smv::parse(&sources.files()[file], Dialect::NuSmv);
    let (model, more) = lower::smv::lower(&ast, &lower::smv::Options::default());
    diagnostics.extend(more);
    model.filter(|_| errors(&diagnostics).is_empty()).unwrap_or_else(|| panic!("{:?} in\n{text}", errors(&diagnostics)))
}

/// Lowers SCR tables; with `csv`, a mode matrix.
///
/// # Panics
/// If the text has errors, with their messages.
pub fn scr(text: &str, csv: bool) -> Model {
    let mut sources = SourceMap::default();
    let file = sources.add("test", text).expect("test models are small");
    let file = &sources.files()[file];
    let (tree, mut diagnostics) =
        if csv { specwright_syntax::scr::parse_csv(file) } else { specwright_syntax::scr::parse(file) };
    let (model, more) = lower::scr::lower(&tree, &lower::scr::Options { name: "test".into(), ..Default::default() });
    diagnostics.extend(more);
    model.filter(|_| errors(&diagnostics).is_empty()).unwrap_or_else(|| panic!("{:?} in\n{text}", errors(&diagnostics)))
}

/// Lowers an expression over the names of a model; with a logic, a formula of that logic.
///
/// # Panics
/// If the text has errors, with their messages.
pub fn expr(model: &Model, text: &str, logic: Option<Logic>) -> ExprId {
    let mut sources = SourceMap::default();
    let file = sources.add("test", text).expect("test formulas are small");
    let (exprs, root, mut diagnostics) = smv::parse_expr(&sources.files()[file], Dialect::NuSmv);
    let file = File { exprs, ..File::default() };
    let lowered = root.map(|root| lower::smv::lower_expr_in(model, &file, root, Dialect::NuSmv, logic));
    let sourced = lowered.and_then(|(sourced, more)| {
        diagnostics.extend(more);
        sourced
    });
    sourced.unwrap_or_else(|| panic!("{:?} in {text}", errors(&diagnostics))).expr
}

/// The number of reachable states of a model, and the answer to each property in NuSMV's format.
pub fn answers(model: &Model) -> Vec<String> {
    let graph = match Graph::explore(model, Limits::default()) {
        Ok(graph) => graph,
        Err(error) => return vec![error.describe(model)],
    };
    let mut answers = vec![graph.len().to_string()];
    for property in &model.properties {
        answers.push(match check_property(&graph, property) {
            Ok(Verdict::Holds) => "true".into(),
            Ok(Verdict::Fails) => "false".into(),
            Ok(Verdict::Length(Length::Steps(steps))) => steps.to_string(),
            Ok(Verdict::Length(Length::Infinite)) => "infinity".into(),
            Ok(Verdict::Length(Length::Undefined)) => "undefined".into(),
            Err(error) => error.describe(model),
        });
    }
    answers
}

/// A hash of a text (FNV-1a).
pub fn sum(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

fn errors(diagnostics: &[Diagnostic]) -> Vec<&str> {
    diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.is_error())
        .map(|diagnostic| diagnostic.message.as_str())
        .collect()
}

/// The random model of a seed.
pub fn random_model(seed: u64) -> Model {
    model(&random_smv(seed))
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn answers_are_those_of_nusmv() {
        let recorded = include_str!("../../../../testdata/random_models/nusmv.tsv");
        for row in recorded.lines().filter(|row| !row.starts_with('#')) {
            let [seed, recorded_sum, theirs] = row.split('\t').collect::<Vec<_>>()[..] else { panic!("row {row}") };
            let text = random_smv_with(seed.parse().unwrap(), &Options::both_versions());
            let changed = "the generator has changed: record NuSMV's answers again, see the example compare_nusmv";
            assert_eq!(format!("{:016x}", sum(&text)), recorded_sum, "{changed}");
            assert_eq!(answers(&model(&text)).join(" "), theirs, "seed {seed}");
        }
    }

    #[test]
    fn a_seed_always_gives_the_same_model() {
        assert_eq!(random_smv(7), random_smv(7));
        assert_ne!(random_smv(7), random_smv(8));
    }
}
