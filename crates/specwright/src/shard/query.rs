//! Answers to the queries of goals, and to the question which test kills a mutant of the machine, as lines of a shard.

use super::{Decided, Identity, Sharding};
use crate::events::Events;
use crate::failure::Failure;
use serde::{Deserialize, Serialize};
use specwright_mc::{Answer, Budget, Certainty, Kill, Query, Reason, Search};
use specwright_model::{Model, Trace};
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::span::SourceMap;
use specwright_testgen::generate::{outcome, word};
use specwright_testgen::goal::Goal;
use specwright_testgen::grade::KillSearch;
use specwright_testgen::suite::{Suite, Test, Validated, read_json, validate, write_json};
use std::collections::{BTreeMap, HashMap};

/// An answer.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Content {
    /// The word of an outcome.
    answer: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// The witness, as a suite of one test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    witness: Option<serde_json::Value>,
}

/// The answers of all shards to the goals of a run.
#[derive(Clone, Default)]
pub(crate) struct Known {
    /// To queries.
    pub(crate) queries: HashMap<Query, Answer<Trace>>,
    /// To mutants of the machine, by the numbers of their goals.
    pub(crate) kills: BTreeMap<usize, Answer<Kill>>,
}

/// The goals of a run, and the model on which they are searched for.
pub(crate) struct Questions<'a> {
    pub(crate) model: &'a Model,
    pub(crate) goals: &'a [Goal],
    pub(crate) hash: String,
    pub(crate) settings: Vec<String>,
}

impl Questions<'_> {
    fn identity(&self) -> Identity {
        let ids = self.goals.iter().map(|goal| goal.id.clone()).collect();
        Identity { hash: self.hash.clone(), settings: self.settings.clone(), ids }
    }

    /// The answers of all shards, if shards are merged.
    pub(crate) fn merged(&self, sharding: &Sharding) -> Result<Known, Failure> {
        let mut known = Known::default();
        let answers = sharding.merged(&self.identity(), &mut |_, content: Content| self.read(content))?;
        for (goal, (answer, certainty)) in answers {
            if self.goals[goal].mutant.is_some() {
                known.kills.insert(goal, answer.map(|trace| Kill { certainty, trace }));
            } else {
                known.queries.insert(self.goals[goal].target, answer);
            }
        }
        Ok(known)
    }

    /// Decides the open goals of a shard, if only a shard is asked for.
    pub(crate) fn decide(
        &self,
        sharding: &Sharding,
        events: &mut dyn Events,
        search: &mut dyn Search,
        open: &dyn Fn(usize) -> bool,
        budget: &Budget,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<Option<Decided>, Failure> {
        let system = search.system().clone();
        let mut kills = KillSearch::new(&system, self.goals);
        sharding.decide(events, &self.identity(), open, &mut |goal| {
            let answer = Budget::run(|| match &self.goals[goal].mutant {
                Some(mutant) => {
                    let answer = kills.answer(search, mutant, budget);
                    let certainty = match &answer {
                        Answer::Found(kill) => kill.certainty,
                        _ => Certainty::Certain,
                    };
                    (answer.map(|kill| kill.trace), certainty)
                }
                None => (search.answer(self.goals[goal].target, budget), Certainty::Certain),
            });
            match answer {
                Ok((answer, certainty)) if goes_on() && !answer.is_interrupted() => {
                    self.write(&answer, certainty).map(Some)
                }
                _ => Ok(None),
            }
        })
    }

    fn write(&self, answer: &Answer<Trace>, certainty: Certainty) -> Result<Content, Failure> {
        let witness = match answer {
            Answer::Found(trace) => {
                let tests = vec![Test::new("witness", trace.clone())];
                let suite = Suite { model: String::new(), model_hash: None, tests, goals: None };
                Some(serde_json::from_str(&write_json(self.model, &suite)).map_err(Failure::message)?)
            }
            _ => None,
        };
        let outcome = match answer {
            Answer::Found(_) if certainty == Certainty::Possible => Answer::Undecided(Reason::PossibleKill),
            Answer::Found(_) => Answer::Found(()),
            Answer::Impossible(proof) => Answer::Impossible(proof.clone()),
            Answer::Undecided(reason) => Answer::Undecided(reason.clone()),
        };
        let reason = outcome.reason().map(ToString::to_string);
        Ok(Content { answer: word(&outcome).into(), reason, witness })
    }

    /// An answer, and how sure its witness kills. A witness is an execution of the model, or there is no answer.
    fn read(&self, content: Content) -> Result<(Answer<Trace>, Certainty), String> {
        let Content { answer: word, reason, witness } = content;
        let outcome = outcome(&word, reason).ok_or_else(|| format!("`{word}` is not an answer"))?;
        let witness = || trace(self.model, witness.as_ref().ok_or("a witness is missing")?);
        Ok(match outcome {
            Answer::Found(()) => (Answer::Found(witness()?), Certainty::Certain),
            Answer::Undecided(Reason::PossibleKill) => (Answer::Found(witness()?), Certainty::Possible),
            Answer::Impossible(proof) => (Answer::Impossible(proof), Certainty::Certain),
            Answer::Undecided(reason) => (Answer::Undecided(reason), Certainty::Certain),
        })
    }
}

fn trace(model: &Model, witness: &serde_json::Value) -> Result<Trace, String> {
    let mut sources = SourceMap::default();
    let Ok(index) = sources.add("witness", witness.to_string()) else { return Err("a witness is too large".into()) };
    let (mut read, diagnostics) = read_json(model, &sources.files()[index]);
    if let Some(error) = diagnostics.iter().find(|diagnostic| Diagnostic::is_error(diagnostic)) {
        return Err(error.message.clone());
    }
    let Some(mut test) = read.suite.tests.pop().filter(|_| read.suite.tests.is_empty()) else {
        return Err("a witness is not one test".into());
    };
    test.defined = Vec::new();
    match validate(model, &test) {
        Ok(Validated::Execution(execution)) if execution == test.trace => Ok(execution),
        _ => Err("a witness is not an execution of the model".into()),
    }
}
