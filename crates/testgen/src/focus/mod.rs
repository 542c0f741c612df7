//! Finite focus: tests from models that are too large or infinite.
//!
//! Finitely many values of chosen variables are kept; all others become one value, "other". An additional variable,
//! `Sound`, is true as long as no variable has left the focus, and false from then on. Formulas are rewritten so that
//! unsound states do not count, so every test of the reduced model is one of the whole model; every test is replayed
//! there before it is returned. This is the reduction of Ammann and Black, "Abstracting formal specifications to
//! generate software tests via model checking" (1999).
//!
//! The reduced model has the variables and expressions of the whole one under the same ids, followed by new ones. So
//! goals are made from the whole model (first mutation, then rewriting), and traces are lifted by dropping the new
//! variables.

mod constrain;
mod keep;
mod lift;
mod other_value;
mod outside;
mod over_approximation;
mod propose;
mod quantize;
mod reduce;
mod relevant;
mod rewrite;

pub use keep::{Keep, KeepError};
pub use outside::{decide_outside, elsewhere, is_outside};
pub use over_approximation::OverApproximation;
pub use propose::{propose, widen};
pub use quantize::{Quantity, Quantized, unquantizable};
pub use reduce::{Reduced, Unreducible, reduce};
pub use relevant::relevant;
pub use rewrite::Reach;
