//! AsmetaL, the language of Abstract State Machines in ASMETA.

pub mod ast;
pub mod codes;
mod lexer;
mod parse;

pub use parse::{parse, parse_rule, parse_term};
