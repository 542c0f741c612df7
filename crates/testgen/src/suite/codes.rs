//! The codes of everything that can be wrong with a suite. A code never changes its meaning.

use specwright_syntax::diagnostic::Code;

/// Something else was expected here.
pub const UNEXPECTED: Code = Code("SUI001");

/// A variable that the model does not have.
pub const UNKNOWN_VARIABLE: Code = Code("SUI002");

/// A value that the variable cannot have.
pub const WRONG_VALUE: Code = Code("SUI003");

/// A variable that has two values in a state, or a name that two tests have.
pub const TWICE: Code = Code("SUI004");

/// A test without states, or a document without something that it must have.
pub const MISSING: Code = Code("SUI005");

/// A loop that does not start at a state of its test.
pub const BAD_LOOP: Code = Code("SUI006");

/// A test that is not an execution of the model, or is one although it expects to be rejected.
pub const NOT_AN_EXECUTION: Code = Code("SUI007");

/// A test that leaves open what the model does not decide.
pub const AMBIGUOUS: Code = Code("SUI008");

/// A suite that was made for another version of the model.
pub const MODEL_CHANGED: Code = Code("SUI009");

/// A document of another format, or of a version that is not known yet.
pub const WRONG_SCHEMA: Code = Code("SUI010");
