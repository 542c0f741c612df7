//! Text to tree: lexing, parsing and printing of the languages that Specwright reads.
//!
//! This crate knows how specifications are *written*; what they mean is `specwright-model`'s business.
//! Parsing never fails: it returns a tree and the diagnostics found on the way.
#![forbid(unsafe_code)]

pub mod diagnostic;
pub mod op;
pub mod smv;
pub mod span;
