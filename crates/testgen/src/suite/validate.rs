//! Validation of tests: whether a test is an execution of the model, or none if it must be rejected.

use super::complete::{Completion, all_executions, complete};
use super::defined::Widened;
use super::test::{Expect, Suite, Test};
use crate::policy::PARTIAL_EXECUTIONS;
use specwright_model::interface::Observable;
use specwright_model::interp::{TraceError, check_trace, unfair};
use specwright_model::{Trace, TransitionSystem, Value, VarId};
use specwright_syntax::span::Span;

/// The result of validating a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Validated {
    /// An execution, with missing values completed.
    Execution(Trace),
    /// A valid negative test: an execution up to the departure, which is impossible.
    Rejected,
}

/// Why a test is invalid. States are counted from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Invalid {
    /// A state or the step to it is impossible.
    Impossible(TraceError),
    /// The given values of a state are impossible after the states before it.
    NoSuch {
        /// The state.
        state: usize,
        /// A variable or define, its value in the test, and its value in the model.
        conflict: Option<(Observable, Value, Value)>,
    },
    /// Several executions agree with the given values.
    Ambiguous {
        /// A state in which they differ.
        state: usize,
        /// A variable or define in which they differ.
        of: Observable,
        /// Two of its possible values.
        values: (Value, Value),
    },
    /// Too many executions agree with the given values to enumerate them.
    TooOpen {
        /// The state.
        state: usize,
    },
    /// The loop is unfair: it violates this constraint.
    Unfair(Span),
    /// A negative test that is an execution.
    Accepted,
}

/// The tests of a suite as executions. Those that are none have no states.
pub fn executed(model: &TransitionSystem, suite: &Suite) -> Vec<Trace> {
    let execution = |test| match validate(model, test) {
        Ok(Validated::Execution(trace)) => trace,
        _ => Trace { states: Vec::new(), loop_start: None },
    };
    suite.tests.iter().map(execution).collect()
}

/// Validates a test.
pub fn validate(model: &TransitionSystem, test: &Test) -> Result<Validated, Invalid> {
    match test.expect {
        Expect::Accept => execution(model, test, &test.trace).map(Validated::Execution),
        Expect::Reject => {
            let last = test.rejected_at().unwrap_or(0);
            // States after the departure need not be executions of the model.
            let trace = match test.departure {
                Some(_) => Trace { states: test.trace.states[..=last].to_vec(), loop_start: None },
                None => test.trace.clone(),
            };
            match execution(model, test, &trace) {
                Ok(_) => Err(Invalid::Accepted),
                Err(Invalid::Impossible(error)) if error.state >= last => Ok(Validated::Rejected),
                Err(Invalid::NoSuch { state, .. }) if state >= last => Ok(Validated::Rejected),
                Err(invalid) => Err(invalid),
            }
        }
    }
}

/// All executions that agree with a partial test, if they are not too many.
pub fn executions(model: &TransitionSystem, test: &Test) -> Option<Vec<Trace>> {
    let wide = Widened::new(model, test, &test.trace);
    let traces = all_executions(&wide.model, &wide.trace, PARTIAL_EXECUTIONS)?;
    let mut traces: Vec<Trace> = traces.into_iter().map(|trace| wide.narrow(trace)).collect();
    traces.retain(|trace| unfair(model, trace).is_none());
    Some(traces).filter(|traces| !traces.is_empty())
}

/// The trace as an execution, with missing values completed.
fn execution(model: &TransitionSystem, test: &Test, trace: &Trace) -> Result<Trace, Invalid> {
    let full = match (check_trace(model, trace), wrong_define(model, test, trace)) {
        (Ok(()), None) => trace.clone(),
        (Err(error), wrong) if !error.is_partial() && wrong.is_none_or(|(state, _)| error.state <= state) => {
            return Err(Invalid::Impossible(error));
        }
        (Err(error), _) if error.is_partial() => completed(model, test, trace)?,
        (_, wrong) => {
            let (state, conflict) = wrong.expect("the other cases have none");
            return Err(Invalid::NoSuch { state, conflict: Some(conflict) });
        }
    };
    match unfair(model, &full) {
        Some(span) => Err(Invalid::Unfair(span)),
        None => Ok(full),
    }
}

/// The first define whose given value is not the one that follows from the variables: the state, the define, and both
/// values.
fn wrong_define(model: &TransitionSystem, test: &Test, trace: &Trace) -> Option<(usize, (Observable, Value, Value))> {
    test.defined.iter().zip(&trace.states).enumerate().find_map(|(index, (given, state))| {
        given.iter().find_map(|(define, value)| {
            let follows = model.define_value(*define, state)?;
            (follows != *value).then_some((index, (Observable::Define(*define), *value, follows)))
        })
    })
}

/// The one execution that agrees with a partial test.
fn completed(model: &TransitionSystem, test: &Test, trace: &Trace) -> Result<Trace, Invalid> {
    let wide = Widened::new(model, test, trace);
    let named = |var: VarId| match wide.defines.get((var.0 as usize).wrapping_sub(model.vars.len())) {
        Some(define) => Observable::Define(*define),
        None => Observable::Var(var),
    };
    match complete(&wide.model, &wide.trace) {
        Completion::One(trace) => Ok(wide.narrow(trace)),
        Completion::None { state, conflict } => {
            let conflict = conflict.map(|(var, given, possible)| (named(var), given, possible));
            Err(Invalid::NoSuch { state, conflict })
        }
        Completion::Several { state, var, values } => Err(Invalid::Ambiguous { state, of: named(var), values }),
        Completion::TooMany { state } => Err(Invalid::TooOpen { state }),
    }
}

impl Invalid {
    /// The first invalid state, if there is one.
    pub fn state(&self) -> Option<usize> {
        match self {
            Invalid::Impossible(error) => Some(error.state),
            Invalid::NoSuch { state, .. } | Invalid::Ambiguous { state, .. } | Invalid::TooOpen { state } => {
                Some(*state)
            }
            Invalid::Unfair(_) | Invalid::Accepted => None,
        }
    }

    /// The source span of the violated part of the model, if there is one.
    pub fn span(&self, model: &TransitionSystem) -> Span {
        match self {
            Invalid::Impossible(error) => error.span(model),
            Invalid::Ambiguous { of, .. } | Invalid::NoSuch { conflict: Some((of, ..)), .. } => match of {
                Observable::Var(var) => model[*var].span,
                Observable::Define(define) => model[*define].span,
            },
            Invalid::Unfair(span) => *span,
            _ => Span::NONE,
        }
    }

    /// The message for users, with states counted from 1.
    pub fn describe(&self, model: &TransitionSystem) -> String {
        match self {
            Invalid::Impossible(error) => error.describe(model),
            Invalid::NoSuch { state, conflict } => {
                let place = match state {
                    0 => "state 1".into(),
                    _ => format!("the step from state {state} to state {}", state + 1),
                };
                match conflict {
                    Some((of, given, possible)) => {
                        let (given, possible) = (model.show(*given), model.show(*possible));
                        format!("{place}: `{}` is {given}, but the model would have {possible}", model.name_of(*of))
                    }
                    None => format!("{place}: the model has no such state here"),
                }
            }
            Invalid::Ambiguous { state, of, values: (one, other) } => format!(
                "state {}: `{}` is left open, and may be {} or {}",
                state + 1,
                model.name_of(*of),
                model.show(*one),
                model.show(*other)
            ),
            Invalid::TooOpen { state } => format!("state {}: too much is left open", state + 1),
            Invalid::Unfair(_) => "the loop is not fair: a fairness constraint never holds on it".into(),
            Invalid::Accepted => "it expects to be rejected, but is an execution of the model".into(),
        }
    }
}
