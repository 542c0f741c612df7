//! The flags of `audit`.

use super::{CiArgs, IgnoreArgs, LimitArgs, ModelArgs, OperatorArgs, ScoreArgs, ShardArgs};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Audit the properties: find wrong machines that satisfy all of them, and the properties that are missing
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  specwright audit model.smv                          the score, survivors, missing properties
  specwright audit model.smv --list                   one line for each mutant of the machine
  specwright audit model.smv --traces                 how survivors differ from the machine
  specwright audit model.smv --fix stronger.smv       write the model with the missing properties
  specwright audit model.smv --min-score 90           fail in CI below 90 %
  git diff | specwright audit model.smv --in-diff -   only what a change touched
  specwright audit model.smv --by variable,line       verdicts by variable and by line
  specwright audit model.smv --journal run.jsonl --resume   continue an audit
  specwright audit model.smv --format sarif > audit.sarif

Verdicts on mutants of the machine; the score is killed / (killed + survived):
  killed      a property fails on it
  survived    all properties hold on it
  equivalent  proved: inputs, outputs and properties do not distinguish it from the machine
  invalid     it has no initial state, no fair path, a new deadlock or a value out of range")]
#[expect(clippy::struct_excessive_bools, reason = "flags are what they are")]
pub struct Audit {
    #[command(flatten)]
    pub model: ModelArgs,
    /// Judge only by these properties, by name or by number
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub property: Vec<String>,
    /// Only mutants of assignments and constraints of these variables
    #[arg(long, value_name = "VAR,…", value_delimiter = ',', help_heading = "Mutants")]
    pub variable: Vec<String>,
    /// Only lines that a unified diff (`git diff`) touches; `-` reads the diff from standard input
    #[arg(long, value_name = "FILE", help_heading = "Mutants")]
    pub in_diff: Option<PathBuf>,
    #[command(flatten)]
    pub ignores: IgnoreArgs,
    #[command(flatten)]
    pub operators: OperatorArgs,
    /// Take a random sample of this size
    #[arg(long, value_name = "N", help_heading = "Mutants")]
    pub sample: Option<usize>,
    /// Random seed of the sample
    #[arg(long, value_name = "S", default_value_t = 1, help_heading = "Mutants")]
    pub seed: u64,
    /// Do not search missing properties
    #[arg(long, conflicts_with = "fix")]
    pub no_suggest: bool,
    /// Write the model with the missing properties: SMV, or a file of properties for other languages
    #[arg(long, value_name = "FILE")]
    pub fix: Option<PathBuf>,
    #[command(flatten)]
    pub score: ScoreArgs,
    #[command(flatten)]
    pub ci: CiArgs,
    /// Write verdicts to this journal during the run
    #[arg(long, value_name = "FILE")]
    pub journal: Option<PathBuf>,
    /// Continue from the verdicts in the journal
    #[arg(long, requires = "journal")]
    pub resume: bool,
    /// Print verdicts by operator, by part of the specification, by assigned variable or by line
    #[arg(long, value_enum, value_name = "WHAT,…", value_delimiter = ',', conflicts_with = "format")]
    pub by: Vec<AuditBy>,
    /// Find the assignments and constraints that the proof of each property needs, and print them
    #[arg(long)]
    pub needs: bool,
    /// Print one line for each mutant
    #[arg(long, conflicts_with = "format")]
    pub list: bool,
    /// Print a distinguishing execution for each survivor
    #[arg(long, conflicts_with = "format")]
    pub traces: bool,
    /// How to print
    #[arg(long, value_enum, default_value_t = AuditFormat::Text)]
    pub format: AuditFormat,
    #[command(flatten)]
    pub shards: ShardArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// The formats of an audit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AuditFormat {
    /// For people
    Text,
    /// For programs
    Json,
    /// For tools that show findings beside the code
    Sarif,
}

/// What verdicts are counted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AuditBy {
    /// By mutation operator
    Operator,
    /// By assignment, define, constraint or rule
    Part,
    /// By the variable whose assignment is mutated
    Variable,
    /// By line of the specification
    Line,
}
