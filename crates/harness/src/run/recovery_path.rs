//! Recovery paths: a shortest sequence of steps to a state of the test.

use super::script::agrees;
use crate::policy::{RECOVERY_STATES, RECOVERY_WORK};
use rustc_hash::FxHashSet;
use specwright_model::interp::{Explorer, Step};
use specwright_model::{Model, State};

/// The steps from a state to the nearest of some others, which may be partial, and the index of that one; the last of
/// equally near ones. Excluded steps are not taken. `None` if there is no path within the limits.
pub(super) fn recovery_path(
    model: &Model,
    explorer: &Explorer<'_>,
    from: &State,
    targets: &[&State],
    is_barred: &dyn Fn(&Step) -> bool,
) -> Option<(usize, Vec<Step>)> {
    let hit = |state: &State| targets.iter().rposition(|target| agrees(model, state, target));
    // Each state with its predecessor and the step from there.
    let mut found: Vec<(State, Option<(usize, Step)>)> = vec![(from.clone(), None)];
    let mut seen = FxHashSet::default();
    seen.insert(from.clone());
    let mut next = 0;
    while next < found.len() && found.len() < RECOVERY_STATES {
        let state = found[next].0.clone();
        for step in explorer.steps(&state).limit(RECOVERY_WORK).map_while(Result::ok) {
            if is_barred(&step) || !seen.insert(step.next.clone()) {
                continue;
            }
            let target = hit(&step.next);
            found.push((step.next.clone(), Some((next, step))));
            if let Some(target) = target {
                return Some((target, path(found)));
            }
            if found.len() >= RECOVERY_STATES {
                break;
            }
        }
        next += 1;
    }
    None
}

/// The steps to the last state that was found.
fn path(mut found: Vec<(State, Option<(usize, Step)>)>) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut at = found.len() - 1;
    while let Some((before, step)) = found[at].1.take() {
        steps.push(step);
        at = before;
    }
    steps.reverse();
    steps
}
