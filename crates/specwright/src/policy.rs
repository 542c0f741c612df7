//! The policy of the pipelines: how much work each attempt is worth.
//!
//! Work is counted in steps of decision diagrams (operations that miss the cache), in values that the interpreter tries,
//! or in items; no result depends on a clock. Times are orders of magnitude on the machine where a number was chosen. The
//! numbers of the engines are in `specwright_mc::policy`, those of test generation and of runs in their crates.

/// Steps of decision diagrams that the number of states is worth once all verdicts are known: well below a second.
pub(crate) const COUNT_STEPS: u64 = 500_000;

/// Steps that it is worth at least to know whether paths end, about a second; otherwise as many as the verdicts took.
pub(crate) const SANITY_STEPS: u64 = 5_000_000;

/// Steps for all questions about the consistency of tables together: about 20 seconds. What remains is undecided then.
pub(crate) const EXPECTATION_STEPS: u64 = 100_000_000;

/// Steps in which the reachable states of a small model are found: about a second.
pub(crate) const FEW_STEPS: u64 = 5_000_000;

/// The same where steps are a choice between events: some seconds. SAT-based search is slow where many tasks take turns.
pub(crate) const EVENT_STEPS: u64 = 30_000_000;

/// Nodes with which they are found. Where there are more, reordering takes many times as long as the steps.
pub(crate) const FEW_NODES: usize = 300_000;

/// Steps that the search for the reachable states is worth if random walks have found tests already: about a minute.
pub(crate) const MANY_STEPS: u64 = 100_000_000;

/// Steps that the search for the reachable states is worth before SAT-based search is asked: about two seconds.
pub(crate) const DIAGRAMS_FIRST: u64 = 10_000_000;

/// Values tried and operators evaluated on random walks through a model that is not small: some seconds.
pub(crate) const GENERATE_WALK_WORK: u64 = 200_000_000;

/// Values tried and operators evaluated on random walks before SAT-based search, whose tests are better: about a second.
pub(crate) const FIRST_WALK_WORK: u64 = 50_000_000;

/// Steps in which the reachable states are found from which a goal may take long nevertheless: a fifth of a second; and operators
/// of such a model, if these states are few.
pub(crate) const SOME_STEPS: u64 = 1_000_000;
pub(crate) const SOME_OPERATORS: usize = 3_000;

/// Values tried and operators evaluated on the random walks that come first then: a fifth of a second.
pub(crate) const ASIDE_WALK_WORK: u64 = 10_000_000;

/// Operators of a model from which random walks come before anything is encoded: decision diagrams and clauses of larger models
/// may take seconds.
pub(crate) const MANY_OPERATORS: usize = 50_000;

/// Values on each side by which a focus is widened at most, to see what lies outside.
pub(crate) const WIDER_VALUES: u128 = 64;

/// Steps to explore a wider focus: about five seconds.
pub(crate) const WIDER_STEPS: u64 = 20_000_000;

/// Lines of a journal for all goals of a run: one is written after this fraction of the goals was decided, so that all lines
/// together look at each goal this often at most.
pub(crate) const JOURNAL_LINES: usize = 1000;

/// Steps after which a line is written anyway: some tenths of a second.
pub(crate) const JOURNAL_STEPS: u64 = 1_000_000;

/// How often a focus that is chosen automatically may grow.
pub(crate) const FOCUS_ROUNDS: i64 = 6;

/// How often it may grow in vain.
pub(crate) const FOCUS_PATIENCE: usize = 2;

/// Goals, in per mille, that a wider focus must cover in addition to be worth it.
pub(crate) const FOCUS_WORTH: usize = 10;

/// Values and constraints that the interpreter tries in the search for one step of a simulation: about ten seconds.
pub(crate) const WALK_WORK: u64 = 20_000_000;

/// Steps of decision diagrams for the reachable states of a machine that is audited: about a minute. Beyond them, mutants are
/// judged by SAT-based search. With reachable states, thousands of mutants are judged much faster and more is said of them.
pub(crate) const AUDIT_REACHABLE_STEPS: u64 = 250_000_000;

/// Steps of decision diagrams for the parts of all properties that do not matter, about a second; or as many as there were before.
pub(crate) const RELEVANCE_STEPS: u64 = 5_000_000;

/// Steps of decision diagrams for the questions whether other properties imply one, all together: about ten seconds. Most take
/// thousands of steps.
pub(crate) const IMPLICATION_STEPS: u64 = 50_000_000;
