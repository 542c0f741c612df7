//! Suites from files, and back.

use crate::console::Console;
use crate::diagnostics;
use crate::load;
use anyhow::Context;
use specwright_harness::files::write_atomically;
use specwright_model::Model;
use specwright_syntax::span::SourceMap;
use specwright_testgen::suite::{Read, Suite, read_suite, write_json, write_text};
use std::path::Path;

/// Reads a suite of a model; nothing if it is not valid, which is reported.
pub fn read(
    console: &mut Console,
    sources: &mut SourceMap,
    model: &Model,
    path: &Path,
) -> anyhow::Result<Option<Read>> {
    let name = path.display().to_string();
    let text = load::read(path, &name).map_err(anyhow::Error::msg)?;
    let Ok(index) = sources.add(&name, text) else { anyhow::bail!("{name} is too large") };
    let file = &sources.files()[index];
    let (read, mut found) = read_suite(model, file);
    // Where nothing is known of the model but its variables, there is nothing to compare.
    let has_behaviour = !(model.assigns.is_empty() && model.trans.is_empty() && model.init.is_empty());
    found.extend(read.model_changed(model, file).filter(|_| has_behaviour));
    let failed = diagnostics::report(console, sources, &found);
    Ok((!failed).then_some(read))
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
