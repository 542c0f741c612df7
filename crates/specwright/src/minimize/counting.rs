//! Which of the goals that tests seem to reach count: the same as for `grade`.

use crate::events::Events;
use crate::limits::Limits;
use crate::words::count;
use specwright_mc::reduction::Reduction;
use specwright_mc::{Query, Symbolic};
use specwright_model::{Model, Trace};
use specwright_testgen::focus::relevant;
use specwright_testgen::goal::Goal;
use specwright_testgen::grade::{Bits, Grader, Quantifiers, goal_grades, unreachable as proved};

/// The goals that no test can reach although some of these traces seem to.
///
/// An engine is asked only about those that hang on what a single path says of `E` and `A`.
pub(super) fn unreachable(
    events: &mut dyn Events,
    model: &Model,
    goals: &[Goal],
    traces: &[&Trace],
    engine: Option<&mut Symbolic>,
    limits: &Limits,
) -> Bits {
    let targets: Vec<Query> = goals.iter().map(|goal| goal.target).collect();
    let reached_by = |quantifiers| {
        let mut grader = Grader::new(model, targets.iter().copied(), quantifiers);
        let mut reached = Bits::new(goals.len());
        for trace in traces {
            reached.union_with(&grader.reached(model, trace));
        }
        reached
    };
    let (reached, surely) = (reached_by(Quantifiers::Path), reached_by(Quantifiers::Branching));
    let mut doubtful = reached.clone();
    doubtful.subtract(&surely);
    if doubtful.is_empty() {
        return doubtful;
    }
    let mut made = None;
    let engine = engine.or_else(|| {
        let asked: Vec<Goal> = doubtful.iter().map(|goal| goals[goal].clone()).collect();
        let relevant = relevant(model, &asked, &[], &[]);
        let part = relevant.as_ref().map_or(&model.system, Reduction::system);
        made = Symbolic::new(part.clone(), &limits.options()).ok();
        made.as_mut()
    });
    let Some(engine) = engine else {
        events.warning(format_args!(
            "{}: undecided whether a test can cover {}; they count",
            model.name,
            count(doubtful.count(), "goal")
        ));
        return Bits::new(goals.len());
    };
    let mut progress = events.progress(doubtful.count());
    let fates =
        goal_grades(engine, goals, &reached, &surely, &|goal| doubtful.contains(goal), &limits.budget(), &mut |done| {
            progress.at(done, "goals that may be infeasible");
            !limits.is_cancelled()
        });
    progress.finish();
    proved(&fates)
}
