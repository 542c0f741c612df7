//! The options of `report`.

use super::{FocusArgs, GoalArgs, JudgeArgs, ReadingArgs, WinnowName};
use clap::{Args, CommandFactory, Parser, ValueEnum};
use std::path::PathBuf;

/// Write a self-contained HTML report: failures, survivors, tests and the annotated specification
#[derive(Debug, Args)]
#[command(override_usage = "\
specwright report [OPTIONS] <RESULT>
       specwright report [OPTIONS] <MODEL> <SUITE>")]
#[command(after_help = "\
Examples:
  specwright report model.smv tests.suite -o report.html
  specwright report folder -o report.html             what `generate --out folder` wrote
  specwright report run.json -o report.html           what `run --format json` printed
  specwright report model.scr tests.suite -o report.html --criterion table
  specwright report model.smv tests.suite --format stryker -o mutation.json
  specwright report model.smv suite.json -o report.html --with run.json
                                                      includes the results of `run --format json`
  specwright report model.smv suite.json --date \"$(date -I)\" --history scores.jsonl")]
pub struct Report {
    /// A result: a folder or a suite that `generate` wrote, or what `grade`, `run`, `audit`, `safety` or `compare` printed with
    /// `--format json`; or a model, whose suite follows
    #[arg(value_name = "MODEL")]
    pub subject: PathBuf,
    /// The suite of a model: JSON or text, a folder that `generate` wrote, or a file or folder in a format that `export`
    /// writes
    #[arg(value_name = "SUITE")]
    pub suite: Option<PathBuf>,
    #[command(flatten)]
    pub reading: ReadingArgs,
    /// The file to write (default: `report.html`, `report.sarif` or `mutation.json` in this folder)
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = ReportFormat::Html)]
    pub format: ReportFormat,
    /// Further results to include: what `run`, `audit`, `safety` or `compare` printed with `--format json`
    #[arg(long, value_name = "FILE,…", value_delimiter = ',')]
    pub with: Vec<PathBuf>,
    /// Show this date on the page; without it the same input gives the same bytes
    #[arg(long, value_name = "DATE")]
    pub date: Option<String>,
    /// Draw the scores in this file (JSON Lines) over time; with `--date`, add this score first
    #[arg(long, value_name = "FILE")]
    pub history: Option<PathBuf>,
    #[command(flatten)]
    pub judging: JudgeArgs,
    /// Which winnowing to show: infeasible, trivial, duplicate or subsumed goals
    #[arg(
        long,
        value_enum,
        value_name = "WHICH,…",
        value_delimiter = ',',
        default_value = "consistent",
        help_heading = "Scores"
    )]
    pub winnow: Vec<WinnowName>,
}

/// What a result says about how it was made: the flags that decide which goals there are.
#[derive(Debug, Parser)]
#[command(no_binary_name = true)]
pub struct Recorded {
    #[command(flatten)]
    pub reading: ReadingArgs,
    #[command(flatten)]
    pub goals: GoalArgs,
    #[command(flatten)]
    pub focus: FocusArgs,
}

impl Recorded {
    /// From settings such as `criterion=mcdc`. Those that are about something else are passed over.
    pub fn new(settings: &[String]) -> Result<Recorded, clap::Error> {
        let command = Recorded::command();
        let known = |name: &str| command.get_arguments().any(|arg| arg.get_long() == Some(name));
        let flag = |setting: &&String| match setting.split_once('=') {
            Some((name, value)) => known(name) && !value.is_empty(),
            None => known(setting),
        };
        Recorded::try_parse_from(settings.iter().filter(flag).map(|setting| format!("--{setting}")))
    }
}

/// The formats of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// A page for the browser
    Html,
    /// Survivors as SARIF, for code scanning
    Sarif,
    /// All mutants in the schema of Stryker, for its report viewers
    Stryker,
}

impl Report {
    /// The file to write.
    pub fn file(&self) -> PathBuf {
        self.out.clone().unwrap_or_else(|| {
            PathBuf::from(match self.format {
                ReportFormat::Html => "report.html",
                ReportFormat::Sarif => "report.sarif",
                ReportFormat::Stryker => "mutation.json",
            })
        })
    }
}
