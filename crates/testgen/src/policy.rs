//! The policy of test generation: how far analyses, enumerations and searches go.
//!
//! Work is counted in steps of decision diagrams (operations that miss the cache), in values that the interpreter tries
//! and operators that it evaluates, or in items; no result depends on a clock. Times are orders of magnitude on the machine
//! where a number was chosen. The numbers of the engines are in `specwright_mc::policy`.

use specwright_model::interp::Limits;

// Focus and quantization.

/// Values of a variable from which on it is reduced: a focus is proposed for it, or it is quantized. Smaller domains take at
/// most six bits, which decision diagrams carry without harm.
pub(crate) const MANY_VALUES: u128 = 64;

/// Distance, in values, of a constant from the initial values up to which a proposed focus includes it.
pub(crate) const FOCUS_DISTANCE: u64 = 32;

/// Words that a focus may list one by one, as there are no ranges of them.
pub(crate) const KEPT_WORDS: u128 = 1 << 16;

/// Initial values of an input up to which each becomes a threshold of its quantization.
pub(crate) const THRESHOLD_INITIAL_VALUES: u128 = 16;

/// Values between two thresholds from which on they are represented by few, if the changes of the input are limited. Fewer
/// are kept one by one.
pub(crate) const MIN_GAP: i128 = 5;

/// Values that the interpreter tries to concretize one step of a quantized test.
pub(crate) const LIFT_WORK: u64 = 100_000;

/// States of a concretized test; where changes are limited, one quantized step takes many.
pub(crate) const LIFT_STATES: usize = 1 << 20;

/// Steps of decision diagrams to explore an over-approximation: about five seconds.
pub(crate) const OVER_APPROXIMATION_STEPS: u64 = 20_000_000;

// Reflection.

/// Products of a condition in disjunctive form; a condition with more is not split.
pub(crate) const EXPOUND_PRODUCTS: usize = 64;

/// Nodes of a condition in which definitions are written out; a longer one is not restated. Behaviour trees with a hundred
/// levels of definitions have more than 10^12.
pub(crate) const WRITTEN_OUT_NODES: usize = 10_000;

/// Values of a variable that are enumerated in the analysis of a condition.
pub(crate) const SCANNED_VALUES: u128 = 4096;

// Criteria.

/// Values of a variable up to which `transitions` asks for its changes: their number is quadratic.
pub(crate) const TRANSITION_VALUES: usize = 32;

/// Combinations of values for one set of inputs of `pairs`; more are left out, with a note.
pub(crate) const PAIR_COMBINATIONS: usize = 4096;

/// Operators and names of a formula up to which its text makes the id of a goal. Of two controllers of a grid world, 4,000 goals about
/// decisions with thousands of operators take as long to print as to cover.
pub(crate) const MAX_ID_NODES: u64 = 1000;

/// Conditions of a decision whose values are enumerated: at most 256 rows.
pub(crate) const MCDC_CONDITIONS: usize = 8;

/// Expressions that are visited to quantify out the choices of a step.
pub(crate) const CONTRADICTION_WORK: usize = 100_000;

/// Tuples of rules that a criterion may ask for; if there are more, they are left out, with a note.
pub(crate) const RULE_TUPLES: usize = 100_000;

/// Halves of pairs in a suite that are tried to be completed to a pair, for each goal.
pub(crate) const COMPLETED_PAIRS: usize = 16;

/// Conditions whose values the description of a goal of MC/DC lists. A decision with hundreds of conditions has as many
/// goals, and each description would list all of them.
pub(crate) const SHOWN_CONDITIONS: usize = 16;

// Mutants.

/// Values of a domain up to which every one replaces an initial value; of larger domains the neighbours and the ends do.
pub(crate) const INITIAL_VALUES: u128 = 16;

/// Nested `&` or `|` from which on mutants share the operands beside the mutated one. Shorter chains stay as they are written.
pub(crate) const LONG_CHAIN: usize = 8;

/// Combinations of values that are tried to see whether one mutated expression has a value everywhere.
pub(crate) const TOTALITY_CASES: u128 = 1 << 12;

/// Evaluated subexpressions for that question about all mutants together: a few seconds. Tables of a thousand rows have ten
/// thousand mutants, each with a thousand cases.
pub(crate) const TOTALITY_WORK: usize = 1 << 27;

// Generation.

/// Steps after which a test is no longer extended by default: longer tests are hard to read, and judging a test again after
/// every extension gets more expensive with its length.
pub(crate) const DEFAULT_MAX_LENGTH: usize = 200;

/// Other value orders that are tried for further tests of a goal.
pub(crate) const VARIANTS: usize = 8;

/// Values of a variable up to which their order is varied.
pub(crate) const VARIED_VALUES: u128 = 64;

/// Values tried and operators evaluated to find one step of a random walk.
pub(crate) const WALK_STEP_WORK: u64 = 2_000_000;

/// Attempts at a step that start again with other values, before one with all of the work for a step.
pub(crate) const WALK_ATTEMPTS: usize = 8;

/// The fraction of the work for a step that each of them takes.
pub(crate) const WALK_ATTEMPT_FRACTION: u64 = 32;

/// Random walks end once the share `1 / WALK_IDLE_FRACTION` of their work has gone by without a new state.
pub(crate) const WALK_IDLE_FRACTION: u64 = 50;

/// Values of all states that random walks store, which bounds their memory: some hundred megabytes.
pub(crate) const WALK_VALUES: usize = 20_000_000;

/// Maximal number of states of a random walk that differ in inputs alone.
pub(crate) const WALK_VARIANTS: usize = 256;

/// Number of values above which an input of a random walk is set to boundaries of comparisons.
pub(crate) const WALK_MANY_VALUES: u128 = 16;

/// Maximal number of parts of a condition that random walks follow to choose values of inputs.
pub(crate) const WALK_AIM_PARTS: usize = 4096;

/// Share of the attempts of a random walk, in percent, in which inputs are chosen for an open goal.
pub(crate) const WALK_AIMED: u32 = 40;

/// Maximal number of inputs for each comparison whose boundaries random walks look for.
pub(crate) const WALK_BOUNDARY_INPUTS: usize = 16;

/// Steps after which a random walk restarts from an initial state.
pub(crate) const WALK_RESTART: usize = 64;

/// Steps of a random walk between two calls of the observer.
pub(crate) const WALK_OBSERVE: usize = 256;

/// Values tried and operators evaluated between two calls of the observer at most: some tenths of a second.
pub(crate) const WALK_OBSERVE_WORK: u64 = 2_000_000;

// Finite state machines.

/// States of a machine that is listed.
pub(crate) const MACHINE_STATES: usize = 20_000;

/// Steps between states with inputs of a machine that is listed.
pub(crate) const MACHINE_STEPS: usize = 300_000;

/// States times inputs of a machine that is listed: about 300 megabytes.
pub(crate) const MACHINE_TABLE: usize = 4_000_000;

/// Values tried and operators evaluated to find the steps from one state.
pub(crate) const MACHINE_WORK: u64 = 10_000_000;

/// States of a minimal machine of which any two are told apart.
pub(crate) const MACHINE_PAIRS: usize = 1000;

/// Arcs that the search for the shortest tours may look at: a few seconds.
pub(crate) const TOUR_WORK: u64 = 200_000_000;

// Suites and grades.

/// States that agree with one partial state of a test; a test with more is not completed.
pub(crate) const AGREEING_STATES: usize = 1000;

/// Values tried and operators evaluated to complete one step of a test.
pub(crate) const COMPLETION_WORK: u64 = 1_000_000;

/// States that are compared with a state of a test that does not fit, to say which value is wrong.
pub(crate) const COMPARED_STATES: usize = 64;

/// Executions of a partial test that are enumerated.
pub(crate) const PARTIAL_EXECUTIONS: usize = 1000;

/// States to which loops with past operators are unrolled; a goal that needs more is not reached.
pub(crate) const UNROLLED_STATES: u64 = 1 << 16;

/// Words of 64 bits of all truth vectors at which kept traces are dropped: four megabytes, small enough for the caches of
/// processors if the goals allow; and while vectors have less than `MIN_BLOCK` words: 32 megabytes.
pub(crate) const TRUTH_WORDS: usize = 1 << 19;
pub(crate) const MOST_TRUTH_WORDS: usize = 1 << 22;

/// Words of 64 bits of all vectors by which a block of traces is judged: two megabytes, small enough for the second cache of
/// processors; and the least number of words of one vector, below which the steps cost more than their words. No result
/// depends on them.
pub(crate) const BLOCK_WORDS: usize = 1 << 18;
pub(crate) const MIN_BLOCK: usize = 16;

/// Tests for each thread below which a thread costs more than it saves. The result does not depend on it.
pub(crate) const TESTS_PER_THREAD: usize = 16;

// Mutants of machines, and visible kills.

/// Limits of the explicit search for a test that kills one mutant of the machine, where the engine of the run cannot decide.
/// Of an elevator with two lifts and an internal alarm, 482 of 492 mutants are undecided with 100 states, and none with 1,000,
/// in 1.8 s. Of a machine with 3,000 hidden states and choices, 14 of 52 are undecided with 1,000 in 0.8 s; with 10,000,
/// ten times as long is enough for 19 of them only.
pub(crate) const COMPARED: Limits = Limits { states: 1000, work: 200_000 };

/// Work for the first search for an execution in which a change of the machine has an effect: of SAT-based search, or steps of
/// decision diagrams. On a counter with a thousand million values, where it fails, 500, 8,000 and 100,000 give the same answers in
/// 8, 10 and 27 s.
pub(crate) const QUICK_EFFECT: u64 = 8000;

/// Mutants in a row of which an engine cannot decide within its limits whether a test kills them. Then the model is too large
/// for it, and further mutants get the quick search only. On the counter and on a semaphore, 2, 10 and 50 give the same answers in
/// the same time: it is a bound for larger models, where each mutant would take a second.
pub(crate) const MAX_UNDECIDED: usize = 10;

/// Branches of a `case` after a mutated one whose values are compared with its value. Each mutant may add a condition for each of
/// them; more would cost more than the executions that they save.
pub(crate) const COMPARED_BRANCHES: usize = 128;

/// Limits of executing tests on a mutant: the states in which either machine may be in all of their steps.
pub(crate) const EXECUTED: Limits = Limits { states: 1 << 20, work: 1_000_000 };

/// Tests that all mutants of the machine execute before those that are killed are dropped. The result does not depend on it.
pub(crate) const FIRST_BATCH: usize = 16;

/// Candidates of one state; with more, it is undecided whether a violation there is visible.
pub(crate) const MAX_CANDIDATES: u128 = 256;

/// Points at which tests are extended to show the violation of one mutant.
pub(crate) const EXTENDED_POINTS: usize = 8;

/// Points at which the violation of one mutant is looked at, until one shows it.
pub(crate) const MAX_POINTS: usize = 256;

/// Tests through a point that are executed on a candidate before it is asked whether any continuation tells it apart. The result
/// does not depend on it.
pub(crate) const TRIED_PLACES: usize = 8;

/// Inputs that are tried in the state with a violation, where the engine cannot decide.
pub(crate) const MAX_BEGINNINGS: usize = 64;

/// Limits of the explicit search for an execution that tells two states apart.
pub(crate) const TOLD_APART: Limits = Limits { states: 1000, work: 200_000 };

/// Explicit searches that may reach their limit. Then the system is too large, and no more are tried.
pub(crate) const MAX_TOO_LARGE: usize = 3;

// Minimization.

/// Nodes of the branch and bound times entries of the matrix, for one program: about a minute on the machine on which the
/// figures of the book were measured.
pub(crate) const SOLVER_EFFORT: u64 = 50_000_000;

/// Entries beyond which a matrix is not given to the solver: its first relaxation alone would take minutes.
pub(crate) const SOLVER_ENTRIES: u64 = 400_000;

/// Steps of a test that is joined from others.
pub(crate) const JOINED_STEPS: usize = 1000;

/// Parts of a property that an audit tries to do without. Each takes two checks; formulas written by people have fewer.
pub(crate) const RELEVANT_PARTS: usize = 200;

/// Mutants of the machine times tests up to which every mutant is executed on every test, to list all that each test kills:
/// some seconds. Above it, the first test that kills a mutant certainly is enough.
pub(crate) const EXECUTED_MUTANTS: usize = 500_000;

/// Steps of decision diagrams to find out whether every state of a mutant has a successor: about a second.
pub(crate) const AUDIT_TOTAL_STEPS: u64 = 5_000_000;

/// Steps of decision diagrams for the verdict on one mutant in an audit, and a multiple of those that the machine and its properties
/// took; the larger of both holds. Then SAT-based search is asked. Mutants that leave the reachable states of a machine may have
/// many more. Most mutants take thousands of steps.
pub(crate) const AUDIT_MUTANT_STEPS: u64 = 2_000_000;
pub(crate) const AUDIT_MUTANT_MULTIPLE: u64 = 10;

/// Steps of SAT-based search for each question about a mutant in an audit: about a second.
pub(crate) const AUDIT_SAT_STEPS: u64 = 100_000;

/// Executions kept of each property in an audit by SAT-based search, to be replayed on later mutants. A replay takes microseconds.
pub(crate) const AUDIT_REPLAYS: usize = 8;

/// Conditions of a missing property that SAT-based search tries to drop, each by a search.
pub(crate) const AUDIT_SAT_CONDITIONS: usize = 40;
