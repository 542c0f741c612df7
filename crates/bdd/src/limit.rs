//! Limits of operations: the deadline, the interrupt flag, the number of steps, and the number of steps after which
//! reordering pays. Limits hold while their [`Scope`] is alive.
//!
//! Recursions call [`Budget::step`] on every cache miss, which increments a counter; the clock and the flag are checked
//! every [`POLL_INTERVAL`] steps, about ten times in a millisecond.

use crate::Manager;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Number of steps between two checks of the clock and the interrupt flag.
const POLL_INTERVAL: u64 = 1024;

/// Why an operation has no result. The manager stays usable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// The node limit or the memory limit is reached, even after garbage collection.
    Nodes,
    /// The deadline has passed.
    Time,
    /// The step limit is reached.
    Steps,
    /// The interrupt flag is set.
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

/// Limits of operations. The default is none.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Steps that operations may take together, from now on. Steps do not depend on the machine's speed.
    pub steps: Option<u64>,
    /// The instant at which operations stop with [`Limit::Time`]. They notice within about a millisecond, reorderings after
    /// the current pair of variables.
    pub deadline: Option<Instant>,
    /// Operations stop with [`Limit::Interrupted`] while this flag is set, as quickly as for a deadline.
    pub interrupt: Option<Arc<AtomicBool>>,
}

/// Limits that hold until this is dropped; then those from before hold again. See [`Manager::enter`].
#[must_use = "the limits hold as long as the scope is alive"]
pub struct Scope {
    manager: Manager,
    /// What held before.
    deadline: Option<Instant>,
    most_steps: Option<u64>,
    interrupt: Option<Arc<AtomicBool>>,
}

impl Scope {
    pub(crate) fn new(manager: &Manager, limits: &Limits) -> Scope {
        let mut store = manager.store_mut();
        let Budget { steps, deadline, most_steps, .. } = store.budget;
        let most = limits.steps.map(|more| steps.saturating_add(more));
        store.budget.most_steps = earliest(most_steps, most);
        store.budget.poll_by(most);
        store.budget.deadline = earliest(deadline, limits.deadline);
        let interrupt = store.budget.interrupt.clone();
        store.budget.interrupt = limits.interrupt.clone().or_else(|| interrupt.clone());
        drop(store);
        Scope { manager: manager.clone(), deadline, most_steps, interrupt }
    }
}

impl Drop for Scope {
    fn drop(&mut self) {
        let budget = &mut self.manager.store_mut().budget;
        (budget.deadline, budget.most_steps) = (self.deadline, self.most_steps);
        budget.interrupt = self.interrupt.take();
    }
}

/// The smaller of two limits.
fn earliest<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

/// Why a recursion ended early: a limit for the caller, or a condition that the manager handles before it retries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    Limit(Limit),
    OutOfNodes,
    /// The operation is so long that a better order should be found first.
    Reorder,
}

impl From<Limit> for Stop {
    fn from(limit: Limit) -> Self {
        Stop::Limit(limit)
    }
}

#[derive(Default)]
pub(crate) struct Budget {
    /// Number of steps since the creation of the manager; it depends on the work only, not on the machine.
    pub(crate) steps: u64,
    pub(crate) deadline: Option<Instant>,
    pub(crate) interrupt: Option<Arc<AtomicBool>>,
    /// The step limit, counted like `steps`.
    pub(crate) most_steps: Option<u64>,
    next_poll: u64,
    reorder_at: u64,
}

impl Budget {
    /// Starts an operation: it stops with [`Stop::Reorder`] after `allowance` steps, if given.
    pub(crate) fn begin(&mut self, allowance: Option<u64>) -> Result<(), Limit> {
        self.reorder_at = allowance.map_or(u64::MAX, |n| self.steps + n);
        // Reading the clock costs more than a small operation.
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

    /// Whether every operation stops at a limit now: the interrupt flag is set, or the step limit is reached.
    pub(crate) fn is_spent(&self) -> bool {
        self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
            || self.most_steps.is_some_and(|most| self.steps >= most)
    }

    /// Checks the clock and the flag now.
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
        // Only a check without result postpones the next one: a limit is reported until it is lifted.
        self.next_poll = self.steps + POLL_INTERVAL;
        self.poll_by(self.most_steps);
        Ok(())
    }

    /// Polls at a step limit at the latest: where operations stop then depends on their work alone.
    fn poll_by(&mut self, most_steps: Option<u64>) {
        self.next_poll = self.next_poll.min(most_steps.unwrap_or(u64::MAX));
    }
}
