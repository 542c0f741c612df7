//! The flags of `minimize`.

use super::{Format, GoalArgs, KillName, LimitArgs, ModelArgs};
use clap::Args;
use specwright::minimize::Objective;
use std::path::PathBuf;

/// Find the smallest suite with the same score, with a proof or a proven lower bound
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  specwright minimize model.smv tests.json --out fewer.json
  specwright minimize model.smv tests.json --objective steps --synthesize --out shorter.json
  specwright minimize model.smv tests.suite --criterion mcdc,pairs
  specwright minimize model.smv tests.json --format json | jq .after")]
pub struct Minimize {
    #[command(flatten)]
    pub model: ModelArgs,
    /// The suite: JSON or text, or a file or folder in a format that `export` writes
    #[arg(value_name = "SUITE")]
    pub suite: PathBuf,
    /// Maps names and values of an imported suite to those of the model
    #[arg(long, value_name = "FILE")]
    pub mapping: Option<PathBuf>,
    #[command(flatten)]
    pub goals: GoalArgs,
    /// What to minimize
    #[arg(long, value_enum, default_value_t = ObjectiveName::Tests)]
    pub objective: ObjectiveName,
    /// Use the greedy heuristic, without a proof
    #[arg(long)]
    pub greedy: bool,
    /// Also shorten tests and join them
    #[arg(long)]
    pub synthesize: bool,
    /// When a mutant of a property counts as killed, if the model has internal variables
    #[arg(long, value_enum, value_name = "HOW", default_value_t = KillName::Visible)]
    pub kill: KillName,
    /// Write the smaller suite: JSON if the name ends in `.json`, else text
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    #[command(flatten)]
    pub limits: LimitArgs,
}

names! {
    /// What is to be as small as possible.
    ObjectiveName: Objective {
        Tests => Tests,
        Steps => Steps,
    }
}
