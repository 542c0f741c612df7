//! Reflection on whole models: the published clauses, and that every clause holds.

mod holds;
mod safety_injection;
mod shapes;

use specwright_mc::{Answer, Options as EngineOptions, Proof, Symbolic};
use specwright_model::Model;
use specwright_model::lower::smv::{Options as LowerOptions, lower};
use specwright_model::model::Property;
use specwright_syntax::smv::ast::Dialect;
use specwright_syntax::span::SourceMap;
use specwright_testgen::reflect::Reflection;
use std::path::{Path, PathBuf};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The model in a file, or the error.
fn load(path: &Path, dialect: Dialect) -> Result<Model, String> {
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    let mut sources = SourceMap::default();
    sources.add("model.smv", String::from_utf8_lossy(&bytes).into_owned()).map_err(|_| "too large")?;
    let (ast, mut diagnostics) = specwright_syntax::smv::parse(&sources.files()[0], dialect);
    let (model, more) = lower(&ast, &LowerOptions { dialect, ..LowerOptions::default() });
    diagnostics.extend(more);
    let error = diagnostics.iter().find(|diagnostic| diagnostic.is_error()).map(|error| error.message.clone());
    model.filter(|_| error.is_none()).ok_or_else(|| error.unwrap_or_default())
}

fn engine(model: &Model) -> Symbolic {
    Symbolic::new(model.system.clone(), &EngineOptions::default()).unwrap_or_else(|error| panic!("{error:?}"))
}

/// The clauses that do not hold, with the verdicts.
fn broken(engine: &mut Symbolic, reflection: &Reflection) -> Vec<String> {
    let mut broken = Vec::new();
    for clause in &reflection.clauses {
        let property: Property = clause.property();
        let verdict = engine.check(&property);
        if !matches!(verdict, Answer::Impossible(Proof::Infeasible)) {
            let text = engine.system().show_sourced(&clause.formula);
            broken.push(format!("{}: {text}: {verdict:?}", clause.name));
        }
    }
    broken
}
