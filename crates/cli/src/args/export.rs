//! The options of `export`.

use super::DialectName;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use specwright::export::{FORMATS, Format};
use specwright::run::Timing;
use std::path::PathBuf;

/// Write a suite as test code for a test framework, or as traces in another format
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  specwright export suite.json --to pytest --out tests/
  specwright export suite.json --to csv > suite.csv
  specwright export tests.suite --model model.smv --to itf --out traces/
  specwright export suite.json --template harness.j2 > harness.txt")]
pub struct Export {
    /// The suite: JSON or text, or a file or folder in a format that `export` writes
    #[arg(value_name = "SUITE")]
    pub suite: PathBuf,
    /// The format
    #[arg(long, value_parser = formats(), value_name = "FORMAT", required_unless_present = "template")]
    pub to: Option<&'static Format>,
    /// Render this template instead (minijinja)
    #[arg(long, value_name = "FILE", conflicts_with = "to")]
    pub template: Option<PathBuf>,
    /// The file to write, or the folder for several files (default: standard output)
    #[arg(short, long, value_name = "PATH")]
    pub out: Option<PathBuf>,
    /// Send inputs with the step that enters their state or with the step that leaves it (overrides the suite)
    #[arg(long, value_enum, value_name = "WHEN")]
    pub inputs: Option<TimingName>,
    /// The model, if the suite has no declarations
    #[arg(long, value_name = "FILE")]
    pub model: Option<PathBuf>,
    /// The dialect of SMV in which the model is written
    #[arg(long, value_enum, value_name = "DIALECT", default_value_t = DialectName::Nusmv)]
    pub dialect: DialectName,
    /// Maps names and values of an imported suite to those of the model
    #[arg(long, value_name = "FILE")]
    pub mapping: Option<PathBuf>,
}

/// The formats by their names, each with its description in the help.
fn formats() -> impl TypedValueParser<Value = &'static Format> {
    let value = |format: &Format| PossibleValue::new(format.name).help(format.description);
    PossibleValuesParser::new(FORMATS.iter().map(value))
        .try_map(|name| Format::named(&name).ok_or("there is no such format"))
}

names! {
    /// When inputs are sent.
    TimingName: Timing {
        Entering => Entering,
        Leaving => Leaving,
    }
}
