//! The constrained finite state machine of a test, as the papers grade with: a machine that does nothing but the test,
//! and formulas rewritten so that nothing behind its end is a violation.
//!
//! Grading needs none of it. It is here to show that grading gives the same answers, and for people who want to
//! see them from another model checker: `specwright grade --emit-cfsm`.

mod machine;
mod rewrite;

pub use machine::cfsm;
pub(crate) use machine::fresh;
pub(crate) use rewrite::Rewriter;
