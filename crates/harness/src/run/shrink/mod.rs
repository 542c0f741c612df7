//! Shrinking of failing tests: delta debugging on the inputs, with states recomputed from the specification.
//!
//! Reading order: which parts are removed ([`Shrinker::pass`]), what the specification does on the inputs that are left
//! (`rebuild`), and other executions with the same end (`paths`). Passes are repeated until one of them finds nothing, so
//! shrinking the result again gives the same result.

mod paths;
mod rebuild;
#[cfg(test)]
mod tests;

use super::outcome::{Outcome, Shrunk, Verdict};
use crate::policy::{SHRINK_REPLACEMENTS, SHRINK_RUNS, SHRINK_STEPS};
use rebuild::Rebuild;
use rustc_hash::FxHashSet;
use specwright_model::{Model, State, Trace};
use specwright_testgen::suite::Expect;

/// Runs a candidate; `None` if the time is over.
pub(super) type Run<'a> = dyn FnMut(&[State]) -> Option<Outcome> + 'a;

/// The shortest failing test that was found, if the failure is reproducible. Without a specification, the states of the
/// test are not recomputed, and only cycles are removed.
pub(super) fn shrink(model: Option<&Model>, states: &[State], expect: Expect, run: &mut Run<'_>) -> Option<Shrunk> {
    let mut shrinker = Shrinker {
        rebuild: model.map(Rebuild::new),
        expect,
        run,
        best: states.to_vec(),
        tried: FxHashSet::default(),
        n_runs: 0,
        n_steps: 0,
        is_stopped: false,
    };
    shrinker.best = shrinker.confirmed(states)?;
    while !shrinker.is_over() && shrinker.pass() {}
    Some(Shrunk {
        n_before: states.len(),
        n_runs: shrinker.n_runs,
        is_complete: !shrinker.is_over(),
        trace: Trace { states: shrinker.best, loop_start: None },
    })
}

struct Shrinker<'a> {
    rebuild: Option<Rebuild<'a>>,
    expect: Expect,
    run: &'a mut Run<'a>,
    /// The shortest failing test so far.
    best: Vec<State>,
    /// The candidates that were run.
    tried: FxHashSet<Vec<State>>,
    /// Runs of the implementation.
    n_runs: usize,
    /// Steps of the implementation and of the specification.
    n_steps: usize,
    is_stopped: bool,
}

impl Shrinker<'_> {
    /// Tries to remove parts of the test. Returns whether it got shorter.
    fn pass(&mut self) -> bool {
        let before = self.best.len();
        // The last step of a negative test is what it is about: its inputs are not changed.
        let is_free = self.rebuild.is_some() && self.expect == Expect::Accept;
        if is_free {
            self.remove_chunks();
        }
        self.take_other_paths();
        if is_free && self.best.len() == before {
            let _ = self.remove_a_window() || self.remove_a_pair() || self.remove_and_replace();
        }
        self.best.len() < before
    }

    /// Removes chunks of half of the steps, of a quarter, and so on down to single steps.
    fn remove_chunks(&mut self) {
        let mut size = self.best.len() / 2;
        while size > 0 {
            let mut at = 0;
            while at < self.best.len() && !self.is_over() {
                if !self.remove(&|index| (at..at + size).contains(&index)) {
                    at += size;
                }
            }
            size /= 2;
        }
    }

    /// Removes consecutive steps, wherever they begin.
    fn remove_a_window(&mut self) -> bool {
        let n = self.best.len();
        (2..n).rev().any(|size| {
            (0..=n - size).any(|at| !self.is_over() && self.remove(&|index| (at..at + size).contains(&index)))
        })
    }

    /// Removes two steps that only make sense together.
    fn remove_a_pair(&mut self) -> bool {
        let n = self.best.len();
        (0..n).any(|a| (a + 2..n).any(|b| !self.is_over() && self.remove(&|index| index == a || index == b)))
    }

    /// Removes a step, and replaces the inputs of another one by inputs that occur elsewhere in the test.
    fn remove_and_replace(&mut self) -> bool {
        let Some(rebuild) = &self.rebuild else { return false };
        let n = self.best.len();
        let letters = rebuild.distinct_inputs(&self.best);
        if n * n * letters.len() > SHRINK_REPLACEMENTS {
            return false;
        }
        let pairs = (0..n).flat_map(|removed| (0..n - 1).map(move |replaced| (removed, replaced)));
        let all = pairs.flat_map(|pair| letters.iter().map(move |letter| (pair, letter)));
        all.into_iter().any(|((removed, replaced), letter)| {
            let Some(rebuild) = self.rebuild.as_ref().filter(|_| !self.is_over()) else { return false };
            let candidate = rebuild.replaced(&self.best, removed, replaced, letter);
            self.n_steps += n;
            candidate.is_some_and(|states| self.adopt(&states))
        })
    }

    /// Tries the test without the inputs of some states.
    fn remove(&mut self, is_removed: &dyn Fn(usize) -> bool) -> bool {
        let Some(rebuild) = &self.rebuild else { return false };
        let kept: Vec<usize> = (0..self.best.len()).filter(|index| !is_removed(*index)).collect();
        let candidates = rebuild.candidates(&self.best, &kept);
        self.n_steps += kept.len();
        candidates.into_iter().any(|states| self.adopt(&states))
    }

    /// Tries executions with the same end.
    fn take_other_paths(&mut self) {
        let model = self.rebuild.as_ref().map(|rebuild| rebuild.model);
        while !self.is_over() && paths::shorter(model, &self.best).into_iter().any(|states| self.adopt(&states)) {}
    }

    /// Keeps a candidate that is shorter, if it fails.
    fn adopt(&mut self, states: &[State]) -> bool {
        if states.is_empty() || states.len() >= self.best.len() || self.is_over() || !self.tried.insert(states.to_vec())
        {
            return false;
        }
        let confirmed = self.confirmed(states).filter(|states| states.len() < self.best.len());
        let is_shorter = confirmed.is_some();
        self.best = confirmed.unwrap_or(std::mem::take(&mut self.best));
        is_shorter
    }

    /// The part of a test up to its failure, if it fails twice.
    fn confirmed(&mut self, states: &[State]) -> Option<Vec<State>> {
        let first = self.failure(states)?;
        let cut = self.cut(states, &first);
        let second = self.failure(&cut)?;
        Some(self.cut(&cut, &second))
    }

    fn failure(&mut self, states: &[State]) -> Option<Outcome> {
        self.n_runs += 1;
        self.n_steps += states.len();
        let outcome = (self.run)(states);
        self.is_stopped |= outcome.is_none();
        outcome.filter(|outcome| outcome.verdict == Verdict::Fail)
    }

    /// The test up to the failure, with the choices that the implementation took. Negative tests fail at their end.
    fn cut(&self, states: &[State], failure: &Outcome) -> Vec<State> {
        match failure.step {
            Some(step) if step < states.len() && self.expect == Expect::Accept => {
                let states = &states[..=step];
                let followed = self.rebuild.as_ref().and_then(|rebuild| rebuild.observed(states, &failure.history));
                followed.unwrap_or(states.to_vec())
            }
            _ => states.to_vec(),
        }
    }

    fn is_over(&self) -> bool {
        self.is_stopped || self.n_runs >= SHRINK_RUNS || self.n_steps >= SHRINK_STEPS
    }
}
