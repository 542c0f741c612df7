//! The shards of a command, as a matrix for continuous integration.

use crate::shard::Shard;
use serde::Serialize;

/// The shards of a command. It has one member, so that continuous integration can take it as a matrix.
#[derive(Serialize)]
pub struct PlanDocument {
    include: Vec<PlanEntry>,
}

/// One of them.
#[derive(Serialize)]
struct PlanEntry {
    /// Such as `3/8`.
    shard: String,
    /// The folder for its answers.
    answers: String,
    /// Its arguments.
    command: Vec<String>,
}

impl PlanDocument {
    /// The shards of a command, each with a folder of its own.
    pub fn new(shards: impl Iterator<Item = Shard>, folder: &str, command: &[String]) -> PlanDocument {
        let entry = |shard: Shard| {
            let answers = format!("{folder}/{}", shard.number);
            let flags = ["--shard".to_owned(), shard.to_string(), "--answers".to_owned(), answers.clone()];
            // The command comes first, and what is behind `--` last.
            let mut words = command.to_vec();
            let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
            words.splice(end..end, flags);
            PlanEntry { shard: shard.to_string(), answers, command: words }
        };
        PlanDocument { include: shards.map(entry).collect() }
    }
}
