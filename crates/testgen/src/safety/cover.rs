//! Coverage of safety goals by tests, and small sets of tests.

use super::analyse::{Analysis, Class};
use super::tests::{Goal, Kind};
use crate::grade::Bits;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use specwright_mc::{Danger, Symbolic};
use specwright_model::{State, Trace};

/// A complete trace, and its first state that the machine does not reach, if there is one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Candidate {
    pub(super) trace: Trace,
    pub(super) departure: Option<usize>,
}

impl Candidate {
    /// Number of leading states that form an execution of the machine.
    fn n_allowed(&self) -> usize {
        self.departure.unwrap_or(self.trace.states.len())
    }

    /// Number of leading states that are followed by another state of such an execution.
    fn n_passed(&self) -> usize {
        match (self.departure, self.trace.loop_start) {
            (Some(_), _) => 0,
            (None, Some(_)) => self.trace.states.len(),
            (None, None) => self.trace.states.len() - 1,
        }
    }
}

/// For each test the goals that it covers.
pub(super) fn cover(engine: &Symbolic, analysis: &Analysis, goals: &[Goal], tests: &[Candidate]) -> Vec<Bits> {
    // Whether a trace is dangerous depends on its last state, and tests share many states.
    let mut states: IndexSet<&State, FxBuildHasher> = IndexSet::default();
    let places: Vec<Vec<usize>> = tests
        .iter()
        .map(|test| test.trace.states[..test.n_allowed()].iter().map(|state| states.insert_full(state).0).collect())
        .collect();
    let mut covered = vec![Bits::new(goals.len()); tests.len()];
    let mut known: Option<((usize, usize, Danger), Vec<bool>)> = None;
    for (index, goal) in goals.iter().enumerate() {
        let found = &analysis.found[goal.mutant];
        let (Class::Departing, Some(variant), Some(Ok(Some(dangers)))) =
            (&found.class, &found.variant, found.dangers.get(goal.property))
        else {
            continue;
        };
        // Goals of one mutant, property and danger are adjacent.
        let key = (goal.mutant, goal.property, goal.danger);
        if known.as_ref().is_none_or(|(last, _)| *last != key) {
            let dangerous = states.iter().map(|state| engine.is_dangerous(dangers, goal.danger, state));
            known = Some((key, dangerous.collect()));
        }
        let Some((_, dangerous)) = &known else { continue };
        for ((test, places), covered) in tests.iter().zip(&places).zip(&mut covered) {
            let any = |n: usize| places[..n].iter().any(|place| dangerous[*place]);
            let is_covered = match goal.kind {
                Kind::Prefix => any(test.n_allowed()),
                Kind::Passing => any(test.n_passed()),
                Kind::Failing => test.departure.is_some_and(|departure| {
                    dangerous[places[departure - 1]]
                        && engine
                            .violation(variant, dangers, &test.trace, departure)
                            .is_some_and(|state| !goal.danger.is_immediate() || state == departure)
                }),
            };
            if is_covered {
                covered.insert(index);
            }
        }
    }
    covered
}

/// A small set of tests that covers all goals that any of them covers: greedy, without superfluous ones.
pub(super) fn few(wanted: &Bits, tests: &[(Bits, usize)]) -> Vec<usize> {
    let mut left = wanted.clone();
    let mut chosen: Vec<usize> = Vec::new();
    loop {
        let gain = |test: usize| {
            let mut old = left.clone();
            old.subtract(&tests[test].0);
            left.count() - old.count()
        };
        // Ties are broken by length, then by index.
        let best = (0..tests.len()).map(|test| (gain(test), std::cmp::Reverse((tests[test].1, test)))).max();
        let Some((1.., std::cmp::Reverse((_, test)))) = best else { break };
        left.subtract(&tests[test].0);
        chosen.push(test);
    }
    let mut index = chosen.len();
    while index > 0 {
        index -= 1;
        let mut needed = wanted.clone();
        needed.subtract(&left);
        for (_, test) in chosen.iter().enumerate().filter(|(other, _)| *other != index) {
            needed.subtract(&tests[*test].0);
        }
        if needed.is_empty() {
            chosen.remove(index);
        }
    }
    chosen.sort_unstable();
    chosen
}
