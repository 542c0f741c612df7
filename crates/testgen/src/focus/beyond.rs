//! Goals that no execution in focus reaches: some that none reaches at all, and some that others may.

use super::overview::Overview;
use crate::generate::{Options, Outcome, Run, generate};
use crate::goal::{Goal, Target};
use specwright_mc::bdd::Limit;
use specwright_mc::{Options as Limits, Pursuit, Reason, Symbolic};
use specwright_model::{ExprId, Model};
use std::ops::ControlFlow;

/// What becomes of a goal that only executions outside of the focus could reach.
pub const BEYOND: &str = "only executions that leave the focus could tell";

/// What becomes of a goal that no execution in focus reaches, but one outside does.
pub const OUTSIDE: &str = "only executions that leave the focus reach it";

/// Whether what became of a goal is that it lies outside of the focus, for certain or maybe.
pub fn is_beyond(outcome: Option<&Outcome>) -> bool {
    matches!(outcome, Some(Outcome::Unknown(reason)) if reason == BEYOND || reason == OUTSIDE)
}

/// What is known of a goal that no execution in focus reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elsewhere {
    /// No execution of the whole model reaches it.
    Nowhere,
    /// An execution that leaves the focus reaches it.
    Reached,
    /// Nobody knows.
    Unknown,
}

/// What is known of goals that no execution in focus reaches, from an overview of the whole model. The observer may stop
/// it.
pub fn elsewhere(
    whole: &Model,
    goals: &[Goal],
    limits: &Limits,
    observe: &mut dyn FnMut(usize) -> bool,
) -> Vec<Elsewhere> {
    let unknown = vec![Elsewhere::Unknown; goals.len()];
    let exprs: Vec<ExprId> = goals.iter().map(|goal| goal.target.expr()).collect();
    let Some(overview) = Overview::new(whole, &exprs) else { return unknown };
    let Some(mut engine) = overview.engine(limits) else { return unknown };
    let mut run = Run::new(goals.len());
    let _ = generate(&mut engine, goals, &Options::default(), &mut run, &mut |_, run| {
        if observe(run.n_decided()) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    let known = overview.leave(whole, goals, &run).outcomes;
    let what = |outcome: Option<Outcome>| match outcome {
        Some(Outcome::Covered) => Elsewhere::Reached,
        Some(Outcome::Infeasible) => Elsewhere::Nowhere,
        _ => Elsewhere::Unknown,
    };
    known.into_iter().map(what).collect()
}

/// Finds out which of the goals without a test have none in the whole model either. Of the others nobody knows.
///
/// The targets are those of the goals, rewritten for [`Reach::Anywhere`](super::Reach::Anywhere). Says whether it was done
/// with all of them: the observer, who is told how many are, may stop it, and so may a limit.
pub fn beyond(
    engine: &mut Symbolic,
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
            // It cannot be told apart even if anything may happen outside.
            Pursuit::Infeasible => {}
            Pursuit::Unknown(Reason::Limit(Limit::Interrupted)) => return false,
            Pursuit::Nonfalsifiable if matches!(outcome, Some(Outcome::Nonfalsifiable)) => {}
            Pursuit::Found(_) | Pursuit::Nonfalsifiable | Pursuit::Unknown(_) => {
                *outcome = Some(Outcome::Unknown(BEYOND.into()));
            }
        }
    }
    true
}
