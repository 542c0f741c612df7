//! Runs tests on an implementation and says what it thinks of what it sees.
//!
//! Reading order: the words that are exchanged ([`protocol`]), the ways to exchange them (`link`, `process`, `http`), what
//! is sent when (`script`), the states of the specification that agree with what was seen (`belief`), the two judges
//! (`recorded`, `specification`), one test (`exchange`), all of them ([`Runner`]), and what is made of failures
//! (`shrink`, [`variants`]).

mod belief;
mod exchange;
mod http;
mod link;
mod outcome;
mod process;
pub mod protocol;
mod recorded;
mod runner;
pub(crate) mod script;
mod shrink;
mod specification;
mod steer;
pub mod variants;

pub use belief::Belief;
pub use http::{BadAddress, Service};
pub use link::{Limits, Trouble};
pub use outcome::{Difference, Moment, Outcome, Verdict};
pub use process::kill_all;
pub use runner::{Judging, Options, Report, Runner, Target};
