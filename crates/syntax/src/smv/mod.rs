//! The SMV language, as NuSMV 2.6 takes it and as it was written in 1999.

#[cfg(feature = "testing")]
pub mod arbitrary;
pub mod ast;
pub mod codes;
mod grammar;
mod lexer;
mod literal;
mod parse;
pub mod print;
mod same;
mod token;

pub use parse::{parse, parse_expr};
pub use same::{same_expr, same_file};

/// Whether a word cannot be a name, because the language needs it.
pub fn is_reserved(word: &str) -> bool {
    token::Keyword::find(word).is_some()
}
