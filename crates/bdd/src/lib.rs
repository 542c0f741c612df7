//! Binary decision diagrams: Boolean functions as shared, ordered graphs, on which all operations are fast.
//!
//! A [`Manager`] owns the nodes; a [`Bdd`] is a counted reference to one function. Every operation is a method of the
//! manager, returns `Result<_, Limit>` and never aborts: exhausted nodes, an expired deadline and an interrupt are
//! results, after which the manager stays usable.
//!
//! Variables come in pairs, `2k` for a current value and `2k + 1` for its next value, as transition relations need them.
//! The order of the pairs may change at any operation, but a pair stays together, current above next; [`Manager::group`]
//! keeps several pairs together. Nothing that a caller can observe depends on the order, except sizes and times.
//!
//! # Example
//!
//! The states that a counter of two bits reaches from zero, by repeated images of a transition relation:
//!
//! ```
//! use specwright_bdd::{Config, Limit, Manager};
//!
//! fn main() -> Result<(), Limit> {
//!     let manager = Manager::new(&Config::new(4)); // two pairs: low bit 0 and 1, high bit 2 and 3
//!     let [low, low_next, high, high_next] = [0, 1, 2, 3].map(|var| manager.var(var));
//!     let (low, low_next, high, high_next) = (low?, low_next?, high?, high_next?);
//!     // The low bit flips; the high bit flips where the low one was set.
//!     let flips = manager.xor(&low_next, &low)?;
//!     let carries = manager.iff(&high_next, &manager.xor(&high, &low)?)?;
//!     let relation = manager.and(&flips, &carries)?;
//!
//!     let current = manager.cube(&[0, 2])?;
//!     let mut reached = manager.minterm(&[(0, false), (2, false)])?;
//!     loop {
//!         let image = manager.successors(&reached, &relation, &current)?;
//!         let larger = manager.or(&reached, &image)?;
//!         if larger == reached {
//!             break;
//!         }
//!         reached = larger;
//!     }
//!     assert!(reached.is_true());
//!     Ok(())
//! }
//! ```

mod apply;
mod cache;
mod dot;
mod group;
mod image;
mod interaction;
mod limit;
mod manager;
mod ops;
mod pick;
mod query;
mod rename;
mod reorder_policy;
mod restrict;
mod sift;
mod store;
mod swap;
mod table;
#[cfg(test)]
mod tests;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use manager::Shared;
use store::Edge;

pub use image::Image;
pub use limit::{Limit, Limits, Scope};
pub use manager::capacity;
pub use manager::{Config, Manager, Reordering, Statistics};
pub use query::Count;

/// A BDD variable: even numbers are current values, odd numbers the next value of the one before.
pub type Var = u32;

/// A Boolean function of the manager's variables.
///
/// Cloning counts a reference. Two handles of one manager are equal exactly if their functions are, so handles serve as
/// keys of hash maps; handles of different managers are never equal, and operations panic on handles of another manager.
/// Handles live in the thread of their manager.
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
        self.edge == other.edge && Rc::ptr_eq(&self.shared, &other.shared)
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

/// The examples of the README, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
