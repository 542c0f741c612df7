//! Diagnostic codes of AsmetaL. The meaning of a code never changes.
//!
//! 001–029: syntax. 030–059: names and structure. 060–089: infinite and unsupported constructs. 090 and on: findings of
//! the evaluation of all values.

use crate::diagnostic::Code;

/// A term or rule that is nested too deeply.
pub const TOO_DEEP: Code = Code("ASM001");

/// An invalid character outside of comments, or an unterminated string or comment.
pub const INVALID_CHARACTER: Code = Code("ASM002");

/// An integer of more than 64 bits.
pub const NUMBER_TOO_LARGE: Code = Code("ASM003");

/// An unexpected token.
pub const UNEXPECTED: Code = Code("ASM004");

/// A rule or term that is not closed, or closed by the wrong keyword.
pub const UNCLOSED: Code = Code("ASM005");

/// A file that cannot be imported.
pub const BAD_IMPORT: Code = Code("ASM030");

/// A name that is not declared.
pub const UNKNOWN_NAME: Code = Code("ASM031");

/// A name that is declared twice.
pub const DUPLICATE: Code = Code("ASM032");

/// A wrong number of arguments, or an argument of the wrong kind.
pub const BAD_ARGUMENTS: Code = Code("ASM033");

/// A value of the wrong kind, such as a number where a condition belongs.
pub const WRONG_KIND: Code = Code("ASM034");

/// An update of a function that rules may not change.
pub const NOT_UPDATABLE: Code = Code("ASM035");

/// A static or derived function, or a domain, without a definition.
pub const NO_DEFINITION: Code = Code("ASM036");

/// No main rule.
pub const NO_MAIN: Code = Code("ASM037");

/// Circular definitions.
pub const CIRCULAR: Code = Code("ASM038");

/// A definition of a function that changes, or an initial value of one that does not.
pub const MISPLACED: Code = Code("ASM039");

/// A variable outside of the scope that binds it.
pub const UNBOUND: Code = Code("ASM040");

/// An infinite domain where a finite one is needed.
pub const UNBOUNDED: Code = Code("ASM060");

/// A machine that is too large once its rules are unfolded.
pub const TOO_LARGE: Code = Code("ASM061");

/// A construct of the language that is not supported.
pub const UNSUPPORTED: Code = Code("ASM062");

/// An infinite structure that is bounded: a growing sequence, new elements of a domain.
pub const CUT: Code = Code("ASM063");

/// Inconsistent updates: one location gets different values in one step.
pub const INCONSISTENT: Code = Code("ASM090");

/// An update that gives a location a value outside of its domain.
pub const OUTSIDE: Code = Code("ASM091");
