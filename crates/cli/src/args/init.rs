//! The options of `init`.

use clap::Args;
use std::path::PathBuf;

/// Write a `specwright.toml`, so that commands in this folder need no arguments
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  specwright init model.smv
  specwright generate && specwright run               after that, in the same folder")]
pub struct Init {
    /// The model of the project
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
}
