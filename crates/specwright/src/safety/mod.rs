//! Tests where a safety property could be violated.

mod wanted;

use crate::events::Events;
use crate::failure::Failure;
use crate::limits::Limits;
use crate::session::Session;
use crate::shard::{self, Decided, Sharding};
use crate::suites;
use crate::words::count;
use serde::{Deserialize, Serialize};
use specwright_mc::{Answer, Reason, Symbolic};
use specwright_model::hash::model_hash;
use specwright_model::{Model, Trace};
use specwright_syntax::span::SourceMap;
use specwright_testgen::mutate::{Mutant, Mutants};
pub use specwright_testgen::safety::Danger;
use specwright_testgen::safety::{Adequacy, Analysis, Class, Invariant, Known, Tests, analyse, combined, recognise};
use specwright_testgen::suite::{Read, Suite};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// What is to be protected, from which faults.
#[derive(Clone, Debug, Default)]
pub struct SafetySettings {
    /// The safety properties: invariants by name or number, or expressions; all invariants of the model if none are given.
    pub property: Vec<String>,
    /// The ways in which traces are to be dangerous; all if none are given.
    pub dangers: Vec<Danger>,
    /// The mutation operators, by their names; the default ones if none are given.
    pub operators: Vec<String>,
    /// Mutation operators not to apply.
    pub exclude: Vec<String>,
    /// Only mutants of what is said about these variables.
    pub variable: Vec<String>,
    /// Only these mutants, by their names.
    pub mutant: Vec<String>,
    /// Mutants to leave out: each a line `NAME REASON`, or a file of such lines.
    pub ignore: Vec<String>,
    /// Whether mutants of the environment count, in which inputs come that the machine does not take.
    pub environment: bool,
    /// The folder for the machine and each mutant in one, as SMV.
    pub combined: Option<PathBuf>,
    /// Whether only a shard is decided, or shards are merged.
    pub sharding: Sharding,
    /// How far work may go.
    pub limits: Limits,
}

impl SafetySettings {
    fn go_on(&self) -> ControlFlow<()> {
        if self.limits.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// The result of a safety analysis.
pub enum Safety {
    /// The machine itself violates these properties, each as its trace shows, so there is nothing to test yet.
    Violated(Vec<(String, Trace)>),
    /// What a shard has decided, if only that was asked.
    Decided(Decided),
    /// The dangerous mutants, and tests for them.
    Analysed(Box<Protection>),
}

/// The dangerous mutants of a machine, and tests for them.
pub struct Protection {
    /// The texts that the model and the properties came from.
    pub sources: SourceMap,
    /// The model, with the expressions of the mutants.
    pub model: Model,
    /// The ways in which traces are dangerous.
    pub dangers: Vec<Danger>,
    /// The mutants and their dangers.
    pub analysis: Analysis,
    /// The tests.
    pub tests: Protecting,
}

/// Tests against dangerous mutants: new ones, or those of a given suite.
pub enum Protecting {
    /// These were made.
    Made(Tests, Suite),
    /// A suite of this number of tests was given.
    Given(Adequacy, usize),
}

impl Session {
    /// Finds the mutants of the machine that can violate a safety property, and makes tests for them; or judges the tests of
    /// a suite by them.
    pub fn safety(
        &self,
        suite: Option<&Read>,
        settings: &SafetySettings,
        events: &mut dyn Events,
    ) -> Result<Safety, Failure> {
        let mut session = self.clone();
        let invariants = wanted::invariants(events, &mut session, settings)?;
        let (options, dangers) = (wanted::mutation(&session.model, settings)?, wanted::dangers(settings));
        let mut engine = session.engine(events, &settings.limits.options())?;
        let mut progress = events.progress(1);
        let explored = engine.explore(&mut |n| progress.exploring(n));
        progress.finish();
        if let Err(limit) = explored {
            events.error(format_args!("{}: {limit} before all reachable states were known", session.model.name));
            return Err(Failure::Undecided);
        }
        let violations = violations(events, &session.model, &mut engine, &invariants)?;
        if !violations.is_empty() {
            return Ok(Safety::Violated(violations));
        }

        let mut mutants = Mutants::new(&session.model, options);
        let all: Vec<Mutant> = mutants.by_ref().take_while(|_| !settings.limits.is_cancelled()).collect();
        // Goals of other criteria are ignored elsewhere.
        let unmet = mutants.unmet_ignores().filter(|ignore| !ignore.id.contains(':'));
        let unmet: Vec<String> = unmet.map(|ignore| ignore.id.clone()).collect();
        let all = wanted::only(all, &settings.mutant)?;
        let identity = identity(&session, &invariants, &all, settings);
        let decided = settings.sharding.decide(events, &identity, &|_| true, &mut |mutant| {
            let (model, mutant) = (&session.model, vec![all[mutant].clone()]);
            let (invariants, none) = (invariants.clone(), BTreeMap::new());
            let go_on = &mut |_| ControlFlow::Continue(());
            let analysis = analyse(model, &mut engine, invariants, mutant, settings.environment, &none, go_on);
            Ok((!settings.limits.is_cancelled()).then(|| Brief::of(&analysis)))
        })?;
        if let Some(decided) = decided {
            return Ok(Safety::Decided(decided));
        }
        let briefs = settings.sharding.merged(&identity, &mut |_, brief: Brief| brief.known())?;
        let known = briefs.into_iter().filter_map(|(mutant, known)| Some((mutant, known?))).collect();
        let mut progress = events.progress(all.len());
        let environment = settings.environment;
        let analysis = analyse(&session.model, &mut engine, invariants, all, environment, &known, &mut |done| {
            progress.at(done, "mutants");
            settings.go_on()
        });
        progress.finish();
        tell(events, settings, &analysis, &unmet);
        if let Some(folder) = &settings.combined {
            write_combined(events, &session.model, &mut engine, &analysis, folder)?;
        }
        let tests = if let Some(read) = suite {
            let adequacy = recognise(&mut engine, &analysis, &dangers, &read.suite);
            let invalid = adequacy.invalid_tests.iter().map(|(test, why)| read.invalid(&session.model, *test, why));
            events.report(&session.sources, &invalid.collect::<Vec<_>>());
            Protecting::Given(adequacy, read.suite.tests.len())
        } else {
            let mut progress = events.progress(analysis.found.len());
            let tests = Tests::new(&mut engine, &analysis, &dangers, &mut |done| {
                progress.at(done, "tests");
                settings.go_on()
            });
            progress.finish();
            let suite = tests.suite(&session.model, &analysis);
            Protecting::Made(tests, suite)
        };
        let Session { sources, model, .. } = session;
        Ok(Safety::Analysed(Box::new(Protection { sources, model, dangers, analysis, tests })))
    }
}

/// What the shards of an analysis agree in.
fn identity(
    session: &Session,
    invariants: &[Invariant],
    mutants: &[Mutant],
    settings: &SafetySettings,
) -> shard::Identity {
    let mut recorded = session.reading.recorded();
    recorded.extend(invariants.iter().map(|invariant| format!("protects={}", invariant.name)));
    recorded.push(format!("environment={}", settings.environment));
    let ids = mutants.iter().map(|mutant| mutant.id.to_string()).collect();
    shard::Identity { hash: model_hash(&session.model), settings: recorded, ids }
}

/// What a shard has found out about a mutant.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Brief {
    /// The name of what is known; `dangerous`, `undefined` or `undecided` for mutants that have to be looked at again.
    answer: String,
}

impl Brief {
    fn of(analysis: &Analysis) -> Brief {
        let word = match Known::of(analysis) {
            Some(known) => Known::NAMED.iter().find(|(_, other)| *other == known).map_or("", |(name, _)| *name),
            None if analysis.found.iter().any(|found| found.unknown().is_some()) => "undecided",
            None if analysis.found.iter().any(|found| found.class == Class::Undefined) => "undefined",
            None => "dangerous",
        };
        Brief { answer: word.into() }
    }

    fn known(self) -> Result<Option<Known>, String> {
        match Known::NAMED.iter().find(|(name, _)| *name == self.answer) {
            Some((_, known)) => Ok(Some(*known)),
            None if ["undecided", "undefined", "dangerous"].contains(&self.answer.as_str()) => Ok(None),
            None => Err(format!("`{}` is not an answer", self.answer)),
        }
    }
}

/// The machine must satisfy what it is to be tested for. Returns the properties that it violates.
fn violations(
    events: &mut dyn Events,
    model: &Model,
    engine: &mut Symbolic,
    invariants: &[Invariant],
) -> Result<Vec<(String, Trace)>, Failure> {
    let (mut violations, mut is_undecided) = (Vec::new(), false);
    for invariant in invariants {
        match engine.falsify(invariant.expr) {
            Answer::Impossible(_) => {}
            Answer::Found(trace) => violations.push((invariant.name.clone(), trace)),
            Answer::Undecided(reason) => {
                let reason = match reason {
                    Reason::Undefined(undefined) => crate::check::undefined::undefined(model, &undefined).message,
                    reason => reason.to_string(),
                };
                let name = &invariant.name;
                events.error(format_args!("it is undecided whether the machine satisfies {name}: {reason}"));
                is_undecided = true;
            }
        }
    }
    if violations.is_empty() && is_undecided { Err(Failure::Undecided) } else { Ok(violations) }
}

/// Says what was left out.
fn tell(events: &mut dyn Events, settings: &SafetySettings, analysis: &Analysis, unmet: &[String]) {
    if analysis.n_without_steps > 0 {
        let mutants = count(analysis.n_without_steps, "mutant");
        events.note(format_args!("{mutants} left out: they change no step"));
    }
    if analysis.n_environment > 0 {
        let mutants = count(analysis.n_environment, "mutant");
        events.note(format_args!(
            "{mutants} left out: they change the inputs of the environment; `--environment` keeps them"
        ));
    }
    let n_undefined = analysis.found.iter().filter(|found| found.class == Class::Undefined).count();
    if n_undefined > 0 {
        let mutants = count(n_undefined, "mutant");
        events.note(format_args!("{mutants} left out: an expression has no value in some state"));
    }
    let SafetySettings { operators, exclude, variable, mutant, .. } = settings;
    if [operators, exclude, variable, mutant].iter().all(|names| names.is_empty()) {
        for id in unmet {
            events.note(format_args!("there is no mutant {id} to ignore"));
        }
    }
}

/// Writes the combined machine of every mutant that departs from the machine.
fn write_combined(
    events: &mut dyn Events,
    model: &Model,
    engine: &mut Symbolic,
    analysis: &Analysis,
    folder: &Path,
) -> Result<(), Failure> {
    suites::make_folder(folder)?;
    let mut n_written = 0;
    for (index, found) in analysis.found.iter().enumerate() {
        if matches!(found.class, Class::Undefined | Class::Unknown(_)) {
            continue;
        }
        let Ok(both) = combined(model, engine, analysis, index) else {
            events.warning(format_args!("{} is not written: a limit was reached", found.mutant.id));
            continue;
        };
        let path = folder.join(format!("{}.smv", found.mutant.id));
        suites::write_file(&path, both.text(model, &found.mutant))?;
        n_written += 1;
    }
    events.note(format_args!("{} written to {}", count(n_written, "combined machine"), folder.display()));
    Ok(())
}
