//! Telling states apart: whether outputs show that an implementation is in another state than the model.
//!
//! After some steps of a test the model is in a state, and an implementation may be in a *candidate* instead: a state with
//! the same inputs and outputs, and other internal values. From there on the implementation behaves as the model does. The
//! tester can tell if its outputs leave what the model permits.

use super::explicit::{Listed, Set, Tester};
use super::machine::Machine;
use super::search::Search;
use super::{Certainty, Kill};
use crate::answer::{Answer, Reason};
use specwright_model::{State, Trace};

impl Tester<'_> {
    /// How sure the rest of a test shows that an implementation is in a candidate instead of the state at this place;
    /// nothing if it does not. Of a loop, one round is executed.
    pub fn tells_apart(&mut self, test: &Trace, at: usize, candidate: &State) -> Result<Option<Certainty>, Reason> {
        let inputs = self.own.sent(test);
        let Some(estimate) = self.estimate(test, at, candidate)? else { return Ok(Some(Certainty::Certain)) };
        let start = (estimate, self.other.set(candidate));
        Search::from(&mut self.own, &mut self.other, start, usize::MAX).judge(&inputs[at + 1..])
    }

    /// A test that begins like this one up to a place, and shows that an implementation is in a candidate instead of the
    /// state there: by as few further steps as possible. Without one, both states have the same outputs ever after.
    pub fn tell_apart(&mut self, test: &Trace, at: usize, candidate: &State) -> Answer<Kill> {
        self.continuation(test, at, candidate).unwrap_or_else(Answer::Undecided)
    }

    fn continuation(&mut self, test: &Trace, at: usize, candidate: &State) -> Result<Answer<Kill>, Reason> {
        let begin = |to: usize| Trace { states: test.states[..to].to_vec(), loop_start: None };
        let Some(estimate) = self.estimate(test, at, candidate)? else {
            let mut trace = begin(at + 1);
            trace.states[at] = self.own.model.without_step_inputs(&trace.states[at]);
            return Ok(Answer::Found(Kill { certainty: Certainty::Certain, trace }));
        };
        let mut theirs = Listed::new(self.own.model, self.own.observer, self.own.limits);
        let start = (estimate, theirs.set(candidate));
        let most = self.own.limits.states;
        let mut search = Search::from(&mut self.own, &mut theirs, start, most);
        search.run(|own, way| {
            let mut trace = begin(at);
            let inputs = way.steps.iter().map(|(input, _)| input).chain([&way.last]);
            own.walk(&test.states[at], inputs, &mut trace.states)?;
            Ok(trace)
        })
    }

    /// The states of the model that agree with a test up to a place, and with the outputs of a candidate there; nothing if
    /// no state does.
    fn estimate(&mut self, test: &Trace, at: usize, candidate: &State) -> Result<Option<Set>, Reason> {
        let inputs = self.own.inputs(test);
        let mut set = self.own.start();
        for (index, input) in inputs.iter().enumerate().take(at + 1) {
            let output = self.own.output(if index == at { candidate } else { &test.states[index] })?;
            let answer = self.own.answer(&set, input)?;
            let Some((_, after)) = answer.outcomes.into_iter().find(|(other, _)| *other == output) else {
                return Ok(None);
            };
            set = after;
        }
        Ok(Some(set))
    }
}

impl Listed<'_> {
    /// A set of one state, whatever inputs of steps it has.
    pub(super) fn set(&mut self, state: &State) -> Set {
        let state = self.model.without_step_inputs(state);
        Set::States([self.states.insert_full(state).0].into())
    }
}
