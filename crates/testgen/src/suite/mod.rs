//! Suites of tests: data, validation against their model, and file formats.

pub mod codes;
mod complete;
mod defined;
mod json;
mod names;
mod read;
mod test;
mod text;
mod validate;

pub use json::{SCHEMA, read_json, shell, tree, type_text, write_json};
pub use names::{Names, Raw};
pub use read::{Places, Read, read_suite};
pub use test::{Expect, GoalCounts, Suite, Test};
pub use text::{read_text, write_text};
pub use validate::{Invalid, Validated, executed, executions, validate};
