//! What is known of the goals so far, and the tests for them.

use crate::goal::Goal;
use crate::suite::{GoalCounts, Suite, Test};
use rustc_hash::FxHashSet;
use specwright_model::Model;
use specwright_model::hash::model_hash;

/// What became of a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A test of the run does it.
    Covered,
    /// No execution does it.
    Infeasible,
    /// It is false, but no single execution shows that.
    Nonfalsifiable,
    /// A state is reached that calls for it, but its updates contradict each other. No execution does it.
    Inconsistent,
    /// Nobody knows, for this reason.
    Unknown(String),
}

impl Outcome {
    /// A word for it, as in machine-readable results.
    pub fn word(&self) -> &'static str {
        match self {
            Outcome::Covered => "covered",
            Outcome::Infeasible => "infeasible",
            Outcome::Nonfalsifiable => "nonfalsifiable",
            Outcome::Inconsistent => "inconsistent",
            Outcome::Unknown(_) => "unknown",
        }
    }

    /// The outcome of that word, with the reason where it has one; nothing for other words.
    pub fn named(word: &str, reason: Option<String>) -> Option<Outcome> {
        Some(match word {
            "covered" => Outcome::Covered,
            "infeasible" => Outcome::Infeasible,
            "nonfalsifiable" => Outcome::Nonfalsifiable,
            "inconsistent" => Outcome::Inconsistent,
            "unknown" => Outcome::Unknown(reason.unwrap_or_default()),
            _ => return None,
        })
    }

    /// The reason, if the goal is undecided.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Outcome::Unknown(reason) => Some(reason),
            _ => None,
        }
    }
}

/// What is known so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// What became of each goal; nothing as long as it was not looked at.
    pub outcomes: Vec<Option<Outcome>>,
    /// The tests.
    pub tests: Vec<Test>,
}

impl Run {
    /// Nothing is known of so many goals.
    pub fn new(n_goals: usize) -> Run {
        Run { outcomes: vec![None; n_goals], tests: Vec::new() }
    }

    /// The same for some of the goals that it belongs to. Tests that are for none of them go.
    pub fn retain(&mut self, goals: &[Goal], left: &[Goal]) {
        let left: FxHashSet<&str> = left.iter().map(|goal| goal.id.as_str()).collect();
        let mut stays = goals.iter().map(|goal| left.contains(goal.id.as_str()));
        self.outcomes.retain(|_| stays.next().unwrap_or(false));
        self.tests.iter_mut().for_each(|test| test.goals.retain(|goal| left.contains(goal.as_str())));
        self.tests.retain(|test| !test.goals.is_empty());
    }

    /// How many goals became what. Those that were not looked at are unknown.
    pub fn counts(&self) -> GoalCounts {
        self.counts_of(0..self.outcomes.len())
    }

    /// The same for some of the goals.
    pub fn counts_of(&self, goals: impl IntoIterator<Item = usize>) -> GoalCounts {
        let mut counts = GoalCounts::default();
        for goal in goals {
            counts.total += 1;
            *match &self.outcomes[goal] {
                Some(Outcome::Covered) => &mut counts.covered,
                Some(Outcome::Infeasible) => &mut counts.infeasible,
                Some(Outcome::Nonfalsifiable) => &mut counts.nonfalsifiable,
                Some(Outcome::Inconsistent) => &mut counts.inconsistent,
                Some(Outcome::Unknown(_)) | None => &mut counts.unknown,
            } += 1;
        }
        counts
    }

    /// How many goals were looked at.
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

    /// A name that no test has.
    pub(super) fn free_name(&self) -> String {
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
