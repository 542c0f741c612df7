//! Lifting of tests from the reduced model to the whole one.

use super::reduce::Reduced;
use crate::generate::Run;
use crate::goal::Goal;
use crate::grade::{Grader, Quantifiers};
use crate::suite::{Invalid, Test, validate};
use rustc_hash::FxHashSet;
use specwright_mc::{Answer, Reason};
use specwright_model::interp::{EvalReason, TraceFault};
use specwright_model::model::VarKind;
use specwright_model::{Model, State, Trace, Value, VarId};

/// A test that is none of the whole model. That never happens, and is checked all the same.
#[derive(Clone, Debug)]
pub struct Unsound {
    /// The name of the test.
    pub test: String,
    /// Why it is no execution.
    pub invalid: Invalid,
}

impl Reduced {
    /// Lifts a run to the whole model, where every test is replayed.
    ///
    /// States outside of the focus are cut off. If a goal is not covered without them, it is undecided. The goals are
    /// those of the whole model.
    pub fn lift(&self, whole: &Model, goals: &[Goal], run: &Run) -> Result<Run, Box<Unsound>> {
        let mut run = run.clone();
        let mut grader = None;
        let mut why_open = Reason::OutsideFocus { reached: false };
        for test in &mut run.tests {
            let n_sound = test.trace.states.iter().take_while(|state| self.is_sound(state)).count();
            let whole_test = n_sound == test.trace.states.len();
            test.trace = restore(whole, &test.trace, n_sound);
            if n_sound == 0 {
                test.goals.clear();
                continue;
            }
            let fits = validate(whole, &Test::new("", test.trace.clone()));
            if fits.as_ref().is_err_and(overflows) {
                test.goals.clear();
                why_open = Reason::TooLarge;
                continue;
            }
            if let Err(invalid) = fits {
                return Err(Box::new(Unsound { test: test.name.clone(), invalid }));
            }
            if !whole_test {
                let targets = || goals.iter().map(|goal| goal.target);
                let grader = grader.get_or_insert_with(|| Grader::new(whole, targets(), Quantifiers::Branching));
                let reached = grader.reached(whole, &test.trace);
                let ids: FxHashSet<&str> = reached.iter().map(|goal| goals[goal].id.as_str()).collect();
                test.goals.retain(|id| ids.contains(id.as_str()));
                test.notes.truncate(n_sound);
            }
        }
        run.tests.retain(|test| !test.goals.is_empty());
        let covered: FxHashSet<&str> = run.tests.iter().flat_map(|test| &test.goals).map(String::as_str).collect();
        for (goal, outcome) in goals.iter().zip(&mut run.outcomes) {
            if matches!(outcome, Some(Answer::Found(()))) && !covered.contains(goal.id.as_str()) {
                *outcome = Some(Answer::Undecided(why_open.clone()));
            }
        }
        Ok(run)
    }

    /// Lifts an execution up to where it leaves the focus; `None` if it is no execution of the whole model.
    pub fn lift_trace(&self, whole: &Model, trace: &Trace) -> Option<Trace> {
        let n_sound = trace.states.iter().take_while(|state| self.is_sound(state)).count();
        let trace = restore(whole, trace, n_sound);
        (n_sound > 0 && validate(whole, &Test::new("", trace.clone())).is_ok()).then_some(trace)
    }

    fn is_sound(&self, state: &State) -> bool {
        state.get(self.sound) == Some(Value::Bool(true))
    }

    /// Projects a run on the whole model, all of whose tests stay in focus, to the reduced model.
    #[must_use]
    pub fn project(&self, mut run: Run) -> Run {
        for test in &mut run.tests {
            for state in &mut test.trace.states {
                let mut reduced = State::empty(self.model.vars.len());
                for (index, value) in (0..).map(VarId).zip(state.values()) {
                    reduced.set(index, *value);
                }
                reduced.set(self.sound, Value::Bool(true));
                *state = reduced;
            }
        }
        run
    }
}

/// Whether replay failed because numbers of the whole model exceed 64 bits: the reduced model does not compute values
/// outside of the focus.
fn overflows(invalid: &Invalid) -> bool {
    let Invalid::Impossible(error) = invalid else { return false };
    matches!(&error.fault, TraceFault::Undefined(error, _) if error.reason == EvalReason::Overflow)
}

/// The first `n` states of an execution without the new variables.
fn restore(whole: &Model, trace: &Trace, n: usize) -> Trace {
    let cut = n < trace.states.len();
    let mut states = Vec::with_capacity(n);
    for (index, state) in trace.states[..n].iter().enumerate() {
        let mut lift_trace = State::empty(whole.vars.len());
        let is_last = cut && index + 1 == n;
        for (var, declared) in whole.vars() {
            // The last state has no step, and so no inputs.
            let open = is_last && declared.kind == VarKind::Input;
            lift_trace.set(var, state.get(var).filter(|_| !open));
        }
        states.push(lift_trace);
    }
    Trace { states, loop_start: trace.loop_start.filter(|_| !cut) }
}
