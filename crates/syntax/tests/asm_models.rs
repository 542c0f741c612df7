//! All machines of `../shared`, if present, are parsed without errors, except for the broken ones.

use specwright_syntax::asm::parse;
use specwright_syntax::span::SourceMap;
use specwright_syntax::testing::{files, shared};

#[test]
fn every_machine_is_parsed() {
    let Some(folder) = shared("asm") else { return };
    let paths = files(&folder, "asm");
    let mut failed = Vec::new();
    for path in &paths {
        let text = String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned();
        let mut sources = SourceMap::default();
        sources.add(path.display().to_string(), text).unwrap();
        let (_, diagnostics) = parse(&sources.files()[0]);
        if let Some(first) = diagnostics.first() {
            let (_, line, column) = sources.locate(first.primary.span).unwrap();
            failed.push(format!("{}:{line}:{column}: {}", path.display(), first.message));
        }
    }
    assert!(failed.is_empty(), "{} of {} failed:\n{}", failed.len(), paths.len(), failed.join("\n"));
}
