//! Mutation operators, criteria or sets of properties, side by side.

use crate::compare::Compared;
use serde::Serialize;
use specwright_testgen::winnow::Distribution;

/// Mutation operators, criteria or sets of properties, side by side.
#[derive(Serialize)]
pub struct CompareDocument {
    schema: &'static str,
    model: String,
    /// What the rows are: `operator`, `criterion` or `set`.
    kind: &'static str,
    rows: Vec<Row>,
    total: Total,
    recommendation: Recommendation,
}

#[derive(Serialize)]
struct Row {
    /// The name of the row, whatever it is.
    operator: String,
    mutants: usize,
    counterexamples: usize,
    unique_traces: usize,
    minimum: usize,
    /// No choice of its unique traces that reaches the same is smaller than this.
    minimum_bound: u64,
    killed: usize,
    coverage: f64,
    /// What its traces reach of the goals of each row that can be reached.
    reaches: Vec<Share>,
    includes: Vec<String>,
    subsumes: Vec<String>,
}

#[derive(Serialize)]
struct Share {
    of: String,
    killed: usize,
    total: usize,
}

#[derive(Serialize)]
struct Total {
    mutants: usize,
    inconsistent: usize,
    unknown: usize,
    unique_inconsistent: usize,
    unique_traces: usize,
    dominators: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    duplication: Option<Duplication>,
}

#[derive(Serialize)]
struct Duplication {
    chi_square: f64,
    degrees: usize,
    quantile: f64,
    distorting: bool,
}

#[derive(Serialize)]
struct Recommendation {
    best: Option<String>,
    best_per_mutant: Option<String>,
    cheapest: Vec<String>,
}

impl CompareDocument {
    /// The document of a comparison.
    pub fn new(compared: &Compared) -> CompareDocument {
        let found = &compared.found;
        let name = |row: usize| found.rows[row].name.clone();
        let rows = found.rows.iter().map(|row| Row {
            operator: row.name.clone(),
            mutants: row.n_goals,
            counterexamples: row.n_counterexamples,
            unique_traces: row.traces.len(),
            minimum: row.minimum.tests.len(),
            minimum_bound: row.minimum.bound,
            killed: row.coverage.reached,
            coverage: row.coverage.score(),
            reaches: row
                .reached_of
                .iter()
                .enumerate()
                .map(|(other, group)| Share { of: name(other), killed: group.reached, total: group.total })
                .collect(),
            includes: row.includes.iter().copied().map(name).collect(),
            subsumes: row.subsumes.iter().copied().map(name).collect(),
        });
        CompareDocument {
            schema: "specwright/compare/1",
            model: compared.model.clone(),
            kind: compared.kind.word(),
            rows: rows.collect(),
            total: Total {
                mutants: found.n_goals,
                inconsistent: found.n_feasible,
                unknown: found.n_unknown,
                unique_inconsistent: found.classes.distinct().len(),
                unique_traces: found.traces.len(),
                dominators: found.subsumption.dominators().len(),
                duplication: Distribution::new(&found.classes.sizes()).map(|test| Duplication {
                    chi_square: test.statistic,
                    degrees: test.n_classes - 1,
                    quantile: test.quantile,
                    distorting: test.is_distorting(),
                }),
            },
            recommendation: Recommendation {
                best: compared.best().map(|row| row.name.clone()),
                best_per_mutant: compared.best_per_goal().map(|row| row.name.clone()),
                cheapest: found.cheapest.iter().copied().map(name).collect(),
            },
        }
    }
}
