//! The dangerous mutants of a machine, and tests for them.

use crate::safety::{Protecting, Protection};
use serde::Serialize;
use specwright_testgen::mutate::Operator;
use specwright_testgen::safety::{Adequacy, Class, Danger, Found, Kind};
use specwright_testgen::suite::{Expect, Suite};
use std::collections::BTreeMap;
use std::path::Path;

/// The dangerous mutants of a machine, and tests for them.
#[derive(Serialize)]
pub struct SafetyDocument {
    schema: &'static str,
    model: String,
    properties: Vec<Protected>,
    criteria: Vec<&'static str>,
    /// How many mutants there are of each class.
    pub counts: ClassCounts,
    /// The mutants.
    pub mutants: Vec<SafetyEntry>,
    /// For each property and each kind of danger how much of it tests cover.
    pub rows: Vec<SafetyRow>,
    /// The tests that were made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suite: Option<SafetySuite>,
    /// How good the suite is that was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grade: Option<SafetyGrade>,
}

#[derive(Serialize)]
struct Protected {
    name: String,
    expression: String,
}

/// How many mutants there are of each class.
#[derive(Serialize)]
#[expect(missing_docs, reason = "each is the name of a class")]
pub struct ClassCounts {
    pub mutants: usize,
    pub equivalent: usize,
    pub restricting: usize,
    pub harmless: usize,
    pub dangerous: usize,
    pub undefined: usize,
    pub unknown: usize,
}

/// A mutant of the machine.
#[derive(Serialize)]
pub struct SafetyEntry {
    /// Its stable id.
    pub id: String,
    operators: Vec<&'static str>,
    /// The line of what it changes.
    pub line: Option<usize>,
    /// The column of what it changes.
    pub column: Option<usize>,
    /// What it changes.
    pub description: String,
    /// `equivalent`, `restricting`, `harmless`, `dangerous`, `undefined` or `unknown`.
    pub class: &'static str,
    /// For each property the ways in which it is dangerous.
    pub dangers: BTreeMap<String, Vec<&'static str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// One property and one kind of danger.
#[derive(Serialize)]
pub struct SafetyRow {
    /// The property.
    pub property: String,
    /// The kind of danger.
    pub criterion: &'static str,
    /// The number of mutants that are dangerous in this way.
    pub dangerous: usize,
    /// The number of mutants of which that is undecided.
    pub unknown: usize,
    /// The mutants that have a passing test, and the tests that are enough for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passing: Option<CoveredMutants>,
    /// The mutants that have a failing test, and the tests that are enough for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failing: Option<CoveredMutants>,
    /// In a given suite: mutants with a dangerous trace as a prefix of a test.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prefix: Option<CoveredMutants>,
}

/// How many mutants have a test.
#[derive(Serialize)]
pub struct CoveredMutants {
    /// The mutants.
    pub mutants: usize,
    /// The tests that are enough for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tests: Option<usize>,
}

/// The tests that were made.
#[derive(Serialize)]
pub struct SafetySuite {
    /// The number of passing tests.
    pub passing: usize,
    /// The number of failing tests.
    pub failing: usize,
    /// The number of their steps.
    pub steps: usize,
    /// Where they were written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub out: Option<String>,
}

/// How good a suite is.
#[derive(Serialize)]
pub struct SafetyGrade {
    /// The number of its tests.
    pub tests: usize,
    /// The number of those that do not fit the model.
    pub misfits: usize,
    adequate: bool,
    /// The goals that no test covers.
    pub missed: Vec<String>,
}

impl SafetyDocument {
    /// The document of a safety analysis, whose tests were written to a file, if to any.
    pub fn new(found: &Protection, out: Option<&Path>) -> SafetyDocument {
        let Protection { model, dangers, analysis, .. } = found;
        let mutants: Vec<SafetyEntry> = analysis.found.iter().map(|mutant| entry(found, mutant)).collect();
        let n = |class: &str| mutants.iter().filter(|entry| entry.class == class).count();
        let counts = ClassCounts {
            mutants: mutants.len(),
            equivalent: n("equivalent"),
            restricting: n("restricting"),
            harmless: n("harmless"),
            dangerous: n("dangerous"),
            undefined: n("undefined"),
            unknown: n("unknown"),
        };
        let mut rows = Vec::new();
        for property in 0..analysis.invariants.len() {
            rows.extend(dangers.iter().map(|danger| row(found, property, *danger)));
        }
        let protected = |name: &String, expr| Protected { name: name.clone(), expression: model.show_expr(expr) };
        let (suite, grade) = match &found.tests {
            Protecting::Made(_, suite) => (Some(made(suite, out)), None),
            Protecting::Given(adequacy, n_tests) => (None, Some(given(found, adequacy, *n_tests))),
        };
        SafetyDocument {
            schema: "specwright/safety/1",
            model: model.name.clone(),
            properties: analysis.invariants.iter().map(|known| protected(&known.name, known.expr)).collect(),
            criteria: dangers.iter().map(|danger| danger.name()).collect(),
            counts,
            mutants,
            rows,
            suite,
            grade,
        }
    }
}

fn row(found: &Protection, property: usize, danger: Danger) -> SafetyRow {
    let n = |wanted| found.analysis.found.iter().filter(|mutant| mutant.has(property, danger) == wanted).count();
    let (passing, failing, prefix) = match &found.tests {
        Protecting::Made(tests, _) => {
            let covered = |kind| {
                let mutants = tests.n_covered(property, danger, kind);
                Some(CoveredMutants { mutants, tests: Some(tests.n_needed(property, danger, kind)) })
            };
            (covered(Kind::Passing), covered(Kind::Failing), None)
        }
        Protecting::Given(adequacy, _) => {
            let covered = |kind| {
                let mutants = adequacy.share(property, danger, kind).0;
                Some(CoveredMutants { mutants, tests: None })
            };
            (covered(Kind::Passing), covered(Kind::Failing), covered(Kind::Prefix))
        }
    };
    SafetyRow {
        property: found.analysis.invariants[property].name.clone(),
        criterion: danger.name(),
        dangerous: n(Some(true)),
        unknown: n(None),
        passing,
        failing,
        prefix,
    }
}

fn made(suite: &Suite, out: Option<&Path>) -> SafetySuite {
    let n = |expect| suite.tests.iter().filter(|test| test.expect == expect).count();
    SafetySuite {
        passing: n(Expect::Accept),
        failing: n(Expect::Reject),
        steps: suite.tests.iter().map(|test| test.trace.n_steps()).sum(),
        out: out.map(|path| path.display().to_string()),
    }
}

fn given(found: &Protection, adequacy: &Adequacy, n_tests: usize) -> SafetyGrade {
    let missed: Vec<String> = adequacy.missed().map(|goal| goal.id(&found.analysis)).collect();
    SafetyGrade { tests: n_tests, misfits: adequacy.invalid_tests.len(), adequate: missed.is_empty(), missed }
}

fn entry(protection: &Protection, found: &Found) -> SafetyEntry {
    let place = protection.sources.locate(found.mutant.span);
    let mut dangers = BTreeMap::new();
    for (index, invariant) in protection.analysis.invariants.iter().enumerate() {
        let ways = Danger::ALL.into_iter().filter(|danger| found.has(index, *danger) == Some(true));
        let ways: Vec<&'static str> = ways.map(Danger::name).collect();
        if !ways.is_empty() {
            dangers.insert(invariant.name.clone(), ways);
        }
    }
    let class = match &found.class {
        Class::Equivalent => "equivalent",
        Class::Restricting => "restricting",
        Class::Undefined => "undefined",
        Class::Departing if found.is_dangerous() => "dangerous",
        Class::Departing if found.unknown().is_none() => "harmless",
        Class::Departing | Class::Unknown(_) => "unknown",
    };
    SafetyEntry {
        id: found.mutant.id.to_string(),
        operators: found.mutant.operators().into_iter().map(Operator::name).collect(),
        line: place.map(|(_, line, _)| line),
        column: place.map(|(_, _, column)| column),
        description: found.mutant.description(&protection.model),
        class,
        dangers,
        reason: found.unknown().map(str::to_owned),
    }
}
