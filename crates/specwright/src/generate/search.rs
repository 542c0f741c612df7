//! The search for all states that can be reached; and tests put aside, in case that the model is too large for it.
//!
//! Most models are small, and then nothing but the engine is needed. For others the search may not end, so what random
//! walks reach is put aside first. If the engine comes to an end after all, its tests are better, and those are not needed.

use super::settings::GenerateSettings;
use crate::events::Events;
use crate::failure::Failure;
use crate::session::Session;
use specwright_mc::bdd::Limit;
use specwright_mc::{Budget, BuildError, Options, Symbolic};
use specwright_model::Model;
use specwright_testgen::generate::{Run, random_walk};
use specwright_testgen::goal::Goal;

/// What a search has come to.
pub(crate) struct Search {
    /// None if a limit keeps it from being built.
    pub(crate) engine: Option<Symbolic>,
    /// What kept it from finding all states that can be reached.
    pub(crate) limit: Option<Limit>,
}

impl Search {
    /// Searches a model, or goes on where a search has ended, in at most `most` steps and with at most `nodes` nodes. What is
    /// wrong with the model is reported.
    pub(crate) fn go_on(
        self,
        events: &mut dyn Events,
        session: &Session,
        model: &Model,
        most: Option<u64>,
        nodes: Option<usize>,
        options: &Options,
    ) -> Result<Search, Failure> {
        let mut engine = if let Some(engine) = self.engine {
            engine
        } else {
            let max_nodes = nodes.into_iter().chain(options.max_nodes).min();
            let options = Options { budget: at_most(&options.budget, most), max_nodes, ..options.clone() };
            match Symbolic::new(model.system.clone(), &options) {
                Ok(engine) => engine,
                Err(BuildError::Limit(limit)) => return Ok(Search { engine: None, limit: Some(limit) }),
                Err(error) => return Err(session.refuse(events, &error)),
            }
        };
        let rest = at_most(&options.budget, most.map(|most| most.saturating_sub(engine.steps())));
        let mut progress = events.progress(1);
        let explored = engine.within(&rest, |engine| engine.explore(&mut |n| progress.exploring(n)));
        progress.finish();
        engine.set_max_nodes(options.max_nodes);
        Ok(Search { engine: Some(engine), limit: explored.err() })
    }
}

/// The budget with a limit of steps, if there is one.
fn at_most(budget: &Budget, steps: Option<u64>) -> Budget {
    steps.map_or_else(|| budget.clone(), |steps| budget.limited(steps))
}

/// The tests that random walks find with this much work.
pub(super) fn walk(events: &dyn Events, model: &Model, goals: &[Goal], work: u64, settings: &GenerateSettings) -> Run {
    let mut run = Run::new(goals.len());
    let mut progress = events.progress(goals.len());
    // The walk ends where it is told to, with what it has found, and not in the middle of a step.
    let mut model = model.clone();
    model.system.budget = Budget::default();
    let _ = random_walk(&model, goals, work, &mut run, &mut |run| {
        progress.at(run.n_decided(), "goals covered by random walks");
        settings.go_on()
    });
    progress.finish();
    run
}
