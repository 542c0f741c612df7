//! Suites with the models that they belong to: runs on implementations, and exports.

use crate::events::Events;
use crate::failure::Failure;
use crate::frontend;
use crate::limits::Limits;
use crate::session::{ReadSettings, Session};
use crate::suites;
use crate::text::{self, Text};
use specwright_harness::export::{Exported, Format, export, export_with};
use specwright_harness::report::{RunDocument, VariantEntry, VariantsDocument, junit};
pub use specwright_harness::run::protocol::Timing;
use specwright_harness::run::variants::{command, variants};
use specwright_harness::run::{self, Options, Runner};
pub use specwright_harness::run::{
    Judging, Outcome, Report, Service, Shrunk, Target, TransportError, Verdict, kill_all,
};
use specwright_model::Model;
use specwright_model::hash::{is_same, model_hash};
use specwright_model::interface::Role;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::span::SourceMap;
use specwright_testgen::suite::{Read, Suite, Test, Validated, shell, validate};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Where a suite and its model are to be found.
#[derive(Clone, Debug, Default)]
pub struct SuiteSource {
    /// The suite.
    pub suite: PathBuf,
    /// The model; if it is not given, the one that the suite names, if it is still the same.
    pub model: Option<PathBuf>,
    /// How to read the model.
    pub reading: ReadSettings,
    /// Names and values of an imported suite, if they are not those of the model.
    pub mapping: Option<PathBuf>,
    /// Whether nothing is wanted of the model but its variables.
    pub recorded: bool,
}

/// A suite and its model.
#[derive(Clone, Debug)]
pub struct BoundSuite {
    /// The model as a tester sees it, or as much of it as the suite knows.
    pub model: Model,
    /// The suite.
    pub read: Read,
    /// Whether the model says what is allowed, and not only which variables there are.
    pub has_behaviour: bool,
}

/// How to run a suite on an implementation.
#[derive(Clone, Debug)]
pub struct RunSettings {
    /// The time for the first answer.
    pub start_timeout: Duration,
    /// The time for the answer to each step.
    pub step_timeout: Duration,
    /// The time for everything.
    pub timeout: Option<Duration>,
    /// How many tests run at a time.
    pub jobs: usize,
    /// Whether to stop at the first test that fails.
    pub fail_fast: bool,
    /// Whether shorter tests are looked for where one fails.
    pub shrink: bool,
    /// How often to go round the loop of a test.
    pub turns: usize,
    /// How many steps a test may spend on the way back after another choice that is allowed too.
    pub recovery_steps: usize,
    /// How often to run a test that shows some faults in some runs only.
    pub runs: usize,
    /// How far work may go.
    pub limits: Limits,
}

impl Default for RunSettings {
    fn default() -> RunSettings {
        RunSettings {
            start_timeout: Duration::from_secs(10),
            step_timeout: Duration::from_secs(2),
            timeout: None,
            jobs: 1,
            fail_fast: false,
            shrink: false,
            turns: 1,
            recovery_steps: 100,
            runs: 5,
            limits: Limits::default(),
        }
    }
}

/// Why a suite was not run: the program or service did not answer.
#[derive(Clone, Debug)]
pub struct NotStarted {
    /// What went wrong.
    pub error: TransportError,
    /// The end of what the program wrote to its standard error.
    pub stderr_tail: String,
}

/// A suite on a variant of a program.
#[derive(Clone, Debug)]
pub struct VariantResult {
    /// The name of its file.
    pub name: String,
    /// What became of the tests.
    pub report: Result<Report, TransportError>,
}

impl VariantResult {
    /// Whether a test tells it from a right program.
    pub fn is_exposed(&self) -> bool {
        self.report.as_ref().is_ok_and(|report| report.count(Verdict::Fail) + report.count(Verdict::Error) > 0)
    }
}

impl BoundSuite {
    /// Reads a suite and its model.
    pub fn open(source: &SuiteSource, events: &mut dyn Events) -> Result<BoundSuite, Failure> {
        let mut sources = SourceMap::default();
        let described = described(&source.suite)?;
        let (mut model, has_behaviour) = match (&source.model, &described) {
            (Some(path), _) => {
                let observed = described.as_ref().map(observed).unwrap_or_default();
                let reading = ReadSettings { observed, suite: Some(source.suite.clone()), ..source.reading.clone() };
                let session = Session::open(path, &reading, events)?;
                sources = session.sources;
                (session.model, true)
            }
            (None, Some(described)) if source.recorded => (described.clone(), false),
            (None, Some(described)) => {
                let named = named(described, source);
                let is_old = |hash: String| is_same(&hash, "").is_none();
                if named.is_none() && recorded_hash(&source.suite).is_some_and(is_old) {
                    events.warning(
                        "the suite was made by an earlier version: cannot compare the model; \
                         `--model` says which it is",
                    );
                }
                let has_behaviour = named.is_some();
                (named.unwrap_or_else(|| described.clone()), has_behaviour)
            }
            (None, None) => {
                let suite = source.suite.display();
                let why = format!("{suite} has no declarations of variables: give the model with `--model`");
                return Err(Failure::Message(why));
            }
        };
        // Who sets and sees what, and when, was decided when the suite was made.
        if let Some(described) = &described {
            model.adopt_interface(described);
        }
        let view = model.tester_view();
        let mapping = source.mapping.as_deref();
        let mut read = suites::read_for(events, &mut sources, &model, &view, &source.suite, mapping)?;
        for state in read.suite.tests.iter_mut().flat_map(|test| &mut test.trace.states) {
            view.fill_defined_outputs(state);
        }
        Ok(BoundSuite { model: view, read, has_behaviour })
    }

    /// Reads a suite and its model for a run, in which negative tests end at their departure.
    pub fn open_to_run(source: &SuiteSource, events: &mut dyn Events) -> Result<BoundSuite, Failure> {
        let mut bound = BoundSuite::open(source, events)?;
        bound.read.suite.tests.iter_mut().for_each(Test::end_at_departure);
        if bound.read.suite.tests.is_empty() {
            events.warning("the suite has no tests");
        }
        events.input_is_read();
        Ok(bound)
    }

    /// Whether the specification judges, or the recorded tests do.
    pub fn judging(&self) -> Judging {
        if self.has_behaviour { Judging::Specification } else { Judging::Recorded }
    }

    /// Runs the tests on an implementation; [`BoundSuite::open_to_run`] reads them so.
    pub fn run(&self, target: &Target, settings: &RunSettings) -> Result<Report, NotStarted> {
        self.run_on(target, &self.options(settings))
    }

    /// Runs the tests on each file of a folder, which stands for `{}` in the command.
    pub fn run_variants(
        &self,
        folder: &Path,
        program: &[OsString],
        settings: &RunSettings,
        events: &mut dyn Events,
    ) -> Result<Vec<VariantResult>, Failure> {
        let options = self.options(settings);
        let found =
            variants(folder).map_err(Failure::because(format_args!("cannot read the folder {}", folder.display())))?;
        let mut results = Vec::new();
        let mut progress = events.progress(found.len());
        for variant in &found {
            if settings.limits.is_cancelled() {
                break;
            }
            let target = Target::Program(command(program, variant));
            let report = self.run_on(&target, &options).map_err(|not_started| not_started.error);
            let name = variant.file_name().unwrap_or(variant.as_os_str()).to_string_lossy().into_owned();
            progress.at(results.len(), &name);
            results.push(VariantResult { name, report });
        }
        progress.finish();
        Ok(results)
    }

    fn run_on(&self, target: &Target, options: &Options) -> Result<Report, NotStarted> {
        let runner = Runner { model: &self.model, suite: &self.read.suite, target, options };
        runner.run(&|_| ()).map_err(|(error, stderr_tail)| NotStarted { error, stderr_tail })
    }

    fn options(&self, settings: &RunSettings) -> Options {
        Options {
            judging: self.judging(),
            limits: run::Limits {
                start: settings.start_timeout,
                step: settings.step_timeout,
                deadline: settings.timeout.map(|timeout| Instant::now() + timeout),
                interrupt: Some(settings.limits.cancel.clone()),
            },
            jobs: settings.jobs,
            fail_fast: settings.fail_fast,
            shrink: settings.shrink,
            turns: settings.turns,
            recovery_steps: settings.recovery_steps,
            runs: settings.runs,
        }
    }

    /// What became of the tests, as a document.
    pub fn document(&self, report: &Report, suite: &Path) -> RunDocument {
        let by_specification = self.judging() == Judging::Specification;
        RunDocument::new(&self.model, &self.read.suite, suite, report, by_specification)
    }

    /// What became of the tests on each variant, as a document.
    pub fn variants_document(&self, results: &[VariantResult]) -> VariantsDocument {
        let entry = |result: &VariantResult| {
            let report = result.report.as_ref().map_err(ToString::to_string);
            VariantEntry::new(&self.model, &self.read.suite, result.name.clone(), report)
        };
        VariantsDocument::new(&self.read.suite, results.iter().map(entry).collect())
    }

    /// What became of the tests, as JUnit XML.
    pub fn junit(&self, report: &Report) -> String {
        junit(&self.model, &self.read.suite, report)
    }

    /// The shortest failing tests that were found, each under its name.
    pub fn shrunk(&self, report: &Report) -> Suite {
        let suite = &self.read.suite;
        let tests = report.outcomes.iter().filter_map(|(index, outcome)| {
            let (test, trace) = (&suite.tests[*index], outcome.shrunk.clone()?.trace);
            Some(Test {
                shows: test.shows.clone(),
                expect: test.expect,
                goals: test.goals.clone(),
                ..Test::new(test.name.clone(), trace)
            })
        });
        Suite { tests: tests.collect(), goals: None, ..suite.clone() }
    }

    /// Sends all inputs at this time, whatever the suite says.
    pub fn set_timing(&mut self, timing: Timing) {
        for input in self.model.timed_inputs().collect::<Vec<_>>() {
            self.model.interface.set_timing(input, timing);
        }
    }

    /// Exports the suite. What tests leave open is filled in where the model leaves one way.
    pub fn export(&self, format: &Format) -> Result<Vec<Exported>, Failure> {
        export(&self.model, &self.completed(), format).map_err(Failure::message)
    }

    /// Fills in a template with the suite.
    pub fn export_with(&self, template: &Path) -> Result<Exported, Failure> {
        let template = text::read(template, &template.display().to_string())?;
        let text = export_with(&self.model, &self.completed(), &template).map_err(Failure::message)?;
        Ok(Exported { name: "suite.txt".into(), text })
    }

    fn completed(&self) -> Suite {
        let mut suite = self.read.suite.clone();
        for test in suite.tests.iter_mut().filter(|_| self.has_behaviour) {
            if let Ok(Validated::Execution(trace)) = validate(&self.model, test) {
                test.trace = trace;
            }
        }
        suite
    }
}

/// The variables that a suite describes, if it is one that does.
fn described(path: &Path) -> Result<Option<Model>, Failure> {
    if path.is_dir() {
        return Ok(None);
    }
    let name = path.display().to_string();
    let text = Text::read(path, &name).map_err(Failure::Message)?.text;
    if !text.trim_start().starts_with('{') {
        return Ok(None);
    }
    let mut sources = SourceMap::default();
    let Ok(index) = sources.add(&name, text) else {
        return Err(Failure::Message(format!("{name} is too large")));
    };
    // What is wrong with it is reported when it is read against a model.
    Ok(shell(&sources.files()[index]).ok())
}

/// The model that a suite names, if it is where it was, and still the same.
fn named(described: &Model, source: &SuiteSource) -> Option<Model> {
    let recorded = recorded_hash(&source.suite)?;
    let here = PathBuf::from(&described.name);
    let beside = source.suite.parent().map(|folder| folder.join(&described.name));
    [Some(here), beside].into_iter().flatten().find_map(|path| {
        let name = path.display().to_string();
        let mut sources = SourceMap::default();
        let frontend = frontend::of(&path);
        let text = Text::read_by(&path, &name, |bytes| frontend.text(bytes)).ok()?;
        let (index, _) = text.add_to(&mut sources, &name).ok()?;
        let (dialect, observed) = (source.reading.dialect, observed(described));
        let settings = ReadSettings { dialect, observed, ..ReadSettings::default() };
        let (model, found) = frontend.understand(&mut sources, index, &settings);
        let is_valid = !found.iter().any(Diagnostic::is_error);
        let mut model = model.filter(|model| is_valid && model_hash(model) == recorded)?;
        model.infer_outputs();
        Some(model)
    })
}

/// The names of what a suite observes.
fn observed(described: &Model) -> Vec<String> {
    let outputs = described.vars().filter(|(var, _)| described.role(*var) == Role::Output);
    outputs.map(|(_, var)| var.name.clone()).collect()
}

fn recorded_hash(path: &Path) -> Option<String> {
    let text = Text::read(path, "").ok()?.text;
    let document: serde_json::Value = serde_json::from_str(&text).ok()?;
    document.get("model_hash")?.as_str().map(Into::into)
}
