//! Results of tests as JSON; the schema is `schemas/run.schema.json`.

use crate::run::{Outcome, Report, Verdict};
use serde::Serialize;
use specwright_model::trace::{StateJson, TraceJson, ValueJson};
use specwright_model::{Model, State};
use specwright_testgen::suite::{Suite, Test};
use std::path::Path;

/// The document of a run.
#[derive(Debug, Serialize)]
pub struct RunDocument {
    schema: &'static str,
    model: String,
    suite: String,
    judged_by: &'static str,
    tests: Vec<TestEntry>,
    not_run: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_observed: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timing_mismatch: Option<String>,
    counts: Counts,
}

/// The document of runs on several variants.
#[derive(Debug, Serialize)]
pub struct VariantsDocument {
    schema: &'static str,
    model: String,
    variants: Vec<VariantEntry>,
    exposed: usize,
    total: usize,
}

/// A variant and its results.
#[derive(Debug, Serialize)]
pub struct VariantEntry {
    name: String,
    exposed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    broken: Option<String>,
    tests: Vec<TestEntry>,
    counts: Counts,
}

#[derive(Debug, Default, Serialize)]
struct Counts {
    pass: usize,
    fail: usize,
    error: usize,
    inconclusive: usize,
    not_run: usize,
}

#[derive(Debug, Serialize)]
struct TestEntry {
    name: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    shows: String,
    verdict: &'static str,
    #[serde(skip_serializing_if = "is_once")]
    runs: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<usize>,
    #[serde(skip_serializing_if = "String::is_empty")]
    message: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    differences: Vec<DifferenceEntry>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    history: Vec<ExchangeEntry>,
    #[serde(skip_serializing_if = "String::is_empty")]
    stderr: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    shrunk: Option<ShrunkEntry>,
}

#[derive(Debug, Serialize)]
struct ShrunkEntry {
    #[serde(flatten)]
    trace: TraceJson,
    shorter: bool,
    complete: bool,
    runs: usize,
}

#[derive(Debug, Serialize)]
struct DifferenceEntry {
    variable: String,
    expected: Vec<ValueJson>,
    got: String,
}

#[derive(Debug, Serialize)]
struct ExchangeEntry {
    inputs: StateJson,
    outputs: StateJson,
}

impl RunDocument {
    /// The document of a report on the suite in a file.
    pub fn new(model: &Model, suite: &Suite, path: &Path, report: &Report, by_specification: bool) -> RunDocument {
        RunDocument {
            schema: "specwright/run/1",
            model: suite.model.clone(),
            suite: path.display().to_string(),
            judged_by: if by_specification { "specification" } else { "recorded tests" },
            tests: entries(model, suite, report),
            not_run: report.not_run.iter().map(|index| suite.tests[*index].name.clone()).collect(),
            not_observed: report.not_observed.iter().map(|var| model[*var].name.clone()).collect(),
            timing_mismatch: report.mismatch.clone(),
            counts: counts(report),
        }
    }
}

impl VariantsDocument {
    /// The document of all variants.
    pub fn new(suite: &Suite, variants: Vec<VariantEntry>) -> VariantsDocument {
        VariantsDocument {
            schema: "specwright/run-variants/1",
            model: suite.model.clone(),
            exposed: variants.iter().filter(|variant| variant.exposed).count(),
            total: variants.len(),
            variants,
        }
    }
}

impl VariantEntry {
    /// A variant that was run, or the error.
    pub fn new(model: &Model, suite: &Suite, name: String, report: Result<&Report, String>) -> VariantEntry {
        match report {
            Ok(report) => VariantEntry {
                name,
                exposed: report.count(Verdict::Fail) + report.count(Verdict::Error) > 0,
                broken: None,
                tests: entries(model, suite, report),
                counts: counts(report),
            },
            Err(why) => {
                VariantEntry { name, exposed: false, broken: Some(why), tests: Vec::new(), counts: Counts::default() }
            }
        }
    }
}

fn counts(report: &Report) -> Counts {
    Counts {
        pass: report.count(Verdict::Pass),
        fail: report.count(Verdict::Fail),
        error: report.count(Verdict::Error),
        inconclusive: report.count(Verdict::Inconclusive),
        not_run: report.not_run.len(),
    }
}

fn entries(model: &Model, suite: &Suite, report: &Report) -> Vec<TestEntry> {
    report.outcomes.iter().map(|(index, outcome)| entry(model, &suite.tests[*index], outcome)).collect()
}

fn entry(model: &Model, test: &Test, outcome: &Outcome) -> TestEntry {
    let values = |state: &State| crate::run::protocol::values_json(model, state);
    let differences = outcome.differences.iter().map(|difference| DifferenceEntry {
        variable: model[difference.var].name.clone(),
        expected: difference.expected.iter().map(|value| ValueJson::of(model, difference.var, *value)).collect(),
        got: difference.got.clone(),
    });
    let moments = outcome.history.iter();
    let passed = outcome.verdict == Verdict::Pass;
    TestEntry {
        name: test.name.clone(),
        shows: test.shows.clone(),
        verdict: outcome.verdict.word(),
        runs: outcome.n_runs,
        step: outcome.step,
        message: outcome.message.clone(),
        differences: differences.collect(),
        history: moments
            .filter(|_| !passed)
            .map(|record| ExchangeEntry { inputs: values(&record.inputs), outputs: values(&record.outputs) })
            .collect(),
        stderr: outcome.stderr_tail.clone(),
        shrunk: outcome.shrunk.as_ref().map(|shrunk| ShrunkEntry {
            trace: TraceJson::new(model, &shrunk.trace),
            shorter: shrunk.is_shorter(),
            complete: shrunk.is_complete,
            runs: shrunk.n_runs,
        }),
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_once(runs: &usize) -> bool {
    *runs == 1
}
