//! What was minimized.

use crate::minimize::{MinimizeSettings, Minimized, Size};
use serde::Serialize;
use specwright_testgen::suite::Suite;

/// What was minimized.
#[derive(Serialize)]
pub struct MinimizeDocument {
    schema: &'static str,
    model: String,
    objective: String,
    goals: usize,
    reached: usize,
    before: Size,
    after: Size,
    /// The best choice among the tests as they are: what it costs, and a proven bound.
    choice: Choice,
    #[serde(skip_serializing_if = "Option::is_none")]
    synthesis: Option<Synthesis>,
    kept: Vec<String>,
    left_out: Vec<String>,
}

#[derive(Serialize)]
struct Choice {
    cost: u64,
    bound: u64,
    optimal: bool,
    gap: f64,
}

#[derive(Serialize)]
struct Synthesis {
    cut: usize,
    joined: usize,
}

impl MinimizeDocument {
    /// The document of a suite that was minimized.
    pub fn new(result: &Minimized, settings: &MinimizeSettings, old: &Suite) -> MinimizeDocument {
        let names = |suite: &Suite| suite.tests.iter().map(|test| test.name.clone()).collect::<Vec<_>>();
        let kept = names(&result.suite);
        MinimizeDocument {
            schema: "specwright/minimize/1",
            model: result.model.name.clone(),
            objective: format!("{:?}", settings.objective).to_lowercase(),
            goals: result.n_goals,
            reached: result.n_reached,
            before: result.before,
            after: result.after,
            choice: Choice {
                cost: result.minimum.cost,
                bound: result.minimum.bound,
                optimal: result.minimum.is_optimal(),
                gap: result.minimum.gap(),
            },
            synthesis: result.changes.map(|(cut, joined)| Synthesis { cut, joined }),
            left_out: names(old).into_iter().filter(|name| !kept.contains(name)).collect(),
            kept,
        }
    }
}
