//! Suites from files, and back.

use crate::events::Events;
use crate::failure::Failure;
use crate::text::{self, Text};
use serde::Serialize;
use specwright_harness::files::{stream_atomically, write_atomically};
use specwright_harness::import::{self, Demands, Mapping};
use specwright_model::Model;
use specwright_syntax::span::{SourceFile, SourceMap};
use specwright_testgen::suite::write_json;
pub use specwright_testgen::suite::{Read, Suite, Test, Validated, validate, write_text};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Reads a suite of a model.
pub fn read(
    events: &mut dyn Events,
    sources: &mut SourceMap,
    model: &Model,
    path: &Path,
    mapping: Option<&Path>,
) -> Result<Read, Failure> {
    read_for(events, sources, model, model, path, mapping)
}

/// Reads a suite of a model as its tester sees it: `view` is the model with variables for defined outputs.
pub(crate) fn read_for(
    events: &mut dyn Events,
    sources: &mut SourceMap,
    model: &Model,
    view: &Model,
    path: &Path,
    mapping: Option<&Path>,
) -> Result<Read, Failure> {
    let mapping = mapping.map(read_mapping).transpose()?.unwrap_or_default();
    let first = sources.files().len();
    let mut encodings = Vec::new();
    for path in files(path)? {
        let name = path.display().to_string();
        let text = Text::read(&path, &name).and_then(|text| text.add_to(sources, &name));
        encodings.extend(text.map_err(Failure::Message)?.1);
    }
    let last = sources.files().len();
    add_references(sources, first)?;
    let files = &sources.files()[first..last];
    let (mut read, mut found) = import::read(view, files, &sources.files()[first..], &mapping);
    found.splice(0..0, encodings);
    if !model.shadows.is_empty() {
        // What remembers the state before need not be the same the first time round a loop.
        read.suite.tests.iter_mut().for_each(walk_loop_once);
    }
    // Where nothing is known of the model but its variables, there is nothing to compare.
    let has_behaviour = !(model.assigns.is_empty() && model.trans.is_empty() && model.init.is_empty());
    if let Some(file) = files.first().filter(|_| has_behaviour) {
        found.extend(read.model_changed(model, file));
    }
    if events.report(sources, &found) { Err(Failure::Invalid) } else { Ok(read) }
}

/// What the scenarios of a suite ask of a machine. What is wrong with them is said when they are read as tests.
pub(crate) fn demands(path: &Path) -> Demands {
    let mut sources = SourceMap::default();
    for path in files(path).unwrap_or_default() {
        let name = path.display().to_string();
        let is_scenario = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("avalla"));
        if is_scenario && let Ok(text) = Text::read(&path, &name) {
            let _ = text.add_to(&mut sources, &name);
        }
    }
    let n = sources.files().len();
    let _ = add_references(&mut sources, 0);
    import::demands(&sources.files()[..n], sources.files())
}

/// Adds the files that those of a suite refer to, from the first one on. Those that are not there are reported where they are used.
fn add_references(sources: &mut SourceMap, first: usize) -> Result<(), Failure> {
    let mut index = first;
    while index < sources.files().len() {
        let file = &sources.files()[index];
        let folder = Path::new(&file.name).parent().map(Path::to_path_buf).unwrap_or_default();
        for reference in import::references(file) {
            let path = folder.join(reference);
            let name = path.display().to_string();
            let is_known = |file: &SourceFile| Path::new(&file.name) == path;
            if path.is_file() && !sources.files()[first..].iter().any(is_known) {
                let text = Text::read(&path, &name).and_then(|text| text.add_to(sources, &name));
                text.map_err(Failure::Message)?;
            }
        }
        index += 1;
    }
    Ok(())
}

/// The same execution with its loop walked once before it starts.
fn walk_loop_once(test: &mut Test) {
    let trace = &mut test.trace;
    if let Some(start) = trace.loop_start.filter(|start| *start < trace.states.len()) {
        if !test.defined.is_empty() {
            test.defined.resize(trace.states.len(), Vec::new());
            test.defined.extend_from_within(start..);
        }
        trace.loop_start = Some(trace.states.len());
        trace.states.extend_from_within(start..);
    }
}

/// A suite without tests.
pub fn empty(model: &Model) -> Read {
    Suite { model: model.name.clone(), model_hash: None, tests: Vec::new(), goals: None }.into()
}

/// The files of a suite: the one that is named, that of a folder which `generate` wrote, or all of a folder by their names.
fn files(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    if !path.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let generated = path.join("suite.json");
    if generated.is_file() && path.join("goals.json").is_file() {
        return Ok(vec![generated]);
    }
    let cannot =
        |error: std::io::Error| Failure::message(format_args!("cannot read the folder {}: {error}", path.display()));
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path).map_err(cannot)? {
        let entry = entry.map_err(cannot)?.path();
        let hidden = entry.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        if entry.is_file() && !hidden {
            files.push(entry);
        }
    }
    files.sort();
    if files.is_empty() {
        Err(Failure::message(format_args!("there are no files in {}", path.display())))
    } else {
        Ok(files)
    }
}

fn read_mapping(path: &Path) -> Result<Mapping, Failure> {
    let name = path.display().to_string();
    let text = text::read(path, &name)?;
    Mapping::parse(&text).map_err(Failure::because(format_args!("cannot read {name}")))
}

/// Writes a suite: JSON if the name ends so, else text.
pub fn write(path: &Path, model: &Model, suite: &Suite) -> Result<(), Failure> {
    let is_json = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
    let text = if is_json { json(model, suite) } else { write_text(model, suite) };
    write_file(path, text)
}

/// A suite as JSON.
pub fn json(model: &Model, suite: &Suite) -> String {
    write_json(model, suite)
}

/// Writes a result.
pub fn write_file(path: &Path, content: impl AsRef<[u8]>) -> Result<(), Failure> {
    write_atomically(path, content).map_err(Failure::because(format_args!("cannot write {}", path.display())))
}

/// Writes a document to a file piece by piece, as indented JSON.
pub(crate) fn stream_json(path: &Path, document: &impl Serialize) -> Result<(), Failure> {
    let write = |mut file: &mut dyn Write| {
        serde_json::to_writer_pretty(&mut file, document)?;
        file.write_all(b"\n")
    };
    stream_atomically(path, write).map_err(Failure::because(format_args!("cannot write {}", path.display())))
}

/// Adds to a file that other commands add to as well, such as the summary of a job.
pub fn append_file(path: &Path, text: &str) -> Result<(), Failure> {
    let file = std::fs::OpenOptions::new().create(true).append(true).open(path);
    file.and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(Failure::because(format_args!("cannot write {}", path.display())))
}

/// Makes a folder for results.
pub fn make_folder(folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder)
        .map_err(Failure::because(format_args!("cannot make the folder {}", folder.display())))
}
