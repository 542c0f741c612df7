//! Sets of states as binary decision diagrams, and the only place that knows the package behind them.
//!
//! A [`Manager`] owns the nodes; a [`Bdd`] is a counted reference to one function. Every operation goes through the
//! manager, returns `Result<_, Limit>` and never aborts: running out of nodes, out of time or being interrupted is an
//! answer like any other. Variables come in pairs, `2k` for a current value and `2k + 1` for its next value; the order
//! of the pairs may change at any operation, but a pair stays together, current above next. Nothing a caller can observe
//! depends on that order, except sizes and times. This layer knows nothing of states, models or transitions.

mod apply;
mod budget;
mod interaction;
mod manager;
mod minimize;
mod pick;
mod query;
mod rename;
mod reorder;
mod sift;
#[cfg(test)]
mod tests;

use std::fmt;

use oxidd::bcdd::BCDDFunction;

pub use budget::Limit;
pub use manager::{Config, Manager, Reordering, Statistics};
pub use query::Count;

/// A BDD variable: even numbers are current values, odd numbers the next value of the one before.
pub type Var = u32;

/// A Boolean function of the manager's variables.
///
/// Cloning counts a reference. Two handles of one manager are equal exactly if their functions are, so handles serve as
/// keys of hash maps. Handles live in the thread of their manager.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Bdd(BCDDFunction);

impl fmt::Debug for Bdd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bdd({} nodes)", self.node_count())
    }
}
