//! Goals that no execution in focus reaches: some that none reaches at all, and some that others may.

use crate::generate::{Outcome, Run};
use crate::goal::Target;
use specwright_engine::bdd::Limit;
use specwright_engine::{Engine, Pursuit, Reason};

/// What becomes of a goal that only executions outside of the focus could reach.
pub const BEYOND: &str = "only executions that leave the focus could tell";

/// Whether that is what became of a goal.
pub fn is_beyond(outcome: Option<&Outcome>) -> bool {
    matches!(outcome, Some(Outcome::Unknown(reason)) if reason == BEYOND)
}

/// Finds out which of the goals without a test have none in the whole model either. Of the others nobody knows.
///
/// The targets are those of the goals, rewritten for [`Reach::Anywhere`](super::Reach::Anywhere). Says whether it was done
/// with all of them: the observer, who is told how many are, may stop it, and so may a limit.
pub fn beyond(engine: &mut Engine, anywhere: &[Target], run: &mut Run, observe: &mut dyn FnMut(usize) -> bool) -> bool {
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
