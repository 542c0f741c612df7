//! A grade as a page.

use super::findings::replacement;
use super::results::Results;
use crate::grade::Effect;
use crate::tables::{Marked, MarkedMark};
use crate::winnow::{self, Winnow};
use crate::words::property_text;
use crate::{GradeSettings, Graded, Session};
pub use specwright_harness::report::page::page as html;
use specwright_harness::report::page::{
    CellView, Diff, File, GoalView, NodeView, Page, Status, TableView, TestView, VarView,
};
use specwright_mc::Query;
use specwright_mc::{Answer, Proof};
use specwright_model::interface::{Observable, Timing};
use specwright_model::model::{DefineId, Var};
use specwright_model::trace::Defines;
use specwright_model::{Model, State, Trace, VarId};
use specwright_syntax::span::{SourceFile, SourceMap};
use specwright_testgen::goal::Goal;
use specwright_testgen::grade::{Bits, GoalGrade, Grader, Quantifiers, Sight};
use specwright_testgen::suite::{Test, Validated, validate};
use specwright_testgen::winnow::{Redundant, Winnowing};
use std::collections::BTreeMap;
use std::path::Path;

/// In longer tests what each state adds is not looked for.
const LONG: usize = 1000;
/// Number of states above which no further test is graded state by state in the same batch.
const BATCH_STATES: usize = 1 << 14;

/// The page. The score is that of `grade` as it is; what winnowing changes is shown beside it.
pub fn page(outcome: &mut Graded, settings: &GradeSettings, suite: &Path) -> Page {
    let noun = if mutants(outcome) { "mutant" } else { "goal" };
    let effects =
        outcome.effects().into_iter().map(|Effect { step, share }| (left_out(step, noun).into(), share)).collect();
    let consistent = settings.winnow.iter().any(|name| matches!(name, Winnow::All | Winnow::Consistent));
    outcome.wanted = winnow::which(&[if consistent { Winnow::Consistent } else { Winnow::None }]);
    let outcome = &*outcome;
    let sources = &outcome.sources;
    let files = shown(sources, outcome);
    let properties = outcome.model.properties.iter().enumerate().filter_map(|(index, property)| {
        let share = outcome.share(|goal| goal.property == Some(index));
        let name = property.name.clone().unwrap_or_else(|| property_text(&outcome.model, property));
        (share.total > 0).then_some((name, share))
    });
    let vars = vars(&outcome.model, &shown_defines(outcome));
    Page {
        only_trace: false,
        command: None,
        date: None,
        state_graph: super::state_graph::state_graph(outcome),
        chart: super::chart::chart(outcome),
        history: Vec::new(),
        model: outcome.model.name.clone(),
        suite: suite.display().to_string(),
        version: env!("CARGO_PKG_VERSION").into(),
        noun,
        score: outcome.share(|_| true),
        effects,
        properties: properties.collect(),
        goals: (0..outcome.goals.len()).map(|goal| goal_view(sources, &files, outcome, goal)).collect(),
        files: files.into_iter().map(|file| File { name: file.name.clone(), text: file.text.to_string() }).collect(),
        tests: tests(outcome, settings.quantifiers),
        vars,
        tables: outcome.tables().into_iter().flatten().map(table).collect(),
        further: Vec::new(),
        audit: None,
        subsumption: graph(&outcome.winnowing),
        n_open: outcome.winnowing.n_unknown,
    }
}

/// A page of results without a suite.
pub fn without_suite(model: &str, suite: &Path, results: Vec<Results>) -> Page {
    let mut page = Page {
        model: model.into(),
        suite: suite.display().to_string(),
        version: env!("CARGO_PKG_VERSION").into(),
        noun: "goal",
        ..Page::default()
    };
    for results in results {
        match results {
            Results::Audit(..) => drop(super::results::add(&mut page, results)),
            results => page.further.extend(results.tables()),
        }
    }
    page
}

/// A page that shows an execution, such as a counterexample.
pub fn of_trace(session: &Session, title: &str, trace: &Trace) -> Page {
    let model = &session.model;
    let defines = model.shown_defines(Defines::Main);
    let states = trace.states.iter().map(|state| {
        let own = own_values(model, state);
        let defined = defines.iter().map(|define| model.define_value(*define, state));
        own.chain(defined.map(|value| value.map(|value| model.show(value)))).collect()
    });
    let test = TestView {
        name: title.to_owned(),
        rejects: false,
        states: states.collect(),
        loop_start: trace.loop_start,
        departure: None,
        notes: Vec::new(),
        reaches: Bits::new(0),
        news: Vec::new(),
        alone: 0,
        redundant: false,
        invalid: None,
        verdict: None,
    };
    Page {
        only_trace: true,
        model: model.name.clone(),
        suite: title.to_owned(),
        version: env!("CARGO_PKG_VERSION").into(),
        noun: "goal",
        tests: vec![test],
        vars: vars(model, &defines),
        ..Page::default()
    }
}

/// What a step of winnowing leaves out, in words.
fn left_out(step: &str, noun: &str) -> &'static str {
    match (step, noun) {
        ("none", _) => "nothing",
        ("consistent", "mutant") => "equivalent: no test can kill them",
        ("consistent", _) => "infeasible: no test can cover them",
        ("trivial", "mutant") => "trivial: every test kills them",
        ("trivial", _) => "trivial: every test covers them",
        ("duplicates", _) => "duplicates: killed or covered by the same tests as another one",
        _ => "subsumed by others",
    }
}

/// Whether all goals are mutants.
pub fn mutants(outcome: &Graded) -> bool {
    outcome.goals.iter().all(Goal::is_mutant)
}

/// The subsumption graph.
fn graph(winnowing: &Winnowing) -> Vec<NodeView> {
    let mut same: BTreeMap<usize, usize> = BTreeMap::new();
    for (_, first) in winnowing.classes.iter().flat_map(|classes| &classes.of) {
        *same.entry(*first).or_default() += 1;
    }
    let same = |goal: usize| same.get(&goal).map_or(0, |n| n - 1);
    let found = winnowing.subsumption.iter().flat_map(|found| found.goals.iter().zip(&found.subsumes));
    found.map(|(goal, subsumes)| NodeView { goal: *goal, same: same(*goal), subsumes: subsumes.clone() }).collect()
}

/// The file of the model, and those that goals are about.
fn shown<'s>(sources: &'s SourceMap, outcome: &Graded) -> Vec<&'s SourceFile> {
    let mut shown: Vec<&SourceFile> = sources.files().iter().take(1).collect();
    for goal in &outcome.goals {
        if let Some((file, ..)) = sources.locate(goal.span)
            && !shown.iter().any(|known| known.start == file.start)
        {
            shown.push(file);
        }
    }
    shown.sort_by_key(|file| file.start);
    shown
}

fn goal_view(sources: &SourceMap, files: &[&SourceFile], outcome: &Graded, index: usize) -> GoalView {
    let goal = &outcome.goals[index];
    let place = sources
        .locate(goal.span)
        .and_then(|(file, line, _)| Some((files.iter().position(|shown| shown.start == file.start)?, line)));
    GoalView {
        id: goal.id.clone(),
        groups: goal.groups.clone(),
        description: goal.description.clone(),
        place,
        status: match &outcome.fates[index] {
            _ if outcome.ignored.contains_key(&index) => Status::Ignored,
            _ if matches!(outcome.sight(index), Some(Sight::Indistinguishable)) => Status::Indistinguishable,
            _ if outcome.is_reached(index) => Status::Killed,
            _ if matches!(outcome.sight(index), Some(Sight::Hidden(_) | Sight::Elsewhere(_))) => Status::Hidden,
            _ if matches!(outcome.sight(index), Some(Sight::Undecided(_))) => Status::Unknown,
            fate if fate.is_possible() => Status::Possible,
            GoalGrade::Missed(Some(Answer::Impossible(Proof::Infeasible | Proof::Conforming | Proof::Equivalent))) => {
                Status::Consistent
            }
            GoalGrade::Missed(Some(Answer::Impossible(Proof::Inconsistent(_)))) => Status::Inconsistent,
            GoalGrade::Missed(Some(Answer::Impossible(Proof::Nonfalsifiable))) => Status::Nonfalsifiable,
            GoalGrade::Missed(Some(Answer::Undecided(_))) => Status::Unknown,
            _ => Status::Survives,
        },
        redundancy: outcome.winnowing.redundant[index].map(|redundancy| match redundancy {
            Redundant::Trivial => "trivial",
            Redundant::Duplicate(_) => "duplicate",
            Redundant::Subsumed => "subsumed",
        }),
        ignored: outcome.ignored.get(&index).cloned(),
        diff: diff(sources, outcome, goal),
        lost: outcome.where_hidden(index),
    }
}

/// What a mutant changes: in its line if one word of it says so, else in its formula.
pub fn diff(sources: &SourceMap, outcome: &Graded, goal: &Goal) -> Option<Diff> {
    let Query::Falsify(mutant) = goal.target else { return None };
    let in_line = replacement(sources, goal).zip(sources.locate(goal.span)).and_then(|(new, (file, ..))| {
        let at = (goal.span.start - file.start) as usize;
        let start = file.text[..at].rfind('\n').map_or(0, |end| end + 1);
        let line = file.text[start..].lines().next()?;
        Diff::within(line, at - start, sources.text(goal.span), &new)
    });
    in_line.or_else(|| {
        let model = &outcome.model;
        let original = &model.properties[goal.property?];
        Some(Diff::of(&model.show_expr(original.formula.expr), &model.show_expr(mutant)))
    })
}

/// The defines whose values tests show.
fn shown_defines(outcome: &Graded) -> Vec<DefineId> {
    outcome.read.suite.defines(&outcome.model)
}

/// The variables, and the defines that are shown beside them.
fn vars(model: &Model, defines: &[DefineId]) -> Vec<VarView> {
    let timings = model.timings();
    let var = |(id, var): (VarId, &Var)| VarView {
        name: var.name.clone(),
        role: model.role(id).name(),
        is_leaving: timings.get(&id) == Some(&Timing::Leaving),
    };
    let defined = |define: &DefineId| VarView {
        name: model[*define].name.clone(),
        role: model.interface.role(Observable::Define(*define)).name(),
        is_leaving: false,
    };
    model.vars().map(var).chain(defines.iter().map(defined)).collect()
}

fn tests(outcome: &Graded, quantifiers: Quantifiers) -> Vec<TestView> {
    let Graded { model, goals, read, grade, .. } = outcome;
    let grader = Grader::new(model, goals.iter().map(|goal| goal.target), quantifiers);
    let (unique, redundant) = (grade.matrix.unique(), grade.redundant());
    let defines = shown_defines(outcome);
    let execution = |test: &Test| match validate(model, test) {
        Ok(Validated::Execution(trace)) => Some(trace),
        _ => None,
    };
    let executions: Vec<Option<Trace>> = read.suite.tests.iter().map(execution).collect();
    let judged: Vec<(&Trace, &Bits)> = executions
        .iter()
        .enumerate()
        .filter_map(|(index, trace)| Some((trace.as_ref()?, grade.matrix.goals_of(index))))
        .collect();
    let mut all_news = news(model, &grader, &judged).into_iter();
    let view = |((index, test), execution): ((usize, &Test), &Option<Trace>)| {
        let invalid = grade.invalid_tests.iter().find(|(invalid, _)| *invalid == index);
        let news = execution.as_ref().and_then(|_| all_news.next()).unwrap_or_default();
        let trace = execution.as_ref().unwrap_or(&test.trace).clone();
        let whole = Test { trace: trace.clone(), ..test.clone() };
        let values = |(at, state): (usize, &State)| {
            let defined = defines.iter().map(|define| whole.value_of(model, at, *define));
            own_values(model, state).chain(defined.map(|value| value.map(|value| model.show(value)))).collect()
        };
        TestView {
            name: test.name.clone(),
            rejects: test.rejected_at().is_some(),
            states: trace.states.iter().enumerate().map(values).collect(),
            loop_start: trace.loop_start,
            departure: test.rejected_at(),
            notes: test.notes.clone(),
            reaches: grade.matrix.goals_of(index).clone(),
            news,
            alone: unique[index].count(),
            redundant: redundant.binary_search(&index).is_ok(),
            invalid: invalid.map(|(_, invalid)| invalid.describe(model)),
            verdict: None,
        }
    };
    read.suite.tests.iter().enumerate().zip(&executions).map(view).collect()
}

/// For each execution and each of its states those of its goals that are reached as soon as the state is, and at last those
/// that the loop reaches. Many short executions are graded at once.
pub fn news(model: &Model, grader: &Grader, executions: &[(&Trace, &Bits)]) -> Vec<Vec<Vec<usize>>> {
    let mut all = Vec::with_capacity(executions.len());
    let mut rest = executions;
    while !rest.is_empty() {
        let (mut batch, mut counts, mut n_states) = (Vec::new(), Vec::new(), 0);
        while let Some((trace, _)) = rest.get(counts.len()).filter(|_| n_states < BATCH_STATES) {
            let parts = prefixes(trace);
            n_states += parts.iter().map(|part| part.states.len()).sum::<usize>();
            counts.push(parts.len());
            batch.extend(parts);
        }
        let (now, later) = rest.split_at(counts.len());
        rest = later;
        let mut reached = grader.reached_by_each(model, &batch.iter().collect::<Vec<_>>()).into_iter();
        for ((_, goals), n) in now.iter().zip(counts) {
            let mut known = Bits::new(goals.limit());
            let look = |mut new: Bits| {
                new.intersect(goals);
                new.subtract(&known);
                known.union_with(&new);
                new.iter().collect()
            };
            all.push(reached.by_ref().take(n).map(look).collect());
        }
    }
    all
}

/// The beginnings of an execution, and the whole of it if it has a loop; nothing for a long one.
fn prefixes(trace: &Trace) -> Vec<Trace> {
    if trace.states.len() > LONG {
        return Vec::new();
    }
    let parts = (1..=trace.states.len()).map(|n| Trace { states: trace.states[..n].to_vec(), loop_start: None });
    parts.chain(trace.loop_start.map(|_| trace.clone())).collect()
}

fn table(table: Marked) -> TableView {
    let mark = |mark: MarkedMark| (mark.words(), mark.status.to_owned(), mark.tests);
    let row = |row: Vec<crate::tables::MarkedCell>| {
        row.into_iter()
            .map(|cell| CellView { text: cell.text, marks: cell.marks.into_iter().map(mark).collect() })
            .collect()
    };
    TableView { name: table.name, rows: table.rows.into_iter().map(row).collect() }
}

/// The texts of the values of variables.
fn own_values<'a>(model: &'a Model, state: &'a State) -> impl Iterator<Item = Option<String>> + 'a {
    (0..).map(VarId).zip(state.values()).map(|(var, value)| value.map(|value| model.show_of(var, value)))
}
