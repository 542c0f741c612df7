//! Explains one test or one goal in a few lines.

use crate::diagnostics::count;
use specwright::catalogue::topic;
use specwright::document::page::{self, diff, news};
use specwright::grade::{Distinction, Equivalence};
use specwright::grade::{GoalGrade, Grader, Quantifiers};
use specwright::model::trace::to_table_with;
use specwright::model::{Model, Trace};
use specwright::suites::{Validated, validate};
use specwright::syntax::span::SourceMap;
use specwright::words::hint;
use specwright::{Answer, Proof};
use specwright::{Graded, Limits};
use std::fmt::Write;

/// Goals or tests that are named in one line.
const NAMED: usize = 3;

/// Explains a test or a goal by its name.
pub fn explain(outcome: &Graded, name: &str, limits: &Limits) -> anyhow::Result<String> {
    let Graded { goals, read, .. } = outcome;
    if let Some(index) = read.suite.tests.iter().position(|test| test.name == name) {
        return Ok(test(outcome, index));
    }
    if let Some(index) = goals.iter().position(|goal| goal.id == name) {
        return Ok(goal(&outcome.sources, outcome, index, limits));
    }
    let known = read.suite.tests.iter().map(|test| test.name.as_str()).chain(goals.iter().map(|goal| goal.id.as_str()));
    let hint = hint(name, known);
    // Mutants of the machine are named like those of properties.
    let is_mutant = name.split_once('-').is_some_and(|(operator, _)| topic(operator).is_some());
    let advice = if is_mutant && hint.is_empty() {
        "\n`specwright audit MODEL --traces` shows how mutants of the machine differ from it"
    } else {
        ""
    };
    anyhow::bail!("no test or goal has the name `{name}`{hint}{advice}")
}

/// An execution that tells two goals apart, or that there is none.
pub fn apart(outcome: &Graded, one: &str, other: &str, limits: &Limits) -> anyhow::Result<String> {
    let (_, verb) = noun(outcome);
    let plain = verb.trim_end_matches('s');
    Ok(match outcome.distinguish(one, other, limits)? {
        Distinction::Found { met, missed, trace } => format!(
            "this execution {verb} {met} at a point where it does not {plain} {missed}:\n\n{}",
            table(&outcome.model, &trace)
        ),
        Distinction::Undecided => format!("undecided: whether an execution distinguishes {one} from {other}\n"),
        Distinction::None => {
            format!("no execution distinguishes {one} from {other}: every path {verb} both at the same points\n")
        }
    })
}

/// Whether what an equivalent mutant changes makes a difference anywhere.
fn why(Equivalence { old, new, difference }: Equivalence, model: &Model) -> String {
    match difference {
        None => format!("`{old}` and `{new}` are the same in every state that the model can reach\n"),
        Some(trace) => format!(
            "`{old}` and `{new}` differ at the end of this execution, but the property holds with either:\n\n{}",
            table(model, &trace)
        ),
    }
}

/// A trace as a table, with the outputs that are defined.
fn table(model: &Model, trace: &Trace) -> String {
    to_table_with(model, trace, &model.output_defines())
}

fn noun(outcome: &Graded) -> (&'static str, &'static str) {
    if page::mutants(outcome) { ("mutant", "kills") } else { ("goal", "covers") }
}

fn test(outcome: &Graded, index: usize) -> String {
    let Graded { model, goals, read, grade, .. } = outcome;
    let test = &read.suite.tests[index];
    let (noun, verb) = noun(outcome);
    let n_reached = grade.matrix.goals_of(index).count();
    let unique = grade.matrix.unique()[index].count();
    let mut text = format!("{}: {}", test.name, count(test.trace.states.len(), "state"));
    if let Some((_, invalid)) = grade.invalid_tests.iter().find(|(invalid, _)| *invalid == index) {
        let _ = write!(text, "; not graded: {}", invalid.describe(model));
    } else if test.rejected_at().is_some() {
        text.push_str("; a negative test: a correct implementation must reject it");
    } else {
        let _ = write!(text, "; {verb} {}, {unique} of them unique to this test", count(n_reached, noun));
    }
    if grade.redundant().contains(&index) {
        text.push_str("; redundant: the other tests together do the same");
    }
    let Ok(Validated::Execution(trace)) = validate(model, test) else {
        return format!("{text}\n\n{}", table(model, &test.trace));
    };
    let _ = write!(text, "\n\n{}", table(model, &trace));
    let grader = Grader::new(model, goals.iter().map(|goal| goal.target), Quantifiers::Path);
    let news = news(model, &grader, &[(&trace, grade.matrix.goals_of(index))]).pop().unwrap_or_default();
    if news.iter().any(|new| !new.is_empty()) {
        text.push('\n');
    }
    for (at, new) in news.iter().enumerate().filter(|(_, new)| !new.is_empty()) {
        let place = if at < trace.states.len() { format!("state {}", at + 1) } else { "the loop".into() };
        let named: Vec<&str> = new.iter().take(NAMED).map(|goal| goals[*goal].id.as_str()).collect();
        let more = if new.len() > NAMED { ", …" } else { "" };
        let _ = writeln!(text, "{place} {verb} {}: {}{more}", count(new.len(), noun), named.join(", "));
    }
    text
}

fn goal(sources: &SourceMap, outcome: &Graded, index: usize, limits: &Limits) -> String {
    let Graded { model, goals, read, grade, .. } = outcome;
    let goal = &goals[index];
    let (noun, verb) = noun(outcome);
    let place = sources.locate(goal.span).map(|(file, line, column)| format!(" at {}:{line}:{column}", file.name));
    let mut text = format!("{}: {}{}\n", goal.id, goal.description, place.unwrap_or_default());
    if let Some(diff) = diff(sources, outcome, goal) {
        let _ = writeln!(text, "\n  - {}{}{}", diff.before, diff.old, diff.after);
        let _ = writeln!(text, "  + {}{}{}", diff.before, diff.new, diff.after);
    }
    text.push('\n');
    if let Some(reason) = outcome.ignored.get(&index) {
        let _ = writeln!(text, "ignored: {reason}\n");
    }
    let tests: Vec<&str> = grade.matrix.tests_of(index).map(|test| read.suite.tests[test].name.as_str()).collect();
    match &outcome.fates[index] {
        _ if outcome.is_reached(index) => {
            let named = tests[..tests.len().min(NAMED)].join(", ");
            let more = if tests.len() > NAMED { ", …" } else { "" };
            let verb = match (tests.len(), verb) {
                (1, verb) => verb,
                (_, "kills") => "kill",
                _ => "cover",
            };
            let _ = writeln!(text, "{} {verb} it: {named}{more}", count(tests.len(), "test"));
        }
        GoalGrade::Missed(Some(Answer::Found(trace))) if read.suite.tests.is_empty() => {
            let _ = write!(text, "this test {verb} it:\n\n{}", table(model, trace));
        }
        GoalGrade::Missed(Some(Answer::Found(trace))) => {
            let _ = write!(text, "no test {verb} it, but this one would:\n\n{}", table(model, trace));
        }
        GoalGrade::Missed(None) => {
            let _ = writeln!(text, "no test {verb} it");
        }
        GoalGrade::Missed(Some(Answer::Impossible(Proof::Infeasible))) if noun == "mutant" => {
            text.push_str(
                "equivalent: the mutated property also holds on every execution of the model, so no test can kill it\n",
            );
            text.extend(outcome.why_equivalent(index, limits).map(|found| why(found, model)));
        }
        GoalGrade::Missed(Some(Answer::Impossible(Proof::Infeasible))) => {
            text.push_str("infeasible: no execution of the model covers it (proved)\n");
        }
        GoalGrade::Missed(Some(Answer::Impossible(Proof::Inconsistent(trace)))) => {
            text.push_str(
                "inconsistent: a reachable state requires it, but its updates contradict each other, so there is no step\n\n",
            );
            text.extend(trace.iter().map(|trace| table(model, trace)));
        }
        GoalGrade::Missed(Some(Answer::Impossible(Proof::Nonfalsifiable))) => {
            text.push_str("nonfalsifiable: it is false, but no single execution shows that\n");
        }
        GoalGrade::Missed(Some(Answer::Impossible(Proof::Equivalent))) => {
            text.push_str("equivalent: it has the same outputs as the model for all inputs, so no test can kill it\n");
        }
        GoalGrade::Missed(Some(Answer::Impossible(Proof::Conforming))) => {
            text.push_str("conforming: it does only what the model permits, so no test can kill it\n");
        }
        GoalGrade::Missed(Some(Answer::Undecided(_))) => {
            let _ = writeln!(text, "no test {verb} it; undecided whether a test could: a limit was reached");
        }
        GoalGrade::Reached => {}
    }
    text
}
