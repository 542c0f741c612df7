//! Dangerous traces: tests that bring a system to where a plausible fault would violate a safety property.
//!
//! After Paul Ammann, Wei Ding and Daling Xu, "Using a model checker to test safety properties" (ICECCS 2001). A mutant
//! of the machine models a fault. A trace of the machine is *dangerous* if the mutant can depart from the machine at
//! its end and violate a safety property; a *failing* test continues to the violation, and must be rejected; a
//! *passing* test continues with a step of the machine, and must be accepted.
//!
//! Reading order: the changes of a mutant ([`changes`]), the safety properties ([`Invariant`]), dangerous mutants
//! ([`analyse`]), the tests for them ([`Tests`]), the adequacy of an existing suite ([`recognise`]), and the combined
//! machine as SMV ([`combined`]).

mod analyse;
mod changes;
mod combined;
mod cover;
mod invariant;
mod recognise;
mod tests;

pub use analyse::{Analysis, Class, Found, Known, analyse};
pub(crate) use changes::{Substitution, fairness};
pub use changes::{changes, places};
pub use combined::{Combined, combined};
pub use invariant::{Invariant, NoInvariant};
pub use recognise::{Adequacy, recognise};
pub use specwright_mc::Danger;
pub use tests::{Goal, Kind, Tests};
