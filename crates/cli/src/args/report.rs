//! What may be typed behind `report`.

use super::{GoalArgs, Grade, LimitArgs, ModelArgs, QuantifierName, WinnowName};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Writes a page to look at: what a suite of tests notices, what it misses, and what each test does
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  specwright report model.smv tests.suite -o report.html
  specwright report model.smv folder -o report.html   what `generate --out folder` wrote
  specwright report model.scr tests.suite -o report.html --criterion table
  specwright report model.smv tests.suite --format stryker -o mutation.json
  specwright report model.smv suite.json -o report.html --with run.json
                                                      with what `run --format json` found")]
pub struct Report {
    #[command(flatten)]
    pub model: ModelArgs,
    /// The suite: JSON or text, a folder that `generate` wrote, or a file or folder in a format that `export` writes
    #[arg(value_name = "SUITE")]
    pub suite: PathBuf,
    /// Where to write; `report.html`, or what suits the format, in this folder if nothing is said
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// For whom
    #[arg(long, value_enum, default_value_t = ReportFormat::Html)]
    pub format: ReportFormat,
    /// Further results to show: what `run`, `safety` or `compare` printed with `--format json`
    #[arg(long, value_name = "FILE,…", value_delimiter = ',')]
    pub with: Vec<PathBuf>,
    /// Names and values of an imported suite, if they are not those of the model
    #[arg(long, value_name = "FILE")]
    pub mapping: Option<PathBuf>,
    #[command(flatten)]
    pub goals: GoalArgs,
    /// Only mutants of these properties of the model, by name or by number
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', help_heading = "Goals")]
    pub property: Vec<String>,
    /// What winnowing to show: goals that no test can reach, that every test reaches, that say the same as another one or
    /// come for free with one
    #[arg(
        long,
        value_enum,
        value_name = "WHICH,…",
        value_delimiter = ',',
        default_value = "all",
        help_heading = "Scores"
    )]
    pub winnow: Vec<WinnowName>,
    /// What a single test says about `E` and `A` formulas
    #[arg(long, value_enum, default_value_t = QuantifierName::Path, help_heading = "Scores")]
    pub quantifiers: QuantifierName,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// For whom a report is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// A page for people
    Html,
    /// Survivors, for tools that show findings beside the code
    Sarif,
    /// All mutants, for viewers of mutation testing reports
    Stryker,
}

impl Report {
    /// The file to write.
    pub fn file(&self) -> PathBuf {
        self.out.clone().unwrap_or_else(|| {
            PathBuf::from(match self.format {
                ReportFormat::Html => "report.html",
                ReportFormat::Sarif => "report.sarif",
                ReportFormat::Stryker => "mutation.json",
            })
        })
    }

    /// How the suite is to be graded.
    pub fn grade(&self) -> Grade {
        let (model, suite) = (self.model.clone(), self.suite.clone());
        Grade {
            mapping: self.mapping.clone(),
            property: self.property.clone(),
            winnow: self.winnow.clone(),
            quantifiers: self.quantifiers,
            ..Grade::quietly(model, suite, self.goals.clone(), self.limits.clone())
        }
    }
}
