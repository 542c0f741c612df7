//! Diagnostic codes of suites. The meaning of a code never changes.

use specwright_syntax::diagnostic::Code;

/// An unexpected token.
pub const UNEXPECTED: Code = Code("SUI001");

/// A variable that the model does not have.
pub const UNKNOWN_VARIABLE: Code = Code("SUI002");

/// A value outside of the domain of the variable.
pub const WRONG_VALUE: Code = Code("SUI003");

/// A variable with two values in a state, or two tests with the same name.
pub const TWICE: Code = Code("SUI004");

/// A test without states, or a document without a required field.
pub const MISSING: Code = Code("SUI005");

/// A loop that does not start at a state of its test.
pub const BAD_LOOP: Code = Code("SUI006");

/// A test that is not an execution of the model, or is one although it expects to be rejected.
pub const NOT_AN_EXECUTION: Code = Code("SUI007");

/// A test with missing values that the model does not determine.
pub const AMBIGUOUS: Code = Code("SUI008");

/// A suite of another version of the model.
pub const MODEL_CHANGED: Code = Code("SUI009");

/// A document of another format, or of an unknown version.
pub const WRONG_SCHEMA: Code = Code("SUI010");
