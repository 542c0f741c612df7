//! Variables that cannot matter for the goals are left out of the search, and come back in tests.

use super::keep::Keep;
use super::restore::Unsound;
use crate::generate::{Outcome, Run};
use crate::goal::Goal;
use crate::suite::{Misfit, Test, fit};
use rustc_hash::FxHashSet;
use specwright_model::cone::Cone;
use specwright_model::{ExprId, Model, State, Trace, VarId};

/// What becomes of a goal whose execution could not be carried over to the whole model.
const LONG: &str = "the variables that do not matter for it take too long to come round again";

/// The part of a model that can matter for some goals.
pub struct Relevant {
    /// The model without the rest; all ids are those of the whole one.
    pub model: Model,
    cone: Cone,
    /// Values for variables without bounds that nothing determines.
    values: State,
}

impl Relevant {
    /// The part that can matter for these goals; nothing if everything can, or if there are no goals. The other variables matter in any case.
    pub fn new(whole: &Model, goals: &[Goal], others: &[VarId]) -> Option<Relevant> {
        let of_goal = |goal: &Goal| [Some(goal.target.expr()), goal.contradiction].into_iter().flatten();
        let exprs: FxHashSet<ExprId> = goals.iter().flat_map(of_goal).collect();
        let mut exprs: Vec<ExprId> = exprs.into_iter().collect();
        exprs.sort_unstable();
        let cone = Cone::with(whole, exprs, others.iter().copied());
        let values = State::empty(whole.vars.len());
        (!cone.is_everything() && !goals.is_empty()).then(|| Relevant { model: cone.reduce(whole), cone, values })
    }

    /// Variables that do not matter and that nothing determines stay in focus when they come back.
    #[must_use]
    pub fn in_focus(mut self, keeps: &[Keep]) -> Relevant {
        for keep in keeps {
            self.values.set(keep.var, keep.values.value_at(0));
        }
        self
    }

    /// The variables that do not matter.
    pub fn dropped(&self) -> impl Iterator<Item = VarId> + '_ {
        self.cone.dropped()
    }

    /// Whether a variable matters.
    pub fn contains(&self, var: VarId) -> bool {
        self.cone.contains(var)
    }

    /// A run on the whole model as one on this part.
    #[must_use]
    pub fn enter(&self, mut run: Run) -> Run {
        for state in run.tests.iter_mut().flat_map(|test| &mut test.trace.states) {
            for var in self.cone.dropped().collect::<Vec<_>>() {
                let only = self.model[var].domain.value_at(0);
                state.set(var, state.get(var).and(only));
            }
        }
        run
    }

    /// A run on this part as one on the whole model, where every test is replayed.
    ///
    /// An execution that takes too long to be carried over is left out, and nobody knows of what it alone was to cover.
    pub fn leave(&self, whole: &Model, goals: &[Goal], run: &Run) -> Result<Run, Box<Unsound>> {
        let mut run = run.clone();
        let mut n_before = run.tests.len();
        let tests = std::mem::take(&mut run.tests);
        for mut test in tests {
            let Some(trace) = self.cone.lift_with(whole, &test.trace, &self.values) else { continue };
            if let Err(misfit) = fit(whole, &Test::new("", trace.clone())) {
                return Err(Box::new(Unsound { test: test.name, misfit }));
            }
            // The states after the first round of a loop are there for the others.
            if !test.notes.is_empty() {
                test.notes.resize(trace.states.len(), String::new());
            }
            test.trace = trace;
            run.tests.push(test);
            n_before -= 1;
        }
        if n_before > 0 {
            let covered: FxHashSet<&str> = run.tests.iter().flat_map(|test| &test.goals).map(String::as_str).collect();
            for (goal, outcome) in goals.iter().zip(&mut run.outcomes) {
                if matches!(outcome, Some(Outcome::Covered)) && !covered.contains(goal.id.as_str()) {
                    *outcome = Some(Outcome::Unknown(LONG.into()));
                }
            }
        }
        Ok(run)
    }

    /// An execution of this part in the whole model; nothing if that takes too long.
    pub fn restored(&self, whole: &Model, trace: &Trace) -> Result<Option<Trace>, Misfit> {
        let Some(trace) = self.cone.lift_with(whole, trace, &self.values) else { return Ok(None) };
        fit(whole, &Test::new("", trace.clone())).map(|_| Some(trace))
    }
}
