//! What stops an operation: the deadline, the interrupt flag, the steps that are allowed, and the number of steps after
//! which a reordering pays.
//!
//! Recursions call [`Budget::step`] wherever they miss the cache, which costs a counter; the clock and the flag are read
//! once in [`POLL_INTERVAL`] steps, about ten times in a millisecond.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Steps between two looks at the clock and the interrupt flag.
const POLL_INTERVAL: u64 = 1024;

/// Why an operation gave no result. The manager stays usable after each of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// All nodes that may be there or fit in the memory limit are in use, even after garbage collection.
    Nodes,
    /// The deadline has passed.
    Time,
    /// All steps that were allowed have been taken.
    Steps,
    /// The interrupt flag is raised.
    Interrupted,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::Nodes => "limit of memory or nodes reached",
            Limit::Time => "time limit reached",
            Limit::Steps => "limit of steps reached",
            Limit::Interrupted => "interrupted",
        })
    }
}

impl std::error::Error for Limit {}

/// Why a recursion ended early: a limit for the caller, or a matter that the manager settles before it tries again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    Limit(Limit),
    OutOfNodes,
    /// The operation has grown past the point where a better order should be sought first.
    Reorder,
}

impl From<Limit> for Stop {
    fn from(limit: Limit) -> Self {
        Stop::Limit(limit)
    }
}

#[derive(Default)]
pub(crate) struct Budget {
    /// Counted since the manager was made; the same for the same work, whatever the machine.
    pub(crate) steps: u64,
    pub(crate) deadline: Option<Instant>,
    pub(crate) interrupt: Option<Arc<AtomicBool>>,
    /// The number of steps allowed, counted as `steps` is.
    pub(crate) most_steps: Option<u64>,
    next_poll: u64,
    reorder_at: u64,
}

impl Budget {
    /// Opens an operation: it stops with [`Stop::Reorder`] after `allowance` steps, if there is one.
    pub(crate) fn begin(&mut self, allowance: Option<u64>) -> Result<(), Limit> {
        self.reorder_at = allowance.map_or(u64::MAX, |n| self.steps + n);
        // Looking at the clock costs more than a small operation.
        if self.steps >= self.next_poll || self.interrupt.is_some() { self.poll() } else { Ok(()) }
    }

    #[inline]
    pub(crate) fn step(&mut self) -> Result<(), Stop> {
        self.steps += 1;
        if self.steps >= self.next_poll { self.slow_step() } else { Ok(()) }
    }

    #[cold]
    fn slow_step(&mut self) -> Result<(), Stop> {
        self.poll()?;
        if self.steps >= self.reorder_at { Err(Stop::Reorder) } else { Ok(()) }
    }

    /// Whether every operation stops at a limit now: the interrupt flag is raised, or all steps are taken.
    pub(crate) fn is_spent(&self) -> bool {
        self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
            || self.most_steps.is_some_and(|most| self.steps >= most)
    }

    /// Looks at the clock and the flag at once.
    pub(crate) fn poll(&mut self) -> Result<(), Limit> {
        if self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(Limit::Interrupted);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Limit::Time);
        }
        if self.most_steps.is_some_and(|most| self.steps >= most) {
            return Err(Limit::Steps);
        }
        // Only a look without result buys time: a limit is reported until it is lifted.
        self.next_poll = self.steps + POLL_INTERVAL;
        Ok(())
    }
}
