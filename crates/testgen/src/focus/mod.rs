//! Finite focus: tests from models that are too large, or infinite.
//!
//! Of chosen variables a finite number of values is kept; all others become one value, "other". A variable of its own,
//! `Sound`, is true as long as nothing has left the kept part, and then false for ever. Formulas are rewritten so that
//! nothing that happens without it counts, so every test of the reduced model is one of the whole model; and every test
//! is replayed there before anybody sees it. This is the reduction of Ammann and Black, "Abstracting formal
//! specifications to generate software tests via model checking" (1999).
//!
//! The reduced model has the variables and expressions of the whole one under the same ids, and more behind them. So
//! goals are made from the whole model (mutants first, rewriting afterwards), and traces come back by leaving out what
//! is new.

mod auto;
mod beyond;
mod constrain;
mod keep;
mod leave;
mod overview;
mod quantize;
mod reduce;
mod relevant;
mod restore;
mod rewrite;
mod steps;
mod stretch;
mod uses;

pub use auto::{propose, widen};
pub use beyond::{beyond, elsewhere, is_outside};
pub use keep::{Keep, KeepError};
pub use overview::Overview;
pub use quantize::{Quantity, Quantized, unquantizable};
pub use reduce::{Reduced, Unreducible, reduce};
pub use relevant::Relevant;
pub use restore::Unsound;
pub use rewrite::Reach;
