//! The options of `grade`.

use super::{CiArgs, FocusArgs, GoalArgs, LimitArgs, ModelArgs, ScoreArgs, ShardArgs};
use clap::{Args, ValueEnum};
use specwright::grade::Quantifiers;
use specwright::kill::Kill;
use specwright::winnow::{Duplicates, Winnow};
use std::path::PathBuf;

/// Grade a suite: which mutants does it kill, and which survive?
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  specwright grade model.smv tests.suite              the score and the survivors
  specwright grade model.smv tests.json --suggest     with tests that would kill the survivors
  specwright grade model.smv tests.suite --suggest-out more.suite
  specwright grade model.smv tests.suite --operators ORO,SNO --matrix
  specwright grade model.smv tests.suite --winnow all the score on the mutants that matter most
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
    /// Which goals do not count: infeasible, trivial, duplicate or subsumed ones
    #[arg(
        long,
        value_enum,
        value_name = "WHICH,…",
        value_delimiter = ',',
        default_value = "consistent",
        help_heading = "Scores"
    )]
    pub winnow: Vec<WinnowName>,
    /// Write the subsumption relation between goals: a graph if the name ends in `.dot`, else JSON
    #[arg(long, value_name = "FILE", help_heading = "Scores")]
    pub subsumption: Option<PathBuf>,
    /// Print tests that would kill the survivors
    #[arg(long)]
    pub suggest: bool,
    /// Write these tests as a suite: JSON if the name ends in `.json`, else text
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
    #[command(flatten)]
    pub shards: ShardArgs,
    #[command(flatten)]
    pub score: ScoreArgs,
    #[command(flatten)]
    pub ci: CiArgs,
}

/// How a suite is judged.
#[derive(Clone, Debug, Args)]
pub struct JudgeArgs {
    /// Maps names and values of an imported suite to those of the model
    #[arg(long, value_name = "FILE")]
    pub mapping: Option<PathBuf>,
    #[command(flatten)]
    pub goals: GoalArgs,
    #[command(flatten)]
    pub focus: FocusArgs,
    /// Only mutants of these properties of the model, by name or by number
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', help_heading = "Goals")]
    pub property: Vec<String>,
    /// When two goals are duplicates
    #[arg(long, value_enum, value_name = "HOW", default_value_t = SamenessName::Paths, help_heading = "Scores")]
    pub duplicates: SamenessName,
    /// How a single test judges `E` and `A` formulas
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
    /// Survivors as SARIF, for code scanning
    Sarif,
    /// All mutants in the schema of Stryker, for its report viewers
    Stryker,
}

names! {
    /// Which goals do not count.
    WinnowName: Winnow {
        /// Equivalent mutants, infeasible goals, and mutants that no single execution refutes
        Consistent => Consistent,
        /// Trivial goals: every execution covers them
        Trivial => Trivial,
        /// All but one of each set of duplicates
        Duplicates => Duplicates,
        /// Subsumed goals: covered whenever another goal is
        Subsumed => Subsumed,
        /// All of these
        All => All,
        /// None of them
        None => None,
    }
}

names! {
    /// When two goals are duplicates.
    SamenessName: Duplicates {
        /// Every sufficiently long path covers both or neither
        Paths => Paths,
        /// Every test covers both or neither, wherever it ends
        Tests => Tests,
        /// The same states cover them: `AG (m1 <-> m2)`, as in the papers
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
        /// When a test goes through a violation, as in the papers
        Weak => Weak,
    }
}
