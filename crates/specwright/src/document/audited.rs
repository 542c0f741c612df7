//! An audit for a page, from the document that `audit` printed.

use super::results::Results;
use serde::Deserialize;
use specwright_harness::report::page::{AuditView, ExecutionView, File, Further, UnguardedView};
use specwright_testgen::grade::Group;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The document, as far as a page needs it.
#[derive(Deserialize)]
pub(super) struct Audit {
    counts: Counts,
    #[serde(default)]
    lines: Vec<LineCounts>,
    missing: Vec<Missing>,
    fewest: Vec<String>,
    properties: Vec<Property>,
    #[serde(default)]
    unneeded: Vec<String>,
    #[serde(default)]
    unread: Vec<String>,
    mutants: Vec<Mutant>,
}

#[derive(Clone, Copy, Deserialize)]
struct Counts {
    killed: usize,
    survived: usize,
}

#[derive(Deserialize)]
struct LineCounts {
    file: String,
    line: usize,
    #[serde(flatten)]
    counts: Counts,
}

#[derive(Deserialize)]
struct Missing {
    name: String,
    #[serde(default)]
    kind: Option<String>,
    formula: String,
    kills: Vec<String>,
}

#[derive(Deserialize)]
struct Property {
    name: String,
    kills: usize,
    kills_alone: Option<usize>,
    vacuous: bool,
    #[serde(default)]
    irrelevant: Vec<String>,
    #[serde(default)]
    implied: Option<String>,
    #[serde(default)]
    needs: Option<Vec<String>>,
}

#[derive(Deserialize)]
struct Mutant {
    id: String,
    #[serde(default)]
    file: Option<String>,
    line: Option<usize>,
    description: String,
    verdict: String,
    #[serde(default)]
    closed_by: Vec<String>,
    #[serde(default)]
    open: Option<String>,
    #[serde(default)]
    reason: String,
    #[serde(default)]
    execution: Option<Execution>,
}

#[derive(Deserialize)]
struct Execution {
    states: Vec<BTreeMap<String, serde_json::Value>>,
    #[serde(default, rename = "loop")]
    loop_start: Option<usize>,
}

/// The results in a document of an audit, which is at this path.
pub(super) fn results(path: &Path, audit: &Audit) -> Results {
    let tables = tables(audit);
    Results::Audit(Box::new(view(path, audit)), tables)
}

fn view(path: &Path, audit: &Audit) -> AuditView {
    let share = |counts: Counts| Group { reached: counts.killed, total: counts.killed + counts.survived };
    let declaration = |missing: &Missing| {
        let kind = missing.kind.as_deref().unwrap_or("CTLSPEC");
        format!("{kind} NAME {} := {};", missing.name, missing.formula)
    };
    let declared: BTreeMap<&str, String> =
        audit.missing.iter().map(|missing| (missing.name.as_str(), declaration(missing))).collect();
    let kills = |name: &String| audit.missing.iter().find(|missing| missing.name == *name).map_or(0, |m| m.kills.len());
    let named = |name: &String| Some((declared.get(name.as_str())?.clone(), kills(name)));
    let mut files: Vec<File> = Vec::new();
    let named_files = audit.lines.iter().map(|line| &line.file);
    for name in named_files.chain(audit.mutants.iter().filter_map(|mutant| mutant.file.as_ref())) {
        if !files.iter().any(|file| file.name == *name)
            && let Some(text) = text(path, name)
        {
            files.push(File { name: name.clone(), text });
        }
    }
    let place = |file: Option<&String>, line: usize| {
        let file = files.iter().position(|known| Some(&known.name) == file)?;
        Some((file, line))
    };
    let mut lines: BTreeMap<(usize, usize), Group> = BTreeMap::new();
    for line in &audit.lines {
        if let Some(place) = place(Some(&line.file), line.line) {
            lines.insert(place, share(line.counts));
        }
    }
    let survivor = |mutant: &Mutant| UnguardedView {
        id: mutant.id.clone(),
        description: mutant.description.clone(),
        place: mutant.line.and_then(|line| place(mutant.file.as_ref(), line)),
        difference: mutant.reason.clone(),
        // Those that are among the fewest come first.
        missing: {
            let (few, others): (Vec<&String>, _) =
                mutant.closed_by.iter().partition(|name| audit.fewest.contains(*name));
            few.into_iter().chain(others).filter_map(|name| declared.get(name.as_str()).cloned()).collect()
        },
        open: mutant.open.clone(),
        execution: mutant.execution.as_ref().map(execution),
    };
    let survivors = audit.mutants.iter().filter(|mutant| mutant.verdict == "survived").map(survivor).collect();
    let missing = audit.fewest.iter().filter_map(named).collect();
    AuditView { score: share(audit.counts), missing, survivors, lines, files }
}

/// The text of a file that a document names: as seen from here, or from where the document is.
fn text(document: &Path, name: &str) -> Option<String> {
    let here = PathBuf::from(name);
    let beside = document.parent().map(|folder| folder.join(&here));
    let found = [Some(here), beside].into_iter().flatten().find(|path| path.is_file())?;
    crate::text::read(&found, name).ok()
}

/// An execution, with values as SMV writes them.
fn execution(execution: &Execution) -> ExecutionView {
    let value = |value: &serde_json::Value| match value {
        serde_json::Value::Bool(true) => "TRUE".to_owned(),
        serde_json::Value::Bool(false) => "FALSE".to_owned(),
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let state = |state: &BTreeMap<String, serde_json::Value>| {
        state.iter().map(|(name, of)| (name.clone(), value(of))).collect()
    };
    ExecutionView { states: execution.states.iter().map(state).collect(), loop_start: execution.loop_start }
}

fn tables(audit: &Audit) -> Vec<Further> {
    let has_proofs = audit.properties.iter().any(|property| property.needs.is_some());
    let property = |property: &Property| {
        let implied = match (property.vacuous, property.implied.as_deref()) {
            (true, _) => "holds vacuously",
            (false, Some("yes")) => "the others imply it",
            _ => "",
        };
        let unique = property.kills_alone.map_or_else(|| "–".to_owned(), |n| n.to_string());
        let numbers = [property.kills.to_string(), unique];
        let mut rest = vec![implied.into(), property.irrelevant.join("; ")];
        if has_proofs {
            rest.push(property.needs.as_ref().map(|needs| needs.join(", ")).unwrap_or_default());
        }
        [vec![property.name.clone()], numbers.into(), rest].concat()
    };
    let mut note = "A part that does not matter can be anything: the property holds all the same.".to_owned();
    let mut head: Vec<String> =
        ["property", "kills", "unique kills", "", "parts that do not matter"].map(Into::into).into();
    if has_proofs {
        note += " The proof of a property needs the assignments and constraints in the last column, and nothing else of the \
                 machine.";
        head.push("its proof needs".into());
    }
    let rows = audit.properties.iter().map(property).collect();
    let mut tables = vec![Further { title: "What each property kills".into(), note, head, rows }];
    let unguarded = [("no property reads", &audit.unread), ("no proof needs", &audit.unneeded)];
    let rows: Vec<Vec<String>> = unguarded
        .iter()
        .filter(|(_, names)| !names.is_empty())
        .map(|(what, names)| vec![(*what).to_owned(), names.join(", ")])
        .collect();
    if !rows.is_empty() {
        tables.push(Further {
            title: "What no property is about".into(),
            note: String::new(),
            head: vec![String::new(), "variables, assignments and constraints".into()],
            rows,
        });
    }
    tables
}
