//! What became of the goals, in one table.

use crate::cmd::tables;
use crate::columns::{Align, Columns};
use crate::diagnostics::count;
use specwright::document::{GenerateDocument, Row};
use specwright::words::operator_in_words;

/// The number of rows that are shown to people who do not ask for all.
const SHORT: usize = 24;

/// The table for people.
pub(super) fn text(summary: &GenerateDocument, everything: bool) -> String {
    use Align::{Left, Right};
    let total = &summary.total;
    let focused = total.outside > 0;
    let groups = everything || summary.rows.len() <= SHORT;
    let mut columns = Columns::new([
        ("criterion", Left),
        ("goals", Right),
        ("covered", Right),
        ("infeasible", Right),
        ("nonfalsifiable", Right),
        ("inconsistent", Right),
        ("possible", Right),
        ("conforming", Right),
        ("equivalent", Right),
        ("undecided", Right),
        ("outside", Right),
        ("tests", Right),
    ]);
    // What is rare has a column only where it is.
    let rare = [
        ("nonfalsifiable", total.nonfalsifiable),
        ("inconsistent", total.inconsistent),
        ("possible", total.possible),
        ("conforming", total.conforming),
        ("equivalent", total.equivalent),
        ("undecided", total.unknown),
        ("outside", total.outside),
    ];
    for (head, n) in rare {
        if n == 0 {
            columns.hide(head);
        }
    }
    // A single group would repeat the line of its criterion.
    let is_single = |criterion: &str| {
        let of_it = summary.rows.iter().filter(|row| row.criterion == criterion && row.group.is_some());
        of_it.take(2).count() == 1
    };
    let shown = |row: &&Row| row.group.is_none() || groups && !is_single(row.criterion);
    for row in summary.rows.iter().filter(shown) {
        let name = row
            .group
            .as_ref()
            .map_or_else(|| row.criterion.to_owned(), |group| format!("  {}", operator_in_words(group)));
        let found = [row.goals, row.covered, row.infeasible, row.nonfalsifiable];
        let seen = [row.inconsistent, row.possible, row.conforming, row.equivalent];
        let others = seen.into_iter().chain([row.unknown, row.outside, row.tests]);
        let mut cells = [name].into_iter().chain(found.into_iter().chain(others).map(|n| n.to_string()));
        columns.row(std::array::from_fn::<_, 12, _>(|_| cells.next().unwrap_or_default()));
    }
    let impossible = total.infeasible + total.nonfalsifiable + total.conforming + total.equivalent;
    let feasible = total.goals - impossible - total.inconsistent - total.outside;
    let inside = if focused { " in focus" } else { "" };
    let place = summary.out.as_ref().map(|out| format!(", written to {out}")).unwrap_or_default();
    let (tests, steps) = (count(total.tests, "test"), count(total.steps, "step"));
    let cover = if total.tests == 1 { "covers" } else { "cover" };
    let tables = summary.tables.as_ref().map(|marked| tables::text(marked, everything)).unwrap_or_default();
    let guarantees = summary.guarantees.iter().map(|entry| format!("{}: {}\n", entry.criterion, entry.guarantee));
    let guarantees: String = guarantees.collect();
    format!(
        "{columns}{tests} with {steps} {cover} {} of {}{inside}{place}\n{guarantees}{tables}",
        total.covered,
        count(feasible, "feasible goal")
    )
}
