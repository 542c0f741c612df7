//! The state of test generation: outcomes of goals and tests.

use crate::goal::Goal;
use crate::suite::{GoalCounts, Suite, Test, model_hash};
use rustc_hash::FxHashSet;
use specwright_model::Model;

/// The outcome of a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A test of the run covers it.
    Covered,
    /// No execution covers it.
    Infeasible,
    /// The property is false, but no single execution shows that.
    Nonfalsifiable,
    /// A reachable state requires its step, but the updates are inconsistent. No execution covers it.
    Inconsistent,
    /// Undecided, with the reason.
    Unknown(String),
}

impl Outcome {
    /// Its name in JSON documents.
    pub fn word(&self) -> &'static str {
        match self {
            Outcome::Covered => "covered",
            Outcome::Infeasible => "infeasible",
            Outcome::Nonfalsifiable => "nonfalsifiable",
            Outcome::Inconsistent => "inconsistent",
            Outcome::Unknown(_) => "unknown",
        }
    }

    /// The outcome with this name, with its reason; `None` for other names.
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

/// The state of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// The outcome of each goal; `None` if it is open.
    pub outcomes: Vec<Option<Outcome>>,
    /// The tests.
    pub tests: Vec<Test>,
}

impl Run {
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
                Some(Outcome::Covered) => &mut counts.covered,
                Some(Outcome::Infeasible) => &mut counts.infeasible,
                Some(Outcome::Nonfalsifiable) => &mut counts.nonfalsifiable,
                Some(Outcome::Inconsistent) => &mut counts.inconsistent,
                Some(Outcome::Unknown(_)) | None => &mut counts.unknown,
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
