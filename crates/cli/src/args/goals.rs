//! The options that choose goals, for every command that has goals.

use super::RelateHow;
use clap::Args;
use specwright::GoalSettings;
use specwright::goals::Properties;

/// The goals.
#[derive(Clone, Debug, PartialEq, Args)]
pub struct GoalArgs {
    /// The coverage criteria: states, table, decision, condition, boundary, transitions, pairs, mcdc,
    /// machine-mutation, mutation
    ///
    /// For Abstract State Machines also: basic-rule, rule, rule-guard, rule-update, parallel, strong-parallel, rule-mcdc,
    /// rule-missing-condition, rule-impact, rule-complete-condition, rule-mutation.
    /// For machines that can be enumerated: state-input, transition-tour, switch-1, switch-2, w, wp, hsi.
    /// Variants: table-cells, mcdc-unique-cause, mcdc-masking, rule-mcdc-unique-cause, rule-mcdc-masking.
    /// Default: the goals and trap properties that are given; without any, `mutation`, and for Abstract State Machines
    /// basic-rule, rule, rule-guard, rule-update, rule-mcdc and rule-mutation. If the model has internal variables,
    /// machine-mutation is added, unless `--kill weak` is given.
    #[arg(short, long, value_name = "NAME,…", value_delimiter = ',')]
    pub criterion: Vec<String>,
    /// A goal: an expression or formula that holds somewhere on a test; repeatable
    #[arg(long, value_name = "FORMULA", help_heading = "Goals")]
    pub goal: Vec<String>,
    /// A trap property: a formula that a test falsifies; repeatable
    #[arg(long, value_name = "FORMULA", help_heading = "Goals")]
    pub trap: Vec<String>,
    /// The variables for `states`, `transitions`, `boundary` and `pairs` (default: all)
    #[arg(long, value_name = "VAR,…", value_delimiter = ',', help_heading = "Goals")]
    pub variables: Vec<String>,
    /// Number of inputs that `pairs` combines, and of rules that `parallel` combines
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=6), help_heading = "Goals")]
    pub ways: u8,
    /// Extra states of an implementation beyond the minimal machine, for `w`, `wp` and `hsi`
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=16), help_heading = "Goals")]
    pub extra_states: u8,
    /// Maximum total steps of the tests of transition-tour, switch-1, switch-2, w, wp and hsi, each
    #[arg(long, value_name = "N", default_value_t = 100_000, help_heading = "Goals")]
    pub max_steps: usize,
    /// Which properties `mutation` mutates: those of the model, those that restate the machine, or both
    #[arg(long, value_enum, default_value_t = PropertiesName::All, help_heading = "Goals")]
    pub properties: PropertiesName,
    /// How properties that restate the machine relate two states: one for each value, or by variables with previous values
    #[arg(long, value_enum, value_name = "HOW", default_value_t = RelateHow::Enumerate, help_heading = "Goals")]
    pub relate: RelateHow,
    #[command(flatten)]
    pub operators: OperatorArgs,
    #[command(flatten)]
    pub guards: GuardArgs,
    #[command(flatten)]
    pub ignores: IgnoreArgs,
}

impl From<&GoalArgs> for GoalSettings {
    fn from(args: &GoalArgs) -> GoalSettings {
        let GoalArgs { criterion, goal, trap, variables, ways, extra_states, max_steps, .. } = args.clone();
        let GoalArgs { properties, relate, operators, guards, ignores, .. } = args.clone();
        let (OperatorArgs { operators, exclude }, GuardArgs { guard, visible_guards }) = (operators, guards);
        GoalSettings {
            criterion,
            goal,
            trap,
            variables,
            ways: ways.into(),
            extra_states: extra_states.into(),
            max_steps,
            properties: properties.into(),
            relate: relate.into(),
            operators,
            exclude,
            guard,
            visible_guards,
            ignore: ignores.ignore,
        }
    }
}

/// Mutation operators.
#[derive(Clone, Debug, PartialEq, Args)]
pub struct OperatorArgs {
    /// The mutation operators, by their names; `all` is every one but SRO
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', help_heading = "Mutants")]
    pub operators: Vec<String>,
    /// Mutation operators not to apply
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', help_heading = "Mutants")]
    pub exclude: Vec<String>,
}

impl OperatorArgs {
    /// Whether nothing was said.
    pub fn is_default(&self) -> bool {
        self.operators.is_empty() && self.exclude.is_empty()
    }
}

/// Goals that were reviewed and are left out.
#[derive(Clone, Debug, PartialEq, Args)]
pub struct IgnoreArgs {
    /// Leave out a reviewed goal: `NAME REASON`, or a file with such lines; repeatable
    #[arg(long, value_name = "FILE|NAME REASON", help_heading = "Goals")]
    pub ignore: Vec<String>,
}

/// Soundness guards.
#[derive(Clone, Debug, PartialEq, Args)]
pub struct GuardArgs {
    /// The variable of soundness guards `VAR -> …`, which are not mutated
    #[arg(long, value_name = "VAR", help_heading = "Goals")]
    pub guard: Option<String>,
    /// Mutate guards as the papers did, to reproduce their numbers
    #[arg(long, requires = "guard", help_heading = "Goals")]
    pub visible_guards: bool,
}

names! {
    /// Which properties are mutated.
    PropertiesName: Properties {
        All => All,
        Own => Own,
        Reflected => Reflected,
    }
}
