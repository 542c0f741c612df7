//! The codes of everything that can be wrong with an SMV file. A code never changes its meaning.
//!
//! 001–029: how it is written. 030–089: names, types, structure. 090 and on: what the evaluation of all values shows.

use crate::diagnostic::Code;

/// An expression is nested deeper than any stack should have to hold.
pub const TOO_DEEP: Code = Code("SMV001");

/// A character that no SMV text may hold outside of comments.
pub const INVALID_CHARACTER: Code = Code("SMV002");

/// A `/--` comment or a quoted name that does not end.
pub const UNTERMINATED: Code = Code("SMV003");

/// A whole number beyond 64 bits.
pub const NUMBER_TOO_LARGE: Code = Code("SMV004");

/// A word constant with a width, a digit or a value that it cannot have.
pub const BAD_WORD: Code = Code("SMV005");

/// Something else was expected here.
pub const UNEXPECTED: Code = Code("SMV006");

/// A parenthesis, bracket, brace or `case` that is never closed, or closed by the wrong sign.
pub const UNCLOSED: Code = Code("SMV007");

/// A `;` is missing.
pub const MISSING_SEMICOLON: Code = Code("SMV008");

/// An operator of another language, such as `==` or `&&`.
pub const FOREIGN_OPERATOR: Code = Code("SMV009");

/// `=` where `:=` belongs, or the other way round.
pub const WRONG_EQUALS: Code = Code("SMV010");

/// A section that does not exist.
pub const UNKNOWN_SECTION: Code = Code("SMV011");

/// A reserved word where a name belongs.
pub const RESERVED_WORD: Code = Code("SMV012");

/// A file without any module.
pub const NO_MODULE: Code = Code("SMV013");

/// A set, a `case` or a list without elements.
pub const EMPTY: Code = Code("SMV014");

/// A temporal formula that needs parentheses where it stands.
pub const NEEDS_PARENTHESES: Code = Code("SMV015");

/// A construct of the language that is not supported.
pub const UNSUPPORTED: Code = Code("SMV016");

/// A construct of PSL that is not supported.
pub const UNSUPPORTED_PSL: Code = Code("SMV017");

/// A construct of another dialect.
pub const OTHER_DIALECT: Code = Code("SMV018");

/// A function with too few or too many arguments.
pub const WRONG_ARITY: Code = Code("SMV019");

/// A module instance where only a value can be.
pub const MISPLACED_INSTANCE: Code = Code("SMV020");

/// A property of PSL that becomes too large when it is written out.
pub const PSL_TOO_LARGE: Code = Code("SMV021");

/// A name that has swallowed the minus sign of the operator that follows it, as `a->b` does.
pub const SWALLOWED_MINUS: Code = Code("SMV022");

/// A section of an older dialect that has no effect.
pub const NO_EFFECT: Code = Code("SMV023");

/// A line for a preprocessor that has not been run.
pub const PREPROCESSOR: Code = Code("SMV024");

/// More errors than are worth reading.
pub const TOO_MANY_ERRORS: Code = Code("SMV029");
