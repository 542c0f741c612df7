//! AIGER circuits: and-inverter graphs with latches, version 1.9 of the format.
//!
//! There is one parser, for the ASCII format (`.aag`). [`decode`] turns the binary format (`.aig`) into it, so spans and
//! diagnostics are about the same text, whichever format a file has.
//!
//! ```
//! use specwright_syntax::{aiger, span::SourceMap};
//!
//! let mut sources = SourceMap::default();
//! sources.add("toggle.aag", "aag 1 0 1 1 0\n2 3\n2\no0 on\n").expect("it is small");
//! let (circuit, diagnostics) = aiger::parse(&sources.files()[0]);
//! assert!(diagnostics.is_empty());
//! assert_eq!(circuit.latches[0].next.literal, 3);
//! ```

pub mod ast;
mod binary;
pub mod codes;
mod names;
mod order;
mod parse;
mod print;
pub mod witness;

pub use binary::decode;
pub use parse::parse;
pub use print::{ascii, binary, renumbered};

/// The largest number of variables of a circuit. The header of a small file can ask for any number.
const MAX_VARIABLES: u64 = 4_000_000;

/// The largest number of inputs and latches. Each is a variable of the model, which takes about two kilobytes; the binary format
/// has a million of them in 30 bytes.
const MAX_LEAVES: u64 = 500_000;
