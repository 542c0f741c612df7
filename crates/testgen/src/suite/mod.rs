//! Suites of tests: what they are, and how they are written to files and read back.

mod hash;
mod test;
#[cfg(test)]
mod testing;

pub use hash::model_hash;
pub use test::{Expect, GoalCounts, Suite, Test};
