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

/// There is no module to start from.
pub const NO_MAIN: Code = Code("SMV030");
/// A module is instantiated that does not exist.
pub const UNKNOWN_MODULE: Code = Code("SMV031");
/// A name is declared twice.
pub const DUPLICATE: Code = Code("SMV032");
/// A module contains itself.
pub const RECURSIVE_MODULE: Code = Code("SMV033");
/// A module gets more or fewer parameters than it has.
pub const WRONG_PARAMETERS: Code = Code("SMV034");
/// Nothing has that name.
pub const UNKNOWN_NAME: Code = Code("SMV035");
/// A name is both a symbolic constant and something else.
pub const AMBIGUOUS_NAME: Code = Code("SMV036");
/// A module instance stands where a value is needed, or the other way round.
pub const NOT_A_VALUE: Code = Code("SMV037");
/// A module that nobody instantiates.
pub const UNUSED_MODULE: Code = Code("SMV038");
/// More module instances than any model needs.
pub const TOO_MANY_INSTANCES: Code = Code("SMV039");
/// A bound, width or index must be a constant and is none.
pub const NOT_CONSTANT: Code = Code("SMV040");
/// A range without values.
pub const EMPTY_RANGE: Code = Code("SMV041");
/// Something in an enumeration that cannot be one of its values.
pub const BAD_ENUM_VALUE: Code = Code("SMV042");
/// A word of no bits, or of more bits than are supported.
pub const BAD_WIDTH: Code = Code("SMV043");
/// A type that cannot stand there, such as an array of modules.
pub const BAD_TYPE: Code = Code("SMV044");
/// A variable that can only have one value.
pub const SINGLE_VALUE: Code = Code("SMV045");
/// An operand of the wrong type.
pub const TYPE_MISMATCH: Code = Code("SMV050");
/// A number outside of what its place allows: an index, a shift, bits, a bound.
pub const OUT_OF_RANGE: Code = Code("SMV051");
/// A condition or formula that is not boolean.
pub const NOT_BOOLEAN: Code = Code("SMV052");
/// A comparison that cannot come out true.
pub const NEVER_EQUAL: Code = Code("SMV054");
/// A comparison of things of different kinds, which the older dialect takes for false.
pub const COMPARED_KINDS: Code = Code("SMV055");
/// `next` where there is no next state to speak of, or inside another `next`.
pub const MISPLACED_NEXT: Code = Code("SMV060");
/// An input variable where only states count.
pub const MISPLACED_INPUT: Code = Code("SMV061");
/// A temporal operator outside of a property of its logic, or below a plain operator.
pub const MISPLACED_TEMPORAL: Code = Code("SMV062");
/// Something is assigned that is not a variable.
pub const NOT_ASSIGNABLE: Code = Code("SMV070");
/// A variable is assigned twice.
pub const ASSIGNED_TWICE: Code = Code("SMV071");
/// Definitions or assignments that need each other.
pub const CIRCULAR: Code = Code("SMV072");
/// The value has not the type of the variable.
pub const BAD_ASSIGNMENT: Code = Code("SMV073");

/// A number of more than 64 bits.
pub const OVERFLOW: Code = Code("SMV089");
/// A `case` without a branch for every situation.
pub const NO_BRANCH: Code = Code("SMV090");
/// An assignment that can give a value that its variable cannot have.
pub const BAD_VALUE: Code = Code("SMV091");
/// A division by zero.
pub const DIVISION_BY_ZERO: Code = Code("SMV092");
/// An index that can be outside of its array.
pub const BAD_INDEX: Code = Code("SMV093");
/// A shift by a negative number, or by more than the width.
pub const BAD_SHIFT: Code = Code("SMV094");
/// A variable without bounds where only finite ones can be.
pub const UNBOUNDED: Code = Code("SMV095");
/// No state is initial.
pub const NO_INITIAL_STATE: Code = Code("SMV096");
/// A reachable state without successors.
pub const DEADLOCK: Code = Code("SMV097");
/// Initial states from which no infinite fair path starts.
pub const NO_FAIR_PATH: Code = Code("SMV098");
/// A property that holds for want of a case.
pub const VACUOUS: Code = Code("SMV099");
