//! Policy of garbage collection and reordering. Both happen only between two operations.

use std::time::Instant;

use crate::Manager;
use crate::manager::{Reordering, Statistics};
use crate::sift::Sifter;
use crate::swap::{Swapper, Unit};

/// Number of live nodes at which the first reordering pays, and the minimum for any later one.
const FIRST_REORDERING: usize = 4_000;
const MIN_REORDERING: usize = 1_000;
/// Factor by which the first reordering is postponed if the caller trusts the order: early sifting only sees the first
/// diagrams, and can spoil an order that is good for later ones.
const TRUST: usize = 10;
/// Number of nodes, dead ones included, below which no garbage is collected.
const FIRST_COLLECTION: usize = 100_000;
/// Number of steps after which one operation is suspended for a reordering, for the first time.
const FIRST_ALLOWANCE: u64 = 100_000;
/// Number of nodes that sifting visits in the time of one step of an operation, if they fit into the processor's cache
/// and if they do not; and the expected number of visits of each node for each pair of variables before the first
/// sifting has measured it.
const LOOKS_PER_STEP: u64 = 4;
const LOOKS_PER_STEP_OF_MANY: u64 = 1;
const MANY_NODES: usize = 100_000;
const LOOKS_PER_PAIR: (u64, u64) = (1, 5);
/// Factor by which a sifting must be earned if the one before it gained little.
const AFTER_FAILURE: u64 = 4;
/// Growth of the live nodes since the last sifting at which the next one is due although it is not earned: where a
/// diagram doubles with every operation, none ever is. Only up to a number of nodes, since sifting gets too expensive.
const MOST_GROWTH: usize = 16;

/// The thresholds, and statistics so far.
pub(crate) struct ReorderPolicy {
    pub(crate) reordering: Reordering,
    pub(crate) statistics: Statistics,
    /// Number of nodes at which to check again.
    pub(crate) next_check: usize,
    /// Number of live nodes at which to reorder.
    next_reordering: usize,
    /// Number of nodes, dead ones included, at which to collect garbage and to see whether reordering is due.
    next_look: usize,
    /// Whether the last sifting has gained little.
    has_failed: bool,
    /// Number of live nodes after the last sifting, or when the order was last accepted.
    settled: usize,
    /// Number of steps after which an operation is suspended.
    allowance: u64,
    /// Number of visits of each node in the last sifting.
    looks_per_node: Option<u64>,
    /// Total cost of all siftings, in steps of operations.
    total_cost: u64,
}

impl ReorderPolicy {
    pub(crate) fn new(reordering: Reordering) -> Self {
        ReorderPolicy {
            reordering,
            statistics: Statistics::default(),
            next_check: 0,
            next_reordering: FIRST_REORDERING,
            next_look: 0,
            has_failed: false,
            settled: MIN_REORDERING,
            allowance: FIRST_ALLOWANCE,
            looks_per_node: None,
            total_cost: 0,
        }
    }
}

/// The cost of `looks` visits in a diagram of `n_nodes` nodes, in steps of operations.
pub(crate) fn cost(looks: u64, n_nodes: usize) -> u64 {
    looks / if n_nodes < MANY_NODES { LOOKS_PER_STEP } else { LOOKS_PER_STEP_OF_MANY }
}

impl Manager {
    /// Reorders now. Ends early, with a valid order, at a limit; then the next operation reports the limit.
    pub fn reorder(&self) {
        self.sift(false);
    }

    /// Sifts all groups, or, if `impatient`, as long as it pays. Returns whether the diagram has become clearly
    /// smaller.
    fn sift(&self, impatient: bool) -> bool {
        let start = Instant::now();
        self.collect_garbage();
        let before = self.store().len();
        if before > self.store().capacity() / 2 {
            // Sifting copies the nodes, which would exceed the memory limit.
            return false;
        }
        let looks = self.with_swapper(Unit::Group, |swapper| Sifter::new(swapper).run(impatient));
        let after = self.store().len();
        let has_gained = 10 * after < 9 * before;
        let mut policy = self.policy();
        // An order that could hardly be improved is kept for longer.
        let factor = if has_gained { 2 } else { 4 };
        policy.next_reordering = (factor * after).max(MIN_REORDERING);
        (policy.next_look, policy.has_failed) = (0, !has_gained);
        policy.settled = after.max(MIN_REORDERING);
        policy.looks_per_node = Some(looks / before.max(1) as u64);
        policy.total_cost += cost(looks, before);
        policy.statistics.reorderings += 1;
        policy.statistics.reordering_time += start.elapsed();
        drop(policy);
        self.schedule();
        has_gained
    }

    /// Accepts the current order until the number of live nodes has grown considerably.
    pub fn keep_order(&self) {
        self.collect_garbage();
        let n_nodes = self.store().len();
        let mut policy = self.policy();
        policy.next_reordering = policy.next_reordering.max(4 * n_nodes);
        policy.settled = policy.settled.max(n_nodes);
    }

    /// Trusts the current order: the first reordering comes only when diagrams get unusually large.
    pub fn trust_order(&self) {
        let mut policy = self.policy();
        policy.next_reordering = policy.next_reordering.max(TRUST * FIRST_REORDERING);
        // Where diagrams double, they are seen once between the growth that makes a sifting due and the size that prevents it.
        policy.settled = policy.settled.max(MANY_NODES / MOST_GROWTH);
        policy.allowance = policy.allowance.max(TRUST as u64 * FIRST_ALLOWANCE);
        drop(policy);
        self.schedule();
    }

    pub(crate) fn with_swapper<T>(&self, unit: Unit, run: impl FnOnce(Swapper<'_>) -> T) -> T {
        let roots = self.roots();
        run(Swapper::new(&mut self.store_mut(), &roots, unit))
    }

    /// Frees the nodes without handles. Called automatically when there are many.
    pub fn collect_garbage(&self) {
        self.note_peak();
        let roots = self.roots();
        self.store_mut().collect(&roots);
        self.policy().statistics.collections += 1;
        self.schedule();
    }

    /// Whether a garbage collection is near, so that unused handles should be dropped.
    pub fn is_filling_up(&self) -> bool {
        let next_check = self.policy().next_check;
        self.store().len() >= next_check - next_check / 16
    }

    pub(crate) fn note_peak(&self) {
        let statistics = &mut self.policy().statistics;
        statistics.peak_nodes = statistics.peak_nodes.max(self.store().len());
    }

    /// Schedules the next check, given that all nodes are alive now.
    pub(crate) fn schedule(&self) {
        let mut policy = self.policy();
        let store = self.store();
        let floor = match policy.reordering {
            Reordering::Off => FIRST_COLLECTION,
            Reordering::Auto => FIRST_COLLECTION.min(policy.next_reordering.max(policy.next_look)),
            Reordering::Always => {
                policy.next_check = 0;
                return;
            }
        };
        policy.next_check = (2 * store.len()).max(floor).min(store.len().midpoint(store.capacity()));
    }

    /// Collects garbage or reorders if due; returns the number of steps after which to suspend the operation.
    pub(crate) fn before_operation(&self) -> Option<u64> {
        let (reordering, next_check, next_reordering, allowance) = {
            let policy = self.policy();
            (policy.reordering, policy.next_check, policy.next_reordering, policy.allowance)
        };
        let n_nodes = self.store().len();
        if n_nodes >= next_check {
            self.collect_garbage();
            let is_due = match reordering {
                Reordering::Off => false,
                Reordering::Auto => self.store().len() >= next_reordering && self.has_earned_a_sifting(),
                Reordering::Always => true,
            };
            if is_due {
                self.sift(true);
            } else {
                // A look costs a collection, which also drops cached results: the next one comes at twice the size.
                self.policy().next_look = 2 * n_nodes;
                self.schedule();
            }
        }
        // An operation is suspended at the earliest when it has cost as much as sifting would.
        (reordering == Reordering::Auto).then(|| allowance.max(self.expected_cost()))
    }

    /// The expected cost of sifting now, in steps of operations.
    fn expected_cost(&self) -> u64 {
        let n_pairs = u64::from(self.n_vars() / 2);
        let first_looks = n_pairs * LOOKS_PER_PAIR.0 / LOOKS_PER_PAIR.1;
        let looks_per_node = self.policy().looks_per_node.unwrap_or(first_looks);
        let n_nodes = self.store().len();
        cost(looks_per_node.saturating_mul(n_nodes as u64), n_nodes)
    }

    /// Whether the operations so far have cost as much as all siftings including the next one: a model that needs no
    /// sifting pays for none, and one that needs it gets it soon. After a sifting that gained little, the next one is expected
    /// to gain little as well.
    fn has_earned_a_sifting(&self) -> bool {
        let ReorderPolicy { total_cost, settled, has_failed, .. } = *self.policy();
        let price = self.expected_cost().saturating_mul(if has_failed { AFTER_FAILURE } else { 1 });
        (MOST_GROWTH * settled..2 * MANY_NODES).contains(&self.store().len())
            || self.store().budget.steps >= total_cost.saturating_add(price)
    }

    /// Reorders after an operation was suspended.
    pub(crate) fn after_setting_aside(&self) {
        if !self.sift(true) {
            self.policy().allowance *= 4;
        }
    }

    /// Collects garbage and reorders after an operation ran out of nodes.
    pub(crate) fn make_room(&self) {
        if self.policy().reordering == Reordering::Off {
            self.collect_garbage();
        } else {
            self.sift(true);
        }
    }
}
