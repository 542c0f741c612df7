//! Goals without a test in focus: whether an execution outside of the focus reaches them.

use super::over_approximation::OverApproximation;
use crate::generate::{Options, Outcome, Run, generate};
use crate::goal::{Goal, Target};
use specwright_engine::bdd::Limit;
use specwright_engine::{Engine, Options as Limits, Pursuit, Reason};
use specwright_model::{ExprId, Model};
use std::ops::ControlFlow;

/// The reason for a goal that only executions outside of the focus could reach.
pub const MAYBE_OUTSIDE: &str = "only executions that leave the focus could tell";

/// The reason for a goal that an execution outside of the focus reaches, and none in focus.
pub const OUTSIDE: &str = "only executions that leave the focus reach it";

/// Whether a goal is, or may be, reachable only outside of the focus.
pub fn is_outside(outcome: Option<&Outcome>) -> bool {
    matches!(outcome, Some(Outcome::Unknown(reason)) if reason == MAYBE_OUTSIDE || reason == OUTSIDE)
}

/// The answer for a goal that no execution in focus reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elsewhere {
    /// No execution of the whole model reaches it.
    Nowhere,
    /// An execution that leaves the focus reaches it.
    Reached,
    /// Undecided.
    Unknown,
}

/// Decides goals that no execution in focus reaches on an over-approximation of the whole model. The observer may stop
/// it.
pub fn elsewhere(
    whole: &Model,
    goals: &[Goal],
    limits: &Limits,
    observe: &mut dyn FnMut(usize) -> bool,
) -> Vec<Elsewhere> {
    let unknown = vec![Elsewhere::Unknown; goals.len()];
    let exprs: Vec<ExprId> = goals.iter().map(|goal| goal.target.expr()).collect();
    let Some(over_approximation) = OverApproximation::new(whole, &exprs) else { return unknown };
    let Some(mut engine) = over_approximation.engine(limits) else { return unknown };
    let mut run = Run::new(goals.len());
    let _ = generate(&mut engine, goals, &Options::default(), &mut run, &mut |_, run| {
        if observe(run.n_decided()) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    let known = over_approximation.lift(whole, goals, &run).outcomes;
    let what = |outcome: Option<Outcome>| match outcome {
        Some(Outcome::Covered) => Elsewhere::Reached,
        Some(Outcome::Infeasible) => Elsewhere::Nowhere,
        _ => Elsewhere::Unknown,
    };
    known.into_iter().map(what).collect()
}

/// Decides which goals without a test are infeasible in the whole model, too. The others are undecided.
///
/// The targets are those of the goals, rewritten for [`Reach::Anywhere`](super::Reach::Anywhere). Returns whether all
/// goals were processed: the observer, who gets the number of processed goals, may stop it, and so may a limit.
pub fn decide_outside(
    engine: &mut Engine,
    anywhere: &[Target],
    run: &mut Run,
    observe: &mut dyn FnMut(usize) -> bool,
) -> bool {
    for (index, (target, outcome)) in anywhere.iter().zip(&mut run.outcomes).enumerate() {
        if !observe(index) {
            return false;
        }
        if !matches!(outcome, Some(Outcome::Infeasible | Outcome::Nonfalsifiable)) {
            continue;
        }
        let pursuit = target.pursue(engine);
        match pursuit {
            // It is infeasible even if everything may happen outside of the focus.
            Pursuit::Infeasible => {}
            Pursuit::Unknown(Reason::Limit(Limit::Interrupted)) => return false,
            Pursuit::Nonfalsifiable if matches!(outcome, Some(Outcome::Nonfalsifiable)) => {}
            Pursuit::Found(_) | Pursuit::Nonfalsifiable | Pursuit::Unknown(_) => {
                *outcome = Some(Outcome::Unknown(MAYBE_OUTSIDE.into()));
            }
        }
    }
    true
}
