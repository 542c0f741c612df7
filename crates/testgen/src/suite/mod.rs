//! Suites of tests: what they are, whether they still fit their model, and how they are written to files and read back.

mod complete;
mod fit;
mod hash;
mod test;

pub use fit::{Fit, Misfit, fit};
pub use hash::model_hash;
pub use test::{Expect, GoalCounts, Suite, Test};
