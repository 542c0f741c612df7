//! The flags of `generate`.

use super::{
    CiArgs, EngineName, FocusArgs, Format, GoalArgs, KillName, LimitArgs, ModelArgs, SamenessName, ScoreArgs,
    ShardArgs, WinnowName,
};
use clap::Args;
use specwright::generate::{Strategy, Style};
use std::path::PathBuf;

/// Generate a suite that is adequate for one or more criteria
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  specwright generate model.smv                       prints the first tests
  specwright generate model.smv --out suite.json
  specwright generate model.smv --criterion mcdc,pairs --strategy extend --out run
  specwright generate model.smv --goal 'state = busy & EX state = ready'
  specwright generate model.smv --keep 'x in 0..3'    from a part of a model that is too large
  specwright generate model.smv --out run --resume    continues an interrupted run
  specwright generate model.smv --certificate proof   writes a proof of what is infeasible
  specwright generate model.smv --check-certificate proof
  specwright generate model.smv --format json | jq .total")]
pub struct Generate {
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub goals: GoalArgs,
    #[command(flatten)]
    pub focus: FocusArgs,
    /// For inputs that are only compared with constants, use only the values around these; no goal becomes infeasible
    #[arg(long, help_heading = "Focus")]
    pub quantize: bool,
    /// Leave out goals before generation: trivial, duplicate or subsumed ones
    #[arg(
        long,
        value_enum,
        value_name = "WHICH,…",
        value_delimiter = ',',
        default_value = "none",
        help_heading = "Goals"
    )]
    pub winnow: Vec<WinnowName>,
    /// When two goals are duplicates
    #[arg(long, value_enum, value_name = "HOW", default_value_t = SamenessName::Paths, help_heading = "Goals")]
    pub duplicates: SamenessName,
    /// How tests are made from goals
    #[arg(short, long, value_enum, default_value_t = StrategyName::Monitor)]
    pub strategy: StrategyName,
    /// The model checking engine
    #[arg(long, value_enum, default_value_t = EngineName::Auto)]
    pub engine: EngineName,
    /// Where to write: `FILE.json` or `FILE.suite` (text) for the suite alone, `-` for JSON on standard output, or a folder
    /// for the whole run
    #[arg(short, long, value_name = "DIR|FILE")]
    pub out: Option<PathBuf>,
    /// Continue the run in the folder
    #[arg(long, requires = "out")]
    pub resume: bool,
    /// If the model has internal variables: extend tests until outputs show the kill, or end them at the violation
    #[arg(long, value_enum, default_value_t = KillName::Visible, help_heading = "Tests")]
    pub kill: KillName,
    #[command(flatten)]
    pub traces: TraceArgs,
    /// Number of different tests for each goal, if they exist
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=9), help_heading = "Tests")]
    pub tests_per_goal: u8,
    /// Maximum length of a test, in steps, for `--strategy extend`
    #[arg(long, value_name = "N", help_heading = "Tests")]
    pub max_length: Option<usize>,
    /// How to print the summary
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Write a proof of the infeasible goals to this folder: two AIGER circuits, `model.aig` and `witness.aig`
    #[arg(long, value_name = "DIR", help_heading = "Certificates", conflicts_with = "shard")]
    pub certificate: Option<PathBuf>,
    /// Check the certificate in this folder instead: are its goals infeasible?
    #[arg(long, value_name = "DIR", help_heading = "Certificates", conflicts_with_all = ["certificate", "out", "shard"])]
    pub check_certificate: Option<PathBuf>,
    #[command(flatten)]
    pub shards: ShardArgs,
    #[command(flatten)]
    pub score: ScoreArgs,
    #[command(flatten)]
    pub ci: CiArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// What single tests look like.
#[derive(Clone, Debug, Args)]
pub struct TraceArgs {
    /// Form of counterexamples: shortest, or as SMV explains them
    #[arg(long, value_enum, default_value_t = StyleName::Minimal, help_heading = "Tests")]
    pub style: StyleName,
    /// With `--strategy each`: drop a test that differs from a prefix of another one only in its last inputs
    #[arg(long, help_heading = "Tests")]
    pub ignore_last_inputs: bool,
    /// Preferred values among tests of equal length, such as `inst: pop2 > push1 > pop1`
    #[arg(long, value_name = "VAR: VALUE > …", help_heading = "Tests")]
    pub tie: Vec<String>,
}

names! {
    /// How tests are made from goals.
    StrategyName: Strategy {
        /// A shortest test for each goal; duplicates and prefixes are dropped
        Each => Each,
        /// A shortest test for each goal that no earlier test covers
        Monitor => Monitor,
        /// Fewer and longer tests: each is extended to the nearest uncovered goals
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
