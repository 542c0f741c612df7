//! Coverage criteria, each as a set of [`Goal`]s of a model.
//!
//! To add a criterion: one file here, one line in [`CRITERIA`], one section in the book.

mod boundary;
mod builder;
mod condition;
mod contradiction;
mod decision;
mod decisions;
mod elements;
mod fsm;
mod machine;
mod mcdc;
mod mutation;
mod pairs;
mod rule_conditions;
mod states;
mod table;
mod transitions;
mod user;

pub use mutation::{Mutation, Properties, add_shadows};
pub use user::UserGoal;

use crate::focus::{Keep, Quantized};
use crate::goal::Goal;
use builder::Builder;
use specwright_mc::Symbolic;
use specwright_model::{Model, VarId};
use specwright_syntax::span::Span;

/// A coverage criterion.
pub struct Criterion {
    /// Its name, on the command line and in results.
    pub name: &'static str,
    /// A summary in one line.
    pub summary: &'static str,
    /// Its source in the literature.
    pub source: &'static str,
    /// The cost and strength of a criterion. Goals of lower ranks come first.
    pub rank: u8,
    /// Adds the goals of the criterion.
    goals: fn(&mut Builder<'_>),
}

/// All criteria, from cheap to strong.
#[rustfmt::skip]
pub static CRITERIA: [Criterion; 34] = [
    criterion("goal", "the goals and trap properties that the user gives", "Gargantini and Heitmeyer 1999", 0, user::goals),
    criterion("basic-rule", "every rule of a machine is executed", "Gargantini, Riccobene and Rinzivillo 2003", 1, elements::basic_rule),
    criterion("states", "every value of every variable", "Offutt, Liu, Abdurazik and Ammann 2003", 1, states::goals),
    criterion("table-cells", "every row and cell of the tables, once taking effect and once not", "Ammann and Black 2001", 2, table::cells),
    criterion("table", "the same for every mode of a row and every event of a cell", "Ammann and Black 2001", 2, table::goals),
    criterion("decision", "every guard true and false", "Myers 1979", 3, decision::goals),
    criterion("rule", "every guarded rule fires once and does not once", "Gargantini and Riccobene 2001", 3, elements::rule),
    criterion("rule-guard", "every condition of a rule true and false", "Gargantini and Riccobene 2001", 3, elements::rule_guard),
    criterion("rule-update", "every update of a rule changes something", "Gargantini and Riccobene 2001", 4, elements::rule_update),
    criterion("condition", "every condition in a guard true and false", "Myers 1979", 4, condition::goals),
    criterion("boundary", "the ends of ranges, and both sides of constants in comparisons", "Myers 1979", 5, boundary::goals),
    criterion("transitions", "every change of a variable from one value to another", "Offutt, Liu, Abdurazik and Ammann 2003", 6, transitions::goals),
    criterion("pairs", "every combination of values of two (or more) inputs", "Cohen, Dalal, Fredman and Patton 1997", 7, pairs::goals),
    criterion("parallel", "any two (or more) rules fire together", "Gargantini and Riccobene 2001", 7, elements::parallel),
    criterion("strong-parallel", "any rules up to two (or more) fire together", "Gargantini and Riccobene 2001", 7, elements::strong_parallel),
    criterion("state-input", "every input in every state of the machine", "Chow 1978", 7, fsm::goals),
    criterion("transition-tour", "every transition of the machine, in tests as short as possible", "Naito and Tsunoyama 1981", 7, fsm::goals),
    criterion("switch-1", "any two transitions of the machine in a row", "Chow 1978", 7, fsm::goals),
    criterion("switch-2", "any three transitions of the machine in a row", "Chow 1978", 7, fsm::goals),
    criterion("mcdc-masking", "every condition in a guard decides it, while the others are masked", "Chilenski 2001", 8, mcdc::masking),
    criterion("mcdc-unique-cause", "every condition in a guard decides it alone, the others unchanged", "Chilenski and Miller 1994", 8, mcdc::unique_cause),
    criterion("mcdc", "the same, or masked where no condition can change alone", "Chilenski 2001", 8, mcdc::either),
    criterion("rule-mcdc-masking", "every condition of a guarded rule decides, while the others are masked", "Chilenski 2001", 8, elements::rule_mcdc_masking),
    criterion("rule-mcdc-unique-cause", "every condition of a guarded rule decides alone, the others unchanged", "Gargantini and Riccobene 2001", 8, elements::rule_mcdc_unique_cause),
    criterion("rule-mcdc", "the same, or masked where no condition can change alone", "Gargantini and Riccobene 2001", 8, elements::rule_mcdc),
    criterion("rule-missing-condition", "a step on which the guard differs from the guard without the condition", "Kuhn 1999", 8, rule_conditions::missing_condition),
    criterion("rule-impact", "every alternative of a guard holds alone, and every condition in it makes the guard false", "Weyuker, Goradia and Singh 1994", 8, rule_conditions::meaningful_impact),
    criterion("rule-complete-condition", "every combination of truth values of the conditions of a guarded rule", "Myers 1979", 8, rule_conditions::complete_condition),
    criterion("rule-mutation", "a test kills every mutant of the rules", "Arcaini, Gargantini and Riccobene 2015", 8, elements::rule_mutation),
    criterion("w", "every wrong implementation with few states is found, by a characterization set", "Chow 1978", 9, fsm::goals),
    criterion("wp", "the same with fewer steps, by words that identify states", "Fujiwara, Bochmann, Khendek, Amalou and Ghedamsi 1991", 9, fsm::goals),
    criterion("hsi", "the same by harmonized identifiers; inputs need not be permitted everywhere", "Petrenko, Yevtushenko and Bochmann 1996", 9, fsm::goals),
    criterion(MACHINE_MUTATION, "outputs of a test kill every mutant of the machine", "Tretmans 1996; Okun, Black and Yesha 2003", 9, machine::goals),
    criterion("mutation", "a test kills every mutant of the properties", "Ammann and Black 2001", 9, mutation::goals),
];

const fn criterion(
    name: &'static str,
    summary: &'static str,
    source: &'static str,
    rank: u8,
    goals: fn(&mut Builder<'_>),
) -> Criterion {
    Criterion { name, summary, source, rank, goals }
}

/// The criterion with this name.
pub fn named(name: &str) -> Option<&'static Criterion> {
    CRITERIA.iter().find(|criterion| criterion.name.eq_ignore_ascii_case(name))
}

/// The criteria for rules whose number of goals is linear in the size of the machine, and the mutants of rules.
const OF_RULES: [&str; 6] = ["basic-rule", "rule", "rule-guard", "rule-update", "rule-mcdc", "rule-mutation"];

/// The name of the criterion about mutants of the machine.
pub const MACHINE_MUTATION: &str = "machine-mutation";

/// The default criteria: those for rules if the specification has rules, else mutation; and mutation of the machine if a
/// tester does not see all of its variables.
pub fn default_for(model: &Model) -> Vec<String> {
    let has_rules = model.source.elements.iter().any(|element| element.kind == "node");
    let names: &[&str] = if has_rules { &OF_RULES } else { &["mutation"] };
    let hidden = model.has_internal().then_some(MACHINE_MUTATION);
    names.iter().copied().chain(hidden).map(str::to_owned).collect()
}

/// Which goals to collect.
#[derive(Clone, Debug)]
pub struct Options {
    /// The names of the criteria. Goals of the user are always included.
    pub criteria: Vec<String>,
    /// The variables whose values and changes are covered; all if empty.
    pub variables: Vec<VarId>,
    /// The number of inputs that are combined.
    pub ways: usize,
    /// Maximal number of values of a variable whose values are enumerated; others are left out, with a note.
    pub max_values: usize,
    /// What to mutate, and how.
    pub mutation: Mutation,
    /// The goals of the user.
    pub user_goals: Vec<UserGoal>,
    /// The values in focus of variables whose values are enumerated.
    pub focus: Vec<Keep>,
    /// The reduction, if the model is quantized.
    pub quantized: Option<Quantized>,
    /// Number of states that an implementation may have beyond those of the minimal machine, for `w`, `wp` and `hsi`.
    pub extra_states: usize,
    /// Maximal number of steps of the tests of each criterion for machines.
    pub max_steps: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            criteria: vec!["mutation".into()],
            variables: Vec::new(),
            ways: 2,
            max_values: 256,
            mutation: Mutation::default(),
            user_goals: Vec::new(),
            focus: Vec::new(),
            quantized: None,
            extra_states: 0,
            max_steps: 100_000,
        }
    }
}

/// A note on goals that were left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The source span.
    pub span: Span,
    /// What was left out and why.
    pub message: String,
}

impl Options {
    /// Whether an engine improves these goals: it simplifies the clauses that restate the machine.
    pub fn gain_by_engine(&self) -> bool {
        let mutation = self.criteria.iter().any(|name| name.eq_ignore_ascii_case("mutation"));
        mutation && self.mutation.properties != Properties::Own
    }
}

/// The goals of the chosen criteria, sorted by rank, and notes on what was left out.
///
/// An engine of the model simplifies the clauses that restate the machine; without one nothing is simplified. Unknown
/// names of criteria are ignored: callers validate them with [`named`].
pub fn collect(model: &Model, engine: Option<&mut Symbolic>, options: &Options) -> (Vec<Goal>, Vec<Note>) {
    let mut builder = Builder::new(model.clone(), engine, options);
    // Goals are made from the whole model; only the engine has the quantized one.
    if let Some(quantized) = &options.quantized {
        builder.model.trans.clone_from(&quantized.whole.trans);
    }
    for criterion in &CRITERIA {
        let wanted = |name: &String| name.eq_ignore_ascii_case(criterion.name);
        if criterion.rank == 0 || builder.options.criteria.iter().any(wanted) {
            builder.criterion = criterion.name;
            (criterion.goals)(&mut builder);
        }
    }
    let bounds = builder.bounds();
    for goal in &mut builder.goals {
        goal.bounds = bounds.clone();
    }
    (builder.goals, builder.notes)
}
