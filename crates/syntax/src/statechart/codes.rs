//! Diagnostic codes of statecharts. The meaning of a code never changes.
//!
//! 001–029: syntax. 030–059: names and structure. 060–089: unsupported and unbounded constructs. 090 and on: findings about
//! the meaning.

use crate::diagnostic::Code;

/// A text that is no JSON, JavaScript, TypeScript or XML.
pub const SYNTAX: Code = Code("SC001");

/// A file that is too large or nested too deeply.
pub const TOO_LARGE: Code = Code("SC002");

/// A file without a chart, or with several.
pub const NO_CHART: Code = Code("SC003");

/// Something of the wrong kind, such as a number where a state belongs.
pub const WRONG_KIND: Code = Code("SC004");

/// A key, element or attribute that charts do not have.
pub const UNKNOWN_KEY: Code = Code("SC005");

/// A key that an object has twice.
pub const REPEATED_KEY: Code = Code("SC006");

/// A target that is no state.
pub const UNKNOWN_STATE: Code = Code("SC030");

/// A name that is given twice.
pub const DUPLICATE: Code = Code("SC031");

/// A compound state without an initial state, or a history state without a default transition.
pub const NO_INITIAL: Code = Code("SC032");

/// A combination that has no meaning, such as two targets that cannot be active together.
pub const BAD_STRUCTURE: Code = Code("SC033");

/// A variable that the context does not have.
pub const UNKNOWN_VARIABLE: Code = Code("SC034");

/// A construct that is not supported.
pub const UNSUPPORTED: Code = Code("SC060");

/// Code that cannot be read and may change the context.
pub const UNREADABLE: Code = Code("SC061");

/// A variable whose values have no bounds.
pub const UNBOUNDED: Code = Code("SC062");

/// A chart that is too large once its steps are unfolded.
pub const TOO_MANY_STEPS: Code = Code("SC063");

/// A delay that is not known.
pub const UNKNOWN_DELAY: Code = Code("SC064");

/// An actor that the tester stands for.
pub const MOCKED: Code = Code("SC065");

/// Eventless transitions or raised events without an end.
pub const ENDLESS: Code = Code("SC090");

/// A delayed event that is sent again while it waits.
pub const SENT_AGAIN: Code = Code("SC092");

/// An event that is sent to an actor that is not running.
pub const SENT_NOWHERE: Code = Code("SC093");

/// An error of an actor that no transition takes.
pub const UNHANDLED: Code = Code("SC094");

/// A transition that another one always precedes.
pub const SHADOWED: Code = Code("SC091");
