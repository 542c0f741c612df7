//! The folder of a run: `suite.json` with the tests, `goals.json` with every goal and what became of it, and the journal
//! from which the run can be resumed.
//!
//! The first two are written when the run ends, each atomically.

use super::journal::{Header, Journal};
use crate::failure::Failure;
use crate::session::Session;
use crate::suites::{make_folder, stream_json, write};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize, Serializer};
use specwright_mc::Answer;
use specwright_mc::Query;
use specwright_model::Model;
use specwright_model::hash::{is_same, model_hash};
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::span::SourceMap;
use specwright_testgen::generate::{Run, outcome as outcome_of, word};
use specwright_testgen::goal::Goal;
use specwright_testgen::suite::{Test, read_json};
use std::path::{Path, PathBuf};

const SCHEMA: &str = "specwright/goals/1";

/// Where a run is written, if anywhere.
pub(super) struct Folder<'a> {
    place: Place,
    session: &'a Session,
    hash: String,
    settings: Vec<String>,
    ignored: Vec<IgnoredEntry>,
}

enum Place {
    Nowhere,
    File(PathBuf),
    Folder(PathBuf),
}

#[derive(Serialize, Deserialize)]
struct GoalsDocument<Goals> {
    schema: String,
    model: String,
    model_hash: String,
    settings: Vec<String>,
    finished: bool,
    goals: Goals,
    #[serde(default)]
    ignored: Vec<IgnoredEntry>,
}

/// Entries that are made when they are written.
struct Entries<'a> {
    n: usize,
    entry: &'a dyn Fn(usize) -> GoalEntry,
}

impl Serialize for Entries<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((0..self.n).map(self.entry))
    }
}

/// A goal that the user has judged irrelevant, and why.
#[derive(Clone, Serialize, Deserialize)]
struct IgnoredEntry {
    id: String,
    description: String,
    reason: String,
}

#[derive(Serialize, Deserialize)]
struct GoalEntry {
    id: String,
    criterion: String,
    groups: Vec<String>,
    description: String,
    line: Option<usize>,
    kind: String,
    formula: String,
    /// `covered`, `infeasible`, `nonfalsifiable`, `inconsistent`, `possible`, `conforming`, `equivalent`, `unknown`, or
    /// `open` before it is decided.
    status: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    tests: Vec<String>,
}

impl<'a> Folder<'a> {
    pub(super) fn new(
        out: Option<&Path>,
        session: &'a Session,
        settings: Vec<String>,
        ignored: Vec<(Goal, String)>,
    ) -> Result<Folder<'a>, Failure> {
        let place = match out {
            None => Place::Nowhere,
            Some(path) if is_suite_file(path) => Place::File(path.into()),
            Some(path) => {
                make_folder(path)?;
                Place::Folder(path.into())
            }
        };
        let entry =
            |(goal, reason): (Goal, String)| IgnoredEntry { id: goal.id, description: goal.description, reason };
        let ignored = ignored.into_iter().map(entry).collect();
        Ok(Folder { place, hash: model_hash(&session.model), session, settings, ignored })
    }

    /// Whether a later run can go on from here.
    pub(super) fn can_resume(&self) -> bool {
        matches!(self.place, Place::Folder(_))
    }

    /// The journal of a run of these goals, if it is written to a folder, and the run to go on from: the one in the journal
    /// if that is to be resumed, or else this one. The model is the one that is searched.
    pub(super) fn journal(
        &self,
        searched: &Model,
        goals: &[Goal],
        resume: bool,
        fresh: Run,
    ) -> Result<(Option<Journal>, Run), Failure> {
        let Place::Folder(folder) = &self.place else {
            if resume {
                let why = "--resume: only a run in a folder can be resumed, and --out is a file";
                return Err(Failure::message(why));
            }
            return Ok((None, fresh));
        };
        let header = Header::new(&self.hash, &self.settings, goals);
        let (journal, run) = Journal::open(folder, &header, searched, resume, &fresh)?;
        Ok((Some(journal), run))
    }

    /// The run of a folder without a journal, which an earlier version has written, if it is finished.
    pub(super) fn finished(&self, model: &Model, goals: &[Goal]) -> Result<Option<Run>, Failure> {
        let Place::Folder(folder) = &self.place else { return Ok(None) };
        let mut run = Run::new(goals.len());
        let path = folder.join("goals.json");
        if folder.join("journal.jsonl").exists() || !path.exists() {
            return Ok(None);
        }
        let cannot =
            |why: String| Failure::message(format_args!("cannot resume the run in {}: {why}", folder.display()));
        let text = std::fs::read_to_string(&path).map_err(|error| cannot(error.to_string()))?;
        let document: GoalsDocument<Vec<GoalEntry>> =
            serde_json::from_str(&text).map_err(|error| cannot(error.to_string()))?;
        if document.schema != SCHEMA {
            return Err(cannot(format!("goals.json has the schema {}, not {SCHEMA}", document.schema)));
        }
        if let Some(refusal) = refusal_of_model(&document.model_hash, &self.hash) {
            return Err(cannot(refusal.into()));
        }
        let changed = document.settings.iter().filter(|setting| !self.settings.contains(setting));
        if let Some(setting) = changed.into_iter().next() {
            return Err(cannot(format!("it was started with {setting}")));
        }
        let same = document.goals.len() == goals.len() && document.goals.iter().zip(goals).all(|(a, b)| a.id == b.id);
        if !same {
            return Err(cannot("it has other goals".into()));
        }
        if !document.finished {
            let why = "it was started by an earlier version; start it again without --resume";
            return Err(cannot(why.into()));
        }
        for (outcome, entry) in run.outcomes.iter_mut().zip(&document.goals) {
            *outcome = outcome_of(&entry.status, entry.reason.clone());
        }
        run.tests = tests(model, &folder.join("suite.json")).map_err(cannot)?;
        Ok(Some(run))
    }

    /// Writes what is known.
    pub(super) fn save(&self, model: &Model, goals: &[Goal], run: &Run, finished: bool) -> Result<(), Failure> {
        let suite = || {
            let mut suite = run.suite(model);
            suite.model_hash = Some(self.hash.clone());
            suite
        };
        match &self.place {
            Place::Nowhere => Ok(()),
            Place::File(path) => write(path, model, &suite()),
            Place::Folder(folder) => {
                write(&folder.join("suite.json"), model, &suite())?;
                self.save_goals(&folder.join("goals.json"), (model, goals), run, finished)
            }
        }
    }

    /// Writes the goals one by one: there may be hundreds of thousands.
    fn save_goals(
        &self,
        path: &Path,
        (model, goals): (&Model, &[Goal]),
        run: &Run,
        finished: bool,
    ) -> Result<(), Failure> {
        let mut tests: IndexMap<&str, Vec<usize>> = IndexMap::new();
        for (index, test) in run.tests.iter().enumerate() {
            for goal in &test.goals {
                tests.entry(goal).or_default().push(index);
            }
        }
        let entry = |index: usize| {
            let (goal, outcome) = (&goals[index], &run.outcomes[index]);
            let tests = tests.get(goal.id.as_str()).into_iter().flatten();
            let (kind, expr) = match goal.target {
                Query::Falsify(expr) => ("falsify", expr),
                Query::Reach(expr) => ("reach", expr),
                Query::Show(expr) => ("show", expr),
                Query::Kill(expr) => ("kill", expr),
            };
            GoalEntry {
                id: goal.id.clone(),
                criterion: goal.criterion.into(),
                groups: goal.groups.clone(),
                description: goal.description.clone(),
                line: self.session.sources.locate(goal.span).map(|(_, line, _)| line),
                kind: kind.into(),
                formula: model.show_expr(expr),
                status: outcome.as_ref().map_or("open", word).into(),
                reason: outcome.as_ref().and_then(Answer::reason).map(ToString::to_string),
                tests: tests.map(|test| run.tests[*test].name.clone()).collect(),
            }
        };
        let document = GoalsDocument {
            schema: SCHEMA.into(),
            model: model.name.clone(),
            model_hash: self.hash.clone(),
            settings: self.settings.clone(),
            finished,
            goals: Entries { n: goals.len(), entry: &entry },
            ignored: self.ignored.clone(),
        };
        stream_json(path, &document)
    }
}

/// Whether a path names a suite, as JSON or as text, and not the folder of a run.
fn is_suite_file(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| ["json", "suite"].iter().any(|known| extension.eq_ignore_ascii_case(known)))
}

/// The tests of a suite that a run has written.
fn tests(model: &Model, path: &Path) -> Result<Vec<specwright_testgen::suite::Test>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let mut sources = SourceMap::default();
    let Ok(index) = sources.add(path.display().to_string(), text) else {
        return Err(format!("{} is too large", path.display()));
    };
    let (read, diagnostics) = read_json(model, &sources.files()[index]);
    match diagnostics.iter().find(|diagnostic| Diagnostic::is_error(diagnostic)) {
        Some(error) => Err(format!("{}: {}", path.display(), error.message)),
        None => Ok(read.suite.tests.into_iter().map(without_defines).collect()),
    }
}

/// A test of a run. Its states are complete, so the values of defines follow from them.
pub(super) fn without_defines(test: Test) -> Test {
    Test { defined: Vec::new(), ..test }
}

/// Why a run is not of today's model.
pub(super) fn refusal_of_model(recorded: &str, today: &str) -> Option<&'static str> {
    match is_same(recorded, today) {
        Some(true) => None,
        Some(false) => Some("the model has changed since"),
        None => Some("made by an earlier version: cannot compare the model"),
    }
}
