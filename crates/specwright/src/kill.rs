//! When a mutant counts as killed.

use specwright_mc::Observer;
use specwright_model::interface::{Observable, Role};
use specwright_model::{Model, Trace};
use specwright_testgen::goal::Goal;
use specwright_testgen::grade::{Matrix, Sight, Viewer};
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

/// How well a suite kills each property mutant that it kills; nothing for other goals.
pub(crate) fn sights(model: &Model, goals: &[Goal], suite: &Suite, matrix: &Matrix) -> Vec<Option<Sight>> {
    let observer = Observer::of(model);
    // Tests that are no executions violate nothing.
    let execution = |test| match validate(model, test) {
        Ok(Validated::Execution(trace)) => trace,
        _ => Trace { states: Vec::new(), loop_start: None },
    };
    let mut viewer = Viewer::new(model, &observer, suite.tests.iter().map(execution).collect());
    let sight = |(index, goal): (usize, &Goal)| {
        let mut violating = matrix.tests_of(index).peekable();
        (goal.criterion == "mutation" && violating.peek().is_some()).then(|| viewer.sight(goal, violating))
    };
    goals.iter().enumerate().map(sight).collect()
}
