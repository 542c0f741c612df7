//! The options of `focus`, and what other commands take to focus.

use super::{LimitArgs, ModelArgs};
use clap::Args;
use std::path::PathBuf;

/// The focus.
#[derive(Clone, Debug, PartialEq, Args)]
pub struct FocusArgs {
    /// Keep only these values of a variable, such as `x in 0..3` or `mode in {on, off}`; all others become "other"
    ///
    /// For models that are too large or infinite. No test depends on a value that is not kept.
    /// `auto` chooses values for every variable with a large domain and prints its choice.
    #[arg(long, value_name = "VAR in VALUES", help_heading = "Focus")]
    pub keep: Vec<String>,
}

/// Reduce a model to a finite part (finite focus); its tests are tests of the whole model
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  specwright focus account.smv --keep 'balance in 0..2'
  specwright focus model.smv --keep 'x in 0..3' --keep 'mode in {on, off}' --out small.smv
  specwright generate account.smv --keep 'balance in 0..2' --out suite.json")]
pub struct Focus {
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub keeping: FocusArgs,
    /// Write the reduced model, as SMV, to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub limits: LimitArgs,
}
