//! From a request to its answer.

use crate::Told;
use serde_json::{Value, json};
use specwright::audit::Audit;
use specwright::document::{AuditDocument, CheckDocument, GenerateDocument, GradeDocument, MinimizeDocument};
use specwright::events::{Level, Progress};
use specwright::frontend::Dialect;
use specwright::generate::{Engine, Strategy};
use specwright::kill::Kill;
use specwright::model::Role;
use specwright::model::interp::Random;
use specwright::model::trace::Defines;
use specwright::suites::Suite;
use specwright::syntax::budget::Budget;
use specwright::syntax::diagnostic::Diagnostic;
use specwright::syntax::span::SourceMap;
use specwright::testgen::suite::write_json;
use specwright::{
    AuditSettings, CheckSettings, Events, Failure, GenerateSettings, GoalSettings, GradeSettings, Limits,
    MinimizeSettings, ReadSettings, Session,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Begins the messages that are errors.
const ERROR: &str = "error: ";

/// Collects what there is to tell.
#[derive(Default)]
struct Collected {
    messages: Vec<String>,
    rendered: String,
}

impl Events for Collected {
    fn message(&mut self, level: Level, text: &str) {
        let word = match level {
            Level::Error => ERROR,
            Level::Warning => "warning: ",
            Level::Note => "note: ",
        };
        self.messages.push(format!("{word}{text}"));
    }

    fn diagnostics(&mut self, sources: &SourceMap, found: &[Diagnostic]) {
        if !found.is_empty() {
            if !self.rendered.is_empty() {
                self.rendered.push_str("\n\n");
            }
            self.rendered.push_str(&specwright_cli::rendered(sources, found));
        }
    }

    fn progress(&self, _: usize) -> Box<dyn Progress> {
        Box::new(Unseen)
    }
}

struct Unseen;

impl Progress for Unseen {
    fn is_seen(&self) -> bool {
        false
    }
    fn at(&mut self, _: usize, _: &str) {}
    fn exploring(&mut self, _: usize) {}
    fn pause(&self) {}
    fn finish(&mut self) {}
}

pub(crate) fn answer(request: &str, cancel: &Arc<AtomicBool>) -> Told {
    let mut events = Collected::default();
    let result = match Budget::run(|| result(request, cancel, &mut events)) {
        Ok(result) => result,
        Err(_spent) => Err(Failure::message("interrupted")),
    };
    let (is_good, text) = match result {
        Ok(value) => (true, value.to_string()),
        // The messages say more.
        Err(Failure::Invalid) if events.messages.iter().any(|message| message.starts_with(ERROR)) => {
            (false, String::new())
        }
        Err(failure) => (false, failure.to_string()),
    };
    (is_good, text, events.messages, events.rendered)
}

fn result(request: &str, cancel: &Arc<AtomicBool>, events: &mut Collected) -> Result<Value, Failure> {
    let request: Value = serde_json::from_str(request).map_err(Failure::message)?;
    let asked = Asked(&request);
    let path = PathBuf::from(asked.text("model")?.ok_or_else(|| Failure::message("a model is missing"))?);
    let limits = Limits {
        cancel: Arc::clone(cancel),
        timeout: asked.seconds("timeout")?,
        max_nodes: asked.number("max_nodes")?,
        ..Limits::default()
    };
    let reading = ReadSettings {
        dialect: asked
            .one_of("dialect", &[("nusmv", Dialect::NuSmv), ("cmu", Dialect::Cmu)])?
            .unwrap_or(Dialect::NuSmv),
        input: asked.texts("input")?,
        output: asked.texts("output")?,
        internal: asked.texts("internal")?,
        requirements: asked.texts("requirements")?.into_iter().map(Into::into).collect(),
        limits: limits.clone(),
        ..ReadSettings::default()
    };
    let goals = GoalSettings {
        criterion: asked.texts("criterion")?,
        goal: asked.texts("goal")?,
        trap: asked.texts("trap")?,
        operators: asked.texts("operators")?,
        ..GoalSettings::default()
    };
    let kill = asked.one_of("kill", &[("visible", Kill::Visible), ("weak", Kill::Weak)])?.unwrap_or(Kill::Visible);
    let command = asked.text("command")?.unwrap_or_default();
    match command.as_str() {
        "load" => {
            let session = Session::open(&path, &reading, events)?;
            let model = &session.model;
            let variables = model.vars().map(|(id, var)| json!({"name": var.name, "role": model.role(id).name()}));
            let defines = model.output_defines().into_iter();
            let defines = defines.map(|define| json!({"name": model[define].name, "role": Role::Output.name()}));
            let variables: Vec<Value> = variables.chain(defines).collect();
            Ok(json!({"name": model.name, "variables": variables, "properties": model.properties.len()}))
        }
        "check" => {
            let session = Session::open(&path, &reading, events)?;
            let settings = CheckSettings { property: asked.texts("property")?, limits, ..CheckSettings::default() };
            let checked = session.check(&settings, events)?;
            document(&CheckDocument::new(&session, &checked, Defines::Main, "interrupted"))
        }
        "generate" => {
            let session = Session::open(&path, &goals.reading(reading), events)?;
            let settings = GenerateSettings {
                goals,
                kill,
                limits,
                keep: asked.texts("keep")?,
                strategy: asked.one_of("strategy", &Strategy::NAMED)?.unwrap_or_default(),
                engine: asked.one_of("engine", &Engine::NAMED)?.unwrap_or_default(),
                tests_per_goal: asked.number("tests_per_goal")?.unwrap_or(1).clamp(1, 9),
                ..GenerateSettings::default()
            };
            let generated = session.generate(&settings, events)?;
            let summary = document(&GenerateDocument::new(&generated, &settings))?;
            Ok(json!({"summary": summary, "suite": suite(&generated.model, &generated.suite())?}))
        }
        "grade" => {
            let settings =
                GradeSettings { goals, kill, limits, keep: asked.texts("keep")?, ..GradeSettings::default() };
            let mut session = Session::open(&path, &settings.reading(reading.clone()), events)?;
            let file = asked.path("suite")?;
            let read = session.read_suite(&file, None, events)?;
            let graded = session.grade(read, &settings, events)?;
            document(&GradeDocument::new(&graded, (&reading, &settings), &file, true, None))
        }
        "minimize" => {
            let settings = MinimizeSettings { goals, kill, limits, ..MinimizeSettings::default() };
            let mut session = Session::open(&path, &settings.goals.reading(reading), events)?;
            let read = session.read_suite(&asked.path("suite")?, None, events)?;
            let minimized = session.minimize(&read, &settings, events)?;
            let summary = document(&MinimizeDocument::new(&minimized, &settings, &read.suite))?;
            Ok(json!({"summary": summary, "suite": suite(&minimized.model, &minimized.suite)?}))
        }
        "audit" => {
            let session = Session::open(&path, &reading, events)?;
            let settings = AuditSettings {
                property: asked.texts("property")?,
                operators: asked.texts("operators")?,
                limits,
                ..AuditSettings::default()
            };
            match session.audit(&settings, events)? {
                Audit::Done(found) => document(&AuditDocument::new(&found)),
                Audit::Decided(_) => Err(Failure::message("an audit in Python is no shard")),
                Audit::Baseless => Err(Failure::message("there is nothing to audit: no property holds")),
            }
        }
        "walk" => {
            let session = Session::open(&path, &reading, events)?;
            let mut random = Random::new(asked.number("seed")?.unwrap_or(1) as u64);
            let mut walk = session.walk(true).with_defines(Defines::All);
            for _ in 0..=asked.number("steps")?.unwrap_or(50) {
                match walk.random_step(&mut random) {
                    Some(Ok(step)) => walk.take(step),
                    // The walk is as long as it can be.
                    Some(Err(_)) | None => break,
                }
                if cancel.load(Ordering::Relaxed) {
                    break;
                }
            }
            document(&walk.into_document())
        }
        other => Err(Failure::message(format_args!("unknown command `{other}`"))),
    }
}

fn document(document: &impl serde::Serialize) -> Result<Value, Failure> {
    serde_json::from_str(&specwright::document::json(document)?).map_err(Failure::message)
}

fn suite(model: &specwright::model::Model, suite: &Suite) -> Result<Value, Failure> {
    serde_json::from_str(&write_json(model, suite)).map_err(Failure::message)
}

/// What was asked for, with the names that Python gives to it.
struct Asked<'a>(&'a Value);

impl Asked<'_> {
    fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    fn text(&self, name: &str) -> Result<Option<String>, Failure> {
        let wrong = || Failure::message(format_args!("`{name}` must be a text"));
        self.get(name).map(|value| value.as_str().map(ToOwned::to_owned).ok_or_else(wrong)).transpose()
    }

    fn path(&self, name: &str) -> Result<PathBuf, Failure> {
        let text = self.text(name)?.ok_or_else(|| Failure::message(format_args!("`{name}` is missing")))?;
        Ok(Path::new(&text).to_path_buf())
    }

    /// A text, or a list of them.
    fn texts(&self, name: &str) -> Result<Vec<String>, Failure> {
        let wrong = || Failure::message(format_args!("`{name}` must be a text or a list of texts"));
        match self.get(name) {
            None => Ok(Vec::new()),
            Some(Value::String(text)) => Ok(vec![text.clone()]),
            Some(Value::Array(items)) => {
                items.iter().map(|item| item.as_str().map(ToOwned::to_owned).ok_or_else(wrong)).collect()
            }
            Some(_) => Err(wrong()),
        }
    }

    fn number(&self, name: &str) -> Result<Option<usize>, Failure> {
        let wrong = || Failure::message(format_args!("`{name}` must be a whole number"));
        let number = |value: &Value| value.as_u64().and_then(|number| usize::try_from(number).ok()).ok_or_else(wrong);
        self.get(name).map(number).transpose()
    }

    fn seconds(&self, name: &str) -> Result<Option<Duration>, Failure> {
        let wrong = || Failure::message(format_args!("`{name}` must be a number of seconds"));
        let duration =
            |value: &Value| value.as_f64().and_then(|n| Duration::try_from_secs_f64(n).ok()).ok_or_else(wrong);
        self.get(name).map(duration).transpose()
    }

    fn one_of<T: Copy>(&self, name: &str, named: &[(&str, T)]) -> Result<Option<T>, Failure> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        let found = named.iter().find(|(name, _)| *name == text).map(|(_, value)| *value);
        let names: Vec<&str> = named.iter().map(|(name, _)| *name).collect();
        let wrong = || Failure::message(format_args!("`{name}` must be one of {}, not `{text}`", names.join(", ")));
        found.ok_or_else(wrong).map(Some)
    }
}
