//! Models for the tests of this module.

use specwright_model::Model;
use specwright_model::lower::smv::{Options, lower};
use specwright_syntax::smv::ast::Dialect;
use specwright_syntax::span::SourceMap;

/// The model of a text of SMV.
pub(crate) fn model(text: &str) -> Model {
    let mut sources = SourceMap::default();
    let file = sources.add("test.smv", text).expect("test models are small");
    let (ast, mut diagnostics) = specwright_syntax::smv::parse(&sources.files()[file], Dialect::NuSmv);
    let (model, more) = lower(&ast, &Options::default());
    diagnostics.extend(more);
    let errors: Vec<&str> = diagnostics.iter().filter(|d| d.is_error()).map(|d| d.message.as_str()).collect();
    model.unwrap_or_else(|| panic!("{errors:?} in\n{text}"))
}
