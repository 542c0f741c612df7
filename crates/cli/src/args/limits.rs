//! Limits, for every command that asks the engine.

use super::seconds;
use crate::console;
use clap::Args;
use specwright::Limits;
use std::num::NonZeroUsize;
use std::time::Duration;

/// Limits. A query that reaches one is undecided, and the run continues with the next.
#[derive(Clone, Debug, Args)]
pub struct LimitArgs {
    /// Time limit for each query: a property, a goal, a mutant
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Limits")]
    pub timeout: Option<f64>,
    /// Node limit of all decision diagrams together (does not depend on the speed of the machine)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1000..), help_heading = "Limits")]
    pub max_nodes: Option<u32>,
    /// Number of threads that work; all processors by default. Results do not depend on it
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256), help_heading = "Limits")]
    pub jobs: Option<u16>,
}

impl LimitArgs {
    /// These limits, within those of the run.
    pub fn limits(&self) -> Limits {
        Limits {
            timeout: self.timeout.map(Duration::from_secs_f64),
            max_nodes: self.max_nodes.map(|nodes| nodes as usize),
            jobs: self.jobs.and_then(|jobs| NonZeroUsize::new(jobs.into())),
            ..console::limits()
        }
    }
}
