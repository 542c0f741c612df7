//! The options of `fmt`.

use clap::Args;
use std::path::PathBuf;

/// Format SMV files and SCR tables: indent lines, align columns, change nothing else
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  specwright fmt pump.scr                             aligns the columns in place
  specwright fmt pump.smv                             indents the lines in place
  specwright fmt --check *.scr                        exit code 2 if one is not aligned
  specwright fmt - < pump.scr                         tables from standard input to standard output")]
pub struct Fmt {
    /// The files; `-` reads standard input and writes standard output
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Change nothing; list the files that would change
    #[arg(long)]
    pub check: bool,
}
