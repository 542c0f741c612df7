//! When a mutant counts as killed.

use specwright_mc::{Answer, Observer, Search, Symbolic};
use specwright_model::interface::{Observable, Role};
use specwright_model::{Model, Trace};
use specwright_testgen::goal::Goal;
use specwright_testgen::grade::{GoalGrade, Matrix, Sight, Viewer};
use specwright_testgen::suite::{Suite, Validated, validate};

/// When a property mutant counts as killed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kill {
    /// When a tester can tell by the outputs. Without internal variables this is the same as [`Kill::Weak`].
    #[default]
    Visible,
    /// When a test goes through a violation of it, as in the literature.
    Weak,
}

/// Whether a model has variables that a tester neither sets nor sees.
pub fn has_internal(model: &Model) -> bool {
    let is_internal = |var| model.interface.role(Observable::Var(var)) == Role::Internal && !model.is_shadow(var);
    model.vars().any(|(var, _)| is_internal(var))
}

/// How well a suite kills each property mutant that it kills; nothing for other goals, but for mutants that tests could kill
/// and that outputs never show. An engine of the model proves that.
pub(crate) fn sights(
    model: &Model,
    goals: &[Goal],
    suite: &Suite,
    (matrix, fates): (&Matrix, &[GoalGrade]),
    engine: Option<&mut Symbolic>,
) -> Vec<Option<Sight>> {
    let observer = Observer::of(model);
    // Tests that are no executions violate nothing.
    let execution = |test| match validate(model, test) {
        Ok(Validated::Execution(trace)) => trace,
        _ => Trace { states: Vec::new(), loop_start: None },
    };
    let tests = suite.tests.iter().map(execution).collect();
    let mut viewer = Viewer::new(model, &observer, tests, engine.map(|engine| engine as &mut dyn Search));
    let sight = |(index, goal): (usize, &Goal)| {
        if goal.criterion != "mutation" || model.budget.is_spent() {
            return None;
        }
        let violating: Vec<usize> = matrix.tests_of(index).collect();
        if !violating.is_empty() {
            return Some(viewer.sight(goal, violating));
        }
        let could_be_killed = matches!(fates[index], GoalGrade::Missed(Some(Answer::Found(_))));
        could_be_killed.then(|| viewer.sight(goal, [])).filter(|sight| *sight == Sight::Indistinguishable)
    };
    goals.iter().enumerate().map(sight).collect()
}
