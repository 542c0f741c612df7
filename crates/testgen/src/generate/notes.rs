//! Notes on the states of tests: the goals that a state covers first, or the goal that it leads to.

use super::state::Run;
use crate::goal::Goal;
use crate::grade::{Bits, Grader, Quantifiers};
use specwright_model::{Trace, TransitionSystem};

/// Maximal number of goals named in one note.
const MAX_NAMED: usize = 2;

/// Adds notes to all tests; `covered` has the goals of each test.
pub(super) fn annotate(model: &TransitionSystem, goals: &[Goal], run: &mut Run, covered: &[Bits]) {
    let mut earlier = Bits::new(goals.len());
    for (test, covered) in run.tests.iter_mut().zip(covered) {
        let mut fresh = covered.clone();
        fresh.subtract(&earlier);
        test.notes = notes(model, goals, &test.trace, &fresh.iter().collect::<Vec<_>>());
        earlier.union_with(covered);
    }
}

/// A note for each state. `fresh` are the goals that no earlier test covers.
fn notes(model: &TransitionSystem, goals: &[Goal], trace: &Trace, fresh: &[usize]) -> Vec<String> {
    let n = trace.states.len();
    // Only the fresh goals are judged again.
    let mut grader = Grader::new(model, fresh.iter().map(|goal| goals[*goal].target), Quantifiers::Branching);
    let mut shown: Vec<Vec<usize>> = vec![Vec::new(); n];
    // Goals that no prefix of `low` states covers and a prefix of `high` states does. Coverage is monotone in the
    // length of the prefix, so binary search applies.
    let mut open = vec![((0..fresh.len()).collect::<Vec<usize>>(), 0, n)];
    while let Some((places, low, high)) = open.pop() {
        if places.is_empty() {
            continue;
        }
        if high - low == 1 {
            shown[low] = places.into_iter().map(|place| fresh[place]).collect();
            continue;
        }
        let middle = low.midpoint(high);
        let start = Trace { states: trace.states[..middle].to_vec(), loop_start: None };
        let met = grader.reached(model, &start);
        let (before, after) = places.into_iter().partition(|place| met.contains(*place));
        open.extend([(before, low, middle), (after, middle, high)]);
    }
    let mut ahead = None;
    let mut notes: Vec<String> = (0..n)
        .rev()
        .map(|at| {
            ahead = shown[at].first().copied().or(ahead);
            note(goals, &shown, at, trace, ahead)
        })
        .collect();
    notes.reverse();
    notes
}

/// `ahead` is the first goal that is covered here or later.
fn note(goals: &[Goal], shown: &[Vec<usize>], at: usize, trace: &Trace, ahead: Option<usize>) -> String {
    let met = &shown[at];
    if met.is_empty() {
        return match ahead {
            Some(goal) => format!("on the way to {}", goals[goal].id),
            None => String::new(),
        };
    }
    let named: Vec<String> =
        met.iter().take(MAX_NAMED).map(|goal| format!("{} ({})", goals[*goal].id, goals[*goal].description)).collect();
    let more = match met.len() - named.len() {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    let does = if met.iter().all(|goal| goals[*goal].is_mutant()) { "kills" } else { "covers" };
    let subject = if at + 1 == shown.len() && trace.loop_start.is_some() { "the loop " } else { "" };
    format!("{subject}{does} {}{more}", named.join(", "))
}
