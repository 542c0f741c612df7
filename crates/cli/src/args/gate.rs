//! What continuous integration asks for, for every command whose result can be good or bad.

use clap::Args;
use specwright::gate::{Thresholds, parse_percent};
use std::path::PathBuf;

/// What is known, and what other tools show.
#[derive(Clone, Debug, Default, Args)]
pub struct CiArgs {
    /// Exit with code 2 only for findings that are not in this file
    #[arg(long, value_name = "FILE", help_heading = "Continuous integration")]
    pub known: Option<PathBuf>,
    /// Add all findings to the file of `--known`
    #[arg(long, requires = "known", help_heading = "Continuous integration")]
    pub update_known: bool,
    /// Print workflow commands to standard error, which show findings beside the lines of a pull request
    #[arg(long, help_heading = "Continuous integration")]
    pub annotate: bool,
    /// Add a summary in Markdown to this file, such as `$GITHUB_STEP_SUMMARY`
    #[arg(long, value_name = "FILE", help_heading = "Continuous integration")]
    pub summary: Option<PathBuf>,
    /// Write the findings as SARIF
    #[arg(long, value_name = "FILE", help_heading = "Continuous integration")]
    pub sarif: Option<PathBuf>,
    /// Write the results as JUnit XML
    #[arg(long, value_name = "FILE", help_heading = "Continuous integration")]
    pub junit: Option<PathBuf>,
}

/// How high a score must be.
#[derive(Clone, Debug, Default, Args)]
pub struct ScoreArgs {
    /// Exit with code 2 only if the score in percent is below this number
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent, help_heading = "Continuous integration")]
    pub min_score: Option<f64>,
    /// When a score is called high or low, and below which score the exit code is 2: `high=80,low=60,break=50`
    #[arg(long, value_name = "NAME=PERCENT,…", value_parser = Thresholds::parse, help_heading = "Continuous integration")]
    pub thresholds: Option<Thresholds>,
}

impl ScoreArgs {
    /// The thresholds; `--min-score` takes precedence.
    pub fn thresholds(&self) -> Thresholds {
        let thresholds = self.thresholds.unwrap_or_default();
        Thresholds { least: self.min_score.or(thresholds.least), ..thresholds }
    }
}
