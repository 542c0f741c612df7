//! Suites as JSON, the form that programs write and read; its schema is `schemas/suite.schema.json`.
//!
//! Fields that are not known are passed over, so that a newer writer does no harm to an older reader.

mod read;
pub mod tree;
mod types;
mod write;

pub use read::{read_json, shell};
pub use types::show as type_text;
pub use write::{SCHEMA, write_json};
