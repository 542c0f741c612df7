//! The judge that compares with the specification: only forbidden behaviour is wrong.
//!
//! If the specification allows a choice and the implementation chooses otherwise than recorded, the test returns to its
//! path by a recovery path, if there is one, and otherwise goes on as far as its inputs are possible.

use super::exchange::{Judge, Next};
use super::outcome::{Difference, Outcome, Verdict};
use super::protocol::{Hello, Observed};
use super::recovery_path::recovery_path;
use super::script::{agrees, first_inputs, known, step_inputs, with};
use super::state_estimate::{EstimateError, StateEstimate};
use crate::policy::STEP_ATTEMPTS;
use rustc_hash::FxHashMap;
use specwright_model::interp::{Explorer, Step};
use specwright_model::{Model, State};
use specwright_testgen::suite::Expect;
use std::collections::VecDeque;

/// A test, the specification, and the state estimate of the implementation.
pub(super) struct Specification<'m> {
    model: &'m Model,
    explorer: Explorer<'m>,
    states: Vec<State>,
    expect: Expect,
    estimate: StateEstimate<'m>,
    /// Number of exchanges.
    n_seen: usize,
    /// Number of passed states of the test.
    at: usize,
    course: Course,
    /// The first step after which the implementation deviated from the test.
    strayed: Option<usize>,
    /// Number of steps left for recovery.
    budget: usize,
    /// Whether a recovery path was taken.
    recovered: bool,
    /// The step that the last inputs were chosen for.
    wanted: Option<Step>,
    /// Number of times each step was wanted and not taken.
    refused: FxHashMap<(State, State), usize>,
    /// The same for the steps of the test, by their target states.
    missed: Vec<usize>,
}

/// The position relative to the test.
enum Course {
    /// In the recorded state before `at`.
    Recorded,
    /// On a recovery path to the recorded state with this index.
    Detour(usize, VecDeque<Step>),
    /// Off the path: the rest of the inputs is still sent.
    Blind,
}

impl<'m> Specification<'m> {
    pub(super) fn new(model: &'m Model, states: Vec<State>, expect: Expect, budget: usize) -> Specification<'m> {
        Specification {
            model,
            explorer: Explorer::new(model),
            missed: vec![0; states.len()],
            states,
            expect,
            estimate: StateEstimate::new(model),
            n_seen: 0,
            at: 0,
            course: Course::Recorded,
            strayed: None,
            budget,
            recovered: false,
            wanted: None,
            refused: FxHashMap::default(),
        }
    }

    fn next_inputs(&mut self, hello: &Hello) -> Result<Option<State>, EstimateError> {
        if self.at == self.states.len() && !matches!(self.course, Course::Detour(..)) {
            return Ok(None);
        }
        if self.n_seen == 0 {
            return self.initial_inputs(hello).map(Some);
        }
        self.wanted = None;
        if let Course::Detour(_, steps) = &self.course {
            self.wanted = steps.front().cloned();
            let step = steps.front().map(|step| step_inputs(self.model, hello, &step.now, &step.next));
            return Ok(step);
        }
        let (before, next) = (self.states[self.at - 1].clone(), self.states[self.at].clone());
        if self.is_forbidden_step() {
            return Ok(Some(step_inputs(self.model, hello, &before, &next)));
        }
        // A step that the specification allows, with missing values completed, and without steps that are refused.
        let refused = &self.refused;
        let mut step = self.estimate.step_like(&before, &next, &|step| is_refused(refused, step))?;
        if step.is_none() {
            step = self.estimate.step_like(&before, &next, &|_| false)?;
        }
        let inputs = match &step {
            Some(step) => step_inputs(self.model, hello, &step.now, &step.next),
            None => step_inputs(self.model, hello, &before, &next),
        };
        self.wanted = step;
        Ok(Some(inputs))
    }

    fn initial_inputs(&self, hello: &Hello) -> Result<State, EstimateError> {
        let first = &self.states[0];
        let found = self.explorer.initial().like(first).limit(1_000_000).next();
        let full = match found {
            Some(Ok(step)) => step.next,
            Some(Err(error)) => return Err(EstimateError::Undefined(error.describe(self.model))),
            None => first.clone(),
        };
        Ok(first_inputs(self.model, hello, &full))
    }

    /// Whether the next step is the one that a correct implementation does not take.
    fn is_forbidden_step(&self) -> bool {
        self.expect == Expect::Reject && self.at + 1 == self.states.len() && matches!(self.course, Course::Recorded)
    }

    fn look(&mut self, hello: &Hello, inputs: &State, observed: &Observed) -> Result<Option<Outcome>, EstimateError> {
        let step = self.n_seen;
        self.n_seen += 1;
        let forbidden = self.is_forbidden_step();
        let recorded = forbidden && is_like(&self.states[self.at], observed);
        let (now, known_next) = if step == 0 {
            (State::empty(self.model.vars.len()), inputs.clone())
        } else {
            known(self.model, hello, inputs)
        };
        let next = with(&known_next, &observed.values);
        let agrees_with_some = if !observed.strange.is_empty() {
            false
        } else if step == 0 {
            self.estimate.start(&next)?;
            !self.estimate.is_empty()
        } else {
            self.estimate.step(&now, &next)?
        };
        if forbidden {
            self.at += 1;
            let message = "it accepted a test that it must reject";
            return Ok(Some(match (recorded, agrees_with_some) {
                (true, false) => Outcome::new(Verdict::Fail, Some(step), message),
                (true, true) => {
                    let message = "the observed variables do not show whether this behaviour is forbidden";
                    Outcome::new(Verdict::Inconclusive, Some(step), message)
                }
                (false, true) => Outcome::new(Verdict::Pass, None, ""),
                // If a correct answer exists, this was not it; if there is none, at least it was not the forbidden one.
                (false, false) => match self.failure(step, &now, &known_next, observed)? {
                    Some(failure) => failure,
                    None => Outcome::new(Verdict::Pass, None, ""),
                },
            }));
        }
        if !agrees_with_some {
            let failure = self.failure(step, &now, &known_next, observed)?;
            let nonsense = || {
                let message = match self.strayed {
                    Some(_) => "these inputs are impossible after another choice than the recorded one",
                    None => "the specification does not allow these inputs",
                };
                Outcome::new(Verdict::Inconclusive, Some(step), message)
            };
            return Ok(Some(failure.unwrap_or_else(nonsense)));
        }
        self.find_course(step)?;
        Ok(None)
    }

    /// Compares the state estimate with the test.
    fn find_course(&mut self, step: usize) -> Result<(), EstimateError> {
        match &mut self.course {
            Course::Recorded | Course::Blind => {
                let target = self.at;
                self.at += 1;
                if self.estimate.like(&self.states[target])?.is_some() {
                    // Off the path, a state of the test may be met by chance, but not on its path.
                    return Ok(());
                }
                if matches!(self.course, Course::Recorded) {
                    self.missed[target] += 1;
                }
            }
            Course::Detour(target, steps) => {
                let target = *target;
                steps.pop_front();
                let arrived = steps.is_empty();
                let next = self.wanted.as_ref().map(|step| &step.next);
                if next.map_or(Ok(None), |next| self.estimate.like(next))?.is_some() {
                    if arrived {
                        self.at = target + 1;
                        self.course = Course::Recorded;
                    }
                    return Ok(());
                }
            }
        }
        if let Some(Step { now, next }) = self.wanted.take() {
            *self.refused.entry((now, next)).or_default() += 1;
        }
        self.strayed.get_or_insert(step);
        self.course = self.recover()?;
        Ok(())
    }

    /// A recovery path to a state from which the test can be continued.
    fn recover(&mut self) -> Result<Course, EstimateError> {
        let (model, nothing) = (self.model, State::empty(self.model.vars.len()));
        let here = if self.budget > 0 { self.estimate.like(&nothing)? } else { None };
        let Some(here) = here else { return Ok(Course::Blind) };
        // The last step is the purpose of the test, so it must not be skipped; nor is a refused step tried.
        let n_attempts = |index: usize| {
            let open = |state: &State| state.values().iter().any(Option::is_none);
            let is_open = open(&self.states[index]) || open(&self.states[index - 1]);
            if is_open { 3 * STEP_ATTEMPTS } else { STEP_ATTEMPTS }
        };
        let first = (1..self.states.len()).rfind(|index| self.missed[*index] >= n_attempts(*index)).unwrap_or(0);
        let steps = self.states.windows(2);
        let targets: Vec<&State> = steps.skip(first).map(|step| &step[0]).collect();
        if let Some(target) = targets.iter().rposition(|state| agrees(model, &here, state)) {
            self.budget -= 1;
            self.recovered = true;
            self.at = first + target + 1;
            return Ok(Course::Recorded);
        }
        let way = recovery_path(model, &self.explorer, &here, &targets, &|step| is_refused(&self.refused, step));
        Ok(match way {
            Some((target, steps)) if steps.len() <= self.budget => {
                self.budget -= steps.len();
                self.recovered = true;
                Course::Detour(first + target, steps.into())
            }
            _ => Course::Blind,
        })
    }

    /// The failure that an observation shows; `None` if no observation would have been right.
    fn failure(
        &mut self,
        step: usize,
        now: &State,
        next: &State,
        observed: &Observed,
    ) -> Result<Option<Outcome>, EstimateError> {
        let values = |estimate: &StateEstimate<'_>, var| match step {
            0 => estimate.first_values(next, var),
            _ => estimate.values_after(now, next, var),
        };
        let possible = if step == 0 {
            let mut fresh = StateEstimate::new(self.model);
            fresh.start(next)?;
            !fresh.is_empty()
        } else {
            let has_values = self.model.vars().any(|(var, _)| !values(&self.estimate, var).is_empty());
            has_values || self.estimate.step(now, next)?
        };
        if !possible {
            return Ok(None);
        }
        let strange = observed.strange.iter().map(|(var, got)| (*var, got.clone()));
        let seen =
            self.model.vars().filter_map(|(var, _)| Some((var, self.model.show_of(var, observed.values.get(var)?))));
        let all: Vec<Difference> = strange
            .chain(seen)
            .map(|(var, got)| Difference { var, expected: values(&self.estimate, var), got })
            .collect();
        let is_wrong = |difference: &Difference| {
            !difference.expected.iter().any(|value| self.model.show_of(difference.var, *value) == difference.got)
        };
        let wrong: Vec<Difference> = all.iter().filter(|difference| is_wrong(difference)).cloned().collect();
        // Each value may be possible, but not their combination.
        Ok(Some(Outcome::differs(self.model, step, if wrong.is_empty() { all } else { wrong })))
    }

    /// An outcome that says whether the inputs were those of the test.
    fn with_course(&self, outcome: Outcome) -> Outcome {
        Outcome { recovered: self.recovered, ..outcome }
    }

    fn end(&self) -> Outcome {
        match (self.strayed, &self.course) {
            (None, _) => Outcome::new(Verdict::Pass, None, ""),
            (Some(step), Course::Recorded) => {
                let message = format!("after step {step} it made another permitted choice, and was led back");
                Outcome::new(Verdict::Pass, None, message)
            }
            (Some(step), _) => {
                let message =
                    "the implementation made another permitted choice, and no path back to the test was found";
                Outcome::new(Verdict::Inconclusive, Some(step), message)
            }
        }
    }
}

/// Whether a step was wanted often enough to count as refused.
fn is_refused(refused: &FxHashMap<(State, State), usize>, step: &Step) -> bool {
    refused.get(&(step.now.clone(), step.next.clone())).is_some_and(|n| *n >= STEP_ATTEMPTS)
}

/// Whether the observed values are the recorded ones.
fn is_like(recorded: &State, observed: &Observed) -> bool {
    let same = recorded.values().iter().zip(observed.values.values());
    observed.strange.is_empty() && same.into_iter().all(|(a, b)| a.is_none() || b.is_none() || a == b)
}

impl Judge for Specification<'_> {
    fn next(&mut self, hello: &Hello) -> Next {
        match self.next_inputs(hello) {
            Ok(Some(inputs)) => Next::Send(inputs),
            Ok(None) => Next::Done(self.with_course(self.end())),
            Err(error) => Next::Done(self.with_course(estimate_error_outcome(error, self.n_seen))),
        }
    }

    fn see(&mut self, hello: &Hello, inputs: &State, observed: &Observed) -> Option<Outcome> {
        let step = self.n_seen;
        let outcome = self.look(hello, inputs, observed);
        let outcome = outcome.unwrap_or_else(|error| Some(estimate_error_outcome(error, step)));
        outcome.map(|outcome| self.with_course(outcome))
    }
}

fn estimate_error_outcome(error: EstimateError, step: usize) -> Outcome {
    let message = match error {
        EstimateError::Undefined(why) => format!("the specification has no value: {why}"),
        EstimateError::Limit(why) => format!("the states of the specification could not be tracked: {why}"),
    };
    Outcome::new(Verdict::Inconclusive, Some(step), message)
}
