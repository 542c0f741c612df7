//! Goals that only a contradiction in the specification stops, and the ways to it.

use specwright_mc::{Answer, Cones, Engine, Options, Portfolio, Proof};
use specwright_model::{Model, Trace};
use specwright_testgen::generate::Run;
use specwright_testgen::goal::Goal;

/// A goal, and an execution up to the state that calls for it.
#[derive(Clone, Debug)]
pub struct Contradiction {
    /// The number of the goal.
    pub goal: usize,
    /// The execution; none if a limit is in the way.
    pub trace: Option<Trace>,
}

/// The contradictions of a run, with executions of the whole model.
pub(super) fn find(model: &Model, goals: &[Goal], run: &Run, options: &Options) -> Vec<Contradiction> {
    let stopped: Vec<usize> = (0..goals.len())
        .filter(|goal| matches!(run.outcomes[*goal], Some(Answer::Impossible(Proof::Inconsistent(_)))))
        .collect();
    if stopped.is_empty() {
        return Vec::new();
    }
    let asked = stopped.iter().filter_map(|goal| goals[*goal].contradiction);
    let mut checker = Portfolio::new(model.system.clone(), [], asked, options, Cones::Auto, Engine::Auto).ok();
    let mut way = |goal: usize| match checker.as_mut()?.reach(goals[goal].contradiction?) {
        Answer::Found(trace) => Some(trace),
        _ => None,
    };
    stopped.into_iter().map(|goal| Contradiction { goal, trace: way(goal) }).collect()
}
