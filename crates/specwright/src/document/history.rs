//! Scores of earlier reports, one JSON object in each line of a file.

use crate::failure::Failure;
use crate::suites::write_file;
use serde::{Deserialize, Serialize};
use specwright_harness::report::page::ScoreView;
use specwright_testgen::grade::Group;
use std::path::Path;

/// Maximal number of scores that are drawn: the last ones.
const MAX_SCORES: usize = 30;

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    label: String,
    covered: usize,
    total: usize,
}

/// Adds a score to a history under a label, or replaces the last one if it has the same label. Returns the last scores.
pub fn record(path: &Path, label: &str, score: Group) -> Result<Vec<ScoreView>, Failure> {
    let mut entries = if path.exists() { read(path)? } else { Vec::new() };
    if entries.last().is_some_and(|last| last.label == label) {
        entries.pop();
    }
    entries.push(Entry { label: label.to_owned(), covered: score.reached, total: score.total });
    let lines = entries.iter().map(|entry| serde_json::to_string(entry).map(|line| line + "\n"));
    let text: String = lines.collect::<Result<_, _>>().map_err(Failure::message)?;
    write_file(path, text)?;
    Ok(scores(entries))
}

/// The last scores of a history.
pub fn last_scores(path: &Path) -> Result<Vec<ScoreView>, Failure> {
    Ok(scores(read(path)?))
}

fn scores(entries: Vec<Entry>) -> Vec<ScoreView> {
    let skipped = entries.len().saturating_sub(MAX_SCORES);
    let score = |entry: Entry| {
        // An edited file may claim more than there is.
        let score = Group { reached: entry.covered.min(entry.total), total: entry.total };
        ScoreView { label: entry.label, score }
    };
    entries.into_iter().skip(skipped).map(score).collect()
}

fn read(path: &Path) -> Result<Vec<Entry>, Failure> {
    let name = path.display().to_string();
    let text = crate::text::read(path, &name)?;
    let entry = |(at, line): (usize, &str)| {
        serde_json::from_str(line).map_err(Failure::because(format_args!("cannot read line {} of {name}", at + 1)))
    };
    text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).map(entry).collect()
}
