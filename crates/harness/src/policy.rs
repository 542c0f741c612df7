//! The policy of runs: how far estimates of states, ways back to a test and shrinking go.
//!
//! Work is counted in states, in values that the interpreter tries, or in steps of decision diagrams; no verdict depends on
//! a clock but for the time in which a program has to answer. Limits of templates are in `export/limits.rs`.

/// States of an estimate that are listed one by one; beyond, decision diagrams represent it.
pub(crate) const ESTIMATE_STATES: usize = 1000;

/// Values tried and operators evaluated for one step of an estimate that is listed.
pub(crate) const ESTIMATE_WORK: u64 = 1_000_000;

/// Steps of decision diagrams for each query about an estimate: about 20 seconds.
pub(crate) const ESTIMATE_STEPS: u64 = 100_000_000;

/// States that are visited in the search for a way back to a test.
pub(crate) const RECOVERY_STATES: usize = 20_000;

/// Values tried and operators evaluated for each state of that search.
pub(crate) const RECOVERY_WORK: u64 = 100_000;

/// Runs of the implementation to shrink one failing test.
pub(crate) const SHRINK_RUNS: usize = 2000;

/// Steps of the implementation and of the specification to shrink one failing test.
pub(crate) const SHRINK_STEPS: usize = 200_000;

/// Candidates with other inputs in one place; tests that have more of them are not tried.
pub(crate) const SHRINK_REPLACEMENTS: usize = 1000;

/// Pairs of states of a failing test between which a direct step is looked for.
pub(crate) const SHRINK_JUMPS: usize = 20_000;

/// Initial states from which other ways to a failure are looked for.
pub(crate) const SHRINK_STARTS: usize = 64;

/// Values tried and operators evaluated to find these initial states.
pub(crate) const SHRINK_WORK: u64 = 100_000;

/// Attempts after which a step counts as refused by the implementation; three times as many if values are left open.
pub(crate) const STEP_ATTEMPTS: usize = 3;
