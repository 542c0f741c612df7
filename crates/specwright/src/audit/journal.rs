//! The journal of an audit: verdicts line by line, as they are found.
//!
//! The first line says what the audit is about, every further line is the verdict on a mutant. A line counts once its line
//! break is there, so the process may be killed at any moment. A resumed audit takes verdicts from the journal. Survivors are
//! compared with the machine once more, because the missing properties depend on all of them; undecided mutants are judged
//! again. So the result has the same bytes as that of an audit that was never interrupted.

use super::{AuditSettings, MachineMutant, Verdict};
use crate::failure::Failure;
use crate::session::Session;
use serde::{Deserialize, Serialize};
use specwright_mc::{Invalid, Reason};
use specwright_model::hash::model_hash;
use specwright_testgen::audit::Why;
use std::collections::BTreeMap;
use std::fs::{File, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

const SCHEMA: &str = "specwright/audit-journal/1";

/// What an audit is about: it is only resumed for the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Header {
    schema: String,
    model_hash: String,
    /// The properties that mutants are judged by.
    properties: Vec<String>,
    mutants: Vec<String>,
}

/// The verdict on a mutant.
#[derive(Debug, Serialize, Deserialize)]
struct Record {
    mutant: String,
    verdict: Word,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    killed_by: Vec<usize>,
    /// Why it is undecided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// Whether a property was undecided on a killed mutant, here or before.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    inexact: bool,
}

/// A verdict as shards store it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Stored {
    answer: String,
    record: Record,
}

impl Stored {
    pub(super) fn new(id: &str, verdict: &Verdict, inexact: bool) -> Stored {
        Stored { answer: verdict.word().into(), record: Record::new(id, verdict, inexact) }
    }
}

impl Stored {
    /// Whether it is about this mutant, and names none but these properties.
    pub(super) fn is_of(&self, id: &str, properties: &[usize]) -> bool {
        self.record.mutant == id && self.record.killed_by.iter().all(|property| properties.contains(property))
    }
}

impl Record {
    fn new(id: &str, verdict: &Verdict, inexact: bool) -> Record {
        let (mut killed_by, mut reason) = (Vec::new(), None);
        let word = match verdict {
            Verdict::Killed(by) => {
                killed_by.clone_from(by);
                Word::Killed
            }
            Verdict::Survived(_) => Word::Survived,
            Verdict::Equivalent => Word::Equivalent,
            Verdict::Invalid(Why::Machine(Invalid::NoInitialState)) => Word::NoInitialState,
            Verdict::Invalid(Why::Machine(Invalid::DeadEnd)) => Word::DeadEnd,
            Verdict::Invalid(Why::Machine(Invalid::NoFairPath)) => Word::NoFairPath,
            Verdict::Invalid(Why::Undefined(_)) => Word::Undefined,
            Verdict::Undecided(why) => {
                reason = Some(why.to_string());
                Word::Undecided
            }
        };
        Record { mutant: id.to_owned(), verdict: word, killed_by, reason, inexact }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Word {
    Killed,
    Survived,
    Equivalent,
    NoInitialState,
    DeadEnd,
    NoFairPath,
    Undefined,
    Undecided,
}

/// What a journal says of a mutant.
pub(super) enum Known {
    /// The whole verdict.
    Verdict(Verdict),
    /// That all properties hold on it, and that it differs from the machine.
    Survived,
}

/// A journal that is being written, if one is wanted.
#[derive(Default)]
pub(super) struct Journal {
    file: Option<File>,
    records: BTreeMap<String, Record>,
}

impl Journal {
    /// Opens the journal of an audit, with the verdicts that it holds if the audit is to be resumed.
    pub(super) fn open(
        session: &Session,
        settings: &AuditSettings,
        properties: &[usize],
        mutants: &[MachineMutant],
    ) -> Result<Journal, Failure> {
        let Some(path) = &settings.journal else { return Ok(Journal::default()) };
        let cannot = |error: std::io::Error| Failure::message(format_args!("cannot write {}: {error}", path.display()));
        let mut file =
            File::options().read(true).write(true).create(true).truncate(false).open(path).map_err(cannot)?;
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(Failure::message(format_args!("another audit is writing to {}", path.display())));
        }
        let formula = |index: &usize| session.model.show_expr(session.model.properties[*index].formula.expr);
        let header = Header {
            schema: SCHEMA.into(),
            model_hash: model_hash(&session.model),
            properties: properties.iter().map(formula).collect(),
            mutants: mutants.iter().map(|mutant| mutant.id.clone()).collect(),
        };
        let (mut records, mut end) = (BTreeMap::default(), 0);
        if settings.resume {
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).map_err(cannot)?;
            (records, end) = read(&bytes, &header, properties, path)?;
        }
        file.set_len(end).map_err(cannot)?;
        file.seek(SeekFrom::End(0)).map_err(cannot)?;
        let mut journal = Journal { file: Some(file), records };
        if end == 0 {
            journal.line(&header)?;
        }
        Ok(journal)
    }

    /// What is known of a mutant.
    pub(super) fn known(&self, id: &str) -> Option<Known> {
        let record = self.records.get(id)?;
        let invalid = |why| Some(Known::Verdict(Verdict::Invalid(Why::Machine(why))));
        match record.verdict {
            Word::Killed => Some(Known::Verdict(Verdict::Killed(record.killed_by.clone()))),
            Word::Survived => Some(Known::Survived),
            Word::Equivalent => Some(Known::Verdict(Verdict::Equivalent)),
            Word::NoInitialState => invalid(Invalid::NoInitialState),
            Word::DeadEnd => invalid(Invalid::DeadEnd),
            Word::NoFairPath => invalid(Invalid::NoFairPath),
            Word::Undecided => {
                let reason = Reason::from(record.reason.clone().unwrap_or_default());
                Some(Known::Verdict(Verdict::Undecided(reason)))
            }
            Word::Undefined => None,
        }
    }

    /// Writes a verdict that the journal does not have. Mutants that are undecided, or undefined somewhere, are judged again.
    pub(super) fn write(&mut self, id: &str, verdict: &Verdict, inexact: bool) -> Result<(), Failure> {
        let record = Record::new(id, verdict, inexact);
        if matches!(record.verdict, Word::Undefined | Word::Undecided) || self.records.contains_key(id) {
            return Ok(());
        }
        self.line(&record)
    }

    /// Whether a property was undecided on a killed mutant of which the journal knows.
    pub(super) fn is_inexact(&self) -> bool {
        self.records.values().any(|record| record.inexact)
    }

    /// Takes the verdicts of shards.
    pub(super) fn add(&mut self, shards: impl IntoIterator<Item = Stored>) {
        self.records.extend(shards.into_iter().map(|stored| (stored.record.mutant.clone(), stored.record)));
    }

    fn line(&mut self, content: &impl Serialize) -> Result<(), Failure> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let mut line = serde_json::to_vec(content).map_err(Failure::message)?;
        line.push(b'\n');
        file.write_all(&line).map_err(Failure::because("cannot write the journal of the audit"))
    }
}

/// The verdicts of a journal, and how many bytes of it count.
fn read(
    bytes: &[u8],
    header: &Header,
    properties: &[usize],
    path: &Path,
) -> Result<(BTreeMap<String, Record>, u64), Failure> {
    let refuse = |why: String| Failure::message(format_args!("cannot resume the audit in {}: {why}", path.display()));
    let mut records = BTreeMap::default();
    let mut lines = bytes.split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n"));
    let Some(first) = lines.next() else { return Ok((records, 0)) };
    let old: Header =
        serde_json::from_slice(first).map_err(|error| refuse(format!("it is not the journal of an audit: {error}")))?;
    if old.schema != header.schema {
        return Err(refuse(format!("its schema is {}, not {SCHEMA}", old.schema)));
    }
    if old.model_hash != header.model_hash {
        return Err(refuse("the model has changed since".into()));
    }
    if old.properties != header.properties {
        return Err(refuse("its mutants were judged by other properties".into()));
    }
    if old.mutants != header.mutants {
        return Err(refuse("it has other mutants".into()));
    }
    let mut end = first.len();
    for line in lines {
        // A line that cannot be read ends what counts.
        let Ok(record) = serde_json::from_slice::<Record>(line) else { break };
        if record.killed_by.iter().any(|property| !properties.contains(property)) {
            break;
        }
        end += line.len();
        records.insert(record.mutant.clone(), record);
    }
    Ok((records, end as u64))
}
