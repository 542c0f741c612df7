//! Runs on reduced systems as runs on the whole one.

use super::state::Run;
use crate::goal::Goal;
use crate::grade::{Grader, Quantifiers};
use crate::suite::Test;
use rustc_hash::FxHashSet;
use specwright_mc::Answer;
use specwright_mc::reduction::{self, Extent, NotLifted, Reduction};
use specwright_model::{Trace, TransitionSystem};
use std::sync::Arc;

impl Run {
    /// Lifts a run through a stack of reductions, the first of which reduces the whole system. The goals are those of the
    /// whole system. Every test is replayed there.
    ///
    /// A goal whose test is lost, or no longer covers it, is undecided. It is open if another search may decide it, as is a
    /// goal whose proof does not carry over.
    ///
    /// # Panics
    ///
    /// If a reduction promises an execution and breaks its promise.
    #[must_use]
    pub fn lift(&self, reductions: &[Arc<dyn Reduction>], whole: &TransitionSystem, goals: &[Goal]) -> Run {
        let mut run = self.clone();
        for (at, reduction) in reductions.iter().enumerate().rev() {
            let outer = at.checked_sub(1).map_or(whole, |outer| reductions[outer].system());
            run = lift(&**reduction, outer, goals, &run);
        }
        run
    }

    /// Projects a run on the whole system through a stack of reductions.
    #[must_use]
    pub fn project(mut self, reductions: &[Arc<dyn Reduction>]) -> Run {
        for test in &mut self.tests {
            test.trace = reduction::project_through(reductions, &test.trace);
        }
        self
    }
}

fn lift(reduction: &dyn Reduction, whole: &TransitionSystem, goals: &[Goal], run: &Run) -> Run {
    let mut lifted = Run { outcomes: run.outcomes.clone(), tests: Vec::new() };
    let mut grader = None;
    let mut reached = |trace: &Trace| -> Vec<&str> {
        let new = || Grader::new(whole, goals.iter().map(|goal| goal.target), Quantifiers::Branching);
        let reached = grader.get_or_insert_with(new).reached(whole, trace);
        reached.iter().map(|goal| goals[goal].id.as_str()).collect()
    };
    // Why goals may have lost their tests.
    let mut why: Option<NotLifted> = None;
    for test in &run.tests {
        let made = match reduction::lift(reduction, whole, &test.trace) {
            Ok(made) => made,
            Err(error) => {
                why = if why == Some(NotLifted::TooLarge) { why } else { Some(error) };
                continue;
            }
        };
        let mut test = Test { trace: made.trace, notes: notes(&test.notes, &made.origins), ..test.clone() };
        match made.extent {
            Extent::Same => {}
            Extent::Prefix => {
                why.get_or_insert(NotLifted::OutsideFocus);
                let still: FxHashSet<&str> = reached(&test.trace).into_iter().collect();
                test.goals.retain(|id| still.contains(id.as_str()));
            }
            Extent::Detour => {
                why.get_or_insert(NotLifted::Spurious);
                test.goals = reached(&test.trace).into_iter().map(String::from).collect();
            }
        }
        if !test.goals.is_empty() || made.extent != Extent::Prefix {
            lifted.tests.push(test);
        }
    }
    let covered: FxHashSet<&str> = lifted.tests.iter().flat_map(|test| &test.goals).map(String::as_str).collect();
    for (goal, outcome) in goals.iter().zip(&mut lifted.outcomes) {
        let is_covered = covered.contains(goal.id.as_str());
        match outcome {
            // An over-approximation decides anew what its tests cover.
            _ if is_covered && !reduction.promises_executions() => *outcome = Some(Answer::Found(())),
            Some(Answer::Found(())) if !is_covered => {
                if let Some(why) = &why {
                    *outcome = why.reason().map(Answer::Undecided);
                }
            }
            Some(Answer::Impossible(proof)) if !reduction.preserves(whole, goal.target, proof) => *outcome = None,
            _ => {}
        }
    }
    lifted
}

/// The notes of the states that come from others.
fn notes(notes: &[String], origins: &[Option<usize>]) -> Vec<String> {
    if notes.is_empty() {
        return Vec::new();
    }
    let note = |origin: &Option<usize>| origin.and_then(|origin| notes.get(origin)).cloned().unwrap_or_default();
    origins.iter().map(note).collect()
}
