//! Verification in the background: checks, suites and audits, each on a thread of its own, with a budget and a way to stop.

use crate::analysis::STACK;
use crate::feature::plain;
use crossbeam_channel::{RecvTimeoutError, Sender, bounded};
use gen_lsp_types::{Diagnostic, DiagnosticSeverity, Position, Range};
use lsp_server::RequestId;
use serde_json::{Value, json};
use specwright::audit::Audit;
use specwright::check::{Verdict, reason_text};
use specwright::document::{self, CheckDocument};
use specwright::events::Level;
use specwright::export::{Format, export};
use specwright::model::expr::Node;
use specwright::model::model::VarKind;
use specwright::model::op::BinaryOp;
use specwright::model::trace::{Defines, TextOptions, TraceJson, to_text};
use specwright::model::{ExprId, Model, Trace, VarId};
use specwright::syntax::budget::Budget;
use specwright::syntax::span::Span;
use specwright::testgen::suite::write_text;
use specwright::words::{count, property_text};
use specwright::{Answer, AuditSettings, CheckSettings, Failure, GenerateSettings, Limits, Session, Silent, Witness};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Checks properties.
pub(crate) const CHECK: &str = "specwright.server.check";
/// Generates tests.
pub(crate) const GENERATE: &str = "specwright.server.generate";
/// Audits properties.
pub(crate) const AUDIT: &str = "specwright.server.audit";

type Work = fn(&Task) -> Result<(Value, Results), String>;

/// The names of all commands.
pub(crate) fn commands() -> Vec<String> {
    COMMANDS.iter().map(|(name, _)| (*name).to_owned()).collect()
}

/// All commands.
const COMMANDS: [(&str, Work); 3] = [(CHECK, check), (GENERATE, generate), (AUDIT, audit)];

/// The memory of decision diagrams of a job.
const MEMORY: usize = 1 << 30;

/// The jobs that may run at the same time.
const MOST: usize = 4;

/// The values of a variable are looked for if there are at most this many.
const MOST_VALUES: u128 = 32;

/// What is known of a text by verification.
#[derive(Clone, Debug, Default)]
pub(crate) struct Results {
    /// Findings, by the command that found them and by what they are about.
    findings: BTreeMap<(&'static str, String), Vec<Diagnostic>>,
    /// Verdicts of properties, by number.
    verdicts: BTreeMap<String, &'static str>,
    /// Reachable values, by variable.
    reachable: BTreeMap<String, String>,
    /// Properties that an audit misses, and the place of what they would guard.
    missing: Vec<(Range, String)>,
}

impl Results {
    /// Adds what another job has found.
    pub(crate) fn merge(&mut self, other: Results) {
        self.findings.extend(other.findings);
        self.verdicts.extend(other.verdicts);
        self.reachable.extend(other.reachable);
        if !other.missing.is_empty() {
            self.missing = other.missing;
        }
    }

    /// All findings.
    pub(crate) fn diagnostics(&self) -> impl Iterator<Item = Diagnostic> {
        self.findings.values().flatten().cloned()
    }

    /// The codes of findings at a place.
    pub(crate) fn codes_at(&self, at: Position) -> Vec<String> {
        let key = |position: Position| (position.line, position.character);
        let covers = |range: Range| key(range.start) <= key(at) && key(at) <= key(range.end);
        let found = self.findings.values().flatten().filter(|found| covers(found.range));
        let codes = found.filter_map(|found| serde_json::to_value(&found.code).ok()?.as_str().map(str::to_owned));
        codes.collect()
    }

    /// The verdict on properties with one declaration.
    pub(crate) fn verdict(&self, numbers: &[String]) -> Option<&'static str> {
        let words: Vec<&'static str> =
            numbers.iter().map(|number| self.verdicts.get(number).copied()).collect::<Option<_>>()?;
        let worst = ["fails", "unknown", "holds"].into_iter().find(|word| words.contains(word));
        worst.or(words.first().copied())
    }

    /// The reachable values of a variable.
    pub(crate) fn reachable(&self, name: &str) -> Option<&str> {
        self.reachable.get(name).map(String::as_str)
    }

    /// The properties that an audit misses.
    pub(crate) fn missing(&self) -> &[(Range, String)] {
        &self.missing
    }
}

/// What a job is about.
pub(crate) struct Job {
    /// The request that asked for it.
    pub(crate) id: RequestId,
    /// The document.
    pub(crate) uri: String,
    /// The text of the document.
    pub(crate) generation: u64,
    /// The model.
    pub(crate) session: Arc<Session>,
}

/// The end of a job.
pub(crate) struct Report {
    /// The request that asked for it.
    pub(crate) id: RequestId,
    /// The document.
    pub(crate) uri: String,
    /// The text of the document.
    pub(crate) generation: u64,
    /// What was found out.
    pub(crate) results: Results,
    /// The answer to the request.
    pub(crate) answer: Result<Value, String>,
}

/// What a job needs to know.
struct Task {
    session: Arc<Session>,
    properties: Vec<String>,
    format: Option<String>,
    limits: Limits,
    places: Places,
}

/// The lines of the document.
struct Places(crate::position::Lines);

impl Places {
    fn range(&self, session: &Session, span: Span) -> Option<Range> {
        let (file, start, end) = crate::analysis::locate(&session.sources, span)?;
        (file == 0).then(|| self.0.range(start, end))
    }
}

/// The jobs that run.
pub(crate) struct Jobs {
    running: Vec<(RequestId, String, Arc<AtomicBool>)>,
    reports: Sender<Report>,
    /// The time for a job.
    time: Duration,
    /// The time for each question of a job.
    time_per_question: Duration,
}

impl Jobs {
    /// No jobs; reports go to a channel.
    pub(crate) fn new(reports: Sender<Report>) -> Jobs {
        let (time, time_per_question) = (Duration::from_mins(2), Duration::from_secs(10));
        Jobs { running: Vec::new(), reports, time, time_per_question }
    }

    /// Takes the budget from settings of the client.
    pub(crate) fn change_settings(&mut self, options: &Value) {
        let seconds = |name: &str| options.get(name).and_then(Value::as_u64).filter(|seconds| *seconds > 0);
        if let Some(seconds) = seconds("jobSeconds") {
            self.time = Duration::from_secs(seconds);
        }
        if let Some(seconds) = seconds("questionSeconds") {
            self.time_per_question = Duration::from_secs(seconds);
        }
    }

    /// Starts a job, or says why not.
    pub(crate) fn start(&mut self, command: &str, argument: &Value, job: Job) -> Result<(), String> {
        let known = COMMANDS.iter().find(|(name, _)| *name == command);
        let Some((_, work)) = known else { return Err(format!("unknown command `{command}`")) };
        if self.running.len() >= MOST {
            return Err(format!("{} are running already", count(self.running.len(), "job")));
        }
        let listed = argument.get("properties").and_then(Value::as_array);
        let properties = listed.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect();
        let format = argument.get("format").and_then(Value::as_str).map(str::to_owned);
        let cancel: Arc<AtomicBool> = Arc::default();
        let limits = Limits {
            timeout: Some(self.time_per_question),
            cancel: Arc::clone(&cancel),
            memory: || MEMORY,
            ..Limits::default()
        };
        let text = job.session.sources.files().first().map(|file| Arc::clone(&file.text)).unwrap_or_default();
        let places = Places(crate::position::Lines::new(text));
        let task = Task { session: Arc::clone(&job.session), properties, format, limits, places };
        let Job { id, uri, generation, .. } = job;
        self.running.push((id.clone(), uri.clone(), Arc::clone(&cancel)));
        let (reports, time, work) = (self.reports.clone(), self.time, *work);
        let thread = std::thread::Builder::new().name("verification".into()).stack_size(STACK);
        let (done, watched) = bounded::<()>(0);
        // Ends the job when its time is up.
        std::thread::spawn(move || {
            if watched.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                cancel.store(true, Ordering::Relaxed);
            }
        });
        let started = thread.spawn(move || {
            let result = catch_unwind(AssertUnwindSafe(|| Budget::run(|| work(&task))));
            drop(done);
            let (answer, results) = match result {
                Ok(Ok(Ok((answer, results)))) => (Ok(answer), results),
                Ok(Ok(Err(message))) => (Err(message), Results::default()),
                Ok(Err(spent)) => (Err(spent.to_string()), Results::default()),
                Err(_) => (Err("internal error: please report it".to_owned()), Results::default()),
            };
            let _ = reports.send(Report { id, uri, generation, results, answer });
        });
        started.map(|_| ()).map_err(|error| error.to_string())
    }

    /// Whether a job runs; it is forgotten.
    pub(crate) fn finish(&mut self, id: &RequestId) -> bool {
        let before = self.running.len();
        self.running.retain(|(other, ..)| other != id);
        self.running.len() < before
    }

    /// Ends a job. Returns whether it ran.
    pub(crate) fn cancel(&mut self, id: &RequestId) -> bool {
        let running = self.running.iter().filter(|(other, ..)| other == id);
        running.for_each(|(_, _, cancel)| cancel.store(true, Ordering::Relaxed));
        self.finish(id)
    }

    /// Ends the jobs of a document; their requests are answered when they end.
    pub(crate) fn cancel_document(&self, uri: &str) {
        let running = self.running.iter().filter(|(_, other, _)| other == uri);
        running.for_each(|(_, _, cancel)| cancel.store(true, Ordering::Relaxed));
    }

    /// Ends all jobs.
    pub(crate) fn cancel_all(&self) {
        self.running.iter().for_each(|(_, _, cancel)| cancel.store(true, Ordering::Relaxed));
    }
}

/// Why there is no result.
fn failed(failure: &Failure, events: &Silent) -> String {
    let said = events.messages.iter().filter(|(level, _)| *level == Level::Error).map(|(_, text)| text.clone());
    let found = events.diagnostics.iter().map(|found| format!("{}: {}", found.code.0, found.message));
    let reasons: Vec<String> = said.chain(found).collect();
    if reasons.is_empty() { failure.to_string() } else { reasons.join("; ") }
}

fn notes(events: &Silent) -> Vec<String> {
    events.messages.iter().map(|(_, text)| text.clone()).collect()
}

/// Checks properties: a diagnostic and a trace for each that fails, and the values that variables have.
fn check(task: &Task) -> Result<(Value, Results), String> {
    let session = &*task.session;
    let model = &session.model;
    let settings =
        CheckSettings { property: task.properties.clone(), limits: task.limits.clone(), ..CheckSettings::default() };
    let mut events = Silent::default();
    let checked = session.check(&settings, &mut events).map_err(|failure| failed(&failure, &events))?;
    let mut results = Results::default();
    let mut answers = Vec::new();
    for verdict in &checked.verdicts {
        let property = &model.properties[verdict.index];
        let title = property.name.clone().unwrap_or_else(|| property_text(model, property));
        let number = (verdict.index + 1).to_string();
        results.verdicts.insert(number.clone(), verdict.word());
        let (severity, message) = verdict_text(session, verdict, &title);
        let range = task.places.range(session, property.span);
        let found = range.map(|range| plain(range, severity, Some(verdict.word()), message.clone()));
        results.findings.insert((CHECK, number.clone()), found.into_iter().collect());
        let trace = match &verdict.violation {
            Answer::Found(Witness::Trace(trace) | Witness::Prefix(trace)) => Some(trace),
            _ => None,
        };
        let defines = model.shown_defines(Defines::Main);
        answers.push(json!({
            "property": title,
            "number": number,
            "verdict": verdict.word(),
            "message": message,
            "range": range,
            "trace": trace.map(|trace| TraceJson::document(model, trace).with_defines(model, trace, &defines)),
            "text": trace.map(|trace| trace_text(session, verdict.index, trace)),
            "page": trace.map(|trace| page(session, &title, trace)),
        }));
    }
    let warnings = checked.warnings.iter().filter_map(|found| {
        let range = task.places.range(session, found.primary.span)?;
        Some(plain(range, DiagnosticSeverity::Warning, Some(found.code.0), found.message.clone()))
    });
    results.findings.insert((CHECK, "model".into()), warnings.collect());
    results.reachable = reachable(task);
    let document = document::json(&CheckDocument::new(session, &checked, Defines::Main, "stopped"));
    let answer = json!({"kind": "check", "verdicts": answers, "notes": notes(&events), "document": document.ok()});
    Ok((answer, results))
}

fn verdict_text(session: &Session, verdict: &Verdict, title: &str) -> (DiagnosticSeverity, String) {
    match (&verdict.violation, verdict.value) {
        (_, Some(value)) => {
            (DiagnosticSeverity::Information, format!("`{title}` = {}", specwright::check::quantity_text(value)))
        }
        (Answer::Impossible(_), _) => (DiagnosticSeverity::Information, format!("`{title}` holds")),
        (Answer::Found(Witness::Trace(trace)), _) => {
            let steps = count(trace.n_steps(), "step");
            (DiagnosticSeverity::Error, format!("`{title}` fails: an execution of {steps} shows it"))
        }
        (Answer::Found(_), _) => (DiagnosticSeverity::Error, format!("`{title}` fails")),
        (Answer::Undecided(reason), _) => {
            let reason = reason_text(&session.model, reason, "stopped");
            (DiagnosticSeverity::Warning, format!("`{title}` is undecided: {reason}"))
        }
    }
}

fn trace_text(session: &Session, index: usize, trace: &Trace) -> String {
    let model = &session.model;
    let defines = model.shown_defines(Defines::Main);
    let options = TextOptions { number: index + 1, defines, ..TextOptions::default() };
    to_text(model, trace, &options)
}

/// The page that shows a trace.
fn page(session: &Session, title: &str, trace: &Trace) -> String {
    document::page::html(&document::page::of_trace(session, title, trace))
}

/// The reachable values of each variable with few of them, if all reachable states are found with little work.
fn reachable(task: &Task) -> BTreeMap<String, String> {
    let model = &task.session.model;
    let mut events = Silent::default();
    let mut values = BTreeMap::new();
    let Ok(mut engine) = task.session.engine(&mut events, &task.limits.options()) else { return values };
    if engine.explore_a_little(STEPS).is_err() {
        return values;
    }
    for (id, var) in model.vars().filter(|(_, var)| var.kind != VarKind::Input) {
        if var.domain.size().is_none_or(|size| size > MOST_VALUES) || task.limits.is_cancelled() {
            continue;
        }
        let mut reached = Vec::new();
        let mut is_known = true;
        for value in var.domain.values() {
            let Some(is_value) = equals(model, id, value) else {
                is_known = false;
                break;
            };
            match engine.reach(is_value) {
                Answer::Found(_) => reached.push(format!("`{}`", model.show(value))),
                Answer::Impossible(_) => {}
                Answer::Undecided(_) => is_known = false,
            }
        }
        if is_known {
            values.insert(var.name.clone(), reached.join(", "));
        }
    }
    values
}

/// The condition that a variable has a value.
fn equals(model: &Model, var: VarId, value: specwright::model::Value) -> Option<ExprId> {
    let var = model.make(Node::Var(var)).ok()?;
    let value = model.make(Node::Const(value)).ok()?;
    model.make(Node::Binary(BinaryOp::Eq, var, value)).ok()
}

/// The steps of the search for reachable states.
const STEPS: u64 = 20_000_000;

/// Generates tests, as a suite or in a format of export.
fn generate(task: &Task) -> Result<(Value, Results), String> {
    let mut session = (*task.session).clone();
    if !task.properties.is_empty() {
        let mut number = 0;
        session.model.properties.retain(|_| {
            number += 1;
            task.properties.contains(&number.to_string())
        });
    }
    let settings = GenerateSettings { limits: task.limits.clone(), ..GenerateSettings::default() };
    let mut events = Silent::default();
    let generated = session.generate(&settings, &mut events).map_err(|failure| failed(&failure, &events))?;
    let counts = generated.run.counts();
    let suite = generated.suite();
    let name = task.format.as_deref().unwrap_or("suite");
    let text = match Format::named(name) {
        Some(format) => {
            let files = export(&generated.model, &suite, format).map_err(|error| error.to_string())?;
            files.into_iter().map(|file| file.text).collect::<Vec<_>>().join("\n")
        }
        None => write_text(&generated.model, &suite),
    };
    let message = format!(
        "{} cover {} of {}",
        count(suite.tests.len(), "test"),
        counts.covered,
        count(generated.goals.len(), "goal")
    );
    let answer = json!({
        "kind": "generate",
        "message": message,
        "text": text,
        "complete": generated.is_decided(),
        "notes": notes(&events),
    });
    Ok((answer, Results::default()))
}

/// Audits properties: a hint for each change of the machine that none of them notices.
fn audit(task: &Task) -> Result<(Value, Results), String> {
    let session = &*task.session;
    let settings =
        AuditSettings { property: task.properties.clone(), limits: task.limits.clone(), ..AuditSettings::default() };
    let mut events = Silent::default();
    let audited = session.audit(&settings, &mut events).map_err(|failure| failed(&failure, &events))?;
    let mut results = Results::default();
    let Audit::Done(found) = audited else {
        let message = "no property holds on the machine, so there is nothing to audit";
        return Ok((json!({"kind": "audit", "message": message, "notes": notes(&events)}), results));
    };
    let mut hints = Vec::new();
    let mut survivors = Vec::new();
    for (mutant, survivor) in found.survivors() {
        let (description, operator) = (&mutant.description, mutant.operators.first().copied().unwrap_or_default());
        let missing = survivor.closed_by.first().map(|place| &found.missing[*place].property.formula);
        let missing = missing.map(|formula| format!("CTLSPEC {}", found.model.show_expr(formula.expr)));
        let Some(range) = task.places.range(session, mutant.span) else { continue };
        let mut message = format!("no property kills this mutant: {description}");
        if let Some(missing) = &missing {
            let _ = write!(message, "\nmissing: {missing}");
            let is_smv = |name: &str| Path::new(name).extension().is_some_and(|extension| extension == "smv");
            if session.sources.files().first().is_some_and(|file| is_smv(&file.name)) {
                results.missing.push((range, missing.clone()));
            }
        }
        survivors.push(json!({"range": range, "operator": operator, "message": message}));
        hints.push(plain(range, DiagnosticSeverity::Hint, Some(operator), message));
    }
    for var in &found.unread {
        let declared = &found.model[*var];
        if let Some(range) = task.places.range(session, declared.span) {
            let message = format!("no property reads `{}`", declared.name);
            hints.push(plain(range, DiagnosticSeverity::Hint, Some("unguarded"), message));
        }
    }
    results.findings.insert((AUDIT, String::new()), hints);
    let (killed, total) = found.score();
    let message = format!(
        "{killed} of {} of the machine killed{}",
        count(total, "mutant"),
        if found.is_partial { "; the time was up" } else { "" }
    );
    let answer = json!({
        "kind": "audit",
        "message": message,
        "survivors": survivors,
        "complete": !found.is_partial,
        "notes": notes(&events),
    });
    Ok((answer, results))
}
