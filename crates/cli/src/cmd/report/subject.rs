//! What a report is about: a model and a suite, as they are typed or as a result names them.

use super::results::{self, Results};
use crate::args::{JudgeArgs, ReadingArgs, Recorded};
use anyhow::{Context, bail};
use serde::Deserialize;
use serde_json::Value;
use std::path::{Path, PathBuf};

pub(in crate::cmd) struct Subject {
    /// What the model is called.
    pub(super) model: String,
    /// The model and the suite, if they are there.
    pub(in crate::cmd) graded: Option<(PathBuf, PathBuf)>,
    /// The flags with which goals were chosen.
    pub(super) settings: Vec<String>,
    /// What else the result says.
    pub(super) results: Option<Results>,
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

impl Subject {
    /// What the user has named.
    pub(super) fn given(model: &Path, suite: &Path) -> Subject {
        let graded = Some((model.into(), suite.into()));
        Subject { model: model.display().to_string(), graded, settings: Vec::new(), results: None }
    }

    /// How to judge the suite: as the result says that it was made, unless the user says something else.
    pub(in crate::cmd) fn judged(
        &self,
        reading: &ReadingArgs,
        judging: &JudgeArgs,
    ) -> anyhow::Result<(ReadingArgs, JudgeArgs)> {
        let recorded = Recorded::new(&self.settings)
            .map_err(|error| anyhow::anyhow!("the result about {} was made with other flags: {error}", self.model))?;
        let default = Recorded::new(&[]).expect("nothing has to be typed");
        let mut judging = judging.clone();
        let ignores = std::mem::take(&mut judging.goals.ignores.ignore);
        if judging.goals == default.goals {
            judging.goals = recorded.goals;
        }
        judging.goals.ignores.ignore.extend(ignores);
        if judging.focus == default.focus {
            judging.focus = recorded.focus;
        }
        let reading = if *reading == default.reading { recorded.reading } else { reading.clone() };
        Ok((reading, judging))
    }
}

/// Whether something can be a result, and not a model.
pub(in crate::cmd) fn is_result(path: &Path) -> bool {
    path.is_dir() || path.extension().is_some_and(|end| end.eq_ignore_ascii_case("json"))
}

/// What a result is about: a folder or a suite that `generate` wrote, or a document that another command printed.
pub(in crate::cmd) fn find(path: &Path) -> anyhow::Result<Subject> {
    let shown = path.display();
    let advice = format!("`specwright report MODEL {shown}` takes it for a suite, if that is what it is");
    let file = if path.is_dir() { path.join("goals.json") } else { path.into() };
    if path.is_dir() && !file.is_file() {
        bail!("{shown} is not a folder that `generate` wrote; {advice}");
    }
    let name = file.display().to_string();
    let text = specwright::text::read(&file, &name)?;
    if !text.trim_start().starts_with('{') {
        bail!("{shown} is no result of another command; {advice}, and a model needs a suite behind it");
    }
    let document: Value = serde_json::from_str(&text).with_context(|| format!("cannot read {name}"))?;
    let head: Head = serde_json::from_value(document.clone()).with_context(|| format!("cannot read {name}"))?;
    let (suite, results) = match document["schema"].as_str() {
        Some("specwright/goals/1") if path.is_dir() => (Some(path.into()), None),
        Some("specwright/goals/1") => (path.parent().map(Into::into), None),
        Some("specwright/suite/1") => (Some(path.into()), None),
        Some("specwright/grade/1") => (named(&file, head.suite.as_str()), None),
        _ => (named(&file, head.suite.as_str()), Some(results::from_document(&name, document)?)),
    };
    let model = named(&file, Some(&head.model));
    if results.is_none() {
        if model.is_none() {
            bail!("{shown} is about {}, which is not there; {advice}", head.model);
        }
        if suite.is_none() {
            bail!("{shown} is about a suite that is not there any more");
        }
    }
    Ok(Subject { model: head.model, graded: model.zip(suite), settings: head.settings, results })
}

/// A file that another one names: as seen from here, or from where that one is.
fn named(by: &Path, name: Option<&str>) -> Option<PathBuf> {
    let here = PathBuf::from(name?);
    let beside = by.parent().map(|folder| folder.join(&here));
    [Some(here), beside].into_iter().flatten().find(|path| path.exists())
}
