//! Suites as JSON, for programs; the schema is `schemas/suite.schema.json`.
//!
//! Unknown fields are ignored, for compatibility with newer writers.

mod read;
pub mod tree;
mod types;
mod write;

pub use read::{read_json, shell};
pub use types::show_of as type_text;
pub use write::{SCHEMA, write_json};
