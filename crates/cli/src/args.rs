//! The command line: one definition of each option, from which help, man pages and completions are made.

/// The names under which values of a type of the library are asked for.
macro_rules! names {
    ($(#[$doc:meta])* $name:ident: $type:ident { $($(#[$of_value:meta])* $variant:ident => $value:ident,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
        pub enum $name {
            $($(#[$of_value])* $variant,)+
        }

        impl From<$name> for $type {
            fn from(name: $name) -> $type {
                match name {
                    $($name::$variant => $type::$value,)+
                }
            }
        }
    };
}

mod audit;
mod compare;
mod export;
mod fmt;
mod focus;
mod gate;
mod generate;
mod goals;
mod grade;
mod init;
mod limits;
mod minimize;
mod mutate;
mod report;
mod run;
mod safety;
mod shard;
mod translate;

pub use audit::{Audit, AuditBy, AuditFormat};
pub use compare::Compare;
pub use export::Export;
pub use fmt::Fmt;
pub use focus::{Focus, FocusArgs};
pub use gate::{CiArgs, ScoreArgs};
pub use generate::{Generate, TraceArgs};
pub use goals::{GoalArgs, GuardArgs, IgnoreArgs, OperatorArgs, PropertiesName};
pub use grade::{Grade, GradeFormat, JudgeArgs, KillName, SamenessName, WinnowName};
pub use init::Init;
pub use limits::LimitArgs;
pub use minimize::Minimize;
pub use mutate::Mutate;
pub use report::{Recorded, Report, ReportFormat};
pub use run::Run;
pub use safety::Safety;
pub use shard::{Merge, Plan, ShardArgs};
pub use translate::{Target, Translate};

use crate::console;
use clap::builder::styling::{AnsiColor, Styles};
use clap::{Args, Parser, Subcommand, ValueEnum};
use specwright::check::Reordering;
use specwright::check::{Cones, Engine};
use specwright::frontend::{Bounds, Dialect, Overlap};
use specwright::model::trace::Defines;
use specwright::reflect::Relate;
use specwright::reflect::Shortening;
use specwright::{Events, Failure, GoalSettings, ReadSettings, Session, catalogue};
use std::path::{Path, PathBuf};

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

const EXAMPLES: &str = "\
Examples:
  specwright check model.smv                          do the properties hold?
  specwright generate model.smv --out suite.json      tests that kill every killable mutant
  specwright grade model.smv tests.suite              how good are the tests?
  specwright minimize model.smv tests.json            the smallest suite with the same score
  specwright compare model.smv                        which mutation operators are worth it?
  specwright report model.smv suite.json -o report.html
  specwright run suite.json -- python3 adapter.py     does the implementation pass the tests?
  specwright show model.smv                           what is in the model?
  specwright simulate model.smv --steps 10            take a random walk
  specwright mutate model.smv                         list mutants of the properties
  specwright safety model.smv --out suite.json        tests near violations of a safety property
  specwright audit model.smv                          are the properties strong enough?
  specwright explain SMV012                           what does this error mean?

Exit codes:
  0 all good · 1 usage or invalid input · 2 a failure, survivor or gap was found
  3 some answers are undecided · 4 a precondition does not hold · 70 internal error";

/// Tests from formal specifications of reactive systems
#[derive(Debug, Parser)]
#[command(name = "specwright", version, styles = STYLES, after_help = EXAMPLES, max_term_width = 100)]
#[command(propagate_version = true)]
pub struct Cli {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Command,
}

/// Options of every command.
#[derive(Clone, Debug, Args)]
pub struct Global {
    /// When to use colour; `auto` asks the terminal and `NO_COLOR`
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = ColorWhen::Auto, global = true, display_order = 100)]
    pub color: ColorWhen,
    /// Print only results and errors: no warnings, notes or progress
    #[arg(short, long, global = true, conflicts_with = "verbose", display_order = 101)]
    pub quiet: bool,
    /// Print everything: all diagnostics, and lists that are otherwise shortened
    #[arg(short, long, global = true, display_order = 102)]
    pub verbose: bool,
    /// Time limit for the whole command; results up to then are shown, the rest is undecided
    #[arg(long, value_name = "SECONDS", value_parser = seconds, global = true, help_heading = "Limits", display_order = 99)]
    pub time_limit: Option<f64>,
    /// Memory limit for the whole command; results up to then are shown, the rest is undecided
    #[arg(long, value_name = "MIB", default_value_t = 4096, value_parser = clap::value_parser!(u32).range(16..=1_048_576), global = true, help_heading = "Limits", display_order = 99)]
    pub max_memory: u32,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ColorWhen {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    Check(Check),
    Generate(Generate),
    Grade(Grade),
    Minimize(Minimize),
    Run(Run),
    Export(Export),
    Report(Report),
    Compare(Compare),
    Audit(Audit),
    Show(Show),
    Simulate(Simulate),
    Mutate(Mutate),
    Safety(Safety),
    Reflect(Reflect),
    Focus(Focus),
    Translate(Translate),
    Fmt(Fmt),
    Lsp(Lsp),
    Explain(Explain),
    Init(Init),
    Merge(Merge),
    Plan(Plan),
    Completions(Completions),
    Man(Man),
}

/// The model, and how to read it.
#[derive(Clone, Debug, Args)]
pub struct ModelArgs {
    /// The model: SMV, an Abstract State Machine (`.asm`), SCR tables (`.scr`, or a mode matrix as `.csv`), a statechart
    /// (XState: `.ts`, `.js`, `.json`; SCXML: `.scxml`), or an AIGER circuit (`.aag`, `.aig`); `-` reads SMV from standard
    /// input
    #[arg(value_name = "MODEL")]
    pub path: PathBuf,
    #[command(flatten)]
    pub reading: ReadingArgs,
}

/// How to read a model.
#[derive(Clone, Debug, PartialEq, Args)]
pub struct ReadingArgs {
    /// The dialect of SMV: NuSMV 2.6, or CMU SMV as it was written in the 1990s
    #[arg(long, value_enum, value_name = "DIALECT", default_value_t = DialectName::Nusmv)]
    pub dialect: DialectName,
    /// Variables that the tester sets (overrides the role that the model suggests)
    #[arg(long, value_name = "VAR,…", value_delimiter = ',', help_heading = "Roles")]
    pub input: Vec<String>,
    /// Variables that the tester observes
    #[arg(long, value_name = "VAR,…", value_delimiter = ',', help_heading = "Roles")]
    pub output: Vec<String>,
    /// Variables that the tester neither sets nor observes
    #[arg(long, value_name = "VAR,…", value_delimiter = ',', help_heading = "Roles")]
    pub internal: Vec<String>,
    /// A file with further properties: `CTLSPEC`, `LTLSPEC` and `INVARSPEC` over the full names of the model; repeatable
    #[arg(long, value_name = "FILE", help_heading = "Properties")]
    pub requirements: Vec<PathBuf>,
    #[command(flatten)]
    pub bounds: BoundArgs,
    /// Which row is taken if several rows of an SCR table with different results apply in the same step
    #[arg(long, value_enum, value_name = "MEANING", default_value_t = OverlapName::First, help_heading = "SCR tables")]
    pub overlap: OverlapName,
}

/// Bounds of what is unbounded in an Abstract State Machine. Steps that exceed them are left out.
#[derive(Clone, Copy, Debug, PartialEq, Args)]
pub struct BoundArgs {
    /// The maximum length of sequences that grow without bounds
    #[arg(long = "max-sequence", value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=1000), help_heading = "Abstract State Machines")]
    pub sequence: u16,
    /// The maximum number of elements that `extend` adds to a domain
    #[arg(long = "max-extend", value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=1000), help_heading = "Abstract State Machines")]
    pub extend: u16,
    /// The maximum number of rounds of a loop within a step
    #[arg(long = "max-rounds", value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..=1000), help_heading = "Abstract State Machines")]
    pub rounds: u16,
}

impl From<BoundArgs> for Bounds {
    fn from(args: BoundArgs) -> Bounds {
        let BoundArgs { sequence, extend, rounds } = args;
        Bounds { sequence: sequence.into(), extend: extend.into(), rounds: rounds.into() }
    }
}

impl From<&ReadingArgs> for ReadSettings {
    fn from(args: &ReadingArgs) -> ReadSettings {
        let ReadingArgs { dialect, input, output, internal, requirements, bounds, overlap } = args.clone();
        let (mutants, shadows, limits) = (false, false, console::limits());
        ReadSettings {
            dialect: dialect.into(),
            input,
            output,
            internal,
            requirements,
            bounds: bounds.into(),
            overlap: overlap.into(),
            mutants,
            shadows,
            limits,
            ..ReadSettings::default()
        }
    }
}

impl ModelArgs {
    /// Reads the model.
    pub fn open(&self, events: &mut dyn Events) -> Result<Session, Failure> {
        Session::open(&self.path, &ReadSettings::from(&self.reading), events)
    }

    /// Reads the model, and finds out whether all expressions have values, as far as that takes little work.
    pub fn open_evaluated(&self, events: &mut dyn Events) -> Result<Session, Failure> {
        Session::open_evaluated(&self.path, &ReadSettings::from(&self.reading), events)
    }

    /// Reads the model, with all that some goals need.
    pub fn open_for(&self, events: &mut dyn Events, goals: &GoalSettings) -> Result<Session, Failure> {
        Session::open(&self.path, &goals.reading(ReadSettings::from(&self.reading)), events)
    }

    /// How the model is read for a suite.
    pub fn reading_for(&self, suite: Option<&Path>) -> ReadSettings {
        ReadSettings { suite: suite.map(Path::to_path_buf), ..ReadSettings::from(&self.reading) }
    }
}

names! {
    /// The dialects of SMV.
    DialectName: Dialect {
        Nusmv => NuSmv,
        Cmu => Cmu,
    }
}

names! {
    /// The meanings of overlapping rows.
    OverlapName: Overlap {
        /// The first row is taken
        First => First,
        /// Any of the rows may be taken
        Choose => Choose,
    }
}

/// For whom the results are written: people or programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Text,
    Json,
}

/// Check every property and print a counterexample for each that fails
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  specwright check examples/request-busy/impatient.smv
  specwright check model.smv --property safe          only the property of that name
  specwright check model.smv --timeout 10             ten seconds for each property
  specwright check models/*.smv --trace-format none   many models, several at a time
  specwright check model.smv --format json | jq '.properties[] | {name, verdict}'
  specwright check model.aig --certificate proof.aig  write a proof of what holds
  specwright check model.aig --check-certificate proof.aig")]
#[expect(clippy::struct_field_names, reason = "the fields are named as the options are")]
pub struct Check {
    #[command(flatten)]
    pub model: ModelArgs,
    /// Further models, each checked on its own; `--jobs` of them at a time
    #[arg(
        value_name = "MODEL",
        conflicts_with_all = ["certificate", "check_certificate", "order", "write_order", "known", "sarif", "junit", "summary"]
    )]
    pub others: Vec<PathBuf>,
    /// Check only these properties, by name or by number in the file
    #[arg(short, long, value_name = "NAME|N", value_delimiter = ',')]
    pub property: Vec<String>,
    /// How to print traces
    #[arg(long, value_enum, default_value_t = TraceFormat::Text)]
    pub trace_format: TraceFormat,
    /// Which defines traces show beside the variables: those of the main module, all, or none
    #[arg(long, value_enum, value_name = "WHICH", default_value_t = DefinesShown::Main)]
    pub defines: DefinesShown,
    /// How to print
    #[arg(long, value_enum, default_value_t = CheckFormat::Text)]
    pub format: CheckFormat,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// When to check a property on its cone of influence: if the whole model takes too long, never, or always
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = ConeUse::Auto)]
    pub cone: ConeUse,
    /// The model checking engine
    #[arg(long, value_enum, default_value_t = EngineName::Auto)]
    pub engine: EngineName,
    #[command(flatten)]
    pub ci: CiArgs,
    /// Write a proof of the properties that hold, as an AIGER witness circuit (binary if the name ends in `.aig`)
    #[arg(long, value_name = "FILE", help_heading = "Certificates")]
    pub certificate: Option<PathBuf>,
    /// Check the certificate in this file instead: does it prove the properties?
    #[arg(long, value_name = "FILE", help_heading = "Certificates", conflicts_with_all = ["certificate", "write_order"])]
    pub check_certificate: Option<PathBuf>,
    /// When to reorder the variables of decision diagrams
    #[arg(long, value_enum, default_value_t = Reorder::Auto, help_heading = "Variable order")]
    pub reorder: Reorder,
    /// Start with the variable order in this file: names from top to bottom
    #[arg(long, value_name = "FILE", help_heading = "Variable order")]
    pub order: Option<PathBuf>,
    /// Write the final variable order to this file
    #[arg(long, value_name = "FILE", help_heading = "Variable order")]
    pub write_order: Option<PathBuf>,
}

/// How verdicts are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CheckFormat {
    Text,
    Json,
    /// Failing properties as SARIF, for code scanning
    Sarif,
}

/// How traces are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TraceFormat {
    // As NuSMV prints them.
    Text,
    Table,
    Json,
    // As NuSMV writes them.
    Xml,
    // Witnesses of circuits.
    Aiger,
    None,
}

names! {
    /// Which defines traces show.
    DefinesShown: Defines {
        Main => Main,
        All => All,
        None => None,
    }
}

names! {
    /// When properties are decided on their cones of influence.
    ConeUse: Cones {
        Auto => Auto,
        Off => Off,
        Always => Always,
    }
}

names! {
    /// Which engine answers.
    EngineName: Engine {
        // Decision diagrams; where these take too long, SAT-based search.
        Auto => Auto,
        // Decision diagrams.
        Bdd => Bdd,
        // SAT-based search: short executions and proofs without the reachable states.
        Sat => Sat,
        // One state after the other, for small models.
        Explicit => Explicit,
    }
}

names! {
    /// When the order of variables changes.
    Reorder: Reordering {
        Auto => Auto,
        Off => Off,
        Always => Always,
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if seconds > 0.0 && seconds < 1e9 { Ok(seconds) } else { Err("not a time".to_owned()) }
}

/// Show the variables, instances, defines and properties of a model
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  specwright show examples/safety-injection/safety_injection.smv
  specwright show model.smv --flat > flat.smv         one module, all names in full
  specwright show model.smv --format json | jq .counts
  specwright show 1999.smv --dialect cmu              0 and 1 as booleans")]
pub struct Show {
    #[command(flatten)]
    pub model: ModelArgs,
    /// Print the flattened model, as SMV that can be read again
    #[arg(long, conflicts_with = "format")]
    pub flat: bool,
    /// Print a statechart as a state diagram of Mermaid
    #[arg(long, conflicts_with_all = ["format", "flat"])]
    pub mermaid: bool,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// Walk through a model, at random or interactively
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  specwright simulate model.smv --steps 20 --seed 7   the same walk every time
  specwright simulate model.smv --interactive         choose every step yourself
  specwright simulate model.smv --format json         for programs")]
pub struct Simulate {
    #[command(flatten)]
    pub model: ModelArgs,
    /// Number of steps
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10)]
    pub steps: u64,
    /// Random seed; the same seed gives the same walk
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Choose every step interactively
    #[arg(short, long)]
    pub interactive: bool,
    /// Show every variable in every state, not only changes
    #[arg(long)]
    pub full: bool,
    /// Which defines to show beside the variables: those of the main module, all, or none
    #[arg(long, value_enum, value_name = "WHICH", default_value_t = DefinesShown::Main)]
    pub defines: DefinesShown,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// Restate the machine as properties (reflection), which can then be mutated, checked and covered
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  specwright reflect model.smv                        one property for each branch
  specwright reflect model.smv --expound --trans      default branches and constraints as well
  specwright reflect model.smv --shorten              without conditions that the machine implies
  specwright reflect model.smv --out reflected.smv    the machine with these properties
  specwright reflect model.smv --format json | jq .counts")]
pub struct Reflect {
    #[command(flatten)]
    pub model: ModelArgs,
    /// Restate default branches, too, with the negations of all earlier guards (expounding)
    #[arg(long)]
    pub expound: bool,
    /// Restate INIT, INVAR and TRANS, too
    #[arg(long)]
    pub trans: bool,
    /// Drop superfluous conditions: all, or only those that exclude earlier branches
    #[arg(long, value_enum, value_name = "WHICH", num_args = 0..=1, require_equals = true, default_missing_value = "all")]
    pub shorten: Option<ShortenHow>,
    /// How to relate two states: one property for each value, or a variable with the previous value
    #[arg(long, value_enum, value_name = "HOW", default_value_t = RelateHow::Enumerate)]
    pub relate: RelateHow,
    /// Maximum number of values listed for one condition
    #[arg(long, value_name = "N", default_value_t = 64)]
    pub max_values: usize,
    /// Write the machine with these properties to this file, as SMV
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Keep the properties of the model in that file
    #[arg(long, requires = "out")]
    pub keep: bool,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Time limit for each query to the engine
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Limits")]
    pub timeout: Option<f64>,
}

names! {
    /// Which conditions may go.
    ShortenHow: Shortening {
        All => All,
        Subtracted => Subtracted,
    }
}

names! {
    /// How two states are related.
    RelateHow: Relate {
        Enumerate => Enumerate,
        Shadow => Shadow,
    }
}

/// Explain a diagnostic code, a mutation operator, a criterion, a test or a mutant
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  specwright explain SMV012
  specwright explain ENO                              a mutation operator
  specwright explain mcdc                             a criterion
  specwright explain                                  lists all codes
  specwright explain stay-busy model.smv tests.suite  what a test does, and which mutants it kills
  specwright explain p-against-drop-car folder        the same, from the folder of a run
  specwright explain ORO-68272abf model.smv tests.suite
                                                      why a mutant survives, or is equivalent
  specwright explain ORO-68272abf model.smv tests.suite --from SNO-0d1c7aa1
                                                      an execution that distinguishes two mutants")]
pub struct Explain {
    /// A code, as in `error[SMV012]`, an operator (`ENO`), a criterion (`mcdc`), or the name of a test or a goal; without it,
    /// all codes are listed
    #[arg(value_name = "CODE|OPERATOR|CRITERION|TEST|GOAL")]
    pub what: Option<String>,
    /// The model of the test or goal, or a folder or suite that `generate` wrote, which knows its model
    #[arg(value_name = "MODEL")]
    pub model: Option<PathBuf>,
    /// The suite with the test, or by which the goal is judged; optional for a goal
    #[arg(value_name = "SUITE")]
    pub suite: Option<PathBuf>,
    /// Another goal: show an execution that covers one of the two goals and not the other
    #[arg(long, value_name = "GOAL", requires = "model")]
    pub from: Option<String>,
    #[command(flatten)]
    pub reading: ReadingArgs,
    #[command(flatten)]
    pub judging: JudgeArgs,
}

impl Explain {
    /// Whether this is about a test or a goal, of which nothing can be said without a suite.
    pub fn needs_suite(&self) -> bool {
        let is_known = |what: &str| catalogue::section(what).is_some() || catalogue::topic(what).is_some();
        self.model.is_none() && self.what.as_deref().is_some_and(|what| !is_known(what))
    }
}

/// Print completions for a shell
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  specwright completions bash > ~/.local/share/bash-completion/completions/specwright")]
pub struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// Run the language server for editors, over standard input and output
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  specwright lsp                                      started by an editor")]
pub struct Lsp {
    /// Use standard input and output (the default; editors add this flag)
    #[arg(long)]
    pub stdio: bool,
}

/// Print a man page
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  specwright man | man -l -
  specwright man show > specwright-show.1")]
pub struct Man {
    /// The command to describe; without it, the program as a whole
    #[arg(value_name = "COMMAND")]
    pub command: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::Cli;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_has_an_example() {
        for command in Cli::command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.contains("Examples:\n  specwright"), "`{}` has no example", command.get_name());
        }
    }
}
