//! Ways of asking for tests, side by side: what does each cost, and what are its tests good for?
//!
//! The columns are those of Black, Okun and Yesha, "Mutation operators for specifications" (2000): each way makes goals,
//! each goal that can be reached a counterexample, these without repetitions and beginnings of others are its unique
//! traces, and their coverage is the share that they reach of all distinct goals of all ways that can be reached.

use crate::generate::{self, each, is_prefix};
use crate::goal::Goal;
use crate::grade::{Bits, Grader, Group, Matrix, Quantifiers};
use crate::minimize::{self, Minimum, minimize};
use crate::winnow::{Classes, Sameness, Subsumption, Winnower, classes, subsumption};
use specwright_mc::{Answer, Ends, Symbolic};
use specwright_model::{Model, Trace};
use std::ops::ControlFlow;

/// What is compared: some of the goals under a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// Its name.
    pub name: String,
    /// Its goals.
    pub goals: Vec<usize>,
}

/// How to compare.
#[derive(Clone, Debug)]
pub struct Options {
    /// How tests are made; the strategy is always to make one for every goal.
    pub generate: generate::Options,
    /// When two goals are the same.
    pub sameness: Sameness,
    /// Where paths may end on which goals are compared.
    pub ends: Ends,
    /// How hard to try for minimum suites.
    pub minimize: minimize::Options,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            generate: generate::Options::default(),
            sameness: Sameness::default(),
            ends: Ends::Nowhere,
            minimize: minimize::Options::default(),
        }
    }
}

/// All ways side by side.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// A row for each way.
    pub rows: Vec<Row>,
    /// All goals of all ways.
    pub n_goals: usize,
    /// Those that can be reached.
    pub n_feasible: usize,
    /// Those about which nothing is known.
    pub n_unknown: usize,
    /// The duplicates among those that can be reached.
    pub classes: Classes,
    /// Which of the distinct ones subsume which.
    pub subsumption: Subsumption,
    /// The unique traces of all ways together.
    pub traces: Vec<Trace>,
    /// The cheapest ways, by the number of their goals, whose tests together reach all that any of them reaches.
    pub cheapest: Vec<usize>,
}

/// What becomes of one way.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// Its goals.
    pub n_goals: usize,
    /// Those that can be reached, and so have a counterexample.
    pub n_counterexamples: usize,
    /// The counterexamples without repetitions and beginnings of others.
    pub traces: Vec<Trace>,
    /// The cheapest choice of these that reaches all its own goals.
    pub minimum: Minimum,
    /// The distinct goals of all ways that they reach.
    pub coverage: Group,
    /// For each way, how many of its goals that can be reached they reach, duplicates included.
    pub reached_of: Vec<Group>,
    /// The ways of which every unique trace is one of its own.
    pub includes: Vec<usize>,
    /// The ways whose goals every suite reaches that reaches its own: for each there is one of its own that subsumes it.
    pub subsumes: Vec<usize>,
}

/// Compares ways of asking for tests. The observer hears of what is being done and how far it is, and may stop it: then
/// nobody knows about the goals that were not looked at, and those that were not compared count as different.
pub fn compare(
    engine: &mut Symbolic,
    goals: &[Goal],
    ways: &[Way],
    options: &Options,
    observe: &mut dyn FnMut(&str, usize) -> bool,
) -> Comparison {
    let mut go_on =
        |done| if observe("counterexamples", done) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
    let statuses = each(engine, goals, &options.generate, &mut go_on);
    let is_feasible = |goal: &usize| matches!(statuses[*goal], Answer::Found(_));
    let feasible: Vec<usize> = (0..goals.len()).filter(is_feasible).collect();
    let trace_of = |goal: &usize| match &statuses[*goal] {
        Answer::Found(trace) => Some(trace),
        _ => None,
    };

    let mut winnower = Winnower::new(engine, goals, options.ends);
    let classes = classes(&mut winnower, &feasible, options.sameness, &mut |done| observe("duplicates", done));
    let distinct = classes.distinct();
    let subsumption = subsumption(&mut winnower, &distinct, &mut |done| observe("subsumption", done));

    let model = engine.model();
    let ignore = options.generate.ignore_last_inputs;
    let mut grader = Grader::new(model, goals.iter().map(|goal| goal.target), Quantifiers::Path);
    let mut rows: Vec<Row> = Vec::new();
    let mut reached_by: Vec<Bits> = Vec::new();
    for way in ways {
        let own: Vec<usize> = way.goals.iter().copied().filter(is_feasible).collect();
        let traces = unique(model, own.iter().filter_map(trace_of), ignore);
        let tests: Vec<Bits> = traces.iter().map(|trace| grader.reached(model, trace)).collect();
        let mut reached = Bits::new(goals.len());
        for test in &tests {
            reached.union_with(test);
        }
        let count = |chosen: &mut dyn Iterator<Item = usize>| {
            let mut group = Group::default();
            for goal in chosen {
                group.total += 1;
                group.reached += usize::from(reached.contains(goal));
            }
            group
        };
        let reached_of = ways.iter().map(|other| count(&mut other.goals.iter().copied().filter(is_feasible)));
        let (coverage, reached_of) = (count(&mut distinct.iter().copied()), reached_of.collect());
        rows.push(Row {
            name: way.name.clone(),
            n_goals: way.goals.len(),
            n_counterexamples: own.len(),
            minimum: minimum_for(&tests, &own, options.minimize),
            coverage,
            reached_of,
            includes: Vec::new(),
            subsumes: Vec::new(),
            traces,
        });
        reached_by.push(reached);
    }
    for row in 0..rows.len() {
        let others = (0..rows.len()).filter(|other| *other != row && rows[*other].n_counterexamples > 0);
        let includes = |other: &usize| rows[*other].traces.iter().all(|trace| rows[row].traces.contains(trace));
        let covers = |other: &usize| dominates(&classes, &subsumption, &ways[row].goals, &ways[*other].goals);
        let (includes, subsumes) = (others.clone().filter(includes).collect(), others.filter(covers).collect());
        (rows[row].includes, rows[row].subsumes) = (includes, subsumes);
    }
    let all = unique(model, feasible.iter().filter_map(trace_of), ignore);
    Comparison {
        cheapest: cheapest(&rows, &reached_by, &distinct, options.minimize),
        rows,
        n_goals: goals.len(),
        n_feasible: feasible.len(),
        n_unknown: statuses.iter().filter(|status| matches!(status, Answer::Undecided(_))).count(),
        classes,
        subsumption,
        traces: all,
    }
}

/// Traces without repetitions and beginnings of others, in the order in which they come.
pub fn unique<'t>(model: &Model, traces: impl Iterator<Item = &'t Trace>, ignore_last_inputs: bool) -> Vec<Trace> {
    let mut kept: Vec<Trace> = Vec::new();
    for trace in traces {
        if kept.iter().any(|longer| is_prefix(model, trace, longer, ignore_last_inputs)) {
            continue;
        }
        kept.retain(|shorter| !is_prefix(model, shorter, trace, ignore_last_inputs));
        kept.push(trace.clone());
    }
    kept
}

/// The fewest tests that reach these goals.
fn minimum_for(tests: &[Bits], goals: &[usize], options: minimize::Options) -> Minimum {
    let row = |test: &Bits| {
        let mut row = Bits::new(goals.len());
        goals.iter().enumerate().filter(|(_, goal)| test.contains(**goal)).for_each(|(place, _)| row.insert(place));
        row
    };
    let matrix = Matrix::new(goals.len(), tests.iter().map(row).collect());
    minimize(&matrix, &vec![1; tests.len()], options)
}

/// Whether for each goal of the other way there is one of this way that subsumes it, or is the same.
fn dominates(classes: &Classes, subsumption: &Subsumption, own: &[usize], other: &[usize]) -> bool {
    let first: rustc_hash::FxHashMap<usize, usize> = classes.of.iter().copied().collect();
    let place: rustc_hash::FxHashMap<usize, usize> =
        subsumption.goals.iter().enumerate().map(|(place, goal)| (*goal, place)).collect();
    let mut reached: rustc_hash::FxHashSet<usize> = rustc_hash::FxHashSet::default();
    let mut open: Vec<usize> = own.iter().filter_map(|goal| first.get(goal).copied()).collect();
    while let Some(goal) = open.pop() {
        if reached.insert(goal) {
            open.extend(&subsumption.subsumes[place[&goal]]);
        }
    }
    other.iter().filter_map(|goal| first.get(goal)).all(|goal| reached.contains(goal))
}

/// The ways with the fewest goals that together reach what all of them reach.
fn cheapest(rows: &[Row], reached_by: &[Bits], distinct: &[usize], options: minimize::Options) -> Vec<usize> {
    let row = |reached: &Bits| {
        let mut row = Bits::new(distinct.len());
        distinct.iter().enumerate().filter(|(_, goal)| reached.contains(**goal)).for_each(|(at, _)| row.insert(at));
        row
    };
    let matrix = Matrix::new(distinct.len(), reached_by.iter().map(row).collect());
    let costs: Vec<u64> = rows.iter().map(|row| row.n_goals as u64).collect();
    minimize(&matrix, &costs, options).tests
}
