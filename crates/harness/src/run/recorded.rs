//! The judge that compares with the recorded test: every difference is wrong.

use super::exchange::{Judge, Next};
use super::outcome::{Difference, Outcome, Verdict};
use super::protocol::{Hello, Observed};
use super::script::{first_inputs, step_inputs};
use specwright_model::{Model, State};
use specwright_testgen::suite::Expect;

/// A test and its progress.
pub(super) struct Recorded<'a> {
    pub(super) model: &'a Model,
    pub(super) states: Vec<State>,
    pub(super) expect: Expect,
    /// Number of observed states.
    pub(super) seen: usize,
}

impl Judge for Recorded<'_> {
    fn next(&mut self, hello: &Hello) -> Next {
        match (self.seen, self.states.get(self.seen)) {
            (0, Some(first)) => Next::Send(first_inputs(self.model, hello, first)),
            (n, Some(next)) => Next::Send(step_inputs(self.model, hello, &self.states[n - 1], next)),
            (_, None) => Next::Done(Outcome::new(Verdict::Pass, None, "")),
        }
    }

    fn see(&mut self, _hello: &Hello, _inputs: &State, observed: &Observed) -> Option<Outcome> {
        let expected = &self.states[self.seen];
        let differences = differences(self.model, expected, observed);
        let step = self.seen;
        self.seen += 1;
        let is_last = self.seen == self.states.len();
        match self.expect {
            Expect::Reject if is_last && differences.is_empty() => {
                let message = "it accepted a test that it must reject";
                Some(Outcome::new(Verdict::Fail, Some(step), message))
            }
            Expect::Reject if is_last => Some(Outcome::new(Verdict::Pass, None, "")),
            _ if differences.is_empty() => None,
            _ => Some(Outcome::differs(self.model, step, differences)),
        }
    }
}

/// The differences between expected and observed values.
pub(super) fn differences(model: &Model, expected: &State, observed: &Observed) -> Vec<Difference> {
    let strange =
        observed.strange.iter().map(|(var, got)| (*var, expected.get(*var).into_iter().collect(), got.clone()));
    let other = model.vars().filter_map(|(var, _)| {
        let (expected, got) = expected.get(var).zip(observed.values.get(var))?;
        (expected != got).then(|| (var, vec![expected], model.show_of(var, got)))
    });
    let all = strange.chain(other);
    all.map(|(var, expected, got)| Difference { var, expected, got }).collect()
}
