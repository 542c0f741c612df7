//! The codes of everything that can be wrong with an SMV file. A code never changes its meaning.
//!
//! 001–029: how it is written. 030–089: names, types, structure. 090 and on: what the evaluation of all values shows.

use crate::diagnostic::Code;

/// An expression is nested deeper than any stack should have to hold.
pub const TOO_DEEP: Code = Code("SMV001");
