//! What may be typed behind `export`.

use super::DialectName;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use specwright::export::{FORMATS, Format};
use specwright::run::Timing;
use std::path::PathBuf;

/// Writes a suite as test code for another tool, or as traces in another format
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
    /// Fill in this template instead
    #[arg(long, value_name = "FILE", conflicts_with = "to")]
    pub template: Option<PathBuf>,
    /// The file to write, or the folder where there are several; without it the text is printed
    #[arg(short, long, value_name = "PATH")]
    pub out: Option<PathBuf>,
    /// Send the inputs of a state with the step that enters it or with the one that leaves it, whatever the suite says
    #[arg(long, value_enum, value_name = "WHEN")]
    pub inputs: Option<TimingName>,
    /// The model, if the suite does not say what its variables are
    #[arg(long, value_name = "FILE")]
    pub model: Option<PathBuf>,
    /// The dialect of SMV in which the model is written
    #[arg(long, value_enum, value_name = "DIALECT", default_value_t = DialectName::Nusmv)]
    pub dialect: DialectName,
    /// Names and values of an imported suite, if they are not those of the model
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
