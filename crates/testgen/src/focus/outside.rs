//! Goals without a test in focus: whether an execution outside of the focus reaches them.

use super::over_approximation::OverApproximation;
use crate::generate::{Options, Run, generate};
use crate::goal::Goal;
use specwright_mc::bdd::Limit;
use specwright_mc::reduction::Reduction;
use specwright_mc::{Answer, Budget, Options as Limits, Proof, Query, Reason, Search};
use specwright_model::{ExprId, Model};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Whether a goal is, or may be, reachable only outside of the focus.
pub fn is_outside(outcome: Option<&Answer<()>>) -> bool {
    outcome.and_then(Answer::reason).is_some_and(Reason::is_outside_focus)
}

/// Decides goals that no execution in focus reaches on an over-approximation of the whole model. The observer may stop
/// it.
pub fn elsewhere(
    whole: &Model,
    goals: &[Goal],
    limits: &Limits,
    observe: &mut dyn FnMut(usize) -> bool,
) -> Vec<Answer<()>> {
    let unknown = vec![Answer::Undecided(Reason::OutsideFocus { reached: false }); goals.len()];
    let exprs: Vec<ExprId> = goals.iter().map(|goal| goal.target.expr()).collect();
    let Some(over_approximation) = OverApproximation::new(whole, &exprs) else { return unknown };
    let Some(mut engine) = over_approximation.engine(limits) else { return unknown };
    let mut run = Run::new(goals.len());
    let options = Options { budget: limits.budget.without_step_limit(), ..Options::default() };
    let _ = generate(&mut engine, goals, &options, &mut run, &mut |_, run| {
        if observe(run.n_decided()) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    let stack: [Arc<dyn Reduction>; 1] = [Arc::new(over_approximation)];
    let known = run.lift(&stack, whole, goals).outcomes;
    let what = |outcome: Option<Answer<()>>| match outcome {
        Some(answer @ (Answer::Found(()) | Answer::Impossible(Proof::Infeasible))) => answer,
        _ => Answer::Undecided(Reason::OutsideFocus { reached: false }),
    };
    known.into_iter().map(what).collect()
}

/// Decides which goals without a test are infeasible in the whole model, too. The others are undecided.
///
/// The targets are those of the goals, rewritten for [`Reach::Anywhere`](super::Reach::Anywhere). Returns whether all
/// goals were processed: the observer, who gets the number of processed goals, may stop it, and so may a limit.
pub fn decide_outside(
    search: &mut dyn Search,
    anywhere: &[Query],
    budget: &Budget,
    run: &mut Run,
    observe: &mut dyn FnMut(usize) -> bool,
) -> bool {
    for (index, (target, outcome)) in anywhere.iter().zip(&mut run.outcomes).enumerate() {
        if !observe(index) {
            return false;
        }
        if !matches!(outcome, Some(Answer::Impossible(Proof::Infeasible | Proof::Nonfalsifiable))) {
            continue;
        }
        match search.answer(*target, budget) {
            // It cannot be told apart even if anything may happen outside.
            Answer::Impossible(Proof::Infeasible) => {}
            Answer::Undecided(Reason::Limit(Limit::Interrupted)) => return false,
            Answer::Impossible(Proof::Nonfalsifiable)
                if matches!(outcome, Some(Answer::Impossible(Proof::Nonfalsifiable))) => {}
            _ => {
                *outcome = Some(Answer::Undecided(Reason::OutsideFocus { reached: false }));
            }
        }
    }
    true
}
