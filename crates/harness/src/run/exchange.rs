//! The execution of one test: sends inputs, and passes the observations to the judge.

use super::link::{Limits, Link, TransportError};
use super::outcome::{ExchangeRecord, Outcome, Verdict};
use super::protocol::{Hello, Observed, Request, values_json};
use specwright_model::{Model, State};
use std::time::Instant;

/// Chooses the inputs, and judges the answers.
pub(super) trait Judge {
    /// The inputs of the next exchange, of which the first one is the reset; or the end.
    fn next(&mut self, hello: &Hello) -> Next;

    /// Judges an answer; the test goes on as long as there is no outcome.
    fn see(&mut self, hello: &Hello, inputs: &State, observed: &Observed) -> Option<Outcome>;
}

/// The next exchange.
pub(super) enum Next {
    Send(State),
    Done(Outcome),
}

/// An open connection.
pub(super) struct Session {
    pub(super) link: Box<dyn Link>,
    pub(super) hello: Hello,
}

impl Session {
    /// Opens a connection.
    pub(super) fn begin(
        mut link: Box<dyn Link>,
        model: &Model,
        limits: &Limits,
    ) -> Result<Session, (TransportError, String)> {
        let answer = link.ask(&Request::hello(model), limits.start, limits);
        let hello = answer.and_then(|answer| Hello::read(model, &answer).map_err(TransportError::Garbage));
        match hello {
            Ok(hello) => Ok(Session { link, hello }),
            Err(error) => {
                let stderr_tail = link.stderr_tail();
                Err((error, stderr_tail))
            }
        }
    }

    /// Runs a test. The second result says whether the connection can be reused.
    pub(super) fn test(
        &mut self,
        model: &Model,
        name: &str,
        judge: &mut dyn Judge,
        limits: &Limits,
    ) -> (Outcome, bool) {
        let started = Instant::now();
        let mut history = Vec::new();
        let mut broken = false;
        let mut outcome = loop {
            let inputs = match judge.next(&self.hello) {
                Next::Send(inputs) => inputs,
                Next::Done(outcome) => break outcome,
            };
            let step = history.len();
            let written = values_json(model, &inputs);
            let request = match step {
                0 => Request::Reset { test: name.into(), inputs: written },
                _ => Request::Step { inputs: written },
            };
            let answer = self.link.ask(&request, limits.step, limits);
            let observed =
                answer.and_then(|answer| Observed::read(model, &self.hello, &answer).map_err(TransportError::Garbage));
            match observed {
                Ok(observed) => {
                    history.push(ExchangeRecord { inputs: inputs.clone(), outputs: observed.values.clone() });
                    if let Some(outcome) = judge.see(&self.hello, &inputs, &observed) {
                        break outcome;
                    }
                }
                Err(error) => {
                    broken = true;
                    break transport_error_outcome(&error, Some(step));
                }
            }
        };
        outcome.history = history;
        outcome.time = started.elapsed();
        if outcome.verdict == Verdict::Error {
            outcome.stderr_tail = self.link.stderr_tail();
        }
        // After a failure the state of the implementation is unknown.
        let sound = !broken && outcome.verdict == Verdict::Pass;
        (outcome, sound)
    }
}

/// The outcome of a test with a transport error.
pub(super) fn transport_error_outcome(error: &TransportError, step: Option<usize>) -> Outcome {
    match error {
        TransportError::OutOfTime | TransportError::Interrupted => {
            Outcome::new(Verdict::Inconclusive, step, error.to_string())
        }
        _ => Outcome::new(Verdict::Error, step, error.to_string()),
    }
}
