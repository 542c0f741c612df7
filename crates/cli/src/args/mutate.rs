//! The flags of `mutate`.

use super::{Format, GuardArgs, IgnoreArgs, ModelArgs, OperatorArgs, ShardArgs};
use clap::Args;
use std::path::PathBuf;

/// List or write mutants of the properties, of the machine, or of the rules of an ASM
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  specwright mutate model.smv                         the number of mutants, by operator
  specwright mutate model.smv --list --operators ORO,RRO
  specwright mutate model.smv --machine --out mutants one SMV file for each
  specwright mutate machine.asm --diff --operators RR mutants of an ASM that leave out one rule each
  git diff | specwright mutate model.smv --diff --in-diff -
  specwright mutate model.smv --format json | jq .counts")]
#[expect(clippy::struct_excessive_bools, reason = "flags are what they are")]
pub struct Mutate {
    #[command(flatten)]
    pub model: ModelArgs,
    /// Mutate the properties (the default if there are any, except for Abstract State Machines)
    #[arg(long, conflicts_with = "machine", help_heading = "What to mutate")]
    pub properties: bool,
    /// Mutate the machine: assignments, defines and constraints
    #[arg(long, help_heading = "What to mutate")]
    pub machine: bool,
    /// Only these properties, by name or by number
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', conflicts_with = "machine")]
    #[arg(help_heading = "What to mutate")]
    pub property: Vec<String>,
    /// Only assignments and constraints of these variables
    #[arg(long, value_name = "VAR,…", value_delimiter = ',', help_heading = "What to mutate")]
    pub variable: Vec<String>,
    /// Only lines that a unified diff (`git diff`) touches; `-` reads the diff from standard input
    #[arg(long, value_name = "FILE", help_heading = "What to mutate")]
    pub in_diff: Option<PathBuf>,
    #[command(flatten)]
    pub ignores: IgnoreArgs,
    #[command(flatten)]
    pub guards: GuardArgs,
    #[command(flatten)]
    pub operators: OperatorArgs,
    /// Take a random sample of this size
    #[arg(long, value_name = "N", help_heading = "How to mutate")]
    pub sample: Option<usize>,
    /// Random seed of the sample
    #[arg(long, value_name = "S", default_value_t = 1, help_heading = "How to mutate")]
    pub seed: u64,
    /// Print one line for each mutant
    #[arg(long, conflicts_with = "format")]
    pub list: bool,
    /// Print each mutant as a unified diff
    #[arg(long, conflicts_with = "format")]
    pub diff: bool,
    /// Write each mutant as an SMV file into this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    #[command(flatten)]
    pub shards: ShardArgs,
}
