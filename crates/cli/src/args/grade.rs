//! What may be typed behind `grade`.

use super::{FocusArgs, GoalArgs, LimitArgs, ModelArgs};
use clap::{Args, ValueEnum};
use specwright::grade::Quantifiers;
use specwright::kill::Kill;
use specwright::winnow::{Duplicates, Winnow};
use std::path::PathBuf;

/// Grades a suite of tests: which wrong specifications would it notice, and which not?
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  specwright grade model.smv tests.suite              the score, and what survives
  specwright grade model.smv tests.json --suggest     with tests that would kill the survivors
  specwright grade model.smv tests.suite --suggest-out more.suite
  specwright grade model.smv tests.suite --operators ORO,SNO --matrix
  specwright grade model.smv tests.suite --winnow all the score on what counts most
  specwright grade model.smv tests.json --format json | jq .score
  specwright grade model.smv tests.json --format stryker > mutation.json")]
pub struct Grade {
    #[command(flatten)]
    pub model: ModelArgs,
    /// The suite: JSON or text, or a file or folder in a format that `export` writes
    #[arg(value_name = "SUITE")]
    pub suite: PathBuf,
    #[command(flatten)]
    pub judging: JudgeArgs,
    /// Which goals do not count: those that no test can reach, that every test reaches, that say the same as another one
    /// or come for free with one
    #[arg(
        long,
        value_enum,
        value_name = "WHICH,…",
        value_delimiter = ',',
        default_value = "consistent",
        help_heading = "Scores"
    )]
    pub winnow: Vec<WinnowName>,
    /// Write which goals come for free with which: a graph if the name ends in `.dot`, else JSON
    #[arg(long, value_name = "FILE", help_heading = "Scores")]
    pub subsumption: Option<PathBuf>,
    /// Print tests that would kill the survivors
    #[arg(long)]
    pub suggest: bool,
    /// Write these tests as a suite: JSON if the name ends so, else text
    #[arg(long, value_name = "FILE")]
    pub suggest_out: Option<PathBuf>,
    /// Print which test kills which mutant
    #[arg(long)]
    pub matrix: bool,
    /// Write the constrained machine of each test, as SMV, into this folder
    #[arg(long, value_name = "DIR")]
    pub emit_cfsm: Option<PathBuf>,
    /// How to print
    #[arg(long, value_enum, default_value_t = GradeFormat::Text)]
    pub format: GradeFormat,
}

/// How a suite is judged.
#[derive(Clone, Debug, Args)]
pub struct JudgeArgs {
    /// Names and values of an imported suite, if they are not those of the model
    #[arg(long, value_name = "FILE")]
    pub mapping: Option<PathBuf>,
    #[command(flatten)]
    pub goals: GoalArgs,
    #[command(flatten)]
    pub focus: FocusArgs,
    /// Only mutants of these properties of the model, by name or by number
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', help_heading = "Goals")]
    pub property: Vec<String>,
    /// When two goals say the same
    #[arg(long, value_enum, value_name = "HOW", default_value_t = SamenessName::Paths, help_heading = "Scores")]
    pub duplicates: SamenessName,
    /// What a single test says about `E` and `A` formulas
    #[arg(long, value_enum, default_value_t = QuantifierName::Path, help_heading = "Scores")]
    pub quantifiers: QuantifierName,
    /// When a mutant of a property counts as killed, if the model has internal variables
    #[arg(long, value_enum, default_value_t = KillName::Visible, help_heading = "Scores")]
    pub kill: KillName,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// How a grade is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GradeFormat {
    Text,
    Json,
    /// Survivors, for tools that show findings beside the code
    Sarif,
    /// All mutants, for viewers of mutation testing reports
    Stryker,
}

names! {
    /// Which goals do not count.
    WinnowName: Winnow {
        /// Those that are true of the model, and those that no single execution refutes
        Consistent => Consistent,
        /// Those that every execution reaches
        Trivial => Trivial,
        /// All but one of those that say the same
        Duplicates => Duplicates,
        /// Those that are reached whenever another one is
        Subsumed => Subsumed,
        /// All of these
        All => All,
        /// None of them
        None => None,
    }
}

names! {
    /// When two goals say the same.
    SamenessName: Duplicates {
        /// Every path that goes on for long enough reaches both or neither
        Paths => Paths,
        /// Every test reaches both or neither, wherever it ends
        Tests => Tests,
        /// They are reached in the same states: `AG (m1 <-> m2)`, as in the literature
        Branching => Branching,
    }
}

names! {
    /// What a single test says about formulas on all or some paths.
    QuantifierName: Quantifiers {
        // Both speak of the test, as in the literature.
        Path => Path,
        // A test only refutes what is said of all paths.
        Branching => Branching,
    }
}

names! {
    /// When a mutant of a property counts as killed.
    KillName: Kill {
        /// When outputs show it
        Visible => Visible,
        /// When a test goes through a violation, as in the literature
        Weak => Weak,
    }
}
