//! Suites of tests: what they are, whether they still fit their model, and how they are written to files and read back.

pub mod codes;
mod complete;
mod fit;
mod json;
mod names;
mod read;
mod test;
mod text;

pub use fit::{Fit, Misfit, executions, fit};
pub use json::{SCHEMA, read_json, shell, tree, type_text, write_json};
pub use names::{Names, Raw};
pub use read::{Places, Read, read_suite};
pub use test::{Expect, GoalCounts, Suite, Test};
pub use text::{read_text, write_text};
