//! What is needed to run a suite: its tests, and the model, or as much of it as the suite knows.

use crate::args::DialectName;
use crate::console::{self, Console};
use specwright::frontend::Language;
use specwright::text::Text;
use specwright::{ReadSettings, Session, suites};
use specwright_model::Model;
use specwright_model::hash::{is_same, model_hash};
use specwright_syntax::span::{SourceFile, SourceMap};
use specwright_testgen::suite::{Read, shell};
use std::path::{Path, PathBuf};

/// Where a suite and its model are to be found.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    pub suite: &'a Path,
    pub model: Option<&'a Path>,
    pub dialect: DialectName,
    pub mapping: Option<&'a Path>,
    /// Whether nothing is wanted of the model but its variables.
    pub recorded: bool,
}

/// A suite and its model.
pub struct Subject {
    pub model: Model,
    pub read: Read,
    /// Whether the model says what is allowed, and not only which variables there are.
    pub has_behaviour: bool,
}

impl Subject {
    /// Reads both.
    pub fn load(console: &mut Console, args: &Source<'_>) -> anyhow::Result<Subject> {
        let mut sources = SourceMap::default();
        let described = described(args.suite)?;
        let (mut model, has_behaviour) = match (&args.model, &described) {
            (Some(path), _) => {
                let (dialect, limits) = (args.dialect.into(), console::limits());
                let reading = ReadSettings { dialect, limits, ..ReadSettings::default() };
                let session = Session::open(path, &reading, console)?;
                sources = session.sources;
                (session.model, true)
            }
            (None, Some(described)) if args.recorded => (described.clone(), false),
            (None, Some(described)) => {
                let named = named(described, args);
                let is_old = |hash: String| is_same(&hash, "").is_none();
                if named.is_none() && recorded_hash(args.suite).is_some_and(is_old) {
                    let message = "the suite was made by an earlier version: cannot tell whether the model is the same; \
                                   `--model` says which it is";
                    console.warning(message);
                }
                let has_behaviour = named.is_some();
                (named.unwrap_or_else(|| described.clone()), has_behaviour)
            }
            (None, None) => anyhow::bail!(
                "{} does not say what its variables are: give the model with `--model`",
                args.suite.display()
            ),
        };
        // Who sets what was decided when the suite was made.
        if let Some(described) = &described {
            for (own, var) in described.vars() {
                if let Some(id) = model.var_named(&var.name) {
                    model.set_role(id, described.role(own));
                }
            }
        }
        let read = suites::read(console, &mut sources, &model, args.suite, args.mapping)?;
        Ok(Subject { model, read, has_behaviour })
    }
}

/// The variables that a suite describes, if it is one that does.
fn described(path: &Path) -> anyhow::Result<Option<Model>> {
    if path.is_dir() {
        return Ok(None);
    }
    let name = path.display().to_string();
    let text = Text::read(path, &name).map_err(anyhow::Error::msg)?.text;
    if !text.trim_start().starts_with('{') {
        return Ok(None);
    }
    let mut sources = SourceMap::default();
    let Ok(index) = sources.add(&name, text) else { anyhow::bail!("{name} is too large") };
    let file: &SourceFile = &sources.files()[index];
    // What is wrong with it is reported when it is read against a model.
    Ok(shell(file).ok())
}

/// The model that a suite names, if it is where it was, and still the same.
fn named(described: &Model, args: &Source<'_>) -> Option<Model> {
    let recorded = recorded_hash(args.suite)?;
    let here = PathBuf::from(&described.name);
    let beside = args.suite.parent().map(|folder| folder.join(&described.name));
    [Some(here), beside].into_iter().flatten().find_map(|path| {
        let name = path.display().to_string();
        let mut sources = SourceMap::default();
        let (index, _) = Text::read(&path, &name).ok()?.add_to(&mut sources, &name).ok()?;
        let language = Language::of(&path, args.dialect.into());
        let (model, found) = language.understand(&mut sources, index);
        let sound = !found.iter().any(specwright_syntax::diagnostic::Diagnostic::is_error);
        model.filter(|model| sound && model_hash(model) == recorded)
    })
}

fn recorded_hash(path: &Path) -> Option<String> {
    let text = Text::read(path, "").ok()?.text;
    let document: serde_json::Value = serde_json::from_str(&text).ok()?;
    document.get("model_hash")?.as_str().map(Into::into)
}
