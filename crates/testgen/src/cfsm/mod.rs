//! The constrained finite state machine (CFSM) of a test, with which the papers grade: a machine whose only execution
//! is the test, and formulas rewritten so that nothing after its end is a violation.
//!
//! Grading does not need it. It serves as an oracle in tests, and for grading with another model checker: `specwright
//! grade --emit-cfsm`.

mod machine;
mod rewrite;

pub use machine::cfsm;
pub(crate) use machine::fresh;
pub(crate) use rewrite::Rewriter;
