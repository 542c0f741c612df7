//! `compare` for people.

use crate::columns::{Align, Columns};
use crate::diagnostics::count;
use specwright::Compared;
use specwright::compare::Kind;
use specwright::compare::{Comparison, Row};
use specwright::grade::Group;
use specwright::syntax::columns::{self, MAX_PADDING};
use specwright::winnow::Distribution;
use std::fmt::Write;

pub(super) fn text(compared: &Compared) -> String {
    let (found, kind) = (&compared.found, compared.kind);
    let mut text = table(found, kind);
    let distinct = found.classes.distinct().len();
    let goals = if kind == Kind::Criteria { "goals" } else { "mutants" };
    let _ = writeln!(
        text,
        "\n{} {goals}, {} feasible, {distinct} of them distinct, {} unique traces",
        found.n_goals,
        found.n_feasible,
        found.traces.len()
    );
    if found.n_unknown > 0 {
        let _ = writeln!(text, "{} undecided", found.n_unknown);
    }
    if let Some(test) = Distribution::new(&found.classes.sizes()) {
        let meaning = specwright::words::distribution(test.is_distorting(), test.statistic, test.quantile);
        let _ = writeln!(text, "{meaning}, {} degrees of freedom", test.n_classes - 1);
    }
    let dominators = found.subsumption.dominators().len();
    let _ = writeln!(text, "{} not subsumed by another", count(dominators, goals.trim_end_matches('s')));
    if found.rows.len() > 1 {
        let _ = write!(text, "\n{}", cross(found));
        relations(&mut text, found);
    }
    recommend(&mut text, compared, goals);
    text
}

fn table(found: &Comparison, kind: Kind) -> String {
    let mut columns = Columns::new([
        (kind.word(), Align::Left),
        (if kind == Kind::Criteria { "goals" } else { "mutants" }, Align::Right),
        ("counterexamples", Align::Right),
        ("unique traces", Align::Right),
        ("minimum", Align::Right),
        ("covered", Align::Right),
        ("coverage", Align::Right),
    ]);
    for row in &found.rows {
        let minimum = &row.minimum;
        let mark = if minimum.is_optimal() { String::new() } else { format!(" (≥ {})", minimum.bound) };
        columns.row([
            row.name.clone(),
            row.n_goals.to_string(),
            row.n_counterexamples.to_string(),
            row.traces.len().to_string(),
            format!("{}{mark}", minimum.tests.len()),
            format!("{}/{}", row.coverage.reached, row.coverage.total),
            percent(row.coverage),
        ]);
    }
    columns.to_string()
}

fn percent(group: Group) -> String {
    specwright::words::percent(group.reached, group.total)
}

/// What the traces of each row cover of the goals of each other one.
fn cross(found: &Comparison) -> String {
    let names: Vec<&str> = found.rows.iter().map(|row| row.name.as_str()).collect();
    let width = |text: &str| columns::width(text).min(MAX_PADDING);
    let first = names.iter().map(|name| width(name)).max().unwrap_or(0).max(width("traces of"));
    // The heading has the sign, so that eight operators fit into 80 columns.
    let cell = |group: &Group| percent(*group).trim_end_matches(" %").to_owned();
    let cells: Vec<Vec<String>> = found.rows.iter().map(|row| row.reached_of.iter().map(cell).collect()).collect();
    let mut text = format!("  {:first$}", "traces of");
    let widths: Vec<usize> = (0..names.len())
        .map(|at| cells.iter().map(|row| width(&row[at])).max().unwrap_or(0).max(width(names[at])))
        .collect();
    for (name, width) in names.iter().zip(&widths) {
        let _ = write!(text, "  {}", columns::right(name, *width));
    }
    text.push_str("   % covered\n");
    for (name, row) in names.iter().zip(&cells) {
        let _ = write!(text, "  {}", columns::left(name, first));
        for (cell, width) in row.iter().zip(&widths) {
            let _ = write!(text, "  {}", columns::right(cell, *width));
        }
        text.push('\n');
    }
    text
}

fn relations(text: &mut String, found: &Comparison) {
    let list = |text: &mut String, title: &str, of: &dyn Fn(&Row) -> &Vec<usize>| {
        let lines: Vec<String> = found
            .rows
            .iter()
            .filter(|row| !of(row).is_empty())
            .map(|row| {
                let names: Vec<&str> = of(row).iter().map(|other| found.rows[*other].name.as_str()).collect();
                format!("  {}: {}\n", row.name, names.join(", "))
            })
            .collect();
        if !lines.is_empty() {
            let _ = write!(text, "\n{title}\n{}", lines.concat());
        }
    };
    list(text, "The unique traces of … include those of …", &|row| &row.includes);
    list(text, "Every suite that covers all of … covers all of …", &|row| &row.subsumes);
}

fn recommend(text: &mut String, compared: &Compared, goals: &str) {
    let found = &compared.found;
    let (Some(best), Some(dense)) = (compared.best(), compared.best_per_goal()) else { return };
    let show = |row: &Row| format!("{} ({} with {} {goals})", row.name, percent(row.coverage), row.n_goals);
    let _ = writeln!(text, "\nMost coverage: {}", show(best));
    let _ = writeln!(text, "Most coverage per goal: {}", show(dense));
    let names: Vec<&str> = found.cheapest.iter().map(|row| found.rows[*row].name.as_str()).collect();
    let n: usize = found.cheapest.iter().map(|row| found.rows[*row].n_goals).sum();
    if !names.is_empty() {
        let _ = writeln!(text, "Cheapest combination that covers everything: {} ({n} {goals})", names.join(" + "));
    }
}
