//! What stops an operation: the deadline, the interrupt flag, and the number of steps after which a reordering pays.
//!
//! Recursions call [`Budget::step`] wherever they miss the cache, which costs a counter; the clock and the flag are read
//! once in [`POLL_INTERVAL`] steps, about ten times in a millisecond.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use oxidd::util::OutOfMemory;

/// Steps between two looks at the clock and the interrupt flag.
const POLL_INTERVAL: u64 = 1024;

/// Why an operation gave no result. The manager stays usable after each of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// All nodes that fit in the memory limit are in use, even after garbage collection.
    Nodes,
    /// The deadline has passed.
    Time,
    /// Someone raised the interrupt flag.
    Interrupted,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::Nodes => "memory limit reached",
            Limit::Time => "time limit reached",
            Limit::Interrupted => "interrupted",
        })
    }
}

impl std::error::Error for Limit {}

/// Why a recursion ended early: a limit for the caller, or a matter that the manager settles before it tries again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    Limit(Limit),
    OutOfNodes,
    /// The operation has grown past the point where a better order should be sought first.
    Reorder,
}

impl From<OutOfMemory> for Stop {
    fn from(_: OutOfMemory) -> Self {
        Stop::OutOfNodes
    }
}

#[derive(Default)]
pub(super) struct Budget {
    steps: Cell<u64>,
    next_poll: Cell<u64>,
    reorder_at: Cell<u64>,
    deadline: Cell<Option<Instant>>,
    interrupt: RefCell<Option<Arc<AtomicBool>>>,
}

impl Budget {
    pub(super) fn set_deadline(&self, deadline: Option<Instant>) {
        self.deadline.set(deadline);
    }

    pub(super) fn set_interrupt(&self, flag: Option<Arc<AtomicBool>>) {
        *self.interrupt.borrow_mut() = flag;
    }

    /// Counted since the manager was made; the same for the same work, whatever the machine.
    pub(super) fn steps(&self) -> u64 {
        self.steps.get()
    }

    /// Opens an operation: it stops with [`Stop::Reorder`] after `allowance` steps, if there is one.
    pub(super) fn begin(&self, allowance: Option<u64>) -> Result<(), Limit> {
        let steps = self.steps.get();
        self.reorder_at.set(allowance.map_or(u64::MAX, |n| steps + n));
        self.poll()
    }

    #[inline]
    pub(super) fn step(&self) -> Result<(), Stop> {
        let steps = self.steps.get() + 1;
        self.steps.set(steps);
        if steps >= self.next_poll.get() { self.slow_step(steps) } else { Ok(()) }
    }

    #[cold]
    fn slow_step(&self, steps: u64) -> Result<(), Stop> {
        self.poll().map_err(Stop::Limit)?;
        if steps >= self.reorder_at.get() {
            return Err(Stop::Reorder);
        }
        Ok(())
    }

    /// Looks at the clock and the flag at once.
    pub(super) fn poll(&self) -> Result<(), Limit> {
        self.next_poll.set(self.steps.get() + POLL_INTERVAL);
        if self.interrupt.borrow().as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(Limit::Interrupted);
        }
        if self.deadline.get().is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Limit::Time);
        }
        Ok(())
    }
}
