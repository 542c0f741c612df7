//! The options of `safety`.

use super::{Format, IgnoreArgs, LimitArgs, ModelArgs, OperatorArgs, ShardArgs};
use clap::Args;
use specwright::safety::Danger;
use std::path::PathBuf;

/// Generate tests near violations of a safety property: dangerous traces, passing and failing tests
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  specwright safety model.smv                         all invariants of the model
  specwright safety model.smv --property safe --out suite.json
  specwright safety model.smv --property 'mode = on -> !hot' --criterion EX
  specwright safety model.smv --variable mode --operators ORO,SNO --list
  specwright safety model.smv --grade tests.suite     is this suite adequate?
  specwright safety model.smv --mutant SNO-3fa91c07 --emit-combined both")]
pub struct Safety {
    #[command(flatten)]
    pub model: ModelArgs,
    /// The safety property: an invariant by name or number, or an expression; repeatable
    ///
    /// Without it all invariants of the model: `INVARSPEC p`, `AG p` and `G p`.
    #[arg(short, long, value_name = "NAME|N|EXPR")]
    pub property: Vec<String>,
    /// The kinds of dangerous traces (default: all)
    #[arg(short, long, value_enum, ignore_case = true, value_name = "AX|EX|AF|EF", value_delimiter = ',')]
    pub criterion: Vec<DangerName>,
    /// Write the tests as a suite: JSON if the name ends in `.json`, else text
    #[arg(short, long, value_name = "FILE", conflicts_with = "grade")]
    pub out: Option<PathBuf>,
    /// Grade this suite instead of generating tests
    #[arg(long, value_name = "SUITE")]
    pub grade: Option<PathBuf>,
    /// Print one line for each mutant
    #[arg(long, conflicts_with = "format")]
    pub list: bool,
    /// Write the union of the machine and each mutant, as SMV, into this folder
    #[arg(long, value_name = "DIR")]
    pub emit_combined: Option<PathBuf>,
    #[command(flatten)]
    pub operators: OperatorArgs,
    /// Only mutants of assignments and constraints of these variables
    #[arg(long, value_name = "VAR,…", value_delimiter = ',', help_heading = "Mutants")]
    pub variable: Vec<String>,
    /// Only these mutants, by their names
    #[arg(long, value_name = "ID,…", value_delimiter = ',', help_heading = "Mutants")]
    pub mutant: Vec<String>,
    #[command(flatten)]
    pub ignores: IgnoreArgs,
    /// Keep mutants of the environment, whose inputs the machine does not accept
    #[arg(long, help_heading = "Mutants")]
    pub environment: bool,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    #[command(flatten)]
    pub shards: ShardArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
}

names! {
    /// The ways in which a trace can be dangerous.
    DangerName: Danger {
        /// Every step of the mutant that departs from the machine violates the property at once
        #[value(name = "AX")]
        Ax => Ax,
        /// Some departing step violates it at once
        #[value(name = "EX")]
        Ex => Ex,
        /// After every departing step it is eventually violated
        #[value(name = "AF")]
        Af => Af,
        /// After some departing step it can be violated
        #[value(name = "EF")]
        Ef => Ef,
    }
}
