//! Diagnostic codes of SCR tables. The meaning of a code never changes.
//!
//! 001–019: syntax. 020–049: names, types, structure. 050 and on: findings of the evaluation of all values.

use crate::diagnostic::Code;

/// A line that belongs to no section.
pub const NO_SECTION: Code = Code("SCR001");
/// An unexpected token.
pub const UNEXPECTED: Code = Code("SCR002");
/// An invalid character.
pub const INVALID_CHARACTER: Code = Code("SCR003");
/// An expression that is too long or too deeply nested.
pub const TOO_DEEP: Code = Code("SCR004");
/// An operator of another language.
pub const FOREIGN_OPERATOR: Code = Code("SCR005");
/// A row with too few or too many cells.
pub const WRONG_CELLS: Code = Code("SCR006");
/// A cell of a matrix that is not one of `@T @F t f -`.
pub const BAD_SIGN: Code = Code("SCR007");
/// An event or condition table without a row of values.
pub const NO_VALUES: Code = Code("SCR008");
/// A table without rows, or a matrix without conditions.
pub const EMPTY_TABLE: Code = Code("SCR009");
/// A cell without content.
pub const EMPTY_CELL: Code = Code("SCR010");

/// A name that is not declared.
pub const UNKNOWN_NAME: Code = Code("SCR020");
/// A name that is declared twice.
pub const DUPLICATE: Code = Code("SCR021");
/// A type that does not exist or has no values.
pub const BAD_TYPE: Code = Code("SCR022");
/// Operands of incompatible types.
pub const TYPE_MISMATCH: Code = Code("SCR023");
/// A value that a variable cannot have.
pub const BAD_VALUE: Code = Code("SCR024");
/// A mode that its class does not have.
pub const UNKNOWN_MODE: Code = Code("SCR025");
/// A condition where an event is needed.
pub const NOT_AN_EVENT: Code = Code("SCR026");
/// An event or a primed value outside of a step.
pub const MISPLACED_EVENT: Code = Code("SCR027");
/// `Inmode` outside of a row with a mode.
pub const MISPLACED_INMODE: Code = Code("SCR028");
/// A table of the wrong kind for the variable.
pub const WRONG_TABLE: Code = Code("SCR029");
/// Two tables for one variable.
pub const TWO_TABLES: Code = Code("SCR030");
/// A variable that no table defines.
pub const NO_TABLE: Code = Code("SCR031");
/// Circular dependencies between the new values of tables.
pub const CIRCULAR: Code = Code("SCR032");
/// A variable without an initial value.
pub const NO_INITIAL_VALUE: Code = Code("SCR033");
/// A mode without a row in a condition table.
pub const MISSING_MODE: Code = Code("SCR034");
/// A mode without a row in an event table.
pub const UNMENTIONED_MODE: Code = Code("SCR035");
/// A constant whose value is not a constant expression.
pub const NOT_CONSTANT: Code = Code("SCR036");
/// An assumption about a variable that the environment does not control.
pub const BAD_ASSUMPTION: Code = Code("SCR037");
/// A property that cannot be expressed.
pub const BAD_PROPERTY: Code = Code("SCR038");

/// `DUR` without a unit of time, or compared with something else than a constant.
pub const BAD_DURATION: Code = Code("SCR039");

/// A real number where none can be.
pub const BAD_REAL: Code = Code("SCR040");

/// Two rows that fire at once with different results.
pub const OVERLAP: Code = Code("SCR050");
/// A condition table without a value for some state.
pub const INCOMPLETE: Code = Code("SCR051");
/// A mode that is never entered.
pub const UNREACHABLE_MODE: Code = Code("SCR052");
/// A row that never fires.
pub const DEAD_ROW: Code = Code("SCR053");
/// An initial value that contradicts the table.
pub const BAD_INITIAL_VALUE: Code = Code("SCR054");
/// Conditions on first states that no state satisfies.
pub const NO_FIRST_STATE: Code = Code("SCR055");
/// A gap of a condition table that no execution reaches.
pub const UNREACHABLE_GAP: Code = Code("SCR056");
