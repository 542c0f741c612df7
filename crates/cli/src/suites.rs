//! Suites from files, and back.

use crate::console::Console;
use crate::diagnostics;
use crate::text::{self, Text};
use anyhow::Context;
use specwright_harness::files::write_atomically;
use specwright_harness::import::{self, Mapping};
use specwright_model::{Model, Trace};
use specwright_syntax::span::SourceMap;
use specwright_testgen::suite::{Read, Suite, write_json, write_text};
use std::path::{Path, PathBuf};

/// Reads a suite of a model; nothing if it is not valid, which is reported.
pub fn read(
    console: &mut Console,
    sources: &mut SourceMap,
    model: &Model,
    path: &Path,
    mapping: Option<&Path>,
) -> anyhow::Result<Option<Read>> {
    let mapping = mapping.map(read_mapping).transpose()?.unwrap_or_default();
    let first = sources.files().len();
    let mut encodings = Vec::new();
    for path in files(path)? {
        let name = path.display().to_string();
        let text = Text::read(&path, &name).and_then(|text| text.add_to(sources, &name));
        encodings.extend(text.map_err(anyhow::Error::msg)?.1);
    }
    let files = &sources.files()[first..];
    let (mut read, mut found) = import::read(model, files, &mapping);
    found.splice(0..0, encodings);
    if !model.shadows.is_empty() {
        // What remembers the state before need not be the same the first time round a loop.
        read.suite.tests.iter_mut().for_each(|test| walk_loop_once(&mut test.trace));
    }
    // Where nothing is known of the model but its variables, there is nothing to compare.
    let has_behaviour = !(model.assigns.is_empty() && model.trans.is_empty() && model.init.is_empty());
    if let Some(file) = files.first().filter(|_| has_behaviour) {
        found.extend(read.model_changed(model, file));
    }
    let failed = diagnostics::report(console, sources, &found);
    Ok((!failed).then_some(read))
}

/// The same execution with its loop walked once before it starts.
fn walk_loop_once(trace: &mut Trace) {
    if let Some(start) = trace.loop_start.filter(|start| *start < trace.states.len()) {
        trace.loop_start = Some(trace.states.len());
        trace.states.extend_from_within(start..);
    }
}

/// A suite without tests.
pub fn empty(model: &Model) -> Read {
    let suite = Suite { model: model.name.clone(), model_hash: None, tests: Vec::new(), goals: None };
    Read { suite, places: Vec::new() }
}

/// The files of a suite: the one that is named, that of a folder which `generate` wrote, or all of a folder by their names.
fn files(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let generated = path.join("suite.json");
    if generated.is_file() && path.join("goals.json").is_file() {
        return Ok(vec![generated]);
    }
    let cannot = || format!("cannot read the folder {}", path.display());
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path).with_context(cannot)? {
        let entry = entry.with_context(cannot)?.path();
        let hidden = entry.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        if entry.is_file() && !hidden {
            files.push(entry);
        }
    }
    anyhow::ensure!(!files.is_empty(), "there are no files in {}", path.display());
    files.sort();
    Ok(files)
}

fn read_mapping(path: &Path) -> anyhow::Result<Mapping> {
    let name = path.display().to_string();
    let text = text::read(path, &name).map_err(anyhow::Error::msg)?;
    Mapping::parse(&text).map_err(|error| anyhow::anyhow!("cannot read {name}: {error}"))
}

/// Writes a suite: JSON if the name ends so, else text.
pub fn write(path: &Path, model: &Model, suite: &Suite) -> anyhow::Result<()> {
    let is_json = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
    let text = if is_json { write_json(model, suite) } else { write_text(model, suite) };
    write_file(path, text)
}

/// Writes a result.
pub fn write_file(path: &Path, content: impl AsRef<[u8]>) -> anyhow::Result<()> {
    write_atomically(path, content).with_context(|| format!("cannot write {}", path.display()))
}
