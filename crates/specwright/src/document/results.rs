//! Further results for a page: documents of runs, audits, safety analyses and comparisons.

use super::audited;
use crate::failure::Failure;
use crate::words::count;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use specwright_harness::report::page::{AuditView, Difference, Further, Page, Verdict};
use std::collections::BTreeMap;
use std::path::Path;

/// What a document says.
#[derive(Debug)]
pub enum Results {
    /// What became of tests, by their names.
    Run(Vec<(String, Verdict)>),
    /// Tables.
    Tables(Vec<Further>),
    /// An audit of properties, with its tables.
    Audit(Box<AuditView>, Vec<Further>),
}

impl Results {
    /// All of it as tables, where there are no tests to which it could be added.
    pub fn tables(self) -> Vec<Further> {
        match self {
            Results::Tables(tables) | Results::Audit(_, tables) => tables,
            Results::Run(verdicts) => vec![Further {
                title: "Results on the implementation".into(),
                note: String::new(),
                head: ["test", "verdict", ""].map(Into::into).into(),
                rows: verdicts.into_iter().map(|(name, verdict)| vec![name, verdict.word, verdict.message]).collect(),
            }],
        }
    }
}

#[derive(Deserialize)]
struct Variants {
    variants: Vec<Variant>,
}

#[derive(Deserialize)]
struct Variant {
    name: String,
    exposed: bool,
    broken: Option<String>,
    tests: Vec<Test>,
}

#[derive(Deserialize)]
struct Run {
    tests: Vec<Test>,
}

#[derive(Deserialize)]
struct Test {
    name: String,
    verdict: String,
    step: Option<usize>,
    #[serde(default)]
    message: String,
    #[serde(default)]
    differences: Vec<Different>,
}

#[derive(Deserialize)]
struct Different {
    variable: String,
    expected: Vec<serde_json::Value>,
    got: String,
}

#[derive(Deserialize)]
struct Safety {
    mutants: Vec<SafetyMutant>,
    rows: Vec<SafetyRow>,
}

#[derive(Deserialize)]
struct SafetyMutant {
    id: String,
    line: Option<usize>,
    description: String,
    class: String,
    dangers: BTreeMap<String, Vec<String>>,
}

#[derive(Deserialize)]
struct SafetyRow {
    property: String,
    criterion: String,
    dangerous: usize,
    passing: Option<Covered>,
    failing: Option<Covered>,
}

#[derive(Deserialize)]
struct Covered {
    mutants: usize,
    tests: Option<usize>,
}

#[derive(Deserialize)]
struct Compare {
    kind: String,
    rows: Vec<CompareRow>,
}

#[derive(Deserialize)]
struct CompareRow {
    operator: String,
    mutants: usize,
    unique_traces: usize,
    minimum: usize,
    killed: usize,
    coverage: f64,
    subsumes: Vec<String>,
}

/// Reads a file with results.
pub fn read(path: &Path) -> Result<Results, Failure> {
    let name = path.display().to_string();
    let text = crate::text::read(path, &name)?;
    from_document(&name, serde_json::from_str(&text).map_err(Failure::because(format_args!("cannot read {name}")))?)
}

/// The results in a document.
pub(crate) fn from_document(name: &str, document: Value) -> Result<Results, Failure> {
    Ok(match document["schema"].as_str() {
        Some("specwright/run/1") => run(parsed(name, document)?),
        Some("specwright/run-variants/1") => Results::Tables(vec![variants(parsed(name, document)?)]),
        Some("specwright/audit/1") => audited::results(Path::new(name), &parsed(name, document)?),
        Some("specwright/safety/1") => Results::Tables(safety(parsed(name, document)?)),
        Some("specwright/compare/1") => Results::Tables(vec![compare(parsed(name, document)?)]),
        Some(other) => {
            let why = format!("{name} is a {other}, not a result of `run`, `audit`, `safety` or `compare`");
            return Err(Failure::Message(why));
        }
        None => return Err(Failure::Message(format!("{name} has no `schema`"))),
    })
}

fn parsed<T: DeserializeOwned>(name: &str, document: Value) -> Result<T, Failure> {
    serde_json::from_value(document).map_err(Failure::because(format_args!("cannot read {name}")))
}

/// Adds results to a page. Tests that it does not have are returned.
pub fn add(page: &mut Page, results: Results) -> Vec<String> {
    match results {
        Results::Tables(tables) => page.further.extend(tables),
        Results::Audit(audit, tables) => {
            page.audit = Some(*audit);
            page.further.extend(tables);
        }
        Results::Run(verdicts) => {
            let mut verdicts: BTreeMap<String, Verdict> = verdicts.into_iter().collect();
            for test in &mut page.tests {
                test.verdict = verdicts.remove(&test.name).or(test.verdict.take());
            }
            return verdicts.into_keys().collect();
        }
    }
    Vec::new()
}

fn run(document: Run) -> Results {
    Results::Run(document.tests.into_iter().map(|test| (test.name.clone(), verdict(test))).collect())
}

fn verdict(test: Test) -> Verdict {
    let step = test.step.map(|step| format!("step {step}: ")).unwrap_or_default();
    let message = if test.message.is_empty() { String::new() } else { format!("{step}{}", test.message) };
    // Values are shown as specifications write them.
    let shown = |value: &serde_json::Value| match value {
        serde_json::Value::String(text) => text.clone(),
        serde_json::Value::Bool(truth) => truth.to_string().to_uppercase(),
        other => other.to_string(),
    };
    let difference = |different: Different| Difference {
        expected: different.expected.iter().map(shown).collect::<Vec<_>>().join(" or "),
        variable: different.variable,
        actual: different.got,
    };
    let differences = test.differences.into_iter().map(difference).collect();
    Verdict { word: test.verdict, step: test.step, message, differences }
}

fn variants(document: Variants) -> Further {
    let row = |variant: Variant| {
        let word = match (&variant.broken, variant.exposed) {
            (Some(_), _) => "broken",
            (None, true) => "exposed",
            (None, false) => "not exposed",
        };
        let of = |word: &str| variant.tests.iter().filter(|test| test.verdict == word).count().to_string();
        let counts = ["fail", "error", "inconclusive", "pass"].map(of);
        let first = variant.tests.into_iter().find(|test| matches!(&*test.verdict, "fail" | "error"));
        let first = first.map(|test| format!("{}, {}", test.name.clone(), verdict(test).message));
        let first = variant.broken.or(first).unwrap_or_default();
        [vec![variant.name, word.into()], counts.into(), vec![first]].concat()
    };
    Further {
        title: "Which variants are exposed".into(),
        note: String::new(),
        head: ["variant", "", "fail", "error", "inconclusive", "pass", "first failure"].map(Into::into).into(),
        rows: document.variants.into_iter().map(row).collect(),
    }
}

fn safety(document: Safety) -> Vec<Further> {
    let covered = |covered: Option<Covered>| match covered {
        Some(Covered { mutants, tests: Some(tests) }) => {
            format!("{} by {}", count(mutants, "mutant"), count(tests, "test"))
        }
        Some(Covered { mutants, tests: None }) => count(mutants, "mutant"),
        None => String::new(),
    };
    let row = |row: SafetyRow| {
        vec![row.property, row.criterion, row.dangerous.to_string(), covered(row.passing), covered(row.failing)]
    };
    let dangers = |dangers: BTreeMap<String, Vec<String>>| {
        let one = |(property, ways): (String, Vec<String>)| format!("{property}: {}", ways.join(", "));
        dangers.into_iter().map(one).collect::<Vec<_>>().join("; ")
    };
    let mutant = |mutant: SafetyMutant| {
        let line = mutant.line.map(|line| line.to_string()).unwrap_or_default();
        vec![mutant.id, line, mutant.description, dangers(mutant.dangers)]
    };
    let dangerous = document.mutants.into_iter().filter(|mutant| mutant.class == "dangerous");
    vec![
        Further {
            title: "Safety tests".into(),
            note: "A mutant is dangerous if a step that departs from the specification violates a property: at once in \
                   every case (AX) or in some (EX), eventually in every case (AF) or possibly later in some (EF). A failing \
                   test departs, and must be rejected; a passing test continues as specified, and must be accepted."
                .into(),
            head: ["property", "danger", "dangerous mutants", "passing tests", "failing tests"].map(Into::into).into(),
            rows: document.rows.into_iter().map(row).collect(),
        },
        Further {
            title: "Dangerous mutants".into(),
            note: String::new(),
            head: ["mutant", "line", "what it is", "violated property, and how"].map(Into::into).into(),
            rows: dangerous.map(mutant).collect(),
        },
    ]
}

fn compare(document: Compare) -> Further {
    let row = |row: CompareRow| {
        let coverage = format!("{:.1} %", (row.coverage * 1000.0).floor() / 10.0);
        let numbers = [row.mutants, row.unique_traces, row.minimum, row.killed].map(|number| number.to_string());
        [vec![row.operator], numbers.into(), vec![coverage, row.subsumes.join(", ")]].concat()
    };
    Further {
        title: format!("Each {} alone", document.kind),
        note: "Its cost, and how much of all goals its tests cover.".into(),
        head: vec![
            document.kind,
            "mutants".into(),
            "unique traces".into(),
            "enough of them".into(),
            "killed of all".into(),
            "coverage".into(),
            "subsumes".into(),
        ],
        rows: document.rows.into_iter().map(row).collect(),
    }
}
