//! The state of test generation: outcomes of goals and tests.

use crate::goal::Goal;
use crate::suite::{GoalCounts, Suite, Test};
use rustc_hash::FxHashSet;
use specwright_mc::{Answer, Proof, Reason};
use specwright_model::Model;
use specwright_model::hash::model_hash;

/// A word for what became of a goal, as in machine-readable results.
pub fn word(answer: &Answer<()>) -> &'static str {
    match answer {
        Answer::Found(()) => "covered",
        Answer::Impossible(Proof::Infeasible) => "infeasible",
        Answer::Impossible(Proof::Nonfalsifiable) => "nonfalsifiable",
        Answer::Impossible(Proof::Inconsistent(_)) => "inconsistent",
        Answer::Impossible(Proof::Conforming) => "conforming",
        Answer::Impossible(Proof::Equivalent) => "equivalent",
        Answer::Undecided(Reason::PossibleKill) => "possible",
        Answer::Undecided(_) => "unknown",
    }
}

/// What became of a goal by its [`word`], with the reason where it has one; nothing for other words.
pub fn outcome(word: &str, reason: Option<String>) -> Option<Answer<()>> {
    Some(match word {
        "covered" => Answer::Found(()),
        "infeasible" => Answer::INFEASIBLE,
        "nonfalsifiable" => Answer::Impossible(Proof::Nonfalsifiable),
        "inconsistent" => Answer::Impossible(Proof::Inconsistent(None)),
        "conforming" => Answer::Impossible(Proof::Conforming),
        "equivalent" => Answer::Impossible(Proof::Equivalent),
        "possible" => Answer::Undecided(Reason::PossibleKill),
        "unknown" => Answer::Undecided(Reason::from(reason.unwrap_or_default())),
        _ => return None,
    })
}

/// The state of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// The outcome of each goal; `None` if it is open.
    pub outcomes: Vec<Option<Answer<()>>>,
    /// The tests.
    pub tests: Vec<Test>,
}

impl Run {
    /// Records in each test which of its goals it reaches in some runs of the mutant only.
    pub fn mark_possible(&mut self, goals: &[Goal]) {
        let possible = Some(Answer::Undecided(Reason::PossibleKill));
        let ids: FxHashSet<&str> = goals
            .iter()
            .zip(&self.outcomes)
            .filter(|(_, outcome)| **outcome == possible)
            .map(|(goal, _)| goal.id.as_str())
            .collect();
        for test in &mut self.tests {
            test.possible = test.goals.iter().filter(|id| ids.contains(id.as_str())).cloned().collect();
        }
    }

    /// A run of `n_goals` open goals.
    pub fn new(n_goals: usize) -> Run {
        Run { outcomes: vec![None; n_goals], tests: Vec::new() }
    }

    /// Restricts the run to some of its goals. Tests for none of them are dropped.
    pub fn retain(&mut self, goals: &[Goal], left: &[Goal]) {
        let left: FxHashSet<&str> = left.iter().map(|goal| goal.id.as_str()).collect();
        let mut stays = goals.iter().map(|goal| left.contains(goal.id.as_str()));
        self.outcomes.retain(|_| stays.next().unwrap_or(false));
        self.tests.iter_mut().for_each(|test| test.goals.retain(|goal| left.contains(goal.as_str())));
        self.tests.retain(|test| !test.goals.is_empty());
    }

    /// Adds the tests of another run of the same goals, and what they cover.
    pub fn add(&mut self, other: Run) {
        for (own, other) in self.outcomes.iter_mut().zip(other.outcomes) {
            *own = other.or(own.take());
        }
        for test in other.tests {
            let name = self.free_name();
            self.tests.push(Test { name, ..test });
        }
    }

    /// Covers goals that are not decided by tests of another run of the same goals.
    pub fn fill(&mut self, goals: &[Goal], other: &Run) {
        let is_open = |outcome: &Option<Answer<()>>| outcome.as_ref().is_none_or(Answer::is_undecided);
        let open = goals.iter().zip(&self.outcomes).filter(|(_, outcome)| is_open(outcome));
        let mut open: FxHashSet<&str> = open.map(|(goal, _)| goal.id.as_str()).collect();
        let mut filled: FxHashSet<&str> = FxHashSet::default();
        for test in &other.tests {
            let new: Vec<&str> = test.goals.iter().map(String::as_str).filter(|goal| open.remove(goal)).collect();
            if !new.is_empty() {
                filled.extend(new);
                let name = self.free_name();
                self.tests.push(Test { name, ..test.clone() });
            }
        }
        for (goal, outcome) in goals.iter().zip(&mut self.outcomes) {
            if filled.contains(goal.id.as_str()) {
                *outcome = Some(Answer::Found(()));
            }
        }
    }

    /// The number of goals with each outcome. Open goals count as undecided.
    pub fn counts(&self) -> GoalCounts {
        self.counts_of(0..self.outcomes.len())
    }

    /// The same for some of the goals.
    pub fn counts_of(&self, goals: impl IntoIterator<Item = usize>) -> GoalCounts {
        let mut counts = GoalCounts::default();
        for goal in goals {
            counts.total += 1;
            *match &self.outcomes[goal] {
                Some(Answer::Found(())) => &mut counts.covered,
                Some(Answer::Impossible(Proof::Infeasible)) => &mut counts.infeasible,
                Some(Answer::Impossible(Proof::Nonfalsifiable)) => &mut counts.nonfalsifiable,
                Some(Answer::Impossible(Proof::Inconsistent(_))) => &mut counts.inconsistent,
                Some(Answer::Impossible(Proof::Conforming)) => &mut counts.conforming,
                Some(Answer::Impossible(Proof::Equivalent)) => &mut counts.equivalent,
                Some(Answer::Undecided(Reason::PossibleKill)) => &mut counts.possible,
                Some(Answer::Undecided(_)) | None => &mut counts.unknown,
            } += 1;
        }
        counts
    }

    /// The number of goals with an outcome.
    pub fn n_decided(&self) -> usize {
        self.outcomes.iter().filter(|outcome| outcome.is_some()).count()
    }

    /// The tests as a suite of their model.
    pub fn suite(&self, model: &Model) -> Suite {
        Suite {
            model: model.name.clone(),
            model_hash: Some(model_hash(model)),
            tests: self.tests.clone(),
            goals: Some(self.counts()),
        }
    }

    /// An unused name for a test.
    pub(crate) fn free_name(&self) -> String {
        let mut number = self.tests.len() + 1;
        loop {
            let name = format!("test-{number}");
            if self.tests.iter().all(|test| test.name != name) {
                return name;
            }
            number += 1;
        }
    }
}
