//! Output formats of traces: text in the format of NuSMV, a table, and JSON.

mod defines;
mod json;
mod table;
mod text;

pub use defines::{Defines, define_text};
pub use json::{FormatError, FormatProblem, SCHEMA, StateJson, TraceJson, ValueJson, parse_word};
pub use table::{to_table, to_table_with};
pub use text::{TextOptions, to_text};
