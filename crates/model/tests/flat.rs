//! The flat model of every construct of the language.
//!
//! The cases are in `data/flat.txt`. With `UPDATE=1`, the file is rewritten; read it before you commit it.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use specwright_model::Model;
use specwright_model::interface::Role;
use specwright_model::lower::smv::{Options, lower};
use specwright_model::unparse::print_model;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::smv::ast::Dialect;
use specwright_syntax::smv::parse;
use specwright_syntax::span::SourceMap;
use std::fmt::Write;
use std::path::Path;

#[test]
fn constructs_become_flat_models() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/flat.txt");
    let text = std::fs::read_to_string(&path).unwrap();
    let mut updated = String::new();
    for case in text.split("=== ").skip(1) {
        let (title, rest) = case.split_once('\n').unwrap();
        let input = rest.split_once("\n---\n").map_or(rest, |(input, _)| input).trim_end_matches('\n');
        let dialect = if title.contains("(cmu)") { Dialect::Cmu } else { Dialect::NuSmv };
        let model = read(title, input, dialect);
        check_spans(title, &model);
        let flat = print_model(&model);
        let again = print_model(&read(title, &flat, Dialect::NuSmv));
        assert_eq!(flat, again, "{title}: a flat model is its own flat model");
        writeln!(updated, "=== {title}\n{input}\n---\n{flat}{}", roles(&model)).unwrap();
    }
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &updated).unwrap();
    }
    for (n, (expected, found)) in text.lines().zip(updated.lines()).enumerate() {
        assert_eq!(expected, found, "line {}; UPDATE=1 rewrites the file", n + 1);
    }
    assert_eq!(text.lines().count(), updated.lines().count(), "UPDATE=1 rewrites the file");
}

fn read(title: &str, text: &str, dialect: Dialect) -> Model {
    let mut sources = SourceMap::default();
    sources.add("input.smv", text).unwrap();
    let (file, mut diagnostics) = parse(&sources.files()[0], dialect);
    let (model, more) = lower(&file, &Options { dialect, ..Options::default() });
    diagnostics.extend(more);
    diagnostics.retain(Diagnostic::is_error);
    assert!(diagnostics.is_empty(), "{title}: {diagnostics:#?}\n{text}");
    model.unwrap()
}

/// The variables by role, as a comment.
fn roles(model: &Model) -> String {
    let of = |role| {
        let names = model.vars().filter(|(id, _)| model.role(*id) == role).map(|(_, var)| var.name.as_str());
        names.collect::<Vec<_>>().join(" ")
    };
    let mut text = String::new();
    for (word, role) in [("in", Role::Input), ("out", Role::Output), ("internal", Role::Internal)] {
        let names = of(role);
        if !names.is_empty() {
            writeln!(text, "-- {word}: {names}").unwrap();
        }
    }
    text
}

/// Every expression has one span for each node of its tree.
fn check_spans(title: &str, model: &Model) {
    let properties = model.properties.iter().flat_map(|property| [Some(&property.formula), property.target.as_ref()]);
    let all = model
        .defines
        .iter()
        .map(|define| &define.body)
        .chain(model.assigns.iter().map(|assign| &assign.value))
        .chain(model.init.iter().chain(&model.trans).chain(&model.invar).chain(&model.justice))
        .chain(model.compassion.iter().flat_map(|(p, q)| [p, q]))
        .chain(properties.flatten());
    for sourced in all {
        let (mut n_nodes, mut stack) = (0, vec![sourced.expr]);
        while let Some(expr) = stack.pop() {
            n_nodes += 1;
            stack.extend(model[expr].children());
        }
        assert_eq!(n_nodes, sourced.spans.len(), "{title}: {}", model.show_expr(sourced.expr));
    }
}
