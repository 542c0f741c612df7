//! From a path to a model: reads the file, parses and lowers it, and reports what is wrong with it.

use crate::check::expectations::{self, Findings};
use crate::check::undefined;
use crate::events::Events;
use crate::failure::Failure;
use crate::frontend::{self, Frontend};
use crate::limits::Limits;
use crate::roles;
use crate::suites;
use crate::text::{Text, is_stdin};
use crate::words::count;
use specwright_mc::{BuildError, Definedness, Options, Symbolic, definedness};
use specwright_model::Model;
use specwright_model::formula::add_properties;
use specwright_model::lower::asm::Bounds;
use specwright_model::lower::scr::Overlap;
use specwright_model::unparse::try_print_model;
use specwright_syntax::smv::ast::Dialect;
use specwright_syntax::span::SourceMap;
use specwright_testgen::criteria::add_shadows;
use specwright_testgen::suite::Read;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How to read a model.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches")]
pub struct ReadSettings {
    /// The dialect, if it is SMV.
    pub dialect: Dialect,
    /// Variables that the tester sets, whatever the model suggests. A name also stands for the parts of what it names.
    pub input: Vec<String>,
    /// Variables and defines that the tester observes.
    pub output: Vec<String>,
    /// Variables and defines that the tester neither sets nor observes.
    pub internal: Vec<String>,
    /// Files with properties that are kept apart from the model.
    pub requirements: Vec<PathBuf>,
    /// The suite that the model is read for: scenarios may execute rules before a step.
    pub suite: Option<PathBuf>,
    /// Variables and defines that a suite of the model observes.
    pub observed: Vec<String>,
    /// Whether the rules of a machine are mutated, which takes a while.
    pub mutants: bool,
    /// Whether the mutants of rules are to be executed.
    pub machine_mutants: bool,
    /// Whether variables are added that remember previous values, for the properties that restate the machine.
    pub shadows: bool,
    /// Bounds of what has no end in a machine.
    pub bounds: Bounds,
    /// What overlapping rows of SCR tables mean.
    pub overlap: Overlap,
    /// Whether condition tables of SCR have values also in their gaps, which cannot be reached.
    pub fills_gaps: bool,
    /// Texts that stand for those of files, by path: what an editor has not saved yet. Imports are looked for here first.
    pub texts: Arc<BTreeMap<PathBuf, Arc<str>>>,
    /// How far work on the model may go.
    pub limits: Limits,
}

impl ReadSettings {
    /// What is the same whenever the model is read, as `flag=value`.
    pub fn recorded(&self) -> Vec<String> {
        let list = |name: &str, names: &[String]| format!("{name}={}", names.join(","));
        let mut recorded = vec![
            format!("dialect={:?}", self.dialect).to_lowercase(),
            list("input", &self.input),
            list("output", &self.output),
            list("internal", &self.internal),
        ];
        let default = Bounds::default();
        let bounds = [
            ("max-sequence", self.bounds.sequence, default.sequence),
            ("max-extend", self.bounds.extend, default.extend),
            ("max-rounds", self.bounds.rounds, default.rounds),
        ];
        let changed = bounds.into_iter().filter(|(_, bound, default)| bound != default);
        recorded.extend(changed.map(|(name, bound, _)| format!("{name}={bound}")));
        if self.overlap == Overlap::Choose {
            recorded.push("overlap=choose".into());
        }
        recorded.extend(self.requirements.iter().map(|path| format!("requirements={}", path.display())));
        recorded
    }
}

/// A model that was read, and the text it came from.
#[derive(Clone, Debug)]
pub struct Session {
    /// The text, and what was read beside it.
    pub sources: SourceMap,
    /// The model.
    pub model: Model,
    /// How it was read.
    pub reading: ReadSettings,
}

impl Session {
    /// The same session, in which work on the model has as many threads as these limits allow.
    pub(crate) fn with_jobs(mut self, limits: &Limits) -> Session {
        self.model.system.budget = self.model.system.budget.with_jobs(limits.jobs);
        self
    }

    /// Reads a model; `-` is SMV from standard input. Whether its expressions have values everywhere is left to an engine,
    /// which finds out anyway; what makes none asks for [`Session::open_evaluated`].
    pub fn open(path: &Path, settings: &ReadSettings, events: &mut dyn Events) -> Result<Session, Failure> {
        let name = if is_stdin(path) { "<stdin>".to_owned() } else { path.display().to_string() };
        let frontend = frontend::of(path);
        let text = Text::read_by(path, &name, |bytes| frontend.text(bytes));
        let text = text.map_err(|message| invalid(events, message))?;
        events.input_is_read();
        Session::understand(frontend, &name, text, settings, events)
    }

    /// Reads a model that is at hand. The extension of the name says which language it is, as for a file; what it imports is
    /// looked for beside such a file.
    pub fn parse(
        name: &str,
        text: impl Into<String>,
        settings: &ReadSettings,
        events: &mut dyn Events,
    ) -> Result<Session, Failure> {
        Session::understand(frontend::of(Path::new(name)), name, Text::from(text.into()), settings, events)
    }

    fn understand(
        frontend: &dyn Frontend,
        name: &str,
        text: Text,
        settings: &ReadSettings,
        events: &mut dyn Events,
    ) -> Result<Session, Failure> {
        let mut sources = SourceMap::within(settings.limits.budget());
        let (index, encoding) = text.add_to(&mut sources, name).map_err(|message| invalid(events, message))?;
        let (model, mut diagnostics) = frontend.understand(&mut sources, index, settings);
        diagnostics.splice(0..0, encoding);
        let failed = events.report(&sources, &diagnostics);
        if failed && let Some(advice) = frontend.advice(&mut sources, index, settings, &diagnostics) {
            events.note(advice);
        }
        let mut model = model.filter(|_| !failed).ok_or(Failure::Invalid)?;
        let mut found = examine(&model, settings);
        if found.as_ref().is_some_and(|found| found.has_gaps) && !settings.fills_gaps {
            // Whether the gaps can be reached shows in a model that goes on there.
            let settings = ReadSettings { fills_gaps: true, ..settings.clone() };
            if let (Some(filled), _) = frontend.understand(&mut sources, index, &settings) {
                found = examine(&filled, &settings);
                model = filled;
            }
        }
        if let Some(found) = found {
            report(events, &sources, &found)?;
        }
        roles::assign(&mut model, settings).map_err(|message| invalid(events, message))?;
        model.infer_outputs();
        for path in &settings.requirements {
            require(events, &mut sources, &mut model, path, settings)?;
        }
        if settings.shadows {
            add_shadows(&mut model);
        }
        Ok(Session { sources, model, reading: settings.clone() })
    }

    /// Reads a model, and refuses it if an expression has no value somewhere, as far as that shows with little work.
    pub fn open_evaluated(path: &Path, settings: &ReadSettings, events: &mut dyn Events) -> Result<Session, Failure> {
        let session = Session::open(path, settings, events)?;
        let limits = &settings.limits;
        let max_memory = (limits.memory)().min(1 << 30);
        let options = Options { max_memory, budget: limits.budget(), ..Default::default() };
        let Definedness { undefined, is_complete } = definedness(&session.model, &options);
        if !undefined.is_empty() {
            return Err(session.refuse(events, &BuildError::Undefined(undefined)));
        }
        if !is_complete && events.verbose() {
            events.note("not decided whether all expressions always have values: use `check`");
        }
        Ok(session)
    }

    /// The model in one module, as SMV.
    pub fn to_smv(&self) -> Result<String, Failure> {
        try_print_model(&self.model).map_err(Failure::message)
    }

    /// Reads a suite of the model, with a mapping of names and values if it has others.
    pub fn read_suite(
        &mut self,
        path: &Path,
        mapping: Option<&Path>,
        events: &mut dyn Events,
    ) -> Result<Read, Failure> {
        suites::read(events, &mut self.sources, &self.model, path, mapping)
    }

    /// An engine for the model.
    pub fn engine(&self, events: &mut dyn Events, options: &Options) -> Result<Symbolic, Failure> {
        Symbolic::new(self.model.system.clone(), options).map_err(|error| self.refuse(events, &error))
    }

    /// Says why there is no engine for the model, or for a part of it that has its ids.
    pub fn refuse(&self, events: &mut dyn Events, error: &BuildError) -> Failure {
        if let BuildError::Limit(limit) = error {
            events.error(format_args!("{}: {limit} before the model was built", self.model.name));
            return Failure::Undecided;
        }
        events.report(&self.sources, &undefined::build_error(&self.model, error));
        Failure::Invalid
    }
}

/// Adds the properties of a file to the model.
fn require(
    events: &mut dyn Events,
    sources: &mut SourceMap,
    model: &mut Model,
    path: &Path,
    settings: &ReadSettings,
) -> Result<(), Failure> {
    let name = path.display().to_string();
    let text = crate::text::read(path, &name)?;
    let Ok(index) = sources.add(&name, text) else {
        return Err(invalid(events, format!("{name} is too long")));
    };
    let file = sources.files()[index].clone();
    let found = add_properties(model, &file, settings.dialect);
    if events.report(sources, &found) { Err(Failure::Invalid) } else { Ok(()) }
}

/// Says what is wrong with the input.
fn invalid(events: &mut dyn Events, message: String) -> Failure {
    events.error(message);
    Failure::Invalid
}

/// Where the model is not what its author takes for granted.
fn examine(model: &Model, settings: &ReadSettings) -> Option<Findings> {
    let has_any = !model.source.expectations.is_empty();
    has_any.then(|| expectations::examine(model, settings.fills_gaps, &settings.limits))
}

/// Reports where the model is not what its author takes for granted.
fn report(events: &mut dyn Events, sources: &SourceMap, found: &Findings) -> Result<(), Failure> {
    let failed = events.report(sources, &found.diagnostics);
    if found.open > 0 {
        let questions = count(found.open, "question");
        events.warning(format_args!(
            "{questions} about the consistency of the tables not answered: too large, or with numbers without an end"
        ));
    }
    if failed { Err(Failure::Invalid) } else { Ok(()) }
}
