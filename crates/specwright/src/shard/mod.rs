//! Shards: a part of the goals of a command is decided on each of several machines, and the answers are merged.
//!
//! An engine's answer to a query is a function of the model and the query, and its witness is canonical. So a shard asks
//! about its goals and stores the answers; the merged run is the ordinary one, which takes answers from the store instead of
//! asking an engine. What depends on more than one goal, such as the strategy of `generate`, is done in the merged run.

mod answers;
mod file;
mod stored;

pub use answers::Answers;
pub use file::Header;
pub(crate) use stored::Stored;

use crate::events::Events;
use crate::failure::Failure;
use file::ShardFile;
use specwright_mc::{Budget, Search};
use specwright_model::Model;
use specwright_testgen::goal::Goal;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

/// One of several shards, from 1 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shard {
    /// Its number, from 1 on.
    pub number: usize,
    /// The number of shards.
    pub of: usize,
}

/// The number of shards that a run may have.
pub const MOST: usize = 100_000;

impl Shard {
    /// A shard from text such as `3/8`.
    pub fn parse(text: &str) -> Result<Shard, String> {
        let numbers = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((number, of)) if (1..=of).contains(&number) && of <= MOST => Ok(Shard { number, of }),
            Some(_) => Err(format!("a shard is between 1/N and N/N, and N is at most {MOST}")),
            None => Err("a shard is given as K/N, such as 3/8".into()),
        }
    }

    /// Whether a goal, by its number from 0 on, belongs to this shard.
    pub fn has(self, goal: usize) -> bool {
        goal % self.of == self.number - 1
    }
}

impl std::fmt::Display for Shard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

/// What a run has to do with shards.
#[derive(Clone, Debug, Default)]
pub enum Sharding {
    /// It decides everything itself.
    #[default]
    Whole,
    /// It decides its goals, and writes the answers.
    Decide {
        /// Which part.
        shard: Shard,
        /// The folder for the answers.
        folder: PathBuf,
        /// The command without the flags of shards, for the merged run.
        command: Vec<String>,
    },
    /// It takes the answers of shards.
    Merge(Arc<Answers>),
}

/// What a shard has decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Decided {
    /// The goals of the shard.
    pub goals: usize,
    /// How many of them are undecided.
    pub undecided: usize,
    /// How many were known from an earlier run that was interrupted.
    pub resumed: usize,
    /// Whether all of them were looked at.
    pub is_complete: bool,
}

/// What a run is about: shards of the same run agree in this.
pub(crate) struct Identity<'a> {
    pub(crate) model: &'a Model,
    pub(crate) hash: String,
    pub(crate) settings: Vec<String>,
    pub(crate) goals: &'a [Goal],
}

/// Decides the chosen goals of a shard, and writes each answer as it comes. An interrupted shard goes on where it stopped.
pub(crate) fn decide(
    events: &mut dyn Events,
    search: &mut dyn Search,
    (shard, folder, command): (Shard, &std::path::Path, &[String]),
    identity: &Identity<'_>,
    chosen: &[usize],
    budget: &Budget,
    go_on: &dyn Fn() -> ControlFlow<()>,
) -> Result<Decided, Failure> {
    let header = Header::new(shard, command, identity);
    let (mut file, known) = ShardFile::open(folder, &header, identity)?;
    let mut decided = Decided { goals: chosen.len(), resumed: known.len(), ..Decided::default() };
    let mut progress = events.progress(chosen.len());
    for (n, goal) in chosen.iter().enumerate() {
        if let Some(is_undecided) = known.get(goal) {
            decided.undecided += usize::from(*is_undecided);
            continue;
        }
        progress.at(n, &identity.goals[*goal].id);
        let answer = Budget::run(|| search.answer(identity.goals[*goal].target, budget));
        let Some(answer) = answer.ok().filter(|answer| !answer.is_interrupted()) else {
            progress.finish();
            return Ok(decided);
        };
        decided.undecided += usize::from(answer.is_undecided());
        file.answer(*goal, &answer)?;
        if go_on().is_break() {
            progress.finish();
            return Ok(decided);
        }
    }
    progress.finish();
    file.complete()?;
    Ok(Decided { is_complete: true, ..decided })
}

#[cfg(test)]
mod tests {
    use super::Shard;

    #[test]
    fn every_goal_belongs_to_exactly_one_shard() {
        for of in 1..20 {
            for goal in 0..60 {
                assert_eq!((1..=of).filter(|number| Shard { number: *number, of }.has(goal)).count(), 1);
            }
        }
    }

    #[test]
    fn mistakes_in_shards_are_told() {
        assert_eq!(Shard::parse("3/8"), Ok(Shard { number: 3, of: 8 }));
        for text in ["0/8", "9/8", "1/0", "1/100001"] {
            assert!(Shard::parse(text).is_err_and(|error| error.contains("between")), "{text}");
        }
        for text in ["", "3", "a/b", "-1/3", "1/2/3"] {
            assert!(Shard::parse(text).is_err_and(|error| error.contains("K/N")), "{text}");
        }
    }
}
