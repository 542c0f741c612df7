//! What may be typed behind `run`.

use super::{DialectName, Format, seconds};
use clap::Args;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Runs a suite of tests on a real implementation, and says where it does what the specification forbids
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  specwright run suite.json -- python3 adapter.py     talk to a program through JSON lines
  specwright run suite.json --model model.smv --jobs 4 -- ./adapter
  specwright run suite.json --junit results.xml --shrink -- ./adapter
  specwright run suite.json --repeat variants/ -- python3 {}
  specwright run suite.json --http http://localhost:8080/specwright")]
pub struct Run {
    /// The suite: JSON or text, or a file or folder in a format that `export` writes
    #[arg(value_name = "SUITE")]
    pub suite: PathBuf,
    /// The program to test and its arguments, behind `--`
    #[arg(value_name = "PROGRAM", last = true)]
    pub program: Vec<OsString>,
    /// The model, so that the specification judges; without it the one that the suite names, if it is still the same
    #[arg(long, value_name = "FILE", help_heading = "Judging")]
    pub model: Option<PathBuf>,
    /// The dialect of SMV in which the model is written
    #[arg(long, value_enum, value_name = "DIALECT", default_value_t = DialectName::Nusmv, help_heading = "Judging")]
    pub dialect: DialectName,
    /// Judge by the recorded tests alone: whatever differs is a failure
    #[arg(long, help_heading = "Judging", conflicts_with = "model")]
    pub recorded: bool,
    /// How many steps a test may spend on the way back after another choice that is allowed too
    #[arg(long, value_name = "N", default_value_t = 100, help_heading = "Judging")]
    pub steer: usize,
    /// How often to go round the loop of a test that has one
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..), help_heading = "Judging")]
    pub turns: u16,
    /// Names and values of an imported suite, if they are not those of the model
    #[arg(long, value_name = "FILE", help_heading = "Judging")]
    pub mapping: Option<PathBuf>,
    /// Talk to a service instead of a program: every request is posted to this address
    #[arg(long, value_name = "URL", conflicts_with = "program")]
    pub http: Option<String>,
    /// How often to run a test that shows some faults in some runs only; or a folder: run the suite on each of its files,
    /// which stands for `{}` in the arguments, and tell which are exposed. May be given once for each
    #[arg(long, value_name = "N|DIR", value_parser = Repeat::parse)]
    pub repeat: Vec<Repeat>,
    /// How many tests at a time
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: u16,
    /// Stop at the first test that fails
    #[arg(long)]
    pub fail_fast: bool,
    /// Look for a shorter test where one fails
    #[arg(long)]
    pub shrink: bool,
    /// Write the shortened tests as a suite: JSON if the name ends so, else text
    #[arg(long, value_name = "FILE", requires = "shrink")]
    pub shrink_out: Option<PathBuf>,
    /// Write the results as JUnit XML
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// The time for the answer to each step
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0, value_parser = seconds, help_heading = "Limits")]
    pub step_timeout: f64,
    /// The time for the first answer
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = seconds, help_heading = "Limits")]
    pub start_timeout: f64,
    /// The time for everything
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
