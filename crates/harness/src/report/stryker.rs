//! Mutants and their statuses, in the schema of the Stryker mutation testing report.

use super::place::{Place, Position};
use serde::Serialize;
use specwright_syntax::span::SourceMap;
use std::collections::BTreeMap;

/// A mutant.
#[derive(Clone, Debug)]
pub struct StrykerMutant {
    /// Its id.
    pub id: String,
    /// The operator that made it.
    pub operator: String,
    /// Its description.
    pub description: String,
    /// The replacement text, if known.
    pub replacement: Option<String>,
    /// Its position.
    pub place: Option<Place>,
    /// Its status.
    pub status: StrykerStatus,
    /// The indices of the tests that kill it.
    pub killed_by: Vec<usize>,
}

/// The status of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StrykerStatus {
    /// A test kills it.
    Killed,
    /// A test could kill it, and none does.
    Survived,
    /// Infeasible to kill, or ignored by the user; with the reason.
    Ignored(String),
    /// Undecided.
    Pending,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Document {
    schema_version: &'static str,
    thresholds: Thresholds,
    framework: Framework,
    files: BTreeMap<String, File>,
    test_files: BTreeMap<String, TestFile>,
}

#[derive(Serialize)]
struct Thresholds {
    high: u8,
    low: u8,
}

#[derive(Serialize)]
struct Framework {
    name: &'static str,
    version: String,
}

#[derive(Serialize)]
struct File {
    language: &'static str,
    source: String,
    mutants: Vec<MutantEntry>,
}

#[derive(Serialize)]
struct TestFile {
    tests: Vec<TestEntry>,
}

#[derive(Serialize)]
struct TestEntry {
    id: String,
    name: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MutantEntry {
    id: String,
    mutator_name: String,
    description: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    replacement: Option<String>,
    location: Location,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    status_reason: Option<String>,
    covered_by: Vec<String>,
    killed_by: Vec<String>,
}

#[derive(Serialize)]
struct Location {
    start: Position,
    end: Position,
}

/// The report on mutants of specifications and the tests of a suite.
///
/// The language of a file is detected by its name. Mutants without a position are listed under the language of the
/// first source.
pub fn stryker(
    version: &str,
    sources: &SourceMap,
    language: &dyn Fn(&str) -> &'static str,
    suite: &str,
    tests: &[String],
    mutants: &[StrykerMutant],
) -> String {
    let first = sources.files().first().map_or("", |file| file.name.as_str());
    let mut files: BTreeMap<String, File> = BTreeMap::new();
    for mutant in mutants {
        let name = mutant.place.as_ref().map_or("unplaced", |place| place.file.as_str());
        let file = files.entry(name.into()).or_insert_with(|| {
            let source = sources.files().iter().find(|file| file.name == name);
            let source = source.map(|file| file.text.to_string()).unwrap_or_default();
            let language = language(if mutant.place.is_some() { name } else { first });
            File { language, source, mutants: Vec::new() }
        });
        file.mutants.push(entry(mutant));
    }
    let entries = tests.iter().enumerate().map(|(index, name)| TestEntry { id: index.to_string(), name: name.clone() });
    let document = Document {
        schema_version: "2.0",
        thresholds: Thresholds { high: 80, low: 60 },
        framework: Framework { name: "specwright", version: version.into() },
        files,
        test_files: BTreeMap::from([(suite.to_owned(), TestFile { tests: entries.collect() })]),
    };
    serde_json::to_string_pretty(&document).expect("names and numbers can be written") + "\n"
}

fn entry(mutant: &StrykerMutant) -> MutantEntry {
    let nowhere = Position { line: 1, column: 1 };
    let (start, end) = mutant.place.as_ref().map_or((nowhere, nowhere), |place| (place.start, place.end));
    let (status, status_reason) = match &mutant.status {
        StrykerStatus::Killed => ("Killed", None),
        StrykerStatus::Survived => ("Survived", None),
        StrykerStatus::Ignored(reason) => ("Ignored", Some(reason.clone())),
        // The schema has no better status for undecided mutants.
        StrykerStatus::Pending => ("Pending", Some("unknown: a limit was reached".into())),
    };
    let killed_by: Vec<String> = mutant.killed_by.iter().map(ToString::to_string).collect();
    MutantEntry {
        id: mutant.id.clone(),
        mutator_name: mutant.operator.clone(),
        description: mutant.description.clone(),
        replacement: mutant.replacement.clone(),
        location: Location { start, end },
        status,
        status_reason,
        covered_by: killed_by.clone(),
        killed_by,
    }
}
