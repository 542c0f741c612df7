//! How far work may go.

use specwright_mc::Options;
use specwright_syntax::budget::Budget;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How far work may go. By default as far as it takes, in 4 GiB of memory.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The time for each question: a property, a goal, a mutant.
    pub timeout: Option<Duration>,
    /// The nodes of all decision diagrams together.
    pub max_nodes: Option<usize>,
    /// The number of threads that may work; as many as there are processors if it is not given. No result depends on it.
    pub jobs: Option<NonZeroUsize>,
    /// When the time of the run is up, for work that cannot look at `cancel`. The caller cancels the rest then.
    pub deadline: Option<Instant>,
    /// Ends all work once it is set. What is known by then is the result.
    pub cancel: Arc<AtomicBool>,
    /// The memory in bytes that the decision diagrams of the next engine may take.
    pub memory: fn() -> usize,
    /// Whether more memory is in use than may be, which ends all work.
    pub is_out_of_memory: Option<fn() -> bool>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            timeout: None,
            max_nodes: None,
            jobs: None,
            deadline: None,
            cancel: Arc::default(),
            // The rest is for expressions, goals and tests.
            memory: || 3 << 30,
            is_out_of_memory: None,
        }
    }
}

impl Limits {
    /// The limits of an engine.
    pub fn options(&self) -> Options {
        Options { max_memory: (self.memory)(), max_nodes: self.max_nodes, budget: self.budget(), ..Options::default() }
    }

    /// The budget of all work.
    pub fn budget(&self) -> Budget {
        let budget = Budget::until(Arc::clone(&self.cancel)).with_time_per_query(self.timeout).with_jobs(self.jobs);
        match self.is_out_of_memory {
            Some(is_out) => budget.with_memory(is_out),
            None => budget,
        }
    }

    /// Lets work go on after a cancellation, for what has to be done with the results.
    pub(crate) fn resume(&self) {
        self.cancel.store(false, Ordering::Relaxed);
    }

    /// The same budget for work that cannot look at `cancel` and must know when the time of the run is up.
    pub fn budget_until_deadline(&self) -> Budget {
        self.budget().with_deadline(self.deadline)
    }

    /// Whether the work is to stop.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }
}
