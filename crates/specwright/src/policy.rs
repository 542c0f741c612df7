//! The policy of the pipelines: how much work each attempt is worth.
//!
//! Work is counted in steps of decision diagrams (operations that miss the cache), in values that the interpreter tries,
//! or in items; no result depends on a clock. Times are orders of magnitude on the machine where a number was chosen. The
//! numbers of the engines are in `specwright_mc::policy`, those of test generation and of runs in their crates.

/// Values and constraints that the interpreter tries in the search for one step of a simulation: about ten seconds.
pub(crate) const WALK_WORK: u64 = 20_000_000;

/// Steps of decision diagrams to find out which goals of a page say the same: about ten seconds.
pub(crate) const PAGE_WINNOW_STEPS: u64 = 50_000_000;
