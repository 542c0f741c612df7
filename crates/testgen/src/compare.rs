//! Comparison of criteria and operators: the cost and the coverage of their tests.
//!
//! The columns are those of Black, Okun and Yesha, "Mutation operators for specifications" (2000): each method yields
//! goals, each feasible goal a counterexample; its unique traces are these without duplicates and prefixes of others,
//! and its coverage is the share of all distinct feasible goals of all methods that these traces reach.

use crate::generate::{self, is_prefix};
use crate::goal::Goal;
use crate::grade::{Bits, Grader, Group, Matrix, Quantifiers};
use crate::minimize::{self, Minimum, minimize};
use crate::winnow::{Classes, Sameness, Subsumption, Winnower, classes, subsumption};
use specwright_mc::{Answer, Ends, Symbolic};
use specwright_model::{Trace, VarId};

/// A method that is compared: a named set of goals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// Its name.
    pub name: String,
    /// Its goals.
    pub goals: Vec<usize>,
}

/// Options of the comparison.
#[derive(Clone, Debug)]
pub struct Options {
    /// How tests are generated; the strategy is always one test for every goal.
    pub generate: generate::Options,
    /// Which goals are duplicates.
    pub sameness: Sameness,
    /// Where the paths end on which goals are compared.
    pub ends: Ends,
    /// Options for minimum suites.
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

/// The result of a comparison.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// A row for each method.
    pub rows: Vec<Row>,
    /// Number of goals of all methods.
    pub n_goals: usize,
    /// Number of feasible goals.
    pub n_feasible: usize,
    /// Number of undecided goals.
    pub n_unknown: usize,
    /// The equivalence classes of feasible goals.
    pub classes: Classes,
    /// The subsumption relation of the classes.
    pub subsumption: Subsumption,
    /// The unique traces of all methods together.
    pub traces: Vec<Trace>,
    /// The methods with the fewest goals whose tests together reach everything that any method reaches.
    pub cheapest: Vec<usize>,
}

/// The result of one method.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// Number of its goals.
    pub n_goals: usize,
    /// Number of its feasible goals, each of which has a counterexample.
    pub n_counterexamples: usize,
    /// The counterexamples without duplicates and prefixes of others.
    pub traces: Vec<Trace>,
    /// A minimum subset of these that reaches all its own goals.
    pub minimum: Minimum,
    /// The distinct goals of all methods that its traces reach.
    pub coverage: Group,
    /// For each method, the number of its feasible goals that the traces reach, duplicates included.
    pub reached_of: Vec<Group>,
    /// The methods whose unique traces are all among its own.
    pub includes: Vec<usize>,
    /// The methods that it subsumes: every suite that reaches its own goals reaches theirs.
    pub subsumes: Vec<usize>,
}

/// Compares methods by the answers to their goals, which [`each`](crate::generate::each) gives. The observer is told the current stage and its progress, and may stop the comparison: then the
/// remaining goals are undecided, and goals that were not compared count as distinct.
pub fn compare(
    engine: &mut Symbolic,
    goals: &[Goal],
    statuses: &[Answer<Trace>],
    ways: &[Way],
    options: &Options,
    observe: &mut dyn FnMut(&str, usize) -> bool,
) -> Comparison {
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

    let model = engine.system();
    let ignored = &options.generate.ignored_at_end;
    let grader = Grader::new(model, goals.iter().map(|goal| goal.target), Quantifiers::Path);
    let mut rows: Vec<Row> = Vec::new();
    let mut reached_by: Vec<Bits> = Vec::new();
    for way in ways {
        let own: Vec<usize> = way.goals.iter().copied().filter(is_feasible).collect();
        let traces = unique(own.iter().filter_map(trace_of), ignored);
        let tests = grader.reached_by_each(model, &traces.iter().collect::<Vec<_>>());
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
            minimum: minimum_for(&tests, &own, &options.minimize),
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
    let all = unique(feasible.iter().filter_map(trace_of), ignored);
    Comparison {
        cheapest: cheapest(&rows, &reached_by, &distinct, &options.minimize),
        rows,
        n_goals: goals.len(),
        n_feasible: feasible.len(),
        n_unknown: statuses.iter().filter(|status| matches!(status, Answer::Undecided(_))).count(),
        classes,
        subsumption,
        traces: all,
    }
}

/// Traces without duplicates and prefixes of others, in order.
pub fn unique<'t>(traces: impl Iterator<Item = &'t Trace>, ignored: &[VarId]) -> Vec<Trace> {
    let mut kept: Vec<Trace> = Vec::new();
    for trace in traces {
        if kept.iter().any(|longer| is_prefix(trace, longer, ignored)) {
            continue;
        }
        kept.retain(|shorter| !is_prefix(shorter, trace, ignored));
        kept.push(trace.clone());
    }
    kept
}

/// The fewest tests that reach these goals.
fn minimum_for(tests: &[Bits], goals: &[usize], options: &minimize::Options) -> Minimum {
    let row = |test: &Bits| {
        let mut row = Bits::new(goals.len());
        goals.iter().enumerate().filter(|(_, goal)| test.contains(**goal)).for_each(|(place, _)| row.insert(place));
        row
    };
    let matrix = Matrix::new(goals.len(), tests.iter().map(row).collect());
    minimize(&matrix, &vec![1; tests.len()], options)
}

/// Whether each goal of the other method is equal to or subsumed by a goal of this method.
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

/// The methods with the fewest goals that together reach everything that all methods reach.
fn cheapest(rows: &[Row], reached_by: &[Bits], distinct: &[usize], options: &minimize::Options) -> Vec<usize> {
    let row = |reached: &Bits| {
        let mut row = Bits::new(distinct.len());
        distinct.iter().enumerate().filter(|(_, goal)| reached.contains(**goal)).for_each(|(at, _)| row.insert(at));
        row
    };
    let matrix = Matrix::new(distinct.len(), reached_by.iter().map(row).collect());
    let costs: Vec<u64> = rows.iter().map(|row| row.n_goals as u64).collect();
    minimize(&matrix, &costs, options).tests
}
