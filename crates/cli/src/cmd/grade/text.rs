//! `grade` for people.

use crate::args::Grade;
use crate::cmd::tables;
use crate::columns::{Align, Columns};
use crate::console::{self, BAD, Console, GOOD, UNSURE};
use crate::diagnostics::count;
use specwright::Graded;
use specwright::document;
use specwright::goals::Goal;
use specwright::grade::ratio;
use specwright::grade::{GoalGrade, Group};
use specwright::mc::bdd::Limit;
use specwright::model::trace::to_table_with;
use specwright::suites::{Suite, write_text};
use specwright::syntax::columns::{self, MAX_PADDING, shorten};
use specwright::syntax::span::SourceMap;
use specwright::words::property_text;
use specwright::{Answer, Proof};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The number of survivors that are listed unless the user wants all.
const SHOWN: usize = 20;
/// A property without a name is shown by at most this much of its text.
const TITLE: usize = 60;

pub(super) fn print(
    console: &mut Console,
    outcome: &Graded,
    args: &Grade,
    suggestions: Option<&Suite>,
) -> anyhow::Result<()> {
    let (sources, all) = (&outcome.sources, outcome.score());
    let color = if all.reached == all.total { GOOD } else { BAD };
    let mutants = document::page::mutants(outcome);
    let what = if mutants { "mutants killed" } else { "goals covered" };
    console.out(format_args!("{color}{}/{} {what}, {}{color:#}", all.reached, all.total, percent(all)))?;
    console.out(format_args!("{}\n\n", remarks(outcome)))?;
    if outcome.wanted.others != specwright::winnow::Which::default() {
        console.out(format_args!("{}\n", effects(outcome)))?;
    }
    console.out(operators(outcome))?;
    console.out("\n")?;
    if let Some(properties) = properties(outcome) {
        console.out(format_args!("{properties}\n"))?;
    }
    console.out(tests(outcome))?;
    if let Some(tables) = outcome.tables() {
        console.out(tables::text(&tables, console.verbose()))?;
    }
    survivors(console, sources, outcome)?;
    indistinguishable(console, sources, outcome)?;
    inconsistent(console, sources, outcome)?;
    ignored(console, sources, outcome)?;
    if args.matrix {
        console.out(format_args!("\n{}", matrix(outcome)))?;
    }
    if let Some(suite) = suggestions.filter(|suite| args.suggest && !suite.tests.is_empty()) {
        let would = if mutants { "would kill" } else { "would cover" };
        console.out(format_args!("\nTests that {would} them:\n\n{}", write_text(&outcome.model, suite)))?;
    }
    Ok(())
}

fn percent(group: Group) -> String {
    specwright::words::percent(group.reached, group.total)
}

/// What else there is to know about the score.
fn remarks(outcome: &Graded) -> String {
    let mut text = String::new();
    let mutants = document::page::mutants(outcome);
    let consistent = outcome.n_fates(|fate| matches!(fate.proof(), Some(Proof::Infeasible | Proof::Equivalent)));
    let nonfalsifiable = outcome.n_fates(|fate| matches!(fate.proof(), Some(Proof::Nonfalsifiable)));
    let unknown = outcome.n_fates(specwright::grade::GoalGrade::is_undecided);
    if outcome.wanted.consistent && consistent + nonfalsifiable > 0 {
        let all = outcome.grade.count(0..outcome.goals.len());
        let (verb, none) = if mutants { ("kill", "equivalent") } else { ("cover", "infeasible") };
        let _ = write!(text, " ({}/{} with those that no test can {verb}: ", all.reached, all.total);
        let kinds = [(consistent, none), (nonfalsifiable, "nonfalsifiable")];
        let kinds = kinds.into_iter().filter(|(n, _)| *n > 0).map(|(n, kind)| format!("{n} {kind}"));
        let _ = write!(text, "{})", kinds.collect::<Vec<_>>().join(", "));
    }
    let proved = |proof: &Proof| outcome.n_fates(|fate| fate.proof() == Some(proof));
    let seen = [
        (outcome.n_fates(GoalGrade::is_possible), "possibly killed"),
        (proved(&Proof::Conforming), "conforming"),
        (unknown, "undecided"),
    ];
    for (n, word) in seen.into_iter().filter(|(n, _)| *n > 0) {
        let _ = write!(text, ", {n} {word}");
    }
    if let Some(weak) = outcome.weak_score() {
        let never = outcome.indistinguishable().count();
        let _ = write!(text, ", {}/{} by violations alone (weak)", weak.reached, weak.total);
        if never > 0 {
            let _ = write!(text, ", {never} indistinguishable by outputs");
        }
    }
    if !outcome.ignored.is_empty() {
        let _ = write!(text, ", {} ignored", outcome.ignored.len());
    }
    text
}

/// What tests do to goals, as the head of a column.
fn done(outcome: &Graded) -> &'static str {
    if document::page::mutants(outcome) { "killed" } else { "covered" }
}

/// What each step of winnowing does to the score.
fn effects(outcome: &Graded) -> impl std::fmt::Display {
    let done = done(outcome);
    let mut columns = Columns::new([
        ("left out", Align::Left),
        ("of", Align::Right),
        (done, Align::Right),
        ("", Align::Right),
        ("", Align::Left),
    ]);
    let effects = outcome.effects();
    for (index, effect) in effects.iter().enumerate() {
        let share = effect.share;
        let remark = match (effect.step, index.checked_sub(1).map(|before| effects[before].share)) {
            ("consistent", Some(before)) => format!("α = {}", shown(ratio(before, share))),
            ("trivial", Some(before)) => format!("β = {}", shown(ratio(before, share))),
            ("duplicates", _) => outcome.winnowing.distribution.map_or(String::new(), |test| {
                specwright::words::distribution(test.is_distorting(), test.statistic, test.quantile)
            }),
            _ => String::new(),
        };
        columns.row([effect.step.into(), share.total.to_string(), share.reached.to_string(), percent(share), remark]);
    }
    columns
}

fn shown(ratio: Option<f64>) -> String {
    ratio.map_or_else(|| "∞".into(), |ratio| format!("{ratio:.2}"))
}

fn operators(outcome: &Graded) -> impl std::fmt::Display {
    let names: BTreeSet<&String> = outcome.goals.iter().flat_map(|goal| &goal.groups).collect();
    let head = if document::page::mutants(outcome) { "operator" } else { "group" };
    let mut columns =
        Columns::new([(head, Align::Left), (done(outcome), Align::Right), ("of", Align::Right), ("", Align::Right)]);
    for name in names {
        let share = outcome.share(|goal| goal.groups.contains(name));
        columns.row([
            specwright::words::operator_in_words(name),
            share.reached.to_string(),
            share.total.to_string(),
            percent(share),
        ]);
    }
    columns
}

/// The score of each property; nothing if no goal is about one.
fn properties(outcome: &Graded) -> Option<impl std::fmt::Display> {
    let mut columns = Columns::new([
        ("property", Align::Left),
        (done(outcome), Align::Right),
        ("of", Align::Right),
        ("", Align::Right),
    ]);
    for (index, property) in outcome.model.properties.iter().enumerate() {
        let share = outcome.share(|goal| goal.property == Some(index));
        if share.total > 0 {
            let text = || shorten(property_text(&outcome.model, property), TITLE);
            let name = property.name.clone().unwrap_or_else(text);
            columns.row([name, share.reached.to_string(), share.total.to_string(), percent(share)]);
        }
    }
    if columns.is_empty() {
        return None;
    }
    let others = outcome.share(|goal| goal.property.is_none());
    if others.total > 0 {
        let name = if document::page::mutants(outcome) { "(restated machine)" } else { "(no property)" };
        columns.row([name.into(), others.reached.to_string(), others.total.to_string(), percent(others)]);
    }
    Some(columns)
}

fn tests(outcome: &Graded) -> impl std::fmt::Display {
    let (suite, grade) = (&outcome.read.suite, &outcome.grade);
    let does = if document::page::mutants(outcome) { "kills" } else { "covers" };
    let mut columns = Columns::new([
        ("test", Align::Left),
        ("states", Align::Right),
        (does, Align::Right),
        ("unique", Align::Right),
        ("", Align::Left),
    ]);
    let (unique, redundant) = (grade.matrix.unique(), grade.redundant());
    for (index, test) in suite.tests.iter().enumerate() {
        let remark = if grade.invalid_tests.iter().any(|(invalid, _)| *invalid == index) {
            "not graded"
        } else if grade.rejecting.contains(&index) {
            "negative test"
        } else if redundant.contains(&index) {
            "redundant"
        } else {
            ""
        };
        let kills = grade.matrix.goals_of(index).count();
        let n_states = test.trace.states.len();
        let unique = unique[index].count();
        columns.row([test.name.clone(), n_states.to_string(), kills.to_string(), unique.to_string(), remark.into()]);
    }
    columns
}

/// The goals that only a contradiction stops, each with the way to it.
fn inconsistent(console: &mut Console, sources: &SourceMap, outcome: &Graded) -> anyhow::Result<()> {
    let found: Vec<_> = outcome.inconsistent().collect();
    if found.is_empty() {
        return Ok(());
    }
    console.out(format_args!("\n{}\n", specwright::goals::stopped(found.len())))?;
    let limit = if console.verbose() { usize::MAX } else { SHOWN };
    for (index, trace) in found.into_iter().take(limit) {
        let goal = &outcome.goals[index];
        let place = place(sources, goal);
        console.out(format_args!(
            "  {place}{} ({})\n{}",
            goal.description,
            goal.id,
            to_table_with(&outcome.model, trace, &outcome.model.output_defines())
        ))?;
    }
    Ok(())
}

fn survivors(console: &mut Console, sources: &SourceMap, outcome: &Graded) -> anyhow::Result<()> {
    let survivors: Vec<usize> = outcome.survivors().collect();
    if survivors.is_empty() {
        return Ok(());
    }
    let what = if document::page::mutants(outcome) { "survivor" } else { "uncovered goal" };
    console.out(format_args!("\n{}:\n", count(survivors.len(), what)))?;
    let limit = if console.verbose() { usize::MAX } else { SHOWN };
    for index in survivors.iter().take(limit) {
        let goal = &outcome.goals[*index];
        let place = place(sources, goal);
        let remark = match &outcome.fates[*index] {
            _ if let Some(hidden) = outcome.where_hidden(*index) => format!(" {UNSURE}{hidden}{UNSURE:#}"),
            GoalGrade::Missed(Some(Answer::Undecided(reason))) => {
                format!(" {UNSURE}undecided: {}{UNSURE:#}", short(reason))
            }
            _ => String::new(),
        };
        console.out(format_args!("  {place}{} ({}){remark}\n", goal.description, goal.id))?;
    }
    if survivors.len() > limit {
        console.note(format_args!("{} more are not shown; `--verbose` shows all", survivors.len() - limit));
    }
    Ok(())
}

/// The mutants that no outputs ever show. They are out of the score.
fn indistinguishable(console: &mut Console, sources: &SourceMap, outcome: &Graded) -> anyhow::Result<()> {
    let found: Vec<&Goal> = outcome.indistinguishable().map(|index| &outcome.goals[index]).collect();
    if found.is_empty() {
        return Ok(());
    }
    console.out(format_args!("\n{} indistinguishable by outputs, out of the score:\n", found.len()))?;
    let limit = if console.verbose() { usize::MAX } else { SHOWN };
    for goal in found.iter().take(limit) {
        console.out(format_args!("  {}{} ({})\n", place(sources, goal), goal.description, goal.id))?;
    }
    if found.len() > limit {
        console.note(format_args!("{} more are not shown; `--verbose` shows all", found.len() - limit));
    }
    Ok(())
}

/// The goals that were reviewed and are left out, with the reasons.
fn ignored(console: &mut Console, sources: &SourceMap, outcome: &Graded) -> anyhow::Result<()> {
    if outcome.ignored.is_empty() {
        return Ok(());
    }
    console.out(format_args!("\n{} ignored:\n", outcome.ignored.len()))?;
    for (index, reason) in &outcome.ignored {
        let goal = &outcome.goals[*index];
        let reached = if outcome.reached.contains(*index) { ", although a test covers it" } else { "" };
        let place = place(sources, goal);
        console.out(format_args!("  {place}{} ({}{reached}): {reason}\n", goal.description, goal.id))?;
    }
    Ok(())
}

/// Where a goal is in the specification.
fn place(sources: &SourceMap, goal: &Goal) -> String {
    let located = sources.locate(goal.span);
    located.map(|(file, line, column)| format!("{}:{line}:{column}: ", file.name)).unwrap_or_default()
}

fn short(reason: &specwright::Reason) -> String {
    match reason {
        specwright::Reason::Limit(Limit::Interrupted) => console::why_stopped().unwrap_or("interrupted").into(),
        specwright::Reason::Undefined(_) => "a part of it has no value".into(),
        reason => reason.to_string(),
    }
}

/// A row for each mutant, a column for each test.
fn matrix(outcome: &Graded) -> String {
    let matrix = &outcome.grade.matrix;
    let names: Vec<&str> = outcome.read.suite.tests.iter().map(|test| test.name.as_str()).collect();
    let width = outcome.goals.iter().map(|goal| columns::width(&goal.id)).max().unwrap_or(0).min(MAX_PADDING);
    let mut text = format!("Tests: {}\n", names.join(", "));
    for (index, goal) in outcome.goals.iter().enumerate() {
        let row: String =
            (0..matrix.n_tests()).map(|test| if matrix.reaches(test, index) { 'x' } else { '.' }).collect();
        let _ = writeln!(text, "  {}  {row}", columns::left(&goal.id, width));
    }
    text
}
