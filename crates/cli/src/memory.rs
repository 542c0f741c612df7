//! The memory of the run: how much is in use, and how much may be.
//!
//! The allocator counts the bytes in use. The count is the same for the same work, whatever the machine, so a run that
//! reaches its limit reaches it at the same place every time (threads excepted: they share one count).

use cap::Cap;
use std::alloc::System;
use std::sync::atomic::{AtomicUsize, Ordering};

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// Memory in bytes that the program takes beside the heap: code and stacks. `specwright --version` has 6 MiB resident.
const PROGRAM: usize = 8 << 20;

/// The limit of the heap in bytes.
static MOST: AtomicUsize = AtomicUsize::new(usize::MAX);

/// Sets the limit of the run in bytes.
pub fn set_limit(bytes: usize) {
    MOST.store(bytes.saturating_sub(PROGRAM).max(bytes / 4), Ordering::Relaxed);
}

/// Whether more memory is in use than the limit allows.
pub fn is_spent() -> bool {
    ALLOCATOR.allocated() > MOST.load(Ordering::Relaxed)
}

/// The memory in bytes for the decision diagrams of one engine: three quarters of what is left. The rest is for expressions,
/// goals and tests.
pub fn for_diagrams() -> usize {
    MOST.load(Ordering::Relaxed).saturating_sub(ALLOCATOR.allocated()) / 4 * 3
}
