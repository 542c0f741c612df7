//! SCR tables: requirements as engineers write them. The format is read line by line; tables look like tables.

pub mod ast;
pub mod codes;
mod csv;
mod format;
mod lexer;
mod lines;
mod parse;

pub use csv::parse_csv;
pub use format::format;
pub use parse::parse;
