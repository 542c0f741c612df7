//! What `safety` has found, as tables for people and as a document for programs.

use crate::columns::{Align, Columns};
use crate::diagnostics::count;
use serde::Serialize;
use specwright_model::Model;
use specwright_syntax::span::SourceMap;
use specwright_testgen::mutate::Operator;
use specwright_testgen::safety::{Adequacy, Analysis, Class, Danger, Found, Kind, Tests};
use specwright_testgen::suite::{Expect, Suite};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// Uncovered goals that are listed without `--verbose`.
const SHOWN: usize = 20;

/// Everything that there is to say.
#[derive(Serialize)]
pub(super) struct Report {
    schema: &'static str,
    model: String,
    properties: Vec<Protected>,
    criteria: Vec<&'static str>,
    counts: Counts,
    mutants: Vec<Entry>,
    rows: Vec<Row>,
    #[serde(skip_serializing_if = "Option::is_none")]
    suite: Option<Made>,
    #[serde(skip_serializing_if = "Option::is_none")]
    grade: Option<Graded>,
}

#[derive(Serialize)]
struct Protected {
    name: String,
    expression: String,
}

#[derive(Serialize, Default)]
struct Counts {
    mutants: usize,
    equivalent: usize,
    restricting: usize,
    harmless: usize,
    dangerous: usize,
    undefined: usize,
    unknown: usize,
}

#[derive(Serialize)]
struct Entry {
    id: String,
    operators: Vec<&'static str>,
    line: Option<usize>,
    column: Option<usize>,
    description: String,
    /// `equivalent`, `restricting`, `harmless`, `dangerous`, `undefined` or `unknown`.
    class: &'static str,
    /// For each property the ways in which it is dangerous.
    dangers: BTreeMap<String, Vec<&'static str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// One property and one kind of danger.
#[derive(Serialize)]
struct Row {
    property: String,
    criterion: &'static str,
    dangerous: usize,
    unknown: usize,
    /// The mutants that have a test of that kind, and the tests that are enough for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    passing: Option<Covered>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failing: Option<Covered>,
    /// In an existing suite: mutants with a dangerous trace as a prefix of a test.
    #[serde(skip_serializing_if = "Option::is_none")]
    prefix: Option<Covered>,
}

#[derive(Serialize)]
struct Covered {
    mutants: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    tests: Option<usize>,
}

#[derive(Serialize)]
struct Made {
    passing: usize,
    failing: usize,
    steps: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    out: Option<String>,
}

#[derive(Serialize)]
struct Graded {
    tests: usize,
    misfits: usize,
    adequate: bool,
    missed: Vec<String>,
}

impl Report {
    pub(super) fn new(sources: &SourceMap, model: &Model, analysis: &Analysis, dangers: &[Danger]) -> Report {
        let entries: Vec<Entry> = analysis.found.iter().map(|found| entry(sources, model, analysis, found)).collect();
        let n = |class: &str| entries.iter().filter(|entry| entry.class == class).count();
        let counts = Counts {
            mutants: entries.len(),
            equivalent: n("equivalent"),
            restricting: n("restricting"),
            harmless: n("harmless"),
            dangerous: n("dangerous"),
            undefined: n("undefined"),
            unknown: n("unknown"),
        };
        let mut rows = Vec::new();
        for (index, invariant) in analysis.invariants.iter().enumerate() {
            for danger in dangers {
                let n = |wanted| analysis.found.iter().filter(|found| found.has(index, *danger) == wanted).count();
                rows.push(Row {
                    property: invariant.name.clone(),
                    criterion: danger.name(),
                    dangerous: n(Some(true)),
                    unknown: n(None),
                    passing: None,
                    failing: None,
                    prefix: None,
                });
            }
        }
        let protected = |name: &String, expr| Protected { name: name.clone(), expression: model.show_expr(expr) };
        Report {
            schema: "specwright/safety/1",
            model: model.name.clone(),
            properties: analysis.invariants.iter().map(|known| protected(&known.name, known.expr)).collect(),
            criteria: dangers.iter().map(|danger| danger.name()).collect(),
            counts,
            mutants: entries,
            rows,
            suite: None,
            grade: None,
        }
    }

    /// Adds what the new tests do.
    pub(super) fn add_tests(&mut self, analysis: &Analysis, tests: &Tests, suite: &Suite, out: Option<&Path>) {
        self.for_each_row(analysis, |row, property, danger| {
            let covered = |kind| Covered {
                mutants: tests.n_covered(property, danger, kind),
                tests: Some(tests.n_needed(property, danger, kind)),
            };
            row.passing = Some(covered(Kind::Passing));
            row.failing = Some(covered(Kind::Failing));
        });
        let n = |expect| suite.tests.iter().filter(|test| test.expect == expect).count();
        self.suite = Some(Made {
            passing: n(Expect::Accept),
            failing: n(Expect::Reject),
            steps: suite.tests.iter().map(|test| test.trace.n_steps()).sum(),
            out: out.map(|path| path.display().to_string()),
        });
    }

    /// Adds what the tests of an existing suite do.
    pub(super) fn add_adequacy(&mut self, analysis: &Analysis, adequacy: &Adequacy, n_tests: usize) {
        self.for_each_row(analysis, |row, property, danger| {
            let covered = |kind| Covered { mutants: adequacy.share(property, danger, kind).0, tests: None };
            row.prefix = Some(covered(Kind::Prefix));
            row.passing = Some(covered(Kind::Passing));
            row.failing = Some(covered(Kind::Failing));
        });
        let missed: Vec<String> = adequacy.missed().map(|goal| goal.id(analysis)).collect();
        let (misfits, adequate) = (adequacy.invalid_tests.len(), missed.is_empty());
        self.grade = Some(Graded { tests: n_tests, misfits, adequate, missed });
    }

    fn for_each_row(&mut self, analysis: &Analysis, mut f: impl FnMut(&mut Row, usize, Danger)) {
        for row in &mut self.rows {
            let property = analysis.invariants.iter().position(|invariant| invariant.name == row.property);
            let danger = Danger::ALL.into_iter().find(|danger| danger.name() == row.criterion);
            if let (Some(property), Some(danger)) = (property, danger) {
                f(row, property, danger);
            }
        }
    }

    pub(super) fn text(&self, list: bool, everything: bool) -> String {
        let mut text = String::new();
        if list {
            for entry in &self.mutants {
                let _ = writeln!(text, "{}", entry.line_text());
            }
            text.push('\n');
        }
        let counts = &self.counts;
        let parts = [
            (counts.dangerous, "dangerous"),
            (counts.harmless, "harmless"),
            (counts.restricting, "only restricting"),
            (counts.equivalent, "equivalent"),
            (counts.undefined, "undefined"),
            (counts.unknown, "unknown"),
        ];
        let parts = parts.iter().filter(|(n, _)| *n > 0);
        let parts: Vec<String> = parts.map(|(n, word)| format!("{n} {word}")).collect();
        let colon = if parts.is_empty() { "" } else { ": " };
        let _ = writeln!(text, "{}{colon}{}\n", count(counts.mutants, "mutant"), parts.join(", "));
        let _ = write!(text, "{}", self.table());
        if let Some(made) = &self.suite {
            let (passing, failing) = (count(made.passing, "passing test"), count(made.failing, "failing test"));
            let (steps, place) = (count(made.steps, "step"), made.out.as_ref());
            let place = place.map(|out| format!(", written to {out}")).unwrap_or_default();
            let _ = match made.passing + made.failing {
                0 => writeln!(text, "\nno mutant is known to be dangerous, so there is nothing to test{place}"),
                _ => writeln!(text, "\n{passing} and {failing} with {steps} do it all{place}"),
            };
        }
        if let Some(graded) = &self.grade {
            let _ = writeln!(text, "\n{}", verdict(graded));
            let shown = if everything { graded.missed.len() } else { SHOWN };
            for goal in graded.missed.iter().take(shown) {
                let _ = writeln!(text, "  {goal}");
            }
            if graded.missed.len() > shown {
                let _ = writeln!(text, "  … and {} more: `--verbose` lists all", graded.missed.len() - shown);
            }
        }
        text
    }

    fn table(&self) -> String {
        use Align::{Left, Right};
        let last = if self.grade.is_some() { "prefix" } else { "" };
        let mut columns = Columns::new([
            ("property", Left),
            ("criterion", Left),
            ("dangerous", Right),
            ("passing", Right),
            ("failing", Right),
            (last, Right),
        ]);
        let mut before = "";
        for row in &self.rows {
            let name = if before == row.property { "" } else { &row.property };
            before = &row.property;
            let mut dangerous = row.dangerous.to_string();
            if row.unknown > 0 {
                let _ = write!(dangerous, " + {} unknown", row.unknown);
            }
            let cell = |covered: &Option<Covered>| match covered {
                Some(Covered { tests: Some(tests), .. }) => count(*tests, "test"),
                Some(Covered { mutants, .. }) => mutants.to_string(),
                None => String::new(),
            };
            let (passing, failing, prefix) = (cell(&row.passing), cell(&row.failing), cell(&row.prefix));
            columns.row([name.into(), row.criterion.into(), dangerous, passing, failing, prefix]);
        }
        columns.to_string()
    }
}

fn verdict(graded: &Graded) -> String {
    let tests = count(graded.tests, "test");
    let misfits = match graded.misfits {
        0 => String::new(),
        n => format!(", {n} of which do not fit the model"),
    };
    let how = match graded.missed.len() {
        0 => "adequate: every dangerous mutant has its passing and its failing test".into(),
        n => format!("not adequate: {} missed", count(n, "goal")),
    };
    format!("{tests}{misfits}: {how}")
}

fn entry(sources: &SourceMap, model: &Model, analysis: &Analysis, found: &Found) -> Entry {
    let place = sources.locate(found.mutant.span);
    let mut dangers = BTreeMap::new();
    for (index, invariant) in analysis.invariants.iter().enumerate() {
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
    Entry {
        id: found.mutant.id.to_string(),
        operators: found.mutant.operators().into_iter().map(Operator::name).collect(),
        line: place.map(|(_, line, _)| line),
        column: place.map(|(_, _, column)| column),
        description: found.mutant.description(model),
        class,
        dangers,
        reason: found.unknown().map(str::to_owned),
    }
}

impl Entry {
    fn line_text(&self) -> String {
        let place = self.line.zip(self.column).map(|(line, column)| format!("{line}:{column}: ")).unwrap_or_default();
        let ways = self.dangers.iter().map(|(property, ways)| format!("{property} {}", ways.join(" ")));
        let ways = ways.collect::<Vec<_>>().join("; ");
        let ways = if ways.is_empty() { String::new() } else { format!(": {ways}") };
        format!("{place}{} ({}) {}{ways}", self.description, self.id, self.class)
    }
}
