//! Shards: a part of the goals of a command is decided on each of several machines, and the answers are merged.
//!
//! An engine's answer to a query is a function of the model and the query, and its witness is canonical. So a shard asks
//! about its goals and stores the answers; the merged run is the ordinary one, which takes answers from the store instead of
//! asking an engine. What depends on more than one goal, such as the strategy of `generate`, is done in the merged run.

mod answers;
mod file;
pub(crate) mod query;
mod stored;

pub use answers::Answers;
pub use file::Header;
pub(crate) use stored::Stored;

use crate::events::Events;
use crate::failure::Failure;
use file::ShardFile;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
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
pub(crate) struct Identity {
    pub(crate) hash: String,
    pub(crate) settings: Vec<String>,
    /// The ids of its goals or mutants.
    pub(crate) ids: Vec<String>,
}

impl Sharding {
    /// The answers of all shards, if they are merged: by the numbers of goals, each read by `read`.
    pub(crate) fn merged<C: DeserializeOwned, T>(
        &self,
        identity: &Identity,
        read: &mut dyn FnMut(usize, C) -> Result<T, String>,
    ) -> Result<BTreeMap<usize, T>, Failure> {
        match self {
            Sharding::Merge(answers) => answers.of(identity, read),
            _ => Ok(BTreeMap::new()),
        }
    }

    /// If only a shard is asked for: decides those of its goals that are `open`, and writes each answer as it comes. An
    /// interrupted shard goes on where it stopped. Without an answer, the work was interrupted.
    pub(crate) fn decide<C: Serialize>(
        &self,
        events: &mut dyn Events,
        identity: &Identity,
        open: &dyn Fn(usize) -> bool,
        answer: &mut dyn FnMut(usize) -> Result<Option<C>, Failure>,
    ) -> Result<Option<Decided>, Failure> {
        let Some(mut writer) = self.writer(identity)? else { return Ok(None) };
        let own: Vec<usize> = (0..identity.ids.len()).filter(|goal| writer.shard.has(*goal) && open(*goal)).collect();
        let mut progress = events.progress(own.len());
        for (n, goal) in own.into_iter().enumerate() {
            if !writer.wants(goal) {
                continue;
            }
            progress.at(n, &identity.ids[goal]);
            let Some(content) = answer(goal)? else {
                progress.finish();
                return Ok(Some(writer.decided));
            };
            writer.write(goal, content)?;
        }
        progress.finish();
        writer.complete().map(Some)
    }

    /// What writes the answers of a shard, if only a shard is asked for.
    pub(crate) fn writer(&self, identity: &Identity) -> Result<Option<Writer>, Failure> {
        let Sharding::Decide { shard, folder, command } = self else { return Ok(None) };
        let (file, known) = ShardFile::open(folder, &Header::new(*shard, command, identity))?;
        let decided = Decided { resumed: known.len(), ..Decided::default() };
        Ok(Some(Writer { shard: *shard, file, known, decided }))
    }
}

/// Writes the answers of a shard as they come.
pub(crate) struct Writer {
    shard: Shard,
    file: ShardFile,
    /// The goals that are answered, and whether each is undecided.
    known: BTreeMap<usize, bool>,
    decided: Decided,
}

impl Writer {
    /// Counts a goal, and says whether its answer is to be written: whether it belongs to the shard and has none yet.
    pub(crate) fn wants(&mut self, goal: usize) -> bool {
        if !self.shard.has(goal) {
            return false;
        }
        self.decided.goals += 1;
        let known = self.known.get(&goal);
        self.decided.undecided += usize::from(known == Some(&true));
        known.is_none()
    }

    /// Writes an answer.
    pub(crate) fn write(&mut self, goal: usize, content: impl Serialize) -> Result<(), Failure> {
        let content = serde_json::to_value(content).map_err(Failure::message)?;
        self.decided.undecided += usize::from(self.file.answer(goal, content)?);
        Ok(())
    }

    /// What was decided before the work was stopped.
    pub(crate) fn stopped(self) -> Decided {
        self.decided
    }

    /// Writes that all goals are answered.
    pub(crate) fn complete(mut self) -> Result<Decided, Failure> {
        self.file.complete()?;
        Ok(Decided { is_complete: true, ..self.decided })
    }
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
