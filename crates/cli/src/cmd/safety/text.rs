//! `safety` for people.

use crate::columns::{Align, Columns};
use crate::diagnostics::count;
use specwright::document::{CoveredMutants, SafetyDocument, SafetyEntry, SafetyGrade};
use std::fmt::Write;

/// Uncovered goals that are listed without `--verbose`.
const SHOWN: usize = 20;

pub(super) fn text(found: &SafetyDocument, list: bool, everything: bool) -> String {
    let mut text = String::new();
    if list {
        for entry in &found.mutants {
            let _ = writeln!(text, "{}", line_text(entry));
        }
        text.push('\n');
    }
    let counts = &found.counts;
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
    let _ = write!(text, "{}", table(found));
    if let Some(made) = &found.suite {
        let (passing, failing) = (count(made.passing, "passing test"), count(made.failing, "failing test"));
        let (steps, place) = (count(made.steps, "step"), made.out.as_ref());
        let place = place.map(|out| format!(", written to {out}")).unwrap_or_default();
        let _ = match made.passing + made.failing {
            0 => writeln!(text, "\nno mutant is known to be dangerous, so there is nothing to test{place}"),
            _ => writeln!(text, "\n{passing} and {failing} with {steps} cover all dangerous mutants{place}"),
        };
    }
    if let Some(graded) = &found.grade {
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

fn table(found: &SafetyDocument) -> String {
    use Align::{Left, Right};
    let last = if found.grade.is_some() { "prefix" } else { "" };
    let mut columns = Columns::new([
        ("property", Left),
        ("criterion", Left),
        ("dangerous", Right),
        ("passing", Right),
        ("failing", Right),
        (last, Right),
    ]);
    let mut before = "";
    for row in &found.rows {
        let name = if before == row.property { "" } else { &row.property };
        before = &row.property;
        let mut dangerous = row.dangerous.to_string();
        if row.unknown > 0 {
            let _ = write!(dangerous, " + {} unknown", row.unknown);
        }
        let cell = |covered: &Option<CoveredMutants>| match covered {
            Some(CoveredMutants { tests: Some(tests), .. }) => count(*tests, "test"),
            Some(CoveredMutants { mutants, .. }) => mutants.to_string(),
            None => String::new(),
        };
        let (passing, failing, prefix) = (cell(&row.passing), cell(&row.failing), cell(&row.prefix));
        columns.row([name.into(), row.criterion.into(), dangerous, passing, failing, prefix]);
    }
    columns.to_string()
}

fn verdict(graded: &SafetyGrade) -> String {
    let tests = count(graded.tests, "test");
    let misfits = match graded.misfits {
        0 => String::new(),
        n => format!(", {n} of which are not executions of the model"),
    };
    let how = match graded.missed.len() {
        0 => "adequate: every dangerous mutant has its passing and its failing test".into(),
        n => format!("not adequate: {} missed", count(n, "goal")),
    };
    format!("{tests}{misfits}: {how}")
}

fn line_text(entry: &SafetyEntry) -> String {
    let place = entry.line.zip(entry.column).map(|(line, column)| format!("{line}:{column}: ")).unwrap_or_default();
    let ways = entry.dangers.iter().map(|(property, ways)| format!("{property} {}", ways.join(" ")));
    let ways = ways.collect::<Vec<_>>().join("; ");
    let ways = if ways.is_empty() { String::new() } else { format!(": {ways}") };
    format!("{place}{} ({}) {}{ways}", entry.description, entry.id, entry.class)
}
