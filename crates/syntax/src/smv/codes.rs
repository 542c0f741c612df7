//! Diagnostic codes of SMV. The meaning of a code never changes.
//!
//! 001–029: syntax. 030–089: names, types, structure. 090 and on: findings of the evaluation of all values.

use crate::diagnostic::Code;

/// An expression that is nested too deeply.
pub const TOO_DEEP: Code = Code("SMV001");

/// An invalid character outside of comments.
pub const INVALID_CHARACTER: Code = Code("SMV002");

/// An unterminated `/--` comment or quoted name.
pub const UNTERMINATED: Code = Code("SMV003");

/// An integer of more than 64 bits.
pub const NUMBER_TOO_LARGE: Code = Code("SMV004");

/// A word constant with an invalid width, digit or value.
pub const BAD_WORD: Code = Code("SMV005");

/// An unexpected token.
pub const UNEXPECTED: Code = Code("SMV006");

/// A parenthesis, bracket, brace or `case` that is not closed, or closed by the wrong sign.
pub const UNCLOSED: Code = Code("SMV007");

/// A `;` is missing.
pub const MISSING_SEMICOLON: Code = Code("SMV008");

/// An operator of another language, such as `==` or `&&`.
pub const FOREIGN_OPERATOR: Code = Code("SMV009");

/// `=` where `:=` is needed, or the other way round.
pub const WRONG_EQUALS: Code = Code("SMV010");

/// A section that does not exist.
pub const UNKNOWN_SECTION: Code = Code("SMV011");

/// A reserved word used as a name.
pub const RESERVED_WORD: Code = Code("SMV012");

/// A file without any module.
pub const NO_MODULE: Code = Code("SMV013");

/// A set, a `case` or a list without elements.
pub const EMPTY: Code = Code("SMV014");

/// A temporal formula that needs parentheses in its context.
pub const NEEDS_PARENTHESES: Code = Code("SMV015");

/// A construct of the language that is not supported.
pub const UNSUPPORTED: Code = Code("SMV016");

/// A construct of PSL that is not supported.
pub const UNSUPPORTED_PSL: Code = Code("SMV017");

/// A construct of another dialect.
pub const OTHER_DIALECT: Code = Code("SMV018");

/// A function with a wrong number of arguments.
pub const WRONG_ARITY: Code = Code("SMV019");

/// A module instance where a plain type is needed.
pub const MISPLACED_INSTANCE: Code = Code("SMV020");

/// A PSL property whose expansion is too large.
pub const PSL_TOO_LARGE: Code = Code("SMV021");

/// A name that includes the minus sign of the operator that follows it, as in `a->b`.
pub const SWALLOWED_MINUS: Code = Code("SMV022");

/// A section of an older dialect that has no effect.
pub const NO_EFFECT: Code = Code("SMV023");

/// A preprocessor directive; the preprocessor has not been run.
pub const PREPROCESSOR: Code = Code("SMV024");

/// More errors than are reported.
pub const TOO_MANY_ERRORS: Code = Code("SMV029");

/// There is no main module.
pub const NO_MAIN: Code = Code("SMV030");
/// A module is instantiated that does not exist.
pub const UNKNOWN_MODULE: Code = Code("SMV031");
/// A name is declared twice.
pub const DUPLICATE: Code = Code("SMV032");
/// A module contains itself.
pub const RECURSIVE_MODULE: Code = Code("SMV033");
/// A module gets more or fewer parameters than it has.
pub const WRONG_PARAMETERS: Code = Code("SMV034");
/// An unknown name.
pub const UNKNOWN_NAME: Code = Code("SMV035");
/// A name is both a symbolic constant and something else.
pub const AMBIGUOUS_NAME: Code = Code("SMV036");
/// A module instance where a value is needed, or the other way round.
pub const NOT_A_VALUE: Code = Code("SMV037");
/// A module without instances.
pub const UNUSED_MODULE: Code = Code("SMV038");
/// More module instances than are supported.
pub const TOO_MANY_INSTANCES: Code = Code("SMV039");
/// A bound, width or index that is not constant.
pub const NOT_CONSTANT: Code = Code("SMV040");
/// An empty range.
pub const EMPTY_RANGE: Code = Code("SMV041");
/// An invalid value of an enumeration.
pub const BAD_ENUM_VALUE: Code = Code("SMV042");
/// A word of width 0, or wider than supported.
pub const BAD_WIDTH: Code = Code("SMV043");
/// A type that is not allowed in its context, such as an array of modules.
pub const BAD_TYPE: Code = Code("SMV044");
/// A variable with only one value.
pub const SINGLE_VALUE: Code = Code("SMV045");
/// An operand of the wrong type.
pub const TYPE_MISMATCH: Code = Code("SMV050");
/// A number out of the range that its context allows: an index, a shift, bits, a bound.
pub const OUT_OF_RANGE: Code = Code("SMV051");
/// A condition or formula that is not boolean.
pub const NOT_BOOLEAN: Code = Code("SMV052");
/// A comparison that is never true.
pub const NEVER_EQUAL: Code = Code("SMV054");
/// A comparison of values of different kinds, which is false in the older dialect.
pub const COMPARED_KINDS: Code = Code("SMV055");
/// `next` in an expression over single states, or nested.
pub const MISPLACED_NEXT: Code = Code("SMV060");
/// An input variable in an expression over states.
pub const MISPLACED_INPUT: Code = Code("SMV061");
/// A temporal operator outside of a property of its logic, or below a non-temporal operator.
pub const MISPLACED_TEMPORAL: Code = Code("SMV062");
/// An assignment to something that is not a variable.
pub const NOT_ASSIGNABLE: Code = Code("SMV070");
/// A variable is assigned twice.
pub const ASSIGNED_TWICE: Code = Code("SMV071");
/// Circular definitions or assignments.
pub const CIRCULAR: Code = Code("SMV072");
/// A value that does not have the type of the variable.
pub const BAD_ASSIGNMENT: Code = Code("SMV073");

/// A number of more than 64 bits.
pub const OVERFLOW: Code = Code("SMV089");
/// A `case` whose branches do not cover all states.
pub const NO_BRANCH: Code = Code("SMV090");
/// An assignment of a value outside of the domain of its variable.
pub const BAD_VALUE: Code = Code("SMV091");
/// A division by zero.
pub const DIVISION_BY_ZERO: Code = Code("SMV092");
/// An index out of the bounds of its array.
pub const BAD_INDEX: Code = Code("SMV093");
/// A shift by a negative number, or by more than the width.
pub const BAD_SHIFT: Code = Code("SMV094");
/// An unbounded variable where only finite ones are supported.
pub const UNBOUNDED: Code = Code("SMV095");
/// No state is initial.
pub const NO_INITIAL_STATE: Code = Code("SMV096");
/// A reachable state without successors.
pub const DEADLOCK: Code = Code("SMV097");
/// Initial states from which no infinite fair path starts.
pub const NO_FAIR_PATH: Code = Code("SMV098");
/// A property that holds vacuously.
pub const VACUOUS: Code = Code("SMV099");
