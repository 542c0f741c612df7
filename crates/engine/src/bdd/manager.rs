//! The manager: start-up, limits, garbage collection, the choice of when to reorder, and the operations themselves.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use oxidd::bcdd::{BCDDFunction, BCDDManagerRef, new_manager};
use oxidd_core::function::{BooleanFunction, Function};
use oxidd_core::{HasLevel, Manager as _, ManagerRef as _};

use super::apply::{Apply, Outcome, negated, negated_own};
use super::budget::{Budget, Limit, Stop};
use super::{Bdd, Var, reorder};

/// Memory for one node and its place in the unique table, and for one entry of the operation cache.
const BYTES_PER_NODE: usize = 32;
const BYTES_PER_CACHE_ENTRY: usize = 20;

/// Live nodes at which the first reordering is worth its time.
const FIRST_REORDERING: usize = 10_000;
/// Nodes, dead ones included, below which collecting garbage is not worth losing the operation cache.
const FIRST_COLLECTION: usize = 250_000;
/// Steps after which one operation is set aside for a reordering, the first time.
const FIRST_ALLOWANCE: u64 = 200_000;

/// The package's manager type, for the lifetime that brands its edges.
pub(super) type StoreOf<'id> = <BCDDFunction as Function>::Manager<'id>;

/// When the order of the variables may change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reordering {
    /// Never, unless [`Manager::reorder`] is called.
    Off,
    /// When the live nodes have doubled, at an operation's entry or, if one operation grows very long, in its middle.
    #[default]
    Auto,
    /// Before every operation: slow, for tests.
    Always,
}

/// What a manager is made from.
#[derive(Clone, Debug)]
pub struct Config {
    /// BDD variables, current and next together; an odd number is rounded up.
    pub n_vars: u32,
    /// Bytes that nodes, unique tables and operation cache may take. Only what is used is ever touched.
    pub memory: usize,
    /// When to reorder.
    pub reordering: Reordering,
    /// The pairs from top to bottom, each named by its current variable; the numeric order if `None`.
    pub order: Option<Vec<Var>>,
}

impl Config {
    /// The default limits, 2 GiB and automatic reordering, for `n_vars` variables in numeric order.
    pub fn new(n_vars: u32) -> Self {
        Config { n_vars, memory: 2 << 30, reordering: Reordering::default(), order: None }
    }
}

/// Counters for reports and benchmarks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Statistics {
    /// Nodes in the store, dead ones included.
    pub nodes: usize,
    /// The most nodes that were seen in the store between two operations.
    pub peak_nodes: usize,
    /// Recursion steps, a measure of work that does not depend on the machine.
    pub steps: u64,
    /// Garbage collections that this layer asked for.
    pub collections: u32,
    /// Reorderings.
    pub reorderings: u32,
    /// Time spent reordering.
    pub reordering_time: Duration,
}

/// Owner of the nodes, and the place where all operations are found. Cloning gives another handle to the same nodes.
#[derive(Clone)]
pub struct Manager(Rc<Inner>);

struct Inner {
    store: BCDDManagerRef,
    capacity: usize,
    reordering: Cell<Reordering>,
    budget: Budget,
    /// Nodes at which to look after garbage and order again.
    next_check: Cell<usize>,
    /// Live nodes at which to reorder.
    next_reordering: Cell<usize>,
    allowance: Cell<u64>,
    statistics: RefCell<Statistics>,
    truth: Bdd,
}

impl Manager {
    /// A manager with the given variables and limits.
    ///
    /// # Panics
    /// If `config.order` is not a permutation of the current variables.
    pub fn new(config: &Config) -> Self {
        let n_vars = config.n_vars.next_multiple_of(2);
        let cache_entries = cache_entries(n_vars, config.memory);
        let capacity = (config.memory.saturating_sub(cache_entries * BYTES_PER_CACHE_ENTRY) / BYTES_PER_NODE).max(1024);
        let store = new_manager(capacity, cache_entries, 1);
        let truth = store.with_manager_exclusive(|manager| {
            manager.add_vars(n_vars);
            Bdd(BCDDFunction::t(manager))
        });
        let manager = Manager(Rc::new(Inner {
            store,
            capacity,
            reordering: Cell::new(config.reordering),
            budget: Budget::default(),
            next_check: Cell::new(0),
            next_reordering: Cell::new(FIRST_REORDERING),
            allowance: Cell::new(FIRST_ALLOWANCE),
            statistics: RefCell::default(),
            truth,
        }));
        manager.schedule(0);
        if let Some(order) = &config.order {
            manager.set_order(order).expect("a manager without nodes has room for any order");
        }
        manager
    }

    /// Adds a pair of variables below all others and returns its current variable.
    pub fn add_pair(&self) -> Var {
        self.0.store.with_manager_exclusive(|store| store.add_vars(2)).start
    }

    /// The number of variables, current and next together.
    pub fn n_vars(&self) -> u32 {
        self.0.store.with_manager_shared(|store| store.num_vars())
    }

    /// From now on, operations stop with [`Limit::Time`] at this instant; `None` lifts the limit. Operations notice within
    /// about a millisecond, reorderings after the pair of variables that is being moved.
    pub fn set_deadline(&self, deadline: Option<Instant>) {
        self.0.budget.set_deadline(deadline);
    }

    /// From now on, operations stop with [`Limit::Interrupted`] while the flag is raised, as quickly as for a deadline.
    pub fn set_interrupt(&self, flag: Option<Arc<AtomicBool>>) {
        self.0.budget.set_interrupt(flag);
    }

    /// Changes when reordering happens.
    pub fn set_reordering(&self, reordering: Reordering) {
        self.0.reordering.set(reordering);
        self.schedule(0);
    }

    /// The constant `value`.
    pub fn constant(&self, value: bool) -> Bdd {
        if value { self.0.truth.clone() } else { self.not(&self.0.truth) }
    }

    /// The variable `var` as a function.
    ///
    /// # Panics
    /// If there is no such variable.
    pub fn var(&self, var: Var) -> Result<Bdd, Limit> {
        self.run(|apply| close(apply.store, BCDDFunction::var_edge(apply.store, var).map_err(Stop::from)))
    }

    /// The conjunction of variables, as quantification wants it. Any order, repetitions allowed.
    pub fn cube(&self, vars: &[Var]) -> Result<Bdd, Limit> {
        self.run(|apply| {
            let mut levels: Vec<_> = vars.iter().map(|&var| apply.store.var_to_level(var)).collect();
            levels.sort_unstable();
            levels.dedup();
            let mut cube = apply.guard(apply.constant(true)?);
            for &level in levels.iter().rev() {
                let falsity = apply.guard(apply.constant(false)?);
                cube = apply.guard(apply.node(level, cube, falsity)?);
            }
            close(apply.store, Ok(cube.into_edge()))
        })
    }

    /// Not `f`; costs nothing.
    pub fn not(&self, f: &Bdd) -> Bdd {
        f.0.with_manager_shared(|store, e| Bdd(BCDDFunction::from_edge(store, negated_own(store.clone_edge(e)))))
    }

    /// `f` and `g`.
    pub fn and(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, Limit> {
        self.run(|apply| close(apply.store, apply.and(f.0.as_edge(apply.store), g.0.as_edge(apply.store))))
    }

    /// `f` or `g`.
    pub fn or(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, Limit> {
        self.run(|apply| close(apply.store, apply.or(f.0.as_edge(apply.store), g.0.as_edge(apply.store))))
    }

    /// `f` but not `g`: the difference of two sets.
    pub fn diff(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, Limit> {
        self.run(|apply| close(apply.store, apply.and(f.0.as_edge(apply.store), negated(g.0.as_edge(apply.store)))))
    }

    /// Either `f` or `g`.
    pub fn xor(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, Limit> {
        self.run(|apply| close(apply.store, apply.xor(f.0.as_edge(apply.store), g.0.as_edge(apply.store))))
    }

    /// `f` exactly if `g`.
    pub fn iff(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, Limit> {
        self.run(|apply| close(apply.store, apply.xor(f.0.as_edge(apply.store), negated(g.0.as_edge(apply.store)))))
    }

    /// If `f` then `g`.
    pub fn implies(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, Limit> {
        self.run(|apply| close(apply.store, apply.or(negated(f.0.as_edge(apply.store)), g.0.as_edge(apply.store))))
    }

    /// If `f` then `g` else `h`.
    pub fn ite(&self, f: &Bdd, g: &Bdd, h: &Bdd) -> Result<Bdd, Limit> {
        self.run(|apply| {
            let [f, g, h] = [f, g, h].map(|f| f.0.as_edge(apply.store));
            close(apply.store, apply.ite(f, g, h))
        })
    }

    /// `f` for some value of the variables of `cube`.
    pub fn exists(&self, f: &Bdd, cube: &Bdd) -> Result<Bdd, Limit> {
        self.run(|apply| close(apply.store, apply.exists(f.0.as_edge(apply.store), cube.0.as_edge(apply.store))))
    }

    /// `f` for all values of the variables of `cube`.
    pub fn forall(&self, f: &Bdd, cube: &Bdd) -> Result<Bdd, Limit> {
        self.run(|apply| {
            let f = negated(f.0.as_edge(apply.store));
            close(apply.store, apply.exists(f, cube.0.as_edge(apply.store)).map(negated_own))
        })
    }

    /// `f` and `g` for some value of the variables of `cube`, without building `f and g` first.
    pub fn and_exists(&self, f: &Bdd, g: &Bdd, cube: &Bdd) -> Result<Bdd, Limit> {
        self.run(|apply| {
            let [f, g, cube] = [f, g, cube].map(|f| f.0.as_edge(apply.store));
            close(apply.store, apply.and_exists(f, g, cube))
        })
    }

    /// Whether `f` implies `g`.
    pub fn is_subset(&self, f: &Bdd, g: &Bdd) -> Result<bool, Limit> {
        Ok(self.diff(f, g)?.is_false())
    }

    /// The variables from top to bottom.
    pub fn order(&self) -> Vec<Var> {
        self.0.store.with_manager_shared(|store| (0..store.num_levels()).map(|l| store.level_to_var(l)).collect())
    }

    /// Moves the pairs into this order, each named by its current variable.
    ///
    /// # Panics
    /// If `order` is not a permutation of the current variables.
    pub fn set_order(&self, order: &[Var]) -> Result<(), Limit> {
        let mut sorted = order.to_vec();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq((0..self.n_vars()).step_by(2)), "not a permutation of the current variables");
        self.collect_garbage();
        let room = self.0.store.with_manager_exclusive(|store| reorder::set_order(store, self.0.capacity, order));
        if room { Ok(()) } else { Err(Limit::Nodes) }
    }

    /// Looks for a better order now. Ends early, with a valid order, at a limit; then the next operation reports it.
    pub fn reorder(&self) {
        let start = Instant::now();
        self.collect_garbage();
        let inner = &*self.0;
        inner.store.with_manager_exclusive(|store| reorder::sift(store, inner.capacity, &inner.budget));
        let live = self.n_nodes();
        inner.next_reordering.set((2 * live).max(FIRST_REORDERING));
        self.schedule(live);
        let mut statistics = inner.statistics.borrow_mut();
        statistics.reorderings += 1;
        statistics.reordering_time += start.elapsed();
    }

    /// Frees the nodes that no handle reaches. Happens by itself when they are many.
    pub fn collect_garbage(&self) {
        self.note_peak();
        self.0.store.with_manager_shared(|store| store.gc());
        self.0.statistics.borrow_mut().collections += 1;
        self.schedule(self.n_nodes());
    }

    /// Counters so far.
    pub fn statistics(&self) -> Statistics {
        self.note_peak();
        Statistics { nodes: self.n_nodes(), steps: self.0.budget.steps(), ..*self.0.statistics.borrow() }
    }

    /// Nodes in the store, dead ones included.
    fn n_nodes(&self) -> usize {
        self.0.store.with_manager_shared(|store| store.approx_num_inner_nodes())
    }

    fn note_peak(&self) {
        let nodes = self.n_nodes();
        let mut statistics = self.0.statistics.borrow_mut();
        statistics.peak_nodes = statistics.peak_nodes.max(nodes);
    }

    /// Decides when to look after garbage again, given the live nodes of today.
    fn schedule(&self, live: usize) {
        let floor = match self.0.reordering.get() {
            Reordering::Off => FIRST_COLLECTION,
            // Dead nodes may be half of all, and are not worth a reordering.
            Reordering::Auto => FIRST_COLLECTION.min(2 * self.0.next_reordering.get()),
            Reordering::Always => 0,
        };
        self.0.next_check.set((4 * live).max(floor).min(self.0.capacity / 4 * 3));
    }

    /// Runs one operation between two safe points, with the remedies for running out of nodes and for growing too long.
    pub(super) fn run(
        &self,
        op: impl for<'id> Fn(&Apply<'_, StoreOf<'id>>) -> Result<Bdd, Stop>,
    ) -> Result<Bdd, Limit> {
        let inner = &*self.0;
        let budget = &inner.budget;
        let attempt = || inner.store.with_manager_shared(|store| op(&Apply { store, budget }));
        let auto = inner.reordering.get() == Reordering::Auto;
        budget.begin(auto.then(|| inner.allowance.get()))?;
        if self.n_nodes() >= inner.next_check.get() {
            self.tidy();
        }
        let mut result = attempt();
        if result == Err(Stop::Reorder) {
            inner.allowance.set(inner.allowance.get() * 2);
            self.reorder();
            budget.begin(None)?;
            result = attempt();
        }
        if result == Err(Stop::OutOfNodes) {
            self.collect_garbage();
            if inner.reordering.get() != Reordering::Off {
                self.reorder();
            }
            budget.begin(None)?;
            result = attempt();
        }
        result.map_err(|stop| match stop {
            Stop::Limit(limit) => limit,
            Stop::OutOfNodes | Stop::Reorder => Limit::Nodes,
        })
    }

    fn tidy(&self) {
        self.collect_garbage();
        let due = match self.0.reordering.get() {
            Reordering::Off => false,
            Reordering::Auto => self.n_nodes() >= self.0.next_reordering.get(),
            Reordering::Always => true,
        };
        if due {
            self.reorder();
        }
    }
}

/// The handle for what an operation has computed.
pub(super) fn close<'id>(store: &StoreOf<'id>, result: Outcome<StoreOf<'id>>) -> Result<Bdd, Stop> {
    result.map(|e| Bdd(BCDDFunction::from_edge(store, e)))
}

/// The cache cannot grow later, and all of it is touched at start-up: small models get a small one.
fn cache_entries(n_vars: u32, memory: usize) -> usize {
    let wanted: usize = match n_vars {
        0..=32 => 1 << 14,
        33..=64 => 1 << 16,
        65..=128 => 1 << 18,
        _ => 1 << 20,
    };
    let affordable = memory / 4 / BYTES_PER_CACHE_ENTRY;
    wanted.min(affordable.max(1).next_power_of_two()).max(1 << 10)
}

/// The top variable of a function is asked for all over the layer, always with the store at hand.
pub(super) fn var_of<'id>(store: &StoreOf<'id>, node: &<StoreOf<'id> as oxidd_core::Manager>::InnerNode) -> Var {
    store.level_to_var(node.level())
}
