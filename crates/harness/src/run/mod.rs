//! Runs tests on an implementation and judges its behaviour.
//!
//! Reading order: the messages ([`protocol`]), the connections (`link`, `process`, `http`), the inputs of each step
//! (`script`), state estimation (`state_estimate`), the two judges (`recorded`, `specification`), one test (`exchange`), all of
//! them ([`Runner`]), shrinking of failures (`shrink`) and [`variants`].

mod exchange;
mod http;
mod link;
mod outcome;
mod process;
pub mod protocol;
mod recorded;
mod recovery_path;
mod runner;
pub(crate) mod script;
mod shrink;
mod specification;
mod state_estimate;
pub mod variants;

pub use http::{BadAddress, Service};
pub use link::{Limits, TransportError};
pub use outcome::{Difference, ExchangeRecord, Outcome, Shrunk, Verdict};
pub use process::kill_all;
pub use runner::{Judging, Options, Report, Runner, Target};
pub use state_estimate::StateEstimate;
