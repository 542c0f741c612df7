//! The options of `translate`.

use super::ModelArgs;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Translate a specification into another language with the same meaning
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  specwright translate tables.scr --to smv            SCR tables as SMV
  specwright translate model.smv --to smv             a model in one module
  specwright translate 1999.smv --dialect cmu --to smv --out today.smv
  specwright translate model.smv --to aiger --out model.aig   a circuit, here in binary format")]
pub struct Translate {
    #[command(flatten)]
    pub model: ModelArgs,
    /// The language to translate into
    #[arg(long, value_enum, value_name = "LANGUAGE", default_value_t = Target::Smv)]
    pub to: Target,
    /// Write to this file instead of standard output; a circuit is binary if the name ends in `.aig`
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// What a specification can be translated into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Target {
    Smv,
    Aiger,
}
