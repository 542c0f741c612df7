//! The ratchet: a file with everything that is known to be missing, against which later results are compared.

use super::{Judged, Level};
use crate::failure::Failure;
use crate::suites::write_file;
use crate::text;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

const SCHEMA: &str = "specwright/known/1";

/// What is known to be missing: the survivors, gaps or failures that one command finds on one model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    schema: String,
    command: String,
    model: String,
    #[serde(rename = "known")]
    entries: Vec<KnownEntry>,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KnownEntry {
    /// Its name, which does not change when other lines do.
    id: String,
    /// `found`, or `undecided`.
    status: String,
    /// What it is, for people.
    description: String,
}

/// What a result has that is not known, and the other way round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct News {
    /// The places of entries with findings that are not known.
    pub added: Vec<usize>,
    /// The ids that are known and not found any more.
    pub gone: Vec<String>,
    /// How many findings are known.
    pub n_known: usize,
}

impl Known {
    /// Everything that a result finds.
    pub fn of(judged: &Judged) -> Known {
        let entry = |finding: &super::Finding| KnownEntry {
            id: finding.fingerprint.clone(),
            status: if finding.level == Level::Note { "undecided" } else { "found" }.into(),
            description: finding.message.clone(),
        };
        let mut entries: Vec<KnownEntry> = judged.findings().map(entry).collect();
        entries.sort();
        Known { schema: SCHEMA.into(), command: judged.command.into(), model: judged.model.clone(), entries }
    }

    /// Reads what is known of the results of a command. A file of another kind is refused.
    pub fn read(path: &Path, command: &str) -> Result<Known, Failure> {
        let name = path.display().to_string();
        let cannot = |why: String| Failure::message(format_args!("cannot use {name}: {why}"));
        if !path.exists() {
            return Err(cannot("there is no such file; `--update-known` makes it".into()));
        }
        let text = text::read(path, &name)?;
        let kind: Kind = serde_json::from_str(&text).map_err(|error| cannot(error.to_string()))?;
        if kind.schema != SCHEMA {
            return Err(cannot(format!("its schema is {}, not {SCHEMA}", kind.schema)));
        }
        let known: Known = serde_json::from_str(&text).map_err(|error| cannot(error.to_string()))?;
        if known.command != command {
            return Err(cannot(format!("it is of `{}`, not of `{command}`", known.command)));
        }
        Ok(known)
    }

    /// Refuses what is known of another model.
    pub fn check_model(&self, judged: &Judged, path: &Path) -> Result<(), Failure> {
        if self.model == judged.model {
            return Ok(());
        }
        let (path, old, new) = (path.display(), &self.model, &judged.model);
        Err(Failure::message(format_args!("cannot use {path}: it is of the model {old}, not of {new}")))
    }

    /// Writes it.
    pub fn write(&self, path: &Path) -> Result<(), Failure> {
        write_file(path, serde_json::to_string_pretty(self).map_err(Failure::message)? + "\n")
    }

    /// Compares a result with what is known. An id that is found more often than it is known is new.
    pub fn compare(&self, judged: &Judged) -> News {
        let mut left: BTreeMap<&str, usize> = BTreeMap::new();
        for entry in &self.entries {
            *left.entry(&entry.id).or_default() += 1;
        }
        let mut news = News::default();
        for (at, entry) in judged.entries.iter().enumerate() {
            let Some(finding) = &entry.finding else { continue };
            match left.get_mut(finding.fingerprint.as_str()) {
                Some(n) if *n > 0 => {
                    *n -= 1;
                    news.n_known += 1;
                }
                _ => news.added.push(at),
            }
        }
        news.gone = left.into_iter().flat_map(|(id, n)| std::iter::repeat_n(id.to_owned(), n)).collect();
        news
    }
}

/// The kind of a document.
#[derive(Deserialize)]
struct Kind {
    #[serde(default)]
    schema: String,
}
