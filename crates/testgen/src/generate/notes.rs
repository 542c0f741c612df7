//! Why each state of a test is there: what it shows for the first time, or what it is on the way to.

use super::cover::Cover;
use crate::goal::Goal;
use crate::grade::Bits;
use specwright_model::{Model, Trace};

/// So many goals are named at one state.
const NAMED: usize = 2;

/// A note for each state. `fresh` are the goals that no earlier test covers.
pub(super) fn notes(model: &Model, goals: &[Goal], cover: &mut Cover, trace: &Trace, fresh: &Bits) -> Vec<String> {
    let n = trace.states.len();
    let mut left = fresh.clone();
    let mut shown: Vec<Vec<usize>> = Vec::with_capacity(n);
    for end in 1..=n {
        let last = end == n;
        let met: Vec<usize> = if last {
            left.iter().collect()
        } else {
            let met = cover.prefix(model, trace, end);
            met.iter().filter(|goal| left.contains(*goal)).collect()
        };
        let mut gone = Bits::new(goals.len());
        for goal in &met {
            gone.insert(*goal);
        }
        left.subtract(&gone);
        shown.push(met);
    }
    (0..n).map(|at| note(goals, &shown, at, trace)).collect()
}

fn note(goals: &[Goal], shown: &[Vec<usize>], at: usize, trace: &Trace) -> String {
    let met = &shown[at];
    if met.is_empty() {
        let ahead = shown[at..].iter().flatten().next();
        return match ahead {
            Some(goal) => format!("on the way to {}", goals[*goal].id),
            None => String::new(),
        };
    }
    let named: Vec<String> =
        met.iter().take(NAMED).map(|goal| format!("{} ({})", goals[*goal].id, goals[*goal].description)).collect();
    let more = match met.len() - named.len() {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    let verb = if at + 1 == shown.len() && trace.loop_start.is_some() { "going on for ever covers" } else { "covers" };
    format!("{verb} {}{more}", named.join(", "))
}
