//! All models of `../shared`, if present, are parsed without errors and printed back to the same tree.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use specwright_syntax::smv::ast::Dialect;
use specwright_syntax::smv::print::print_file;
use specwright_syntax::smv::{parse, same_file};
use specwright_syntax::span::SourceMap;
use specwright_syntax::testing::{files, shared};

#[test]
fn every_model_is_parsed_and_printed_back() {
    let Some(folder) = shared("models") else { return };
    let mut failed = Vec::new();
    for path in files(&folder, "smv") {
        // Files with m4 macros are not SMV.
        if path.to_string_lossy().ends_with(".m4.smv") {
            continue;
        }
        let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
        if let Err(reason) = check(&text) {
            failed.push(format!("{}: {reason}", path.display()));
        }
    }
    assert!(failed.is_empty(), "{} models failed:\n{}", failed.len(), failed.join("\n"));
}

fn check(text: &str) -> Result<(), String> {
    let mut sources = SourceMap::default();
    let file = sources.add("model.smv", text).unwrap();
    let (tree, diagnostics) = parse(&sources.files()[file], Dialect::NuSmv);
    let unsupported = ["SMV016", "SMV017"];
    let errors: Vec<String> = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.is_error() && !unsupported.contains(&diagnostic.code.0))
        .map(|diagnostic| {
            let (_, line, column) = sources.locate(diagnostic.primary.span).unwrap();
            format!("{line}:{column}: {} {}", diagnostic.code.0, diagnostic.message)
        })
        .collect();
    if !errors.is_empty() {
        return Err(errors.join("\n    "));
    }
    let printed = print_file(&tree);
    let mut sources = SourceMap::default();
    sources.add("printed.smv", printed.as_str()).unwrap();
    let (again, diagnostics) = parse(&sources.files()[0], Dialect::NuSmv);
    if let Some(diagnostic) = diagnostics.iter().find(|diagnostic| diagnostic.is_error()) {
        let (_, line, column) = sources.locate(diagnostic.primary.span).unwrap();
        let near = printed.lines().nth(line - 1).unwrap_or_default();
        return Err(format!("printed {line}:{column}: {} in {near}", diagnostic.message));
    }
    if !same_file(&tree, &again) || print_file(&again) != printed {
        return Err("printed to another tree".into());
    }
    Ok(())
}
