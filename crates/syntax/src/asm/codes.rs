//! The codes of everything that can be wrong with an AsmetaL file. A code never changes its meaning.
//!
//! 001–029: how it is written. 030–059: names and structure. 060–089: what cannot be finite, or is not
//! supported. 090 and on: what the evaluation of all values shows.

use crate::diagnostic::Code;

/// A term or rule is nested deeper than any stack should have to hold.
pub const TOO_DEEP: Code = Code("ASM001");

/// A character that no AsmetaL text may hold outside of comments, or a string or comment that does not end.
pub const INVALID_CHARACTER: Code = Code("ASM002");

/// A whole number beyond 64 bits.
pub const NUMBER_TOO_LARGE: Code = Code("ASM003");

/// Something else was expected here.
pub const UNEXPECTED: Code = Code("ASM004");

/// A rule or term that is not closed, or closed by the word of another.
pub const UNCLOSED: Code = Code("ASM005");

/// A file that cannot be imported.
pub const BAD_IMPORT: Code = Code("ASM030");

/// A name that is not declared.
pub const UNKNOWN_NAME: Code = Code("ASM031");

/// A name that is declared twice.
pub const DUPLICATE: Code = Code("ASM032");

/// A number of arguments that does not fit, or an argument of the wrong kind.
pub const BAD_ARGUMENTS: Code = Code("ASM033");

/// A value of the wrong kind, such as a number where a condition belongs.
pub const WRONG_KIND: Code = Code("ASM034");

/// An update of something that no rule may change.
pub const NOT_UPDATABLE: Code = Code("ASM035");

/// A static or derived function, or a domain, without a definition.
pub const NO_DEFINITION: Code = Code("ASM036");

/// No main rule.
pub const NO_MAIN: Code = Code("ASM037");

/// Definitions that go round in a circle.
pub const CIRCULAR: Code = Code("ASM038");

/// A definition of a function that changes, or an initial value of one that does not.
pub const MISPLACED: Code = Code("ASM039");

/// A domain without end, where a finite one is needed.
pub const UNBOUNDED: Code = Code("ASM060");

/// A machine that is too large once its rules are unfolded.
pub const TOO_LARGE: Code = Code("ASM061");

/// A construct of the language that is not supported.
pub const UNSUPPORTED: Code = Code("ASM062");

/// Something that has no end and is followed only so far: a sequence that grows, new elements of a domain.
pub const CUT: Code = Code("ASM063");

/// Two updates of one location that give it different values in one step.
pub const INCONSISTENT: Code = Code("ASM090");

/// An update that gives a location a value outside of its domain.
pub const OUTSIDE: Code = Code("ASM091");
