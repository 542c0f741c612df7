//! Grading: which goals each test of a suite reaches, without a model checker.
//!
//! A goal is judged on a trace alone, under the weak end-of-trace semantics of [`specwright_model::interp::Path`],
//! which is the reference. This implementation is fast: all goals are compiled into one [`Grader`], a straight-line
//! program of bitwise operations with common subexpressions shared and one bit for each state of the trace.

mod atom;
mod block;
mod bounded;
mod columns;
mod expr_columns;
mod grader;
mod infection;
mod kills;
mod matrix;
mod missed;
mod plan;
mod program;
mod score;
mod trace_batch;
mod truth_vectors;
mod visible;

pub use grader::Grader;
pub(crate) use kills::{Comparison, Executions};
pub use kills::{KillSearch, add_kills, grade_mutants};
pub use matrix::{Bits, Matrix};
pub use missed::{GoalGrade, goal_grades, suggest, unasked_grades, undecided_grades, unreachable};
pub use program::Quantifiers;
pub use score::{Grade, Group, grade, grade_with};
pub use visible::{Hidden, Sight, Viewer};
