//! What became of the goals, in one table.

use super::contradictions::Entry;
use crate::args::Generate;
use crate::cmd::tables::{self, Covered};
use crate::columns::{Align, Columns};
use crate::diagnostics::count;
use indexmap::IndexMap;
use serde::Serialize;
use specwright_mc::Answer;
use specwright_model::Model;
use specwright_testgen::focus::is_outside;
use specwright_testgen::generate::Run;
use specwright_testgen::goal::Goal;
use std::collections::{BTreeMap, BTreeSet};

/// So many rows are shown to people who do not ask for all.
const SHORT: usize = 24;

#[derive(Serialize)]
pub(super) struct Summary {
    schema: &'static str,
    model: String,
    strategy: String,
    finished: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    out: Option<String>,
    rows: Vec<Row>,
    total: Row,
    /// The goals that only a contradiction in the specification stops.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) inconsistent: Vec<Entry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tables: Option<Vec<tables::Marked>>,
}

/// What became of some of the goals.
#[derive(Serialize)]
struct Row {
    criterion: &'static str,
    /// Nothing for all goals of the criterion.
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<String>,
    goals: usize,
    covered: usize,
    infeasible: usize,
    nonfalsifiable: usize,
    /// Those that only a contradiction in the specification stops.
    #[serde(skip_serializing_if = "is_zero")]
    inconsistent: usize,
    unknown: usize,
    /// Those that only executions outside of the focus could reach.
    #[serde(skip_serializing_if = "is_zero")]
    outside: usize,
    /// The tests that cover one of them.
    tests: usize,
    /// The steps of these tests.
    steps: usize,
}

/// The goals of a criterion, and those of each of its groups.
type Members<'a> = (Vec<usize>, IndexMap<&'a String, Vec<usize>>);

impl Summary {
    pub(super) fn new(model: &Model, goals: &[Goal], run: &Run, args: &Generate, finished: bool) -> Summary {
        let covering = covering(goals, run);
        // The goals of each criterion, and those of each of its groups, in the order in which they come.
        let mut criteria: IndexMap<&'static str, Members<'_>> = IndexMap::new();
        for (index, goal) in goals.iter().enumerate() {
            let (all, groups) = criteria.entry(goal.criterion).or_default();
            all.push(index);
            for group in &goal.groups {
                let members = groups.entry(group).or_default();
                if members.last() != Some(&index) {
                    members.push(index);
                }
            }
        }
        let mut rows = Vec::new();
        for (criterion, (all, groups)) in criteria {
            rows.push(row(all, run, &covering, criterion, None));
            for (group, members) in groups {
                rows.push(row(members, run, &covering, criterion, Some(group.clone())));
            }
        }
        Summary {
            schema: "specwright/generate/1",
            model: model.name.clone(),
            strategy: format!("{:?}", args.strategy).to_lowercase(),
            finished,
            out: args.out.as_ref().map(|path| path.display().to_string()),
            rows,
            total: row((0..goals.len()).collect(), run, &covering, "total", None),
            inconsistent: Vec::new(),
            tables: tables::marked(model, goals, |goal| {
                let tests: Vec<String> = covering[goal].iter().map(|test| run.tests[*test].name.clone()).collect();
                match run.outcomes[goal] {
                    _ if !tests.is_empty() => Covered::By(tests),
                    Some(Answer::Impossible(_)) => Covered::Infeasible,
                    _ => Covered::Missed,
                }
            }),
        }
    }

    pub(super) fn text(&self, everything: bool) -> String {
        use Align::{Left, Right};
        let total = &self.total;
        let focused = total.outside > 0;
        let groups = everything || self.rows.len() <= SHORT;
        let mut columns = Columns::new([
            ("criterion", Left),
            ("goals", Right),
            ("covered", Right),
            ("infeasible", Right),
            ("nonfalsifiable", Right),
            ("inconsistent", Right),
            ("unknown", Right),
            ("outside", Right),
            ("tests", Right),
        ]);
        // What is rare has a column only where it is.
        for (head, n) in [("inconsistent", total.inconsistent), ("outside", total.outside)] {
            if n == 0 {
                columns.hide(head);
            }
        }
        for row in self.rows.iter().filter(|row| groups || row.group.is_none()) {
            let name = row.group.as_ref().map_or_else(|| row.criterion.to_owned(), |group| format!("  {group}"));
            let found = [row.goals, row.covered, row.infeasible, row.nonfalsifiable];
            let others = [row.inconsistent, row.unknown, row.outside, row.tests];
            let mut cells = [name].into_iter().chain(found.into_iter().chain(others).map(|n| n.to_string()));
            columns.row(std::array::from_fn::<_, 9, _>(|_| cells.next().unwrap_or_default()));
        }
        let feasible = total.goals - total.infeasible - total.nonfalsifiable - total.inconsistent - total.outside;
        let inside = if focused { " in focus" } else { "" };
        let place = self.out.as_ref().map(|out| format!(", written to {out}")).unwrap_or_default();
        let (tests, steps) = (count(total.tests, "test"), count(total.steps, "step"));
        let tables = self.tables.as_ref().map(|marked| tables::text(marked, everything)).unwrap_or_default();
        format!(
            "{columns}{tests} with {steps} cover {} of {feasible} feasible goals{inside}{place}\n{tables}",
            total.covered
        )
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "this is how it is called")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// For each goal, the tests that cover it.
fn covering(goals: &[Goal], run: &Run) -> Vec<Vec<usize>> {
    let mut known: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, goal) in goals.iter().enumerate() {
        known.entry(&goal.id).or_default().push(index);
    }
    let mut covering = vec![Vec::new(); goals.len()];
    for (test, of_test) in run.tests.iter().enumerate() {
        for goal in of_test.goals.iter().filter_map(|id| known.get(id.as_str())).flatten() {
            covering[*goal].push(test);
        }
    }
    covering
}

/// What became of the chosen goals.
fn row(chosen: Vec<usize>, run: &Run, covering: &[Vec<usize>], criterion: &'static str, group: Option<String>) -> Row {
    let covers: BTreeSet<usize> = chosen.iter().flat_map(|goal| covering[*goal].iter().copied()).collect();
    let outside = chosen.iter().filter(|goal| is_outside(run.outcomes[**goal].as_ref())).count();
    let counts = run.counts_of(chosen);
    let steps = covers.iter().map(|test| run.tests[*test].trace.n_steps()).sum();
    Row {
        criterion,
        group,
        goals: counts.total,
        covered: counts.covered,
        infeasible: counts.infeasible,
        nonfalsifiable: counts.nonfalsifiable,
        inconsistent: counts.inconsistent,
        unknown: counts.unknown - outside,
        outside,
        tests: covers.len(),
        steps,
    }
}
