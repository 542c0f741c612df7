//! Criteria of finite state machines, with what their suites guarantee.
//!
//! Reading order: the machine of a model ([`Explicit`]), machines of numbers ([`Machine`]), words that tell states apart
//! ([`Separators`]), the W, Wp and HSI methods (`checking`), tours ([`tours`]), and the goals and tests of a criterion
//! ([`Plan`]).

mod checking;
mod explicit;
mod machine;
mod plan;
mod separate;
#[cfg(test)]
mod tests;
mod tour;
mod trie;

pub use checking::{Method, words};
pub use explicit::{Explicit, Form, NoMachine};
pub use machine::{Machine, Move, Word};
pub use plan::{Guarantee, Plan, Sequence, is_fsm, plan, premade};
pub use separate::Separators;
pub use tour::{Arc, Tours, tours};
pub use trie::{TooLong, Trie};
