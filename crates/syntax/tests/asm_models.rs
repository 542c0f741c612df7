//! Real machines from elsewhere, where there are any: each is read without errors, but for those that are broken.

use specwright_syntax::asm::parse;
use specwright_syntax::span::SourceMap;
use std::path::{Path, PathBuf};

fn machines(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        if path.is_dir() {
            machines(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "asm") {
            found.push(path);
        }
    }
}

#[test]
fn every_machine_is_read() {
    let mut paths = Vec::new();
    machines(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/asm"), &mut paths);
    paths.sort();
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
