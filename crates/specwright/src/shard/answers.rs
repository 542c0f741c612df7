//! The answers of all shards of a run.

use super::file::{Header, Line, NAME, lines};
use super::{Identity, Shard};
use crate::failure::Failure;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The answers of all shards of a run.
#[derive(Debug)]
pub struct Answers {
    header: Header,
    /// The answers by the numbers of their goals, each with the folder that it came from.
    lines: BTreeMap<usize, (PathBuf, Value)>,
}

impl Answers {
    /// Reads the folders of all shards of a run. A shard that is missing, incomplete, given twice or of another run is an
    /// error that names it.
    pub fn read(folders: &[PathBuf]) -> Result<Answers, Failure> {
        let mut first: Option<(Header, &Path)> = None;
        let mut given: BTreeMap<usize, &Path> = BTreeMap::new();
        let mut all = BTreeMap::new();
        for folder in folders {
            let path = folder.join(NAME);
            let cannot = |why: String| Failure::message(format_args!("cannot merge {}: {why}", folder.display()));
            let bytes = std::fs::read(&path).map_err(|error| cannot(format!("cannot read {NAME}: {error}")))?;
            let (header, lines, _) =
                lines(&bytes).map_err(cannot)?.ok_or_else(|| cannot("it was not started".into()))?;
            let shard = Shard { number: header.shard, of: header.of };
            if !(1..=header.of).contains(&header.shard) {
                return Err(cannot(format!("there is no shard {shard}")));
            }
            if let Some((first, from)) = &first
                && let Some(why) = first.difference(&header)
            {
                return Err(cannot(format!("shard {shard} does not belong to {}: {why}", from.display())));
            }
            if let Some(other) = given.insert(header.shard, folder) {
                return Err(cannot(format!("shard {shard} is given twice, also by {}", other.display())));
            }
            if !matches!(lines.last(), Some(Line::End { complete: true })) {
                let n = lines.len();
                return Err(cannot(format!("shard {shard} is not complete: it has {n} answers; start it again")));
            }
            for line in lines {
                let Line::Answer { goal, content } = line else { continue };
                if goal >= header.goals.len() || !shard.has(goal) {
                    return Err(cannot(format!("shard {shard} answers goal {goal}, which belongs to another shard")));
                }
                all.insert(goal, (folder.clone(), content));
            }
            first.get_or_insert((header, folder));
        }
        let Some((header, _)) = first else { return Err(Failure::message("there are no shards to merge")) };
        let missing: Vec<String> = (1..=header.of)
            .filter(|number| !given.contains_key(number))
            .map(|number| Shard { number, of: header.of }.to_string())
            .collect();
        match missing.len() {
            0 => Ok(Answers { header, lines: all }),
            1 => Err(Failure::message(format_args!("cannot merge: shard {} is missing", missing[0]))),
            _ => Err(Failure::message(format_args!("cannot merge: shards {} are missing", missing.join(", ")))),
        }
    }

    /// The command of the whole run.
    pub fn command(&self) -> &[String] {
        &self.header.command
    }

    /// The answers to the goals of a run, which must be the run that the shards are of. Each is read by `read`.
    pub(super) fn of<C: DeserializeOwned, T>(
        &self,
        identity: &Identity,
        read: &mut dyn FnMut(usize, C) -> Result<T, String>,
    ) -> Result<BTreeMap<usize, T>, Failure> {
        let shard = Shard { number: self.header.shard, of: self.header.of };
        let now = Header::new(shard, &self.header.command, identity);
        if let Some(why) = now.difference(&self.header) {
            return Err(Failure::message(format_args!("cannot merge: the run has changed: {why}")));
        }
        let answer = |(goal, (folder, content)): (&usize, &(PathBuf, Value))| {
            let answer = serde_json::from_value(content.clone()).map_err(|error| error.to_string());
            let answer = answer.and_then(|content| read(*goal, content)).map_err(|why| {
                let id = &identity.ids[*goal];
                Failure::message(format_args!("cannot merge {}: the answer to {id} is wrong: {why}", folder.display()))
            })?;
            Ok((*goal, answer))
        };
        self.lines.iter().map(answer).collect()
    }
}
