//! Dangerous traces: tests that put a system where it could plausibly go wrong, and see that it does not.
//!
//! After Paul Ammann, Wei Ding and Daling Xu, "Using a model checker to test safety properties" (ICECCS 2001). A mutant
//! of the machine says what could go wrong. A trace of the machine is *dangerous* if the mutant can depart from the
//! machine at its end and break a safety property; a *failing* test goes on to the violation, and must be refused; a
//! *passing* test goes on with a step of the machine, and must be accepted.
//!
//! Reading order: what a mutant changes of the steps ([`changes`]), what there is to protect ([`Invariant`]), which
//! mutants are dangerous ([`analyse`]), the tests for them ([`Tests`]), what an existing suite is adequate for
//! ([`recognise`]), and both machines in one as SMV ([`combined`]).

mod analyse;
mod changes;
mod combined;
mod cover;
mod invariant;
mod recognise;
mod tests;

pub use analyse::{Analysis, Class, Found, analyse};
pub use changes::changes;
pub use combined::{Combined, combined};
pub use invariant::{Invariant, NoInvariant};
pub use recognise::{Adequacy, recognise};
pub use specwright_mc::Danger;
pub use tests::{Goal, Kind, Tests};
