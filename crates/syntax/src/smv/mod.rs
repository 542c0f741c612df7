//! The SMV language in the dialects of NuSMV 2.6 and of the 1990s.

#[cfg(feature = "testing")]
pub mod arbitrary;
pub mod ast;
pub mod codes;
mod format;
mod grammar;
mod lexer;
mod literal;
mod parse;
pub mod print;
mod same;
mod token;

pub use format::format;
pub use parse::{parse, parse_expr, parse_sections};
pub use same::{same_expr, same_file};

/// Whether a word is reserved and cannot be a name.
pub fn is_reserved(word: &str) -> bool {
    token::Keyword::find(word).is_some()
}
