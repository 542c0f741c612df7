//! The journal of a run: what is known, line by line, as it becomes known.
//!
//! `journal.jsonl` in the folder of a run is what `--resume` goes on from; `suite.json` and `goals.json` are made from it
//! when the run ends. The first line says what the run is about, every further line is what has changed since the line
//! before it. A line is written at once and counts once its line break is there, so the process may be killed at any
//! moment: what is left is a run as it was at some decision, and [`specwright_testgen::generate`] goes on from every one
//! as if it had never stopped. The file is locked as long as the run goes on; the lock ends with the process.

use super::folder::{refusal_of_model, without_defines};
use crate::failure::Failure;
use crate::policy::{JOURNAL_LINES, JOURNAL_STEPS};
use serde::{Deserialize, Serialize};
use specwright_mc::{Answer, Search};
use specwright_model::Model;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::span::SourceMap;
use specwright_testgen::generate::{Run, outcome as outcome_of, word};
use specwright_testgen::goal::Goal;
use specwright_testgen::suite::{Suite, Test, read_json, write_json};
use std::fs::{File, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

const SCHEMA: &str = "specwright/journal/1";

/// What a run is about: it is only resumed for the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Header {
    schema: String,
    model_hash: String,
    settings: Vec<String>,
    goals: Vec<String>,
}

impl Header {
    pub(super) fn new(model_hash: &str, settings: &[String], goals: &[Goal]) -> Header {
        Header {
            schema: SCHEMA.into(),
            model_hash: model_hash.into(),
            settings: settings.to_vec(),
            goals: goals.iter().map(|goal| goal.id.clone()).collect(),
        }
    }

    /// Why a run with that header is not the one that is asked for now.
    fn refusal(&self, old: &Header) -> Option<String> {
        if old.schema != self.schema {
            return Some(format!("its journal has the schema {}, not {SCHEMA}", old.schema));
        }
        if let Some(refusal) = refusal_of_model(&old.model_hash, &self.model_hash) {
            return Some(refusal.into());
        }
        if let Some(setting) = old.settings.iter().find(|setting| !self.settings.contains(setting)) {
            return Some(format!("it was started with {setting}"));
        }
        (old.goals != self.goals).then(|| "it has other goals".into())
    }
}

/// What has changed.
#[derive(Default, Serialize, Deserialize)]
struct Record {
    /// Goals by their numbers, with their outcomes and, where undecided, the reasons.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    outcomes: Vec<(usize, String, Option<String>)>,
    /// The tests that went, by their numbers before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    removed: Vec<usize>,
    /// The numbers of the tests that are new or have changed, by their numbers after.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    places: Vec<usize>,
    /// These tests, as a suite.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    suite: Option<serde_json::Value>,
}

/// A journal that is being written.
pub(super) struct Journal {
    file: File,
    /// The model that tests in it belong to.
    model: Model,
    /// What it says of the goals.
    outcomes: Vec<Option<Answer<()>>>,
    /// What it says of the tests, as far as it takes to see whether one has changed.
    tests: Vec<Mark>,
    n_decisions: usize,
    steps: u64,
}

/// The name of a test and its numbers of states and of goals. Tests only ever grow, in one or the other.
type Mark = (String, usize, usize);

impl Journal {
    /// Opens the journal in a folder, with the run that it holds if that is to be resumed, or else with this one.
    pub(super) fn open(
        folder: &Path,
        header: &Header,
        model: &Model,
        resume: bool,
        fresh: &Run,
    ) -> Result<(Journal, Run), Failure> {
        let path = folder.join("journal.jsonl");
        let cannot = |error: std::io::Error| Failure::message(format_args!("cannot write {}: {error}", path.display()));
        let options = File::options().read(true).write(true).create(true).truncate(false).open(&path);
        let mut file = options.map_err(cannot)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                return Err(Failure::message(format_args!("another run is writing to {}", folder.display())));
            }
            // Where files cannot be locked, they are not.
            Err(TryLockError::Error(_)) | Ok(()) => {}
        }
        let mut run = fresh.clone();
        let mut end = 0;
        if resume {
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).map_err(cannot)?;
            if let Some((found, length)) = read(&bytes, header, model, fresh.outcomes.len())
                .map_err(Failure::because(format_args!("cannot resume the run in {}", folder.display())))?
            {
                (run, end) = (found, length);
            }
        }
        file.set_len(end).map_err(cannot)?;
        file.seek(SeekFrom::End(0)).map_err(cannot)?;
        let known = if end > 0 { run.clone() } else { Run::new(run.outcomes.len()) };
        let (tests, outcomes) = (marks(&known), known.outcomes);
        let mut journal = Journal { file, model: model.clone(), outcomes, tests, n_decisions: 0, steps: 0 };
        if end == 0 {
            journal.line(header)?;
            journal.write(&run)?;
        }
        Ok((journal, run))
    }

    /// Hears of a decision, and writes what is new if there was work enough.
    pub(super) fn decided(&mut self, search: &dyn Search, run: &Run) -> Result<(), Failure> {
        self.n_decisions += 1;
        let due = self.n_decisions > run.outcomes.len() / JOURNAL_LINES || search.steps() >= self.steps + JOURNAL_STEPS;
        if due {
            self.n_decisions = 0;
            self.steps = search.steps();
            self.write(run)?;
        }
        Ok(())
    }

    /// Writes what is new.
    pub(super) fn write(&mut self, run: &Run) -> Result<(), Failure> {
        let mut record = Record::default();
        for (goal, (old, new)) in self.outcomes.iter_mut().zip(&run.outcomes).enumerate() {
            if old != new {
                old.clone_from(new);
                let why = new.as_ref().and_then(Answer::reason).map(ToString::to_string);
                record.outcomes.push((goal, new.as_ref().map_or("open", word).into(), why));
            }
        }
        let mut place = 0;
        let mut kept = Vec::new();
        for (at, old) in self.tests.iter().enumerate() {
            if run.tests.get(place).is_some_and(|new| new.name == old.0) {
                kept.push(old);
                place += 1;
            } else {
                record.removed.push(at);
            }
        }
        let tests = marks(run);
        let changed = |at: &usize| kept.get(*at) != Some(&&tests[*at]);
        record.places = (0..run.tests.len()).filter(changed).collect();
        if !record.places.is_empty() {
            let changed: Vec<Test> = record.places.iter().map(|at| run.tests[*at].clone()).collect();
            let suite = Suite { model: String::new(), model_hash: None, tests: changed, goals: None };
            record.suite = Some(serde_json::from_str(&write_json(&self.model, &suite)).map_err(Failure::message)?);
        }
        let is_empty = record.outcomes.is_empty() && record.removed.is_empty() && record.places.is_empty();
        self.tests = tests;
        if is_empty { Ok(()) } else { self.line(&record) }
    }

    fn line(&mut self, content: &impl Serialize) -> Result<(), Failure> {
        let mut line = serde_json::to_vec(content).map_err(Failure::message)?;
        line.push(b'\n');
        self.file.write_all(&line).map_err(Failure::because("cannot write the journal of the run"))
    }
}

fn marks(run: &Run) -> Vec<Mark> {
    run.tests.iter().map(|test| (test.name.clone(), test.trace.states.len(), test.goals.len())).collect()
}

/// The run of a journal, and how many bytes of it count; nothing if there is not even a header.
fn read(bytes: &[u8], header: &Header, model: &Model, n_goals: usize) -> Result<Option<(Run, u64)>, String> {
    let mut lines = bytes.split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n"));
    let Some(first) = lines.next() else { return Ok(None) };
    let old: Header = serde_json::from_slice(first).map_err(|error| format!("its journal has no header: {error}"))?;
    if let Some(refusal) = header.refusal(&old) {
        return Err(refusal);
    }
    let mut run = Run::new(n_goals);
    let mut end = first.len();
    for line in lines {
        let record: Result<Record, String> = serde_json::from_slice(line).map_err(|error| error.to_string());
        let applied = record.and_then(|record| apply(&mut run, record, model));
        applied.map_err(|error| format!("its journal is damaged: {error}"))?;
        end += line.len();
    }
    Ok(Some((run, end as u64)))
}

fn apply(run: &mut Run, record: Record, model: &Model) -> Result<(), String> {
    for (goal, word, reason) in record.outcomes {
        let outcome = run.outcomes.get_mut(goal).ok_or("it has an unknown goal")?;
        *outcome = outcome_of(&word, reason);
    }
    for at in record.removed.into_iter().rev() {
        if at >= run.tests.len() {
            return Err("it removes an unknown test".into());
        }
        run.tests.remove(at);
    }
    let Some(suite) = record.suite else { return Ok(()) };
    let mut sources = SourceMap::default();
    let Ok(index) = sources.add("journal.jsonl", suite.to_string()) else { return Err("a line is too large".into()) };
    let (read, diagnostics) = read_json(model, &sources.files()[index]);
    if let Some(error) = diagnostics.iter().find(|diagnostic| Diagnostic::is_error(diagnostic)) {
        return Err(error.message.clone());
    }
    if read.suite.tests.len() != record.places.len() {
        return Err("a line has tests without places".into());
    }
    for (place, test) in record.places.into_iter().zip(read.suite.tests.into_iter().map(without_defines)) {
        match place.cmp(&run.tests.len()) {
            std::cmp::Ordering::Less => run.tests[place] = test,
            std::cmp::Ordering::Equal => run.tests.push(test),
            std::cmp::Ordering::Greater => return Err("a line has a test at no place".into()),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use specwright_mc::{Options as EngineOptions, Symbolic};
    use specwright_model::lower::smv;
    use specwright_syntax::smv::{ast::Dialect, parse};
    use specwright_testgen::criteria;
    use specwright_testgen::generate::{Options, Strategy, generate};
    use std::ops::ControlFlow;
    use std::path::PathBuf;

    const TEXT: &str = "MODULE main
        IVAR go : boolean;
        VAR a : 0..3; b : {idle, busy, done};
        ASSIGN
          init(a) := 0;
          init(b) := idle;
          next(a) := case go & a < 3 : a + 1; !go & a > 0 : a - 1; TRUE : a; esac;
          next(b) := case a = 3 : done; b = idle & go : busy; b = done & !go : idle; TRUE : b; esac;
        SPEC AG (b = busy -> AX (b = busy | b = done))
        SPEC AG (a = 3 -> AX b = done)
        LTLSPEC G (b = done -> O a = 3)";

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("specwright-journal-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a test may fail here");
        folder
    }

    /// A model, its goals and an engine, as after a start of the program.
    fn start() -> (Model, Symbolic, Vec<Goal>) {
        let mut sources = SourceMap::default();
        sources.add("m.smv", TEXT).expect("it is small");
        let (tree, _) = parse(&sources.files()[0], Dialect::NuSmv);
        let model = smv::lower(&tree, &smv::Options::default()).0.expect("it is valid");
        let mut engine =
            Symbolic::new(model.system.clone(), &EngineOptions::default()).unwrap_or_else(|error| panic!("{error:?}"));
        let goals = criteria::collect(&model, Some(&mut engine), &criteria::Options::default()).0;
        (model, engine, goals)
    }

    /// Goes on with the run in a folder, and ends it.
    fn go_on(folder: &Path, options: &Options, resume: bool) -> Result<Run, Failure> {
        let (model, mut engine, goals) = start();
        let header = Header::new("sw1:0", &[format!("{:?}", options.strategy)], &goals);
        let (mut journal, mut run) = Journal::open(folder, &header, &model, resume, &Run::new(goals.len()))?;
        let result = generate(&mut engine, &goals, options, &mut run, &mut |engine, run| {
            journal.decided(engine, run).expect("a test may fail here");
            ControlFlow::Continue(())
        });
        assert!(result.is_continue());
        Ok(run)
    }

    #[test]
    fn a_run_that_is_killed_at_any_byte_ends_as_if_it_had_not_been() {
        for (name, strategy) in Strategy::NAMED {
            for tests_per_goal in [1, 2] {
                let options = Options { strategy, tests_per_goal, ..Options::default() };
                let folder = folder(&format!("{name}-{tests_per_goal}"));
                let whole = go_on(&folder, &options, false).expect("a test may fail here");
                let path = folder.join("journal.jsonl");
                let bytes = std::fs::read(&path).expect("a test may fail here");
                let lines: Vec<usize> =
                    bytes.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(at, _)| at).collect();
                assert!(lines.len() > 10, "{name}: {} lines", lines.len());
                // Right before, at and after every line break, and inside of lines.
                let inside = (0..20).map(|n| n * bytes.len() / 20);
                let cuts =
                    lines.iter().flat_map(|at| [*at, at + 1, at + 2]).chain(inside).filter(|at| *at <= bytes.len());
                for cut in cuts {
                    std::fs::write(&path, &bytes[..cut]).expect("a test may fail here");
                    let resumed = go_on(&folder, &options, true).expect("a test may fail here");
                    assert_eq!(resumed, whole, "{name}, cut at {cut} of {}", bytes.len());
                    let again = go_on(&folder, &options, true).expect("a test may fail here");
                    assert_eq!(again, whole, "{name}, resumed twice after {cut}");
                }
                let _ = std::fs::remove_dir_all(&folder);
            }
        }
    }

    #[test]
    fn another_run_keeps_out_and_a_dead_one_does_not() {
        let folder = folder("lock");
        let (model, _, goals) = start();
        let header = Header::new("sw1:0", &[], &goals);
        let open = |header: &Header, resume| {
            Journal::open(&folder, header, &model, resume, &Run::new(goals.len())).map(|(journal, _)| journal)
        };
        let first = open(&header, false).expect("a test may fail here");
        let refused = open(&header, true).err().map(|error| error.to_string()).unwrap_or_default();
        assert_eq!(refused, format!("another run is writing to {}", folder.display()));
        drop(first);
        drop(open(&header, true).expect("the lock ends with its owner"));
        let other = Header::new("sw1:0", &["strategy=each".into()], &goals);
        drop(open(&other, false).expect("a new run may be another one"));
        let refused = open(&header, true).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(refused.ends_with("it was started with strategy=each"), "{refused}");
        let _ = std::fs::remove_dir_all(&folder);
    }
}
