#![doc = include_str!("../README.md")]

mod aig;
mod batsat;
#[cfg(feature = "cadical")]
mod cadical;
mod clauses;
mod narrow;
mod solver;

pub use aig::{Aig, Node, Signal, value};
pub use batsat::Batsat;
#[cfg(feature = "cadical")]
pub use cadical::Cadical;
pub use clauses::Clauses;
pub use narrow::Narrow;
pub use solver::{Lit, Outcome, Solver};
