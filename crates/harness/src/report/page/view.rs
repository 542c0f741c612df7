//! The data of a page as its template and its script need it.

use super::audit::{AuditSection, executions};
use super::chart::Chart;
use super::charts::{History, StateGraph};
use super::data::{
    CellView, Diff, Difference, Further, GoalView, NodeView, Page, Status, TableView, TestView, Verdict,
};
use super::diff::shorten;
use super::embedded::data;
use super::graph::Graph;
use serde::Serialize;
use specwright_testgen::grade::Group;
use specwright_testgen::mutate::OPERATORS;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Maximal number of goals listed at one line of a file; the matrix has them all.
const MAX_GOALS_PER_LINE: usize = 40;
/// Maximal number of survivors at the top of the page; the specification and the matrix have them all.
const MAX_GAPS: usize = 10;
/// Maximal length of all traces in static HTML, in characters.
const MAX_PLAIN_TRACES: usize = 200_000;

#[derive(Serialize)]
pub(super) struct View<'a> {
    style: &'static str,
    script: &'static str,
    policy: String,
    data: String,
    model: String,
    suite: String,
    version: &'a str,
    command: Option<String>,
    date: Option<String>,
    state_graph: Option<StateGraph>,
    chart: Option<Chart>,
    history: Option<History>,
    noun: &'static str,
    labels: Vec<Kind>,
    score: Share,
    effects: Vec<(String, Share)>,
    groups: Vec<GroupRow>,
    properties: Vec<(String, Share)>,
    files: Vec<FileRow>,
    nowhere: Vec<Survivor>,
    ignored: Vec<IgnoredRow>,
    /// Whether nothing but an execution is shown.
    only_trace: bool,
    /// Whether there is a suite, and not only further results.
    graded: bool,
    tests: Vec<TestRow>,
    n_redundant: usize,
    has_verdicts: bool,
    /// Numbers of tests by their verdicts on an implementation.
    run: RunCounts,
    /// The tests that failed or had an error, by their indices.
    failures: Vec<usize>,
    /// The first survivors and uncovered goals, with their places.
    gaps: Vec<Gap>,
    n_gaps: usize,
    tables: Vec<TableView>,
    dominators: Vec<Dominator>,
    graph: Option<GraphView>,
    n_distinct: usize,
    n_open: usize,
    further: Vec<Further>,
    audit: Option<AuditSection>,
    n_executions: usize,
    plain: String,
}

/// A status of goals with its name and count.
#[derive(Serialize)]
pub(super) struct Kind {
    word: &'static str,
    label: &'static str,
    hint: &'static str,
    count: usize,
}

#[derive(Serialize)]
struct Share {
    reached: usize,
    total: usize,
    percent: String,
    /// The share as a CSS length.
    width: String,
}

#[derive(Serialize)]
struct GroupRow {
    name: String,
    /// What the acronym of a mutation operator stands for.
    title: &'static str,
    share: Share,
    /// For each status, the count and the start and length of its bar, in percent of the largest group.
    bars: Vec<Bar>,
}

#[derive(Serialize)]
struct Bar {
    word: &'static str,
    label: &'static str,
    count: usize,
    x: String,
    width: String,
}

#[derive(Serialize)]
struct FileRow {
    name: String,
    lines: Vec<Line>,
}

#[derive(Serialize)]
struct Line {
    number: usize,
    text: String,
    /// `none`, `all`, `some` or `no` of the goals at the line are reached.
    class: &'static str,
    reached: usize,
    total: usize,
    survivors: Vec<Survivor>,
    more: usize,
}

#[derive(Serialize)]
struct Survivor {
    index: usize,
    id: String,
    word: &'static str,
    label: &'static str,
    description: String,
    diff: Option<Diff>,
    lost: Option<String>,
}

/// A survivor or uncovered goal with its place.
#[derive(Serialize)]
struct Gap {
    goal: Survivor,
    /// The file and the line, for people and as an anchor.
    place: String,
    anchor: String,
}

#[derive(Serialize)]
struct RunCounts {
    passed: usize,
    failed: usize,
    errors: usize,
    inconclusive: usize,
}

/// An ignored goal.
#[derive(Serialize)]
struct IgnoredRow {
    index: usize,
    id: String,
    description: String,
    reason: String,
    /// Number of tests that reach it nevertheless.
    tests: usize,
}

#[derive(Serialize)]
struct TestRow {
    name: String,
    states: usize,
    reaches: usize,
    alone: usize,
    remark: String,
    redundant: bool,
    verdict: Option<Verdict>,
}

#[derive(Serialize)]
struct Dominator {
    index: usize,
    id: String,
    word: &'static str,
    label: &'static str,
    description: String,
    /// Number of equivalent goals, and of goals that it subsumes.
    same: usize,
    subsumes: usize,
}

/// The subsumption graph, and the descriptions of its nodes, in their order.
#[derive(Serialize)]
struct GraphView {
    picture: Graph,
    goals: Vec<Dominator>,
    is_small: bool,
}

impl From<Group> for Share {
    fn from(group: Group) -> Share {
        // Rounded down, so that 100 % means all.
        let tenths = (group.reached * 1000).checked_div(group.total);
        let percent = tenths.map_or_else(|| "–".into(), |tenths| format!("{}.{} %", tenths / 10, tenths % 10));
        let width = tenths.map_or_else(|| "0%".into(), |tenths| format!("{}.{}%", tenths / 10, tenths % 10));
        Share { reached: group.reached, total: group.total, width, percent }
    }
}

impl<'a> View<'a> {
    pub(super) fn new(page: &'a Page, style: &'static str, script: &'static str, policy: String) -> View<'a> {
        let labels: Vec<Kind> = Status::ALL.map(|status| label(page, status)).into();
        let (dominators, below): (Vec<&NodeView>, _) = (dominators(page).collect(), nodes(page));
        let share = |(name, group): &(String, Group)| (shorten(name), Share::from(*group));
        View {
            style,
            script,
            policy,
            data: data(page, &labels),
            model: shorten(&page.model),
            suite: shorten(&page.suite),
            version: &page.version,
            command: page.command.as_deref().map(shorten),
            date: page.date.as_deref().map(shorten),
            state_graph: page.state_graph.as_ref().and_then(StateGraph::new),
            chart: page.chart.as_ref().and_then(Chart::new),
            history: History::new(&page.history),
            noun: page.noun,
            score: page.score.into(),
            effects: page.effects.iter().map(share).collect(),
            groups: groups(page),
            properties: page.properties.iter().map(share).collect(),
            files: files(page),
            nowhere: open(page)
                .filter(|goal| page.goals[*goal].place.is_none())
                .map(|goal| survivor(page, goal))
                .collect(),
            ignored: ignored(page),
            only_trace: page.only_trace,
            graded: !page.goals.is_empty() || !page.tests.is_empty(),
            tests: page.tests.iter().map(test_row).collect(),
            n_redundant: page.tests.iter().filter(|test| test.redundant).count(),
            has_verdicts: page.tests.iter().any(|test| test.verdict.is_some()),
            run: run_counts(page),
            failures: (0..page.tests.len()).filter(|test| has_failed(&page.tests[*test])).collect(),
            gaps: open(page).take(MAX_GAPS).map(|goal| gap(page, goal)).collect(),
            n_gaps: open(page).count(),
            tables: page.tables.iter().map(table).collect(),
            dominators: dominators.into_iter().map(|node| dominator(page, &below, node)).collect(),
            graph: graph(page),
            n_distinct: page.subsumption.len(),
            n_open: page.n_open,
            further: page.further.iter().map(further).collect(),
            audit: AuditSection::new(page),
            n_executions: executions(page).count(),
            plain: plain(page),
            labels,
        }
    }
}

fn words(page: &Page, status: Status) -> (&'static str, &'static str) {
    match (status, page.noun) {
        (Status::Killed, "mutant") => ("killed", "a test distinguishes it from the specification"),
        (Status::Killed, _) => ("covered", "a test covers it"),
        (Status::Survives, "mutant") => ("survived", "a test could kill it, and none does"),
        (Status::Survives, _) => ("uncovered", "a test could cover it, and none does"),
        (Status::Hidden, _) => ("not visible", "a test goes through a violation, but no output shows it"),
        (Status::Possible, _) => {
            ("possibly killed", "a test distinguishes it from the specification in some runs only")
        }
        (Status::Unknown, _) => ("undecided", "a limit was reached before it was known whether a test could"),
        (Status::Consistent, "mutant") => {
            ("equivalent", "it also holds on the specification, so no test can kill it (proved)")
        }
        (Status::Consistent, _) => ("infeasible", "no execution covers it (proved)"),
        (Status::Indistinguishable, _) => {
            ("indistinguishable", "no outputs show it in any execution, so it does not count")
        }
        (Status::Inconsistent, _) => {
            ("inconsistent", "a reachable state requires it, but its updates contradict each other")
        }
        (Status::Nonfalsifiable, _) => ("nonfalsifiable", "false, but no single execution shows it"),
        (Status::Ignored, _) => ("ignored", "reviewed and ignored, with a reason; it does not count"),
    }
}

fn label(page: &Page, status: Status) -> Kind {
    let (label, hint) = words(page, status);
    let count = page.goals.iter().filter(|goal| goal.status == status).count();
    Kind { word: status.word(), label, hint, count }
}

/// The feasible or undecided goals that no test covers.
fn open(page: &Page) -> impl Iterator<Item = usize> + '_ {
    page.goals.iter().enumerate().filter(|(_, goal)| goal.status.is_open()).map(|(index, _)| index)
}

fn gap(page: &Page, index: usize) -> Gap {
    let place = page.goals[index].place;
    let name = |file: usize| page.files.get(file).map(|file| shorten(&file.name)).unwrap_or_default();
    Gap {
        goal: survivor(page, index),
        place: place.map(|(file, line)| format!("{}:{line}", name(file))).unwrap_or_default(),
        anchor: place.map(|(file, line)| format!("f{file}-{line}")).unwrap_or_default(),
    }
}

/// Whether a test failed or had an error on an implementation.
fn has_failed(test: &TestView) -> bool {
    test.verdict.as_ref().is_some_and(|verdict| matches!(&*verdict.word, "fail" | "error"))
}

fn run_counts(page: &Page) -> RunCounts {
    let verdicts = || page.tests.iter().filter_map(|test| test.verdict.as_ref());
    let n = |word: &str| verdicts().filter(|verdict| verdict.word == word).count();
    RunCounts { passed: n("pass"), failed: n("fail"), errors: n("error"), inconclusive: n("inconclusive") }
}

fn ignored(page: &Page) -> Vec<IgnoredRow> {
    let row = |(index, goal): (usize, &GoalView)| {
        Some(IgnoredRow {
            index,
            id: shorten(&goal.id),
            description: shorten(&goal.description),
            reason: shorten(goal.ignored.as_ref()?),
            tests: page.tests.iter().filter(|test| test.reaches.contains(index)).count(),
        })
    };
    page.goals.iter().enumerate().filter_map(row).collect()
}

fn survivor(page: &Page, index: usize) -> Survivor {
    let goal = &page.goals[index];
    Survivor {
        index,
        id: shorten(&goal.id),
        word: goal.status.word(),
        label: words(page, goal.status).0,
        description: shorten(&goal.description),
        diff: goal.diff.clone(),
        lost: goal.lost.as_deref().map(shorten),
    }
}

/// The goals that no other goal subsumes.
fn dominators(page: &Page) -> impl Iterator<Item = &NodeView> {
    let subsumed: BTreeSet<usize> = page.subsumption.iter().flat_map(|node| &node.subsumes).copied().collect();
    page.subsumption.iter().filter(move |node| !subsumed.contains(&node.goal))
}

/// The node of each goal.
fn nodes(page: &Page) -> BTreeMap<usize, &NodeView> {
    page.subsumption.iter().map(|node| (node.goal, node)).collect()
}

fn dominator(page: &Page, below: &BTreeMap<usize, &NodeView>, node: &NodeView) -> Dominator {
    let Survivor { index, id, word, label, description, .. } = survivor(page, node.goal);
    let (mut seen, mut left) = (BTreeSet::new(), vec![node]);
    while let Some(node) = left.pop() {
        left.extend(node.subsumes.iter().filter(|goal| seen.insert(**goal)).filter_map(|goal| below.get(goal)));
    }
    // Equivalent goals are subsumed as well.
    let same = |goal: &usize| below.get(goal).map_or(1, |node| 1 + node.same);
    Dominator { index, id, word, label, description, same: node.same, subsumes: seen.iter().map(same).sum() }
}

fn graph(page: &Page) -> Option<GraphView> {
    let name = |node: &NodeView| {
        let same = if node.same > 0 { format!(" ×{}", node.same + 1) } else { String::new() };
        format!("{}{same}", page.goals[node.goal].id)
    };
    let picture = Graph::new(&page.subsumption, name)?;
    let below = nodes(page);
    let goals = page.subsumption.iter().map(|node| dominator(page, &below, node)).collect();
    Some(GraphView { picture, goals, is_small: page.subsumption.len() <= 60 })
}

fn groups(page: &Page) -> Vec<GroupRow> {
    let mut groups: BTreeMap<&str, [usize; Status::ALL.len()]> = BTreeMap::new();
    for goal in &page.goals {
        for group in &goal.groups {
            groups.entry(group).or_default()[goal.status as usize] += 1;
        }
    }
    let largest = groups.values().map(|counts| counts.iter().sum()).max().unwrap_or(1).max(1);
    // In hundredths of a percent, as integers, so that the page is the same on every machine.
    let length = |count: usize| {
        let parts = count * 10_000 / largest;
        format!("{}.{:02}%", parts / 100, parts % 100)
    };
    let row = |(name, counts): (&str, [usize; Status::ALL.len()])| {
        let bar = |(at, status): (usize, Status)| Bar {
            word: status.word(),
            label: words(page, status).0,
            count: counts[at],
            x: length(counts[..at].iter().sum()),
            width: length(counts[at]),
        };
        GroupRow {
            name: shorten(name),
            title: operator_title(name),
            share: Group { reached: counts[0], total: counts[..Status::N_COUNTED].iter().sum() }.into(),
            bars: Status::ALL.into_iter().enumerate().map(bar).filter(|bar| bar.count > 0).collect(),
        }
    };
    groups.into_iter().map(row).collect()
}

/// What the acronym of a mutation operator stands for.
fn operator_title(name: &str) -> &'static str {
    OPERATORS.iter().find(|info| info.name == name).map_or("", |info| info.summary)
}

fn files(page: &Page) -> Vec<FileRow> {
    let mut goals: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
    for (index, goal) in page.goals.iter().enumerate() {
        if let Some(place) = goal.place {
            goals.entry(place).or_default().push(index);
        }
    }
    let line = |file: usize, number: usize, text: &str| {
        let here: &[usize] = goals.get(&(file, number)).map_or(&[], Vec::as_slice);
        let n = |status| here.iter().filter(|goal| page.goals[**goal].status == status).count();
        let missed = here.iter().filter(|goal| page.goals[**goal].status.is_open()).count();
        let reached = n(Status::Killed);
        let class = match (reached, missed) {
            (0, 0) => "none",
            (_, 0) => "all",
            (0, _) => "no",
            _ => "some",
        };
        let open = here.iter().filter(|goal| page.goals[**goal].status.is_open());
        Line {
            number,
            text: text.into(),
            class,
            reached,
            total: reached + missed,
            survivors: open.take(MAX_GOALS_PER_LINE).map(|goal| survivor(page, *goal)).collect(),
            more: missed.saturating_sub(MAX_GOALS_PER_LINE),
        }
    };
    let file = |(index, file): (usize, &super::File)| FileRow {
        name: shorten(&file.name),
        lines: file.text.lines().zip(1..).map(|(text, number)| line(index, number, text)).collect(),
    };
    page.files.iter().enumerate().map(file).collect()
}

fn test_row(test: &TestView) -> TestRow {
    let mut remarks = Vec::new();
    if test.redundant {
        remarks.push("redundant: the other tests together do the same".to_owned());
    }
    if test.rejects {
        remarks.push("negative test: a correct implementation rejects it".to_owned());
    }
    remarks.extend(test.invalid.as_ref().map(|why| format!("not graded: {why}")));
    TestRow {
        name: shorten(&test.name),
        states: test.states.len(),
        reaches: test.reaches.count(),
        alone: test.alone,
        remark: shorten(&remarks.join("; ")),
        redundant: test.redundant,
        verdict: test.verdict.as_ref().map(verdict),
    }
}

pub(super) fn verdict(verdict: &Verdict) -> Verdict {
    let difference = |difference: &Difference| Difference {
        variable: shorten(&difference.variable),
        expected: shorten(&difference.expected),
        actual: shorten(&difference.actual),
    };
    Verdict {
        word: shorten(&verdict.word),
        step: verdict.step,
        message: shorten(&verdict.message),
        differences: verdict.differences.iter().map(difference).collect(),
    }
}

fn further(further: &Further) -> Further {
    let all = |texts: &Vec<String>| texts.iter().map(|text| shorten(text)).collect();
    Further {
        title: shorten(&further.title),
        note: further.note.clone(),
        head: all(&further.head),
        rows: further.rows.iter().map(all).collect(),
    }
}

fn table(table: &TableView) -> TableView {
    let mark = |(word, status, tests): &(String, String, Vec<String>)| {
        (shorten(word), shorten(status), tests.iter().map(|test| shorten(test)).collect())
    };
    let cell = |cell: &CellView| CellView { text: shorten(&cell.text), marks: cell.marks.iter().map(mark).collect() };
    let rows = table.rows.iter().map(|row| row.iter().map(cell).collect()).collect();
    TableView { name: shorten(&table.name), rows }
}

/// The traces as text, truncated: the changes in each state.
fn plain(page: &Page) -> String {
    let mut text = String::new();
    for (number, test) in page.tests.iter().enumerate() {
        if text.len() > MAX_PLAIN_TRACES {
            let _ = writeln!(text, "… and {} more tests", page.tests.len() - number);
            break;
        }
        let _ = writeln!(text, "{}", shorten(&test.name));
        let mut before: Option<&Vec<Option<String>>> = None;
        for (at, state) in test.states.iter().enumerate() {
            let changed = |var: &usize| before.is_none_or(|before| before[*var] != state[*var]);
            let shown =
                |var: usize| Some(format!("{} = {}", shorten(&page.vars[var].name), shorten(state[var].as_ref()?)));
            let changes: Vec<String> = (0..state.len()).filter(changed).filter_map(shown).collect();
            let _ = writeln!(text, "  {:>3}: {}", at + 1, changes.join(", "));
            before = Some(state);
            if text.len() > MAX_PLAIN_TRACES {
                break;
            }
        }
        if let Some(start) = test.loop_start {
            let _ = writeln!(text, "       and again from {}", start + 1);
        }
        text.push('\n');
    }
    text
}
