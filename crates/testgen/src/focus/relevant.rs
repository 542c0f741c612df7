//! Reduction to the cone of influence of all goals, and lifting of tests.

use super::keep::Keep;
use super::lift::Unsound;
use crate::generate::Run;
use crate::goal::Goal;
use crate::suite::{Invalid, Test, validate};
use rustc_hash::FxHashSet;
use specwright_mc::{Answer, Reason};
use specwright_model::cone::Cone;
use specwright_model::{ExprId, Model, State, Trace, VarId};

/// The part of a model that can matter for some goals.
pub struct Relevant {
    /// The reduced model; ids are those of the whole one.
    pub model: Model,
    cone: Cone,
    /// Values for unbounded variables that nothing determines.
    values: State,
}

impl Relevant {
    /// The cone of influence of these goals and variables; `None` if it is everything, or if there are no goals.
    pub fn new(whole: &Model, goals: &[Goal], others: &[VarId]) -> Option<Relevant> {
        let of_goal = |goal: &Goal| [Some(goal.target.expr()), goal.contradiction].into_iter().flatten();
        let exprs: FxHashSet<ExprId> = goals.iter().flat_map(of_goal).collect();
        let mut exprs: Vec<ExprId> = exprs.into_iter().collect();
        exprs.sort_unstable();
        let cone = Cone::with(whole, exprs, others.iter().copied());
        let values = State::empty(whole.vars.len());
        if cone.is_everything() || goals.is_empty() {
            return None;
        }
        let (name, interface) = (whole.name.clone(), whole.interface.clone());
        let model = Model { name, interface, ..Model::from(cone.reduce(whole)) };
        Some(Relevant { model, cone, values })
    }

    /// Chooses values in focus for dropped variables that nothing determines.
    #[must_use]
    pub fn in_focus(mut self, keeps: &[Keep]) -> Relevant {
        for keep in keeps {
            self.values.set(keep.var, keep.values.value_at(0));
        }
        self
    }

    /// The dropped variables.
    pub fn dropped(&self) -> impl Iterator<Item = VarId> + '_ {
        self.cone.dropped()
    }

    /// Whether a variable is kept.
    pub fn contains(&self, var: VarId) -> bool {
        self.cone.contains(var)
    }

    /// Projects a run on the whole model to this part.
    #[must_use]
    pub fn project(&self, mut run: Run) -> Run {
        for state in run.tests.iter_mut().flat_map(|test| &mut test.trace.states) {
            for var in self.cone.dropped().collect::<Vec<_>>() {
                let only = self.model[var].domain.value_at(0);
                state.set(var, state.get(var).and(only));
            }
        }
        run
    }

    /// Lifts a run to the whole model, where every test is replayed.
    ///
    /// A test that takes too long to lift is dropped, and goals that only it covers are undecided.
    pub fn lift(&self, whole: &Model, goals: &[Goal], run: &Run) -> Result<Run, Box<Unsound>> {
        let mut run = run.clone();
        let mut n_before = run.tests.len();
        let tests = std::mem::take(&mut run.tests);
        for mut test in tests {
            let Some(trace) = self.cone.lift_with(whole, &test.trace, &self.values) else { continue };
            if let Err(invalid) = validate(whole, &Test::new("", trace.clone())) {
                return Err(Box::new(Unsound { test: test.name, invalid }));
            }
            // Notes are repeated for the states of an unrolled loop.
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
                if matches!(outcome, Some(Answer::Found(()))) && !covered.contains(goal.id.as_str()) {
                    *outcome = Some(Answer::Undecided(Reason::LoopTooLong));
                }
            }
        }
        Ok(run)
    }

    /// Lifts an execution to the whole model; `None` if that takes too long.
    pub fn lift_trace(&self, whole: &Model, trace: &Trace) -> Result<Option<Trace>, Invalid> {
        let Some(trace) = self.cone.lift_with(whole, trace, &self.values) else { return Ok(None) };
        validate(whole, &Test::new("", trace.clone())).map(|_| Some(trace))
    }
}
