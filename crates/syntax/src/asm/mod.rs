//! AsmetaL, the language of Abstract State Machines that ASMETA reads.

pub mod ast;
pub mod codes;
mod lexer;
mod parse;

pub use parse::{parse, parse_term};
