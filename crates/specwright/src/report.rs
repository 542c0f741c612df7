//! What a report is about: a model and a suite, as they are given or as a result names them.

use crate::document::results::{self, Results};
use crate::failure::Failure;
use crate::text;
use serde::Deserialize;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// What a report is about.
#[derive(Debug)]
pub struct ReportSubject {
    /// What the model is called.
    pub model: String,
    /// The model and the suite, if they are there.
    pub graded: Option<(PathBuf, PathBuf)>,
    /// The settings with which goals were chosen, as `flag=value`.
    pub settings: Vec<String>,
    /// What else the result says.
    pub results: Option<Results>,
}

/// What all results have in common.
#[derive(Deserialize)]
struct Head {
    model: String,
    #[serde(default)]
    settings: Vec<String>,
    /// In some the name of a file.
    #[serde(default)]
    suite: Value,
}

impl ReportSubject {
    /// A model and a suite that are given.
    pub fn given(model: &Path, suite: &Path) -> ReportSubject {
        let graded = Some((model.into(), suite.into()));
        ReportSubject { model: model.display().to_string(), graded, settings: Vec::new(), results: None }
    }
}

/// Whether something can be a result, and not a model.
pub fn is_result(path: &Path) -> bool {
    path.is_dir() || path.extension().is_some_and(|end| end.eq_ignore_ascii_case("json"))
}

/// What a result is about: a folder or a suite that `generate` wrote, or a document that another command printed.
pub fn find(path: &Path) -> Result<ReportSubject, Failure> {
    let shown = path.display();
    let advice = format!("if it is a suite, use `specwright report MODEL {shown}`");
    let file = if path.is_dir() { path.join("goals.json") } else { path.into() };
    if path.is_dir() && !file.is_file() {
        return Err(Failure::Message(format!("{shown} is not a folder that `generate` wrote; {advice}")));
    }
    let name = file.display().to_string();
    let text = text::read(&file, &name)?;
    if !text.trim_start().starts_with('{') {
        return Err(Failure::Message(format!(
            "{shown} is not a result of another command; {advice}, and a model needs a suite"
        )));
    }
    let cannot = |error: serde_json::Error| Failure::Message(format!("cannot read {name}: {error}"));
    let document: Value = serde_json::from_str(&text).map_err(cannot)?;
    let head: Head = serde_json::from_value(document.clone()).map_err(cannot)?;
    let (suite, results) = match document["schema"].as_str() {
        Some("specwright/goals/1") if path.is_dir() => (Some(path.into()), None),
        Some("specwright/goals/1") => (path.parent().map(Into::into), None),
        Some(kind) if kind.starts_with("specwright/suite/") => (Some(path.into()), None),
        Some("specwright/grade/1") => (named(&file, head.suite.as_str()), None),
        _ => (named(&file, head.suite.as_str()), Some(results::from_document(&name, document)?)),
    };
    let model = named(&file, Some(&head.model));
    if results.is_none() {
        if model.is_none() {
            return Err(Failure::Message(format!("{shown} is about {}, which does not exist; {advice}", head.model)));
        }
        if suite.is_none() {
            return Err(Failure::Message(format!("{shown} is about a suite that no longer exists")));
        }
    }
    Ok(ReportSubject { model: head.model, graded: model.zip(suite), settings: head.settings, results })
}

/// A file that another one names: as seen from here, or from where that one is.
fn named(by: &Path, name: Option<&str>) -> Option<PathBuf> {
    let here = PathBuf::from(name?);
    let beside = by.parent().map(|folder| folder.join(&here));
    [Some(here), beside].into_iter().flatten().find(|path| path.exists())
}
