//! All models of `../shared`, if present, lower without errors.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use specwright_model::Model;
use specwright_model::lower::smv::{Options, lower};
use specwright_model::unparse::print_model;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::smv::ast::Dialect;
use specwright_syntax::smv::parse;
use specwright_syntax::span::SourceMap;
use specwright_syntax::testing::shared;
use std::fmt::Write as _;

#[test]
fn models_from_elsewhere_lower_without_errors() {
    let Some(root) = shared("models") else { return };
    let table = std::fs::read_to_string(root.join("verdicts.tsv")).unwrap();
    let (mut failures, mut n_models) = (String::new(), 0);
    for line in table.lines().skip(1) {
        let mut columns = line.split('\t');
        let (Some(file), Some(dialect)) = (columns.next(), columns.next()) else { continue };
        // Files with m4 macros are not SMV.
        if file.contains(".m4.") {
            continue;
        }
        let text = std::fs::read(root.join(file)).unwrap();
        n_models += 1;
        let dialect = if dialect == "cmu" { Dialect::Cmu } else { Dialect::NuSmv };
        let mut sources = SourceMap::default();
        let index = sources.add(file, String::from_utf8_lossy(&text).into_owned()).unwrap();
        let (ast, mut diagnostics) = parse(&sources.files()[index], dialect);
        let (model, more) = lower(&ast, &Options { dialect, ..Options::default() });
        diagnostics.extend(more);
        if let Some(model) = &model {
            check_round_trip(file, model);
        }
        diagnostics.retain(Diagnostic::is_error);
        if model.is_none() || !diagnostics.is_empty() {
            writeln!(failures, "{file}: {} errors", diagnostics.len()).unwrap();
            for diagnostic in diagnostics.iter().take(5) {
                let place = sources.locate(diagnostic.primary.span).map(|(_, line, column)| (line, column));
                writeln!(failures, "    {:?} {} {}", place, diagnostic.code.0, diagnostic.message).unwrap();
            }
        }
    }
    assert!(n_models > 0, "the table has no models");
    assert!(failures.is_empty(), "of {n_models} models:\n{failures}");
}

/// A flat model that is printed and parsed is the same model.
fn check_round_trip(file: &str, model: &Model) {
    let text = print_model(model);
    let mut sources = SourceMap::default();
    let index = sources.add("flat.smv", text.as_str()).unwrap();
    let (ast, diagnostics) = parse(&sources.files()[index], Dialect::NuSmv);
    let (again, more) = lower(&ast, &Options::default());
    let errors: Vec<String> = diagnostics
        .iter()
        .chain(&more)
        .filter(|diagnostic| diagnostic.is_error())
        .map(|diagnostic| {
            let place = sources.locate(diagnostic.primary.span).map(|(_, line, column)| (line, column));
            format!("{place:?} {} {}", diagnostic.code.0, diagnostic.message)
        })
        .collect();
    let again = again.unwrap_or_else(|| panic!("{file}: {:#?}", &errors[..errors.len().min(5)]));
    assert_eq!(model.vars.len(), again.vars.len(), "{file}");
    // A large model gets additional defines for shared expressions.
    assert!(model.defines.len() <= again.defines.len(), "{file}");
    for (a, b) in model.vars.iter().zip(&again.vars) {
        assert_eq!((&a.name, a.kind, a.domain.size()), (&b.name, b.kind, b.domain.size()), "{file}");
    }
    if model.defines.len() == again.defines.len() {
        assert!(text == print_model(&again), "{file}: printing is not stable");
    }
}
