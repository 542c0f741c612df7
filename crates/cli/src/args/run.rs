//! The options of `run`.

use super::{CiArgs, DialectName, Format, seconds};
use clap::Args;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Run a suite on a real implementation and report where it violates the specification
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  specwright run suite.json -- python3 adapter.py     an adapter that speaks JSON lines
  specwright run suite.json --model model.smv --jobs 4 -- ./adapter
  specwright run suite.json --junit results.xml --shrink -- ./adapter
  specwright run suite.json --repeat variants/ -- python3 {}
  specwright run suite.json --http http://localhost:8080/specwright")]
pub struct Run {
    /// The suite: JSON or text, or a file or folder in a format that `export` writes
    #[arg(value_name = "SUITE")]
    pub suite: PathBuf,
    /// The adapter and its arguments, after `--`
    #[arg(value_name = "PROGRAM", last = true)]
    pub program: Vec<OsString>,
    /// The model that judges (default: the one that the suite names, if it is unchanged)
    #[arg(long, value_name = "FILE", help_heading = "Judging")]
    pub model: Option<PathBuf>,
    /// The dialect of SMV in which the model is written
    #[arg(long, value_enum, value_name = "DIALECT", default_value_t = DialectName::Nusmv, help_heading = "Judging")]
    pub dialect: DialectName,
    /// Judge by the recorded tests alone: every difference is a failure
    #[arg(long, help_heading = "Judging", conflicts_with = "model")]
    pub recorded: bool,
    /// Maximum number of steps to lead a test back after another permitted choice
    #[arg(long, value_name = "N", default_value_t = 100, help_heading = "Judging")]
    pub steer: usize,
    /// How many times to run the loop of a test that has one
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..), help_heading = "Judging")]
    pub turns: u16,
    /// Maps names and values of an imported suite to those of the model
    #[arg(long, value_name = "FILE", help_heading = "Judging")]
    pub mapping: Option<PathBuf>,
    /// Test a service instead of a program: every request is posted to this URL
    #[arg(long, value_name = "URL", conflicts_with = "program")]
    pub http: Option<String>,
    /// Number of runs for tests whose faults show only in some runs; or a folder of variants: the suite is run on each file,
    /// which replaces `{}` in the arguments. Can be given once for each
    #[arg(long, value_name = "N|DIR", value_parser = Repeat::parse)]
    pub repeat: Vec<Repeat>,
    /// Number of tests that run in parallel
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: u16,
    /// Stop at the first test that fails
    #[arg(long)]
    pub fail_fast: bool,
    /// Shrink failing tests
    #[arg(long)]
    pub shrink: bool,
    /// Write the shrunk tests as a suite: JSON if the name ends in `.json`, else text
    #[arg(long, value_name = "FILE", requires = "shrink")]
    pub shrink_out: Option<PathBuf>,
    #[command(flatten)]
    pub ci: CiArgs,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Time limit for the answer to each step
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0, value_parser = seconds, help_heading = "Limits")]
    pub step_timeout: f64,
    /// Time limit for the first answer
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = seconds, help_heading = "Limits")]
    pub start_timeout: f64,
    /// Time limit for the whole run
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Limits")]
    pub timeout: Option<f64>,
}

/// What is repeated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Repeat {
    /// Tests that show some faults in some runs only, this number of times.
    Tests(usize),
    /// The suite, on each file of a folder.
    Variants(PathBuf),
}

impl Repeat {
    fn parse(text: &str) -> Result<Repeat, String> {
        if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok(Repeat::Variants(text.into()));
        }
        match text.parse() {
            Ok(n @ 1..=1_000_000) => Ok(Repeat::Tests(n)),
            _ => Err(format!("{text} is not between 1 and 1000000; a folder of that name is ./{text}")),
        }
    }
}

impl Run {
    /// The folder of variants, if the suite is run on each.
    pub fn variants(&self) -> Option<&Path> {
        self.repeat.iter().find_map(|repeat| match repeat {
            Repeat::Variants(folder) => Some(folder.as_path()),
            Repeat::Tests(_) => None,
        })
    }

    /// How often to run tests that show some faults in some runs only, if that is said.
    pub fn runs(&self) -> Option<usize> {
        self.repeat.iter().find_map(|repeat| match repeat {
            Repeat::Tests(n) => Some(*n),
            Repeat::Variants(_) => None,
        })
    }
}
