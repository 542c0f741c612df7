//! The flags of `generate`.

use super::{EngineName, FocusArgs, Format, GoalArgs, KillName, LimitArgs, ModelArgs, SamenessName, WinnowName};
use clap::Args;
use specwright::generate::{Strategy, Style};
use std::path::PathBuf;

/// Writes a suite of tests that is adequate for one or more criteria
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  specwright generate model.smv --out suite.json      kills every mutant that can be killed
  specwright generate model.smv --criterion mcdc,pairs --strategy extend --out run
  specwright generate model.smv --goal 'state = busy & EX state = ready'
  specwright generate model.smv --keep 'x in 0..3'    from a model that is too large as a whole
  specwright generate model.smv --out run --resume    goes on where an earlier run stopped
  specwright generate model.smv --format json | jq .total")]
pub struct Generate {
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub goals: GoalArgs,
    #[command(flatten)]
    pub focus: FocusArgs,
    /// Of inputs that are only compared with constants, try just the values around these; no test is lost
    #[arg(long, help_heading = "Focus")]
    pub quantize: bool,
    /// Leave goals out before tests are made: those that every test reaches, that say the same as another one, or come
    /// for free with one
    #[arg(
        long,
        value_enum,
        value_name = "WHICH,…",
        value_delimiter = ',',
        default_value = "none",
        help_heading = "Goals"
    )]
    pub winnow: Vec<WinnowName>,
    /// When two goals say the same
    #[arg(long, value_enum, value_name = "HOW", default_value_t = SamenessName::Paths, help_heading = "Goals")]
    pub duplicates: SamenessName,
    /// How to go from goals to tests
    #[arg(short, long, value_enum, default_value_t = StrategyName::Monitor)]
    pub strategy: StrategyName,
    /// The engine that answers
    #[arg(long, value_enum, default_value_t = EngineName::Auto)]
    pub engine: EngineName,
    /// Where to write: a folder for the whole run, or a file that ends in `.json` for the suite alone
    #[arg(short, long, value_name = "DIR|FILE")]
    pub out: Option<PathBuf>,
    /// Go on with the run in the folder; what it has decided is not decided again
    #[arg(long, requires = "out")]
    pub resume: bool,
    /// How far to take tests of a model with internal variables: until outputs show what they kill, or to the violation
    #[arg(long, value_enum, default_value_t = KillName::Visible, help_heading = "Tests")]
    pub kill: KillName,
    #[command(flatten)]
    pub traces: TraceArgs,
    /// How many different tests each goal gets, where that many exist
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=9), help_heading = "Tests")]
    pub tests_per_goal: u8,
    /// How many steps a test may be extended to
    #[arg(long, value_name = "N", help_heading = "Tests")]
    pub max_length: Option<usize>,
    /// How to print the summary
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// What single tests look like.
#[derive(Clone, Debug, Args)]
pub struct TraceArgs {
    /// How counterexamples look: as short as possible, or as SMV explains them
    #[arg(long, value_enum, default_value_t = StyleName::Minimal, help_heading = "Tests")]
    pub style: StyleName,
    /// Where each goal has a test: one that only differs from the beginning of another in its last inputs is superfluous
    #[arg(long, help_heading = "Tests")]
    pub ignore_last_inputs: bool,
    /// Which values to prefer among tests of equal length, such as `inst: pop2 > push1 > pop1`
    #[arg(long, value_name = "VAR: VALUE > …", help_heading = "Tests")]
    pub tie: Vec<String>,
}

names! {
    /// How to go from goals to tests.
    StrategyName: Strategy {
        /// A shortest test for each goal, without duplicates and prefixes
        Each => Each,
        /// A shortest test for each goal that no earlier test covers
        Monitor => Monitor,
        /// Longer and fewer tests, each going on to the nearest goals that are left
        Extend => Extend,
    }
}

names! {
    /// How counterexamples look.
    StyleName: Style {
        Minimal => Minimal,
        SmvExplain => SmvExplain,
    }
}
