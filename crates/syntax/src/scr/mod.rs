//! SCR tables in a line-based format.

pub mod ast;
pub mod codes;
mod csv;
mod format;
mod lexer;
mod lines;
mod marks;
mod parse;

pub use csv::parse_csv;
pub use format::format;
pub use parse::parse;
