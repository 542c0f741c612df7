//! What continuous integration asks of a result: is the score high enough, and is anything found that was not known?

mod known;
mod subjects;
mod thresholds;

pub use known::{Known, News};
pub use specwright_harness::report::{Entry, Finding, Level, Place, Skipped, annotations};
pub use thresholds::{Band, Thresholds, parse_percent};

use specwright_harness::report::{self, MarkdownSummary};
use std::collections::BTreeSet;

/// A result, as continuous integration looks at it.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The command that made it.
    pub command: &'static str,
    /// The name of the model, without its folder.
    pub model: String,
    /// The share of what is good, where there is a score.
    pub score: Option<Score>,
    /// Everything that was judged, with what was found.
    pub entries: Vec<Entry>,
    /// Whether nothing was left out because the work was stopped.
    pub is_complete: bool,
}

/// A score whose undecided part may turn out either way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Score {
    /// How many are good.
    pub good: usize,
    /// How many are undecided.
    pub undecided: usize,
    /// All of them.
    pub total: usize,
}

/// What a gate says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gate {
    /// Nothing is new, and the score is high enough however undecided goals turn out.
    Passed,
    /// It depends on goals that are undecided.
    Open,
    /// Something is new, or the score is too low however undecided goals turn out.
    Failed,
}

impl Score {
    /// The score in percent if everything undecided is bad: what is known for certain.
    pub fn percent(self) -> f64 {
        percent(self.good, self.total)
    }

    /// Whether it reaches a number of percent.
    pub fn reaches(self, least: f64) -> Gate {
        let is_reached = |good: usize| percent(good, self.total) >= least;
        match (is_reached(self.good), is_reached(self.good + self.undecided)) {
            (true, _) => Gate::Passed,
            (false, true) => Gate::Open,
            (false, false) => Gate::Failed,
        }
    }
}

/// A share in percent; all if there is nothing to share.
#[expect(clippy::cast_precision_loss, reason = "no suite has 2^52 goals")]
fn percent(good: usize, total: usize) -> f64 {
    if total == 0 { 100.0 } else { 100.0 * good as f64 / total as f64 }
}

impl Judged {
    /// Everything that was found.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> + '_ {
        self.entries.iter().filter_map(|entry| entry.finding.as_ref())
    }

    /// Whether the result passes: the least score in percent, if one is wanted, and what is new, if that is asked.
    pub fn gate(&self, least: Option<f64>, news: Option<&News>) -> Gate {
        let by_score = match (least, self.score) {
            (Some(least), Some(score)) => score.reaches(least),
            _ => Gate::Passed,
        };
        let by_news = match news {
            // An incomplete run leaves goals undecided that it did not come to.
            Some(news) if !self.is_complete && news.added.iter().all(|at| self.level(*at) == Some(Level::Note)) => {
                Gate::Open
            }
            Some(news) if news.added.is_empty() => Gate::Passed,
            Some(_) => Gate::Failed,
            // A score says nothing about what is wrong in itself.
            None if self.findings().any(|finding| finding.level == Level::Error) => Gate::Failed,
            None => Gate::Passed,
        };
        let by_completeness = if self.is_complete { Gate::Passed } else { Gate::Open };
        by_score.max(by_news).max(by_completeness)
    }

    fn level(&self, at: usize) -> Option<Level> {
        Some(self.entries.get(at)?.finding.as_ref()?.level)
    }

    /// The findings that are to be shown: all, or those that are new.
    pub fn shown(&self, news: Option<&News>) -> Vec<&Finding> {
        let added: Option<BTreeSet<usize>> = news.map(|news| news.added.iter().copied().collect());
        let is_shown = |at: usize| added.as_ref().is_none_or(|added| added.contains(&at));
        let findings = self.entries.iter().enumerate().filter(|(at, _)| is_shown(*at));
        findings.filter_map(|(_, entry)| entry.finding.as_ref()).collect()
    }

    /// Everything as JUnit XML; what is known counts as skipped.
    pub fn junit(&self, news: Option<&News>) -> String {
        let mut entries = self.entries.clone();
        if let Some(news) = news {
            let added: BTreeSet<usize> = news.added.iter().copied().collect();
            for (at, entry) in entries.iter_mut().enumerate() {
                if entry.finding.is_some() && !added.contains(&at) {
                    entry.finding = None;
                    entry.skipped = Some(Skipped("known".into()));
                }
            }
        }
        report::entries_junit(&format!("specwright {}", self.command), &self.model, &entries)
    }

    /// All findings as SARIF; each says whether it is new, if that was asked.
    pub fn sarif(&self, news: Option<&News>) -> String {
        let findings: Vec<Finding> = self.findings().cloned().collect();
        let states = news.map(|news| {
            let added: BTreeSet<usize> = news.added.iter().copied().collect();
            let with_findings = self.entries.iter().enumerate().filter(|(_, entry)| entry.finding.is_some());
            with_findings.map(|(at, _)| added.contains(&at)).collect::<Vec<bool>>()
        });
        report::sarif_against(env!("CARGO_PKG_VERSION"), &findings, states.as_deref())
    }

    /// A summary in Markdown, for the page of a job.
    pub fn markdown(&self, thresholds: &Thresholds, news: Option<&News>, gate: Gate) -> String {
        let verdict = match gate {
            Gate::Passed => "passed",
            Gate::Open => "undecided",
            Gate::Failed => "failed",
        };
        let score = self.score.map(|score| {
            let band = thresholds.band(score.percent()).map(|band| format!(", {}", band.word())).unwrap_or_default();
            let undecided = match score.undecided {
                0 => String::new(),
                n => format!(", {n} undecided"),
            };
            let percent = crate::words::percent(score.good, score.total);
            format!("{percent} ({} of {}{undecided}){band}", score.good, score.total)
        });
        let summary = MarkdownSummary {
            title: format!("{} {}", self.command, self.model),
            verdict,
            score,
            least: thresholds.least.map(|least| format!("{least} %")),
            judged: self.entries.len(),
            found: self.findings().count(),
            known: news.map(|news| news.n_known),
            gone: news.map(|news| news.gone.len()),
            findings: self.shown(news),
        };
        report::markdown(&summary)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(id: &str, level: Option<Level>) -> Entry {
        let finding = level.map(|level| Finding {
            rule: "r".into(),
            rule_text: "a rule".into(),
            level,
            message: format!("{id} is wrong"),
            place: None,
            fingerprint: id.into(),
        });
        Entry { id: id.into(), name: id.into(), class: "c".into(), finding, skipped: None }
    }

    fn judged(entries: Vec<Entry>, score: Score, is_complete: bool) -> Judged {
        Judged { command: "grade", model: "m.smv".into(), score: Some(score), entries, is_complete }
    }

    #[test]
    fn an_undecided_goal_never_makes_a_score_good_enough() {
        let score = Score { good: 8, undecided: 1, total: 10 };
        assert_eq!(score.reaches(80.0), Gate::Passed);
        assert_eq!(score.reaches(85.0), Gate::Open);
        assert_eq!(score.reaches(90.0), Gate::Open);
        assert_eq!(score.reaches(90.1), Gate::Failed);
        assert_eq!(Score { good: 0, undecided: 0, total: 0 }.reaches(100.0), Gate::Passed);
    }

    #[test]
    fn what_is_known_passes_and_what_is_new_fails() {
        let all = [entry("a", Some(Level::Warning)), entry("b", None), entry("c", Some(Level::Note))];
        let score = Score { good: 1, undecided: 1, total: 3 };
        let now = judged(all.to_vec(), score, true);
        let known = Known::of(&now);
        assert_eq!(now.gate(None, Some(&known.compare(&now))), Gate::Passed);
        assert_eq!(now.gate(Some(50.0), Some(&known.compare(&now))), Gate::Open);
        let worse = [&all[..], &[entry("d", Some(Level::Warning))]].concat();
        let worse = judged(worse, score, true);
        let news = known.compare(&worse);
        assert_eq!((news.added.clone(), worse.gate(None, Some(&news))), (vec![3], Gate::Failed));
        // The same name twice is one more than the same name once.
        let twice = judged([&all[..], &[all[0].clone()]].concat(), score, true);
        assert_eq!(known.compare(&twice).added, [3]);
        let better = judged(all[1..].to_vec(), score, true);
        assert_eq!(known.compare(&better).gone, ["a"]);
        assert_eq!(better.gate(None, Some(&known.compare(&better))), Gate::Passed);
    }

    #[test]
    fn a_run_that_was_stopped_neither_passes_nor_fails_by_what_it_did_not_come_to() {
        let score = Score { good: 1, undecided: 1, total: 2 };
        let nothing = Known::of(&judged(Vec::new(), score, true));
        let partial = judged(vec![entry("a", Some(Level::Note))], score, false);
        assert_eq!(partial.gate(None, Some(&nothing.compare(&partial))), Gate::Open);
        let partial = judged(vec![entry("a", Some(Level::Warning))], score, false);
        assert_eq!(partial.gate(None, Some(&nothing.compare(&partial))), Gate::Failed);
    }

    #[test]
    fn a_score_does_not_excuse_an_error() {
        let score = Score { good: 9, undecided: 0, total: 10 };
        let now = judged(vec![entry("a", Some(Level::Error))], score, true);
        assert_eq!(now.gate(Some(50.0), None), Gate::Failed);
    }
}
