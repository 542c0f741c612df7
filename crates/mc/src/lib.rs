//! Symbolic model checking: sets of states as decision diagrams.
//!
//! A model is encoded once and then asked many questions; whatever one of them computes, the next ones find ready. Every
//! trace that leaves this crate was replayed by the explicit interpreter of `specwright-model`.

mod answer;
mod definedness;
mod explicit;
mod ltl;
mod portfolio;
mod query;
mod search;
mod symbolic;

pub use specwright_bdd as bdd;

pub use answer::{Answer, Proof, Reason, Witness};
pub use definedness::{Definedness, definedness};
pub use explicit::Explicit;
pub use portfolio::{Cones, Portfolio};
pub use query::Query;
pub use search::{ExtendTrace, Search, Sink, SmvExplain, TargetId};
pub use symbolic::agree::Agreement;
pub use symbolic::check::{Quantity, Sanity};
pub use symbolic::distinguish::{CompiledGoal, Ends, States, ViolationKey};
pub use symbolic::estimate::StateEstimate;
pub use symbolic::machine::Part;
pub use symbolic::machines::danger::{Danger, Dangers, Failing};
pub use symbolic::machines::variant::{Effect, Variant};
pub use symbolic::{BuildError, Options, Symbolic, Undefined, UndefinedReason};
