//! Winnowing: goals that make a score say less than it seems to.
//!
//! Consistent mutants cannot be killed and lower a score; trivial ones are killed by every test and raise it; of
//! duplicates, one says all. What is left may still say much the same: the [`Subsumption`] tells which goals come for
//! free with others. (Ammann and Black, "A specification-based coverage metric to evaluate test sets", 2001, section 3.3;
//! Kurtz, Ammann, Delamaro, Offutt and Deng, "Mutant subsumption graphs", 2014.)

mod classes;
mod moment;
mod sift;
mod subsumption;
mod winnower;

pub use classes::{Classes, Distribution, Sameness, classes};
pub use sift::{Chaff, Which, Winnowing, winnow};
pub use subsumption::{Subsumption, subsumption};
pub use winnower::Winnower;
