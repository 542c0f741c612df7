//! Sets of states as binary decision diagrams: the package behind the engine.
//!
//! A [`Manager`] owns the nodes; a [`Bdd`] is a counted reference to one function. Every operation goes through the
//! manager, returns `Result<_, Limit>` and never aborts: running out of nodes, out of time or being interrupted is an
//! answer like any other. Variables come in pairs, `2k` for a current value and `2k + 1` for its next value; the order
//! of the pairs may change at any operation, but a pair stays together, current above next. Nothing a caller can observe
//! depends on that order, except sizes and times. This layer knows nothing of states, models or transitions.

mod apply;
mod budget;
mod cache;
mod interaction;
mod manager;
mod minimize;
mod ops;
mod pick;
mod query;
mod rename;
mod sift;
mod store;
mod swap;
mod table;
#[cfg(test)]
mod tests;
mod upkeep;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use manager::Shared;
use store::Edge;

pub use budget::Limit;
pub(crate) use manager::capacity;
pub use manager::{Config, Manager, Reordering, Statistics};
pub use query::Count;

/// A BDD variable: even numbers are current values, odd numbers the next value of the one before.
pub type Var = u32;

/// A Boolean function of the manager's variables.
///
/// Cloning counts a reference. Two handles of one manager are equal exactly if their functions are, so handles serve as
/// keys of hash maps. Handles live in the thread of their manager.
pub struct Bdd {
    shared: Rc<Shared>,
    edge: Edge,
}

impl Bdd {
    fn new(shared: &Rc<Shared>, edge: Edge) -> Self {
        shared.retain(edge);
        Bdd { shared: Rc::clone(shared), edge }
    }
}

impl Clone for Bdd {
    fn clone(&self) -> Self {
        Bdd::new(&self.shared, self.edge)
    }
}

impl Drop for Bdd {
    fn drop(&mut self) {
        self.shared.release(self.edge);
    }
}

impl PartialEq for Bdd {
    fn eq(&self, other: &Self) -> bool {
        debug_assert!(Rc::ptr_eq(&self.shared, &other.shared), "functions of different managers");
        self.edge == other.edge
    }
}

impl Eq for Bdd {}

impl Hash for Bdd {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.edge.hash(state);
    }
}

impl fmt::Debug for Bdd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bdd({} nodes)", self.node_count())
    }
}
