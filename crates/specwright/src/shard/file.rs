//! The file of a shard: `answers.jsonl` in its folder.
//!
//! The first line says what the shard is a part of, every further line is one answer, and the last one says that there are no
//! more. A line is written at once and counts once its line break is there, so the process may be killed at any moment. The
//! file is locked as long as the shard is at work.

use super::{Identity, Shard};
use crate::failure::Failure;
use crate::suites::make_folder;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::{File, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

const SCHEMA: &str = "specwright/shard/1";

/// The name of the file in the folder of a shard.
pub(super) const NAME: &str = "answers.jsonl";

/// What a shard is a part of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    schema: String,
    /// Its number, from 1 on.
    pub shard: usize,
    /// The number of shards.
    pub of: usize,
    /// The command of the whole run.
    pub command: Vec<String>,
    pub(super) model_hash: String,
    pub(super) settings: Vec<String>,
    pub(super) goals: Vec<String>,
}

impl Header {
    pub(super) fn new(shard: Shard, command: &[String], identity: &Identity) -> Header {
        Header {
            schema: SCHEMA.into(),
            shard: shard.number,
            of: shard.of,
            command: command.to_vec(),
            model_hash: identity.hash.clone(),
            settings: identity.settings.clone(),
            goals: identity.ids.clone(),
        }
    }

    /// In what a shard differs from another one of the same run, apart from its number.
    pub(super) fn difference(&self, other: &Header) -> Option<String> {
        if self.schema != other.schema {
            Some(format!("its schema is {}, not {}", other.schema, self.schema))
        } else if self.command != other.command {
            Some(format!("it is of `specwright {}`", other.command.join(" ")))
        } else if self.of != other.of {
            Some(format!("it is one of {} shards, not of {}", other.of, self.of))
        } else if self.model_hash != other.model_hash {
            Some("it is of another model, or of another version of the model".into())
        } else if self.settings != other.settings {
            Some("it was made with other settings".into())
        } else if self.goals != other.goals {
            Some("it has other goals".into())
        } else {
            None
        }
    }
}

/// A line behind the header.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Line {
    Answer {
        /// The number of the goal, from 0 on.
        goal: usize,
        /// What is known of it: an object whose `answer` is a word.
        #[serde(flatten)]
        content: Value,
    },
    End {
        complete: bool,
    },
}

/// Whether an answer says that a limit was reached.
fn is_undecided(content: &Value) -> bool {
    content["answer"].as_str().is_some_and(|word| matches!(word, "unknown" | "undecided"))
}

/// The lines of a file that count: its header, the others, and their length in bytes.
pub(super) fn lines(bytes: &[u8]) -> Result<Option<(Header, Vec<Line>, usize)>, String> {
    let mut whole = bytes.split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n"));
    let Some(first) = whole.next() else { return Ok(None) };
    let header: Header = serde_json::from_slice(first).map_err(|error| format!("it has no header: {error}"))?;
    if header.schema != SCHEMA {
        return Err(format!("its schema is {}, not {SCHEMA}", header.schema));
    }
    let mut length = first.len();
    let mut lines = Vec::new();
    for line in whole {
        lines.push(serde_json::from_slice(line).map_err(|error| format!("it is damaged: {error}"))?);
        length += line.len();
    }
    Ok(Some((header, lines, length)))
}

/// A file that is being written.
pub(super) struct ShardFile {
    file: File,
    is_complete: bool,
}

impl ShardFile {
    /// Opens the file in a folder, with the goals that it knows already, and whether each is undecided.
    pub(super) fn open(folder: &Path, header: &Header) -> Result<(ShardFile, BTreeMap<usize, bool>), Failure> {
        make_folder(folder)?;
        let path = folder.join(NAME);
        let cannot = |error: std::io::Error| Failure::message(format_args!("cannot write {}: {error}", path.display()));
        let opened = File::options().read(true).write(true).create(true).truncate(false).open(&path);
        let mut file = opened.map_err(cannot)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                return Err(Failure::message(format_args!("another run is writing to {}", folder.display())));
            }
            // Where files cannot be locked, they are not.
            Err(TryLockError::Error(_)) | Ok(()) => {}
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(cannot)?;
        let refuse = |why: String| Failure::message(format_args!("cannot continue with {}: {why}", path.display()));
        let (mut known, mut end, mut is_complete) = (BTreeMap::new(), 0, false);
        if let Some((old, lines, length)) = lines(&bytes).map_err(refuse)? {
            if let Some(why) = header.difference(&old) {
                return Err(refuse(why));
            }
            if old.shard != header.shard {
                return Err(refuse(format!("it is of shard {}/{}", old.shard, old.of)));
            }
            end = length;
            for line in lines {
                match line {
                    Line::Answer { goal, content } => {
                        known.insert(goal, is_undecided(&content));
                    }
                    Line::End { complete } => is_complete = complete,
                }
            }
        }
        file.set_len(end as u64).map_err(cannot)?;
        file.seek(SeekFrom::End(0)).map_err(cannot)?;
        let mut file = ShardFile { file, is_complete };
        if end == 0 {
            file.line(header)?;
        }
        Ok((file, known))
    }

    /// Writes an answer, and says whether it is undecided.
    pub(super) fn answer(&mut self, goal: usize, content: Value) -> Result<bool, Failure> {
        let undecided = is_undecided(&content);
        self.line(&Line::Answer { goal, content })?;
        Ok(undecided)
    }

    /// Writes that all goals are answered.
    pub(super) fn complete(&mut self) -> Result<(), Failure> {
        if self.is_complete { Ok(()) } else { self.line(&Line::End { complete: true }) }
    }

    fn line(&mut self, content: &impl Serialize) -> Result<(), Failure> {
        let mut line = serde_json::to_vec(content).map_err(Failure::message)?;
        line.push(b'\n');
        self.file.write_all(&line).map_err(Failure::because("cannot write the answers of the shard"))
    }
}
