//! When a mutant counts as killed.

use specwright_mc::{Answer, Observer, Search, Symbolic};
use specwright_model::{Model, Trace};
use specwright_testgen::goal::Goal;
use specwright_testgen::grade::{GoalGrade, Matrix, Sight, Viewer};

/// When a property mutant counts as killed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kill {
    /// When a tester can tell by the outputs. Without internal variables this is the same as [`Kill::Weak`].
    #[default]
    Visible,
    /// When a test goes through a violation of it, as in the literature.
    Weak,
}

/// How well a suite kills each property mutant that it kills; nothing for other goals, but for mutants that tests could kill
/// and that outputs never show. An engine of the model proves that.
pub(crate) fn sights(
    model: &Model,
    goals: &[Goal],
    tests: Vec<Trace>,
    (matrix, fates): (&Matrix, &[GoalGrade]),
    engine: Option<&mut Symbolic>,
) -> Vec<Option<Sight>> {
    let observer = Observer::of(model);
    let mut viewer = Viewer::new(model, &observer, tests, engine.map(|engine| engine as &mut dyn Search));
    let sight = |(index, goal): (usize, &Goal)| {
        if goal.criterion != "mutation" || model.budget.is_spent() {
            return None;
        }
        let violating: Vec<usize> = matrix.tests_of(index).collect();
        if !violating.is_empty() {
            return Some(viewer.sight(goal, &violating));
        }
        let could_be_killed = matches!(fates[index], GoalGrade::Missed(Some(Answer::Found(_))));
        could_be_killed.then(|| viewer.sight(goal, &[])).filter(|sight| *sight == Sight::Indistinguishable)
    };
    goals.iter().enumerate().map(sight).collect()
}
