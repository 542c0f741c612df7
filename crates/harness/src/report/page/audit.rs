//! An audit of properties on a page: the specification with a margin that shows what no property guards.

use super::data::{File, Page, VarView};
use super::diff::shorten;
use serde::Serialize;
use specwright_testgen::grade::Group;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Maximal number of survivors listed at one line of a file.
const MAX_SURVIVORS_PER_LINE: usize = 40;

/// How strong the properties of a model are.
#[derive(Clone, Debug, Default)]
pub struct AuditView {
    /// The number of mutants that are killed, of those that are killed or survive.
    pub score: Group,
    /// The missing properties that are enough, as declarations, each with the number of survivors that it kills.
    pub missing: Vec<(String, usize)>,
    /// The files of the specification.
    pub files: Vec<File>,
    /// For each file and line, the number of mutants that are killed, of those that are killed or survive.
    pub lines: BTreeMap<(usize, usize), Group>,
    /// The mutants that no property kills.
    pub survivors: Vec<UnguardedView>,
}

/// A mutant that no property kills.
#[derive(Clone, Debug)]
pub struct UnguardedView {
    /// Its id.
    pub id: String,
    /// Its description.
    pub description: String,
    /// The index of the file, and the line, counted from 1.
    pub place: Option<(usize, usize)>,
    /// How it differs from the machine.
    pub difference: String,
    /// The missing properties that would kill it, as declarations.
    pub missing: Vec<String>,
    /// Why there is none: `no-form` or `not-by-sat`.
    pub open: Option<String>,
    /// The execution that shows the difference.
    pub execution: Option<ExecutionView>,
}

/// An execution.
#[derive(Clone, Debug, Default)]
pub struct ExecutionView {
    /// The values of variables in each state, by name.
    pub states: Vec<BTreeMap<String, String>>,
    /// The index of the successor of the last state.
    pub loop_start: Option<usize>,
}

/// The audit as the template needs it.
#[derive(Serialize)]
pub(super) struct AuditSection {
    percent: String,
    killed: usize,
    total: usize,
    n_survivors: usize,
    n_open: usize,
    missing: Vec<(String, usize)>,
    files: Vec<AuditFile>,
    nowhere: Vec<Unguarded>,
}

#[derive(Serialize)]
struct AuditFile {
    name: String,
    lines: Vec<AuditLine>,
}

#[derive(Serialize)]
struct AuditLine {
    number: usize,
    text: String,
    /// `none`, `all`, `some` or `no` of the mutants of the line are killed.
    class: &'static str,
    killed: usize,
    total: usize,
    survivors: Vec<Unguarded>,
    more: usize,
    /// A missing property for the margin, and how many more there are.
    missing: Option<String>,
    n_more_missing: usize,
}

#[derive(Serialize)]
struct Unguarded {
    id: String,
    description: String,
    difference: String,
    missing: Vec<String>,
    /// Why there is none.
    open: Option<String>,
    /// The place of its execution among the traces of the page.
    trace: Option<usize>,
    plain: String,
}

impl AuditSection {
    /// The section for the audit of a page.
    pub(super) fn new(page: &Page) -> Option<AuditSection> {
        let audit = page.audit.as_ref()?;
        let mut n_traces = page.tests.len();
        let mut by_line: BTreeMap<(usize, usize), Vec<Unguarded>> = BTreeMap::new();
        let mut nowhere = Vec::new();
        for survivor in &audit.survivors {
            let trace = survivor.execution.as_ref().map(|_| n_traces);
            n_traces += usize::from(trace.is_some());
            let shown = Unguarded {
                id: shorten(&survivor.id),
                description: shorten(&survivor.description),
                difference: shorten(&survivor.difference),
                missing: survivor.missing.iter().map(|missing| shorten(missing)).collect(),
                open: survivor.open.clone(),
                trace,
                plain: survivor.execution.as_ref().map(plain).unwrap_or_default(),
            };
            match survivor.place {
                Some(place) => by_line.entry(place).or_default().push(shown),
                None => nowhere.push(shown),
            }
        }
        let mut line = |file: usize, number: usize, text: &str| {
            let Group { reached: killed, total } = audit.lines.get(&(file, number)).copied().unwrap_or_default();
            let mut survivors = by_line.remove(&(file, number)).unwrap_or_default();
            let mut missing: Vec<String> = Vec::new();
            for property in survivors.iter().filter_map(|survivor| survivor.missing.first()) {
                if !missing.contains(property) {
                    missing.push(property.clone());
                }
            }
            let more = survivors.len().saturating_sub(MAX_SURVIVORS_PER_LINE);
            survivors.truncate(MAX_SURVIVORS_PER_LINE);
            let class = match (killed, total) {
                (_, 0) => "none",
                (killed, total) if killed == total => "all",
                (0, _) => "no",
                _ => "some",
            };
            let n_more_missing = missing.len().saturating_sub(1);
            let missing = missing.into_iter().next();
            AuditLine { number, text: text.into(), class, killed, total, survivors, more, missing, n_more_missing }
        };
        let mut files = Vec::new();
        for (index, file) in audit.files.iter().enumerate() {
            let lines = file.text.lines().zip(1..).map(|(text, number)| line(index, number, text)).collect();
            files.push(AuditFile { name: shorten(&file.name), lines });
        }
        nowhere.extend(by_line.into_values().flatten());
        // Rounded down, so that 100 % means all.
        let tenths = (audit.score.reached * 1000).checked_div(audit.score.total).unwrap_or(1000);
        Some(AuditSection {
            percent: format!("{}.{}", tenths / 10, tenths % 10),
            killed: audit.score.reached,
            total: audit.score.total,
            n_survivors: audit.survivors.len(),
            n_open: audit.survivors.iter().filter(|survivor| survivor.missing.is_empty()).count(),
            missing: audit.missing.iter().map(|(text, n)| (shorten(text), *n)).collect(),
            files,
            nowhere,
        })
    }
}

/// The variables of a page: those of its tests, and those that only executions have.
pub(super) fn vars(page: &Page) -> Vec<VarView> {
    let mut vars = page.vars.clone();
    let states = executions(page).flat_map(|(_, execution)| &execution.states);
    for name in states.flat_map(BTreeMap::keys) {
        if !vars.iter().any(|var| var.name == *name) {
            vars.push(VarView { name: name.clone(), role: "variable", is_leaving: false });
        }
    }
    vars
}

/// The executions of an audit, with the ids of their mutants.
pub(super) fn executions(page: &Page) -> impl Iterator<Item = (&str, &ExecutionView)> {
    let survivors = page.audit.iter().flat_map(|audit| &audit.survivors);
    survivors.filter_map(|survivor| Some((survivor.id.as_str(), survivor.execution.as_ref()?)))
}

/// An execution as text: the changes in each state.
fn plain(execution: &ExecutionView) -> String {
    let mut text = String::new();
    for (at, state) in execution.states.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| &execution.states[before]);
        let changes = state.iter().filter(|(name, value)| before.is_none_or(|before| before.get(*name) != Some(value)));
        let changes = changes.map(|(name, value)| format!("{} = {}", shorten(name), shorten(value)));
        let changes = changes.collect::<Vec<_>>().join(", ");
        let _ = writeln!(text, "{:>3}: {}", at + 1, if changes.is_empty() { "no change" } else { &changes });
    }
    if let Some(start) = execution.loop_start {
        let _ = writeln!(text, "     and again from {}", start + 1);
    }
    text
}
