//! The flags of `compare`.

use super::{Format, GuardArgs, LimitArgs, ModelArgs, PropertiesName, RelateHow, SamenessName, ShardArgs, TraceArgs};
use clap::Args;

/// Compare mutation operators, criteria or sets of properties by cost and coverage
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  specwright compare model.smv                        the mutation operators
  specwright compare model.smv --operators ORO,SNO,LRO --properties own
  specwright compare model.smv --criteria decision,mcdc,pairs
  specwright compare model.smv --set 'safety=safe_*' --set 'all=*'
  specwright compare model.smv --format json | jq '.rows[] | {operator, coverage}'")]
pub struct Compare {
    #[command(flatten)]
    pub model: ModelArgs,
    /// Compare these mutation operators (the default: all operators that are on by default)
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', conflicts_with = "criteria")]
    pub operators: Vec<String>,
    /// Compare these criteria
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', conflicts_with = "set")]
    pub criteria: Vec<String>,
    /// Compare the mutants of sets of properties; `*` and `?` stand for any letters and any letter
    #[arg(long, value_name = "NAME=PROPERTY,…")]
    pub set: Vec<String>,
    /// Which properties are mutated: those of the model, those that restate the machine, or both
    #[arg(long, value_enum, default_value_t = PropertiesName::All, help_heading = "Goals")]
    pub properties: PropertiesName,
    /// How properties that restate the machine relate two states: one for each value, or by variables with previous values
    #[arg(long, value_enum, value_name = "HOW", default_value_t = RelateHow::Enumerate, help_heading = "Goals")]
    pub relate: RelateHow,
    #[command(flatten)]
    pub guards: GuardArgs,
    /// When two goals are duplicates
    #[arg(long, value_enum, value_name = "HOW", default_value_t = SamenessName::Paths, help_heading = "Goals")]
    pub duplicates: SamenessName,
    #[command(flatten)]
    pub traces: TraceArgs,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    #[command(flatten)]
    pub shards: ShardArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
}
