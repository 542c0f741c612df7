//! One test: sends what the judge wants, shows it what comes back.

use super::link::{Limits, Link, Trouble};
use super::outcome::{Moment, Outcome, Verdict};
use super::protocol::{Hello, Observed, Request, values_json};
use specwright_model::{Model, State};
use std::time::Instant;

/// Decides what is sent, and what to think of the answers.
pub(super) trait Judge {
    /// The inputs of the next exchange, the first one being the reset; or the end.
    fn next(&mut self, hello: &Hello) -> Next;

    /// Looks at an answer; the test goes on as long as there is no outcome.
    fn see(&mut self, hello: &Hello, inputs: &State, observed: &Observed) -> Option<Outcome>;
}

/// What comes next.
pub(super) enum Next {
    Send(State),
    Done(Outcome),
}

/// A conversation that has begun.
pub(super) struct Session {
    pub(super) link: Box<dyn Link>,
    pub(super) hello: Hello,
}

impl Session {
    /// Begins a conversation.
    pub(super) fn begin(mut link: Box<dyn Link>, model: &Model, limits: &Limits) -> Result<Session, (Trouble, String)> {
        let answer = link.ask(&Request::hello(model), limits.start, limits);
        let hello = answer.and_then(|answer| Hello::read(model, &answer).map_err(Trouble::Garbage));
        match hello {
            Ok(hello) => Ok(Session { link, hello }),
            Err(trouble) => {
                let asides = link.asides();
                Err((trouble, asides))
            }
        }
    }

    /// Runs a test. Whether the conversation can go on thereafter is said by the second result.
    pub(super) fn test(
        &mut self,
        model: &Model,
        name: &str,
        judge: &mut dyn Judge,
        limits: &Limits,
    ) -> (Outcome, bool) {
        let started = Instant::now();
        let mut history = Vec::new();
        let mut troubled = false;
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
                answer.and_then(|answer| Observed::read(model, &self.hello, &answer).map_err(Trouble::Garbage));
            match observed {
                Ok(observed) => {
                    history.push(Moment { inputs: inputs.clone(), outputs: observed.values.clone() });
                    if let Some(outcome) = judge.see(&self.hello, &inputs, &observed) {
                        break outcome;
                    }
                }
                Err(trouble) => {
                    troubled = true;
                    break troubled_outcome(&trouble, Some(step));
                }
            }
        };
        outcome.history = history;
        outcome.time = started.elapsed();
        if outcome.verdict == Verdict::Error {
            outcome.asides = self.link.asides();
        }
        // After a failure nobody knows what state the implementation is in.
        let sound = !troubled && outcome.verdict == Verdict::Pass;
        (outcome, sound)
    }
}

/// What to think of a test that ran into trouble.
pub(super) fn troubled_outcome(trouble: &Trouble, step: Option<usize>) -> Outcome {
    match trouble {
        Trouble::OutOfTime | Trouble::Interrupted => Outcome::new(Verdict::Inconclusive, step, trouble.to_string()),
        _ => Outcome::new(Verdict::Error, step, trouble.to_string()),
    }
}
