//! What tests are to do, for every command that has goals.

use super::RelateHow;
use clap::Args;
use specwright::GoalSettings;
use specwright::goals::Properties;

/// The goals.
#[derive(Clone, Debug, PartialEq, Args)]
pub struct GoalArgs {
    /// What tests must cover: states, table, decision, condition, boundary, transitions, pairs, mcdc,
    /// machine-mutation, mutation
    ///
    /// Of machines also: basic-rule, rule, rule-guard, rule-update, parallel, strong-parallel, rule-mcdc, rule-mutation.
    /// Of machines that are listed state by state: state-input, transition-tour, switch-1, switch-2, w, wp, hsi.
    /// Variants: table-cells, mcdc-unique-cause, mcdc-masking, rule-mcdc-unique-cause, rule-mcdc-masking.
    /// Without it nothing but the goals and trap properties given; if there are none, `mutation`, and for machines
    /// basic-rule, rule, rule-guard, rule-update, rule-mcdc and rule-mutation. If the model has internal variables, also
    /// machine-mutation, unless `--kill weak` is given.
    #[arg(short, long, value_name = "NAME,…", value_delimiter = ',')]
    pub criterion: Vec<String>,
    /// A goal: an expression or formula that is to hold somewhere on a test
    #[arg(long, value_name = "FORMULA", help_heading = "Goals")]
    pub goal: Vec<String>,
    /// A trap property: a formula that a test is to falsify
    #[arg(long, value_name = "FORMULA", help_heading = "Goals")]
    pub trap: Vec<String>,
    /// The variables that `states`, `transitions`, `boundary` and `pairs` are about; all if none are given
    #[arg(long, value_name = "VAR,…", value_delimiter = ',', help_heading = "Goals")]
    pub variables: Vec<String>,
    /// How many inputs `pairs` combines
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=6), help_heading = "Goals")]
    pub ways: u8,
    /// How many states more than the minimal machine an implementation may have, for `w`, `wp` and `hsi`
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=16), help_heading = "Goals")]
    pub extra_states: u8,
    /// How many steps the tests of each of transition-tour, switch-1, switch-2, w, wp and hsi may have
    #[arg(long, value_name = "N", default_value_t = 100_000, help_heading = "Goals")]
    pub max_steps: usize,
    /// Which properties `mutation` mutates: those of the model, those that restate the machine, or all of them
    #[arg(long, value_enum, default_value_t = PropertiesName::All, help_heading = "Goals")]
    pub properties: PropertiesName,
    /// How the properties that restate the machine relate two states: one for each value, or with variables that remember
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
    /// Leave out a goal, or all in a file: `NAME REASON`, or a file with such lines; may be given again
    #[arg(long, value_name = "FILE|NAME REASON", help_heading = "Goals")]
    pub ignore: Vec<String>,
}

/// Soundness guards.
#[derive(Clone, Debug, PartialEq, Args)]
pub struct GuardArgs {
    /// The variable of soundness guards `VAR -> …`, which are not mutated
    #[arg(long, value_name = "VAR", help_heading = "Goals")]
    pub guard: Option<String>,
    /// Mutate guards as the literature did, to compare numbers with it
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
