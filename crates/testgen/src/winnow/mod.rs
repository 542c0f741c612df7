//! Winnowing: removal of goals that distort scores.
//!
//! Consistent mutants cannot be killed and lower a score; trivial ones are killed by every test and raise it;
//! duplicates count several times. The remaining goals may still be related: the [`Subsumption`] relation contains the
//! goals that are implied by others. (Ammann and Black, "A specification-based coverage metric to evaluate test sets",
//! 2001, section 3.3; Kurtz, Ammann, Delamaro, Offutt and Deng, "Mutant subsumption graphs", 2014.)

mod classes;
mod compare;
mod exposure;
mod redundant;
mod subsumption;

pub use classes::{Classes, Distribution, Sameness, classes};
pub use compare::Winnower;
pub use redundant::{Redundant, Which, Winnowing, winnow};
pub use subsumption::{Subsumption, subsumption};
