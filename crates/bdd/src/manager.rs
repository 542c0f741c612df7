//! The manager: construction, limits, handles, and the execution of operations.

use std::cell::{Ref, RefCell, RefMut};
use std::rc::Rc;
use std::time::Duration;

use crate::cache::BYTES_PER_ENTRY;
use crate::limit::{Limit, Limits, Scope, Stop};
use crate::reorder_policy::ReorderPolicy;
use crate::store::{BYTES_PER_NODE, Edge, Store};
use crate::{Bdd, Var};

/// When the order of the variables may change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reordering {
    /// Never, unless [`Manager::reorder`] is called.
    Off,
    /// When the number of live nodes has doubled, before an operation or, if one operation gets very long, during it.
    #[default]
    Auto,
    /// Before every operation: slow, for tests.
    Always,
}

/// Options of a manager.
#[derive(Clone, Debug)]
pub struct Config {
    /// BDD variables, current and next together; an odd number is rounded up.
    pub n_vars: u32,
    /// Memory limit of nodes, unique tables and operation cache, in bytes. Unused memory is not touched.
    pub memory: usize,
    /// Limit of the number of nodes, dead ones included, if it is below the memory limit.
    pub max_nodes: Option<usize>,
    /// When to reorder.
    pub reordering: Reordering,
    /// The pairs from top to bottom, each named by its current variable; the numeric order if `None`.
    pub order: Option<Vec<Var>>,
}

impl Config {
    /// The default limits, 2 GiB and automatic reordering, for `n_vars` variables in numeric order.
    pub fn new(n_vars: u32) -> Self {
        Config { n_vars, memory: 2 << 30, max_nodes: None, reordering: Reordering::default(), order: None }
    }
}

/// Counters for reports and benchmarks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Statistics {
    /// Nodes in the store, dead ones included.
    pub nodes: usize,
    /// The largest number of nodes in the store between two operations.
    pub peak_nodes: usize,
    /// Recursion steps, a measure of work that does not depend on the machine.
    pub steps: u64,
    /// Garbage collections.
    pub collections: u32,
    /// Reorderings.
    pub reorderings: u32,
    /// Time spent reordering.
    pub reordering_time: Duration,
}

/// The maximal number of nodes within these limits.
pub fn capacity(memory: usize, max_nodes: Option<usize>) -> usize {
    // A node has a bucket of four bytes, on average two while its table grows.
    let capacity = memory / 4 * 3 / (BYTES_PER_NODE + 8);
    capacity.min(max_nodes.unwrap_or(usize::MAX)).max(1 << 10)
}

/// Owner of the nodes; all operations are its methods. Cloning gives another handle to the same nodes.
#[derive(Clone)]
pub struct Manager(Rc<Shared>);

/// The data shared by all handles of a manager.
pub(crate) struct Shared {
    store: RefCell<Store>,
    /// For each node, the number of handles that refer to it; shorter than the nodes if the last ones never had a
    /// handle.
    n_handles: RefCell<Vec<u32>>,
    policy: RefCell<ReorderPolicy>,
}

impl Shared {
    pub(crate) fn store(&self) -> Ref<'_, Store> {
        self.store.borrow()
    }

    pub(crate) fn retain(&self, e: Edge) {
        let mut n_handles = self.n_handles.borrow_mut();
        if e.node() >= n_handles.len() {
            n_handles.resize(e.node() + 1, 0);
        }
        n_handles[e.node()] += 1;
    }

    pub(crate) fn release(&self, e: Edge) {
        self.n_handles.borrow_mut()[e.node()] -= 1;
    }
}

impl Manager {
    /// A manager with the given variables and limits.
    ///
    /// # Panics
    /// If `config.order` is not a permutation of the current variables.
    pub fn new(config: &Config) -> Self {
        let max_cache_entries = 1 << (config.memory / 4 / BYTES_PER_ENTRY).max(1 << 12).ilog2();
        let capacity = capacity(config.memory, config.max_nodes);
        let store = Store::new(config.n_vars.next_multiple_of(2), capacity, max_cache_entries);
        let manager = Manager(Rc::new(Shared {
            store: RefCell::new(store),
            n_handles: RefCell::default(),
            policy: RefCell::new(ReorderPolicy::new(config.reordering)),
        }));
        manager.schedule();
        if let Some(order) = &config.order {
            manager.set_order(order).expect("a manager without nodes has room for any order");
        }
        manager
    }

    /// Adds a pair of variables below all others and returns its current variable.
    pub fn add_pair(&self) -> Var {
        let mut store = self.store_mut();
        store.add_vars(2);
        store.n_vars() - 2
    }

    /// Adds a pair of variables right below the pair of another variable and returns its current variable.
    pub fn add_pair_below(&self, var: Var) -> Var {
        self.store_mut().add_pair_below(var)
    }

    /// The number of variables, current and next together.
    pub fn n_vars(&self) -> u32 {
        self.store().n_vars()
    }

    /// Limits operations until the scope is dropped, in addition to the limits that hold already. A flag is polled in place
    /// of the one before.
    ///
    /// ```
    /// use specwright_bdd::{Config, Limit, Limits, Manager};
    ///
    /// let manager = Manager::new(&Config::new(2));
    /// let scope = manager.enter(&Limits { steps: Some(0), ..Limits::default() });
    /// assert_eq!(manager.var(0), Err(Limit::Steps));
    /// drop(scope);
    /// assert!(manager.var(0).is_ok());
    /// ```
    pub fn enter(&self, limits: &Limits) -> Scope {
        Scope::new(self, limits)
    }

    /// Runs `run` for at most `steps` steps, without reordering; `None` if it needs more steps, or more nodes than the
    /// limit.
    pub fn attempt<T>(&self, steps: u64, run: impl FnOnce() -> Result<T, Limit>) -> Result<Option<T>, Limit> {
        let reordering = self.reordering();
        let scope = self.enter(&Limits { steps: Some(steps), ..Limits::default() });
        if reordering == Reordering::Auto {
            self.set_reordering(Reordering::Off);
        }
        let result = run();
        self.set_reordering(reordering);
        drop(scope);
        match result {
            Ok(found) => Ok(Some(found)),
            Err(Limit::Steps | Limit::Nodes) => Ok(None),
            Err(limit) => Err(limit),
        }
    }

    /// Whether every further operation will stop at a limit: the interrupt flag is set, or the step limit is reached.
    pub fn is_spent(&self) -> bool {
        self.store().budget.is_spent()
    }

    /// Sets the node limit. If there are more nodes, no operation that needs new ones succeeds.
    pub fn set_capacity(&self, n_nodes: usize) {
        self.store_mut().set_capacity(n_nodes.max(1 << 10));
        let store = self.store();
        let mut policy = self.policy();
        policy.next_check = policy.next_check.min(store.len().midpoint(store.capacity()));
    }

    /// The reordering mode.
    pub fn reordering(&self) -> Reordering {
        self.policy().reordering
    }

    /// Sets the reordering mode.
    pub fn set_reordering(&self, reordering: Reordering) {
        self.policy().reordering = reordering;
        self.schedule();
    }

    /// Counters so far.
    pub fn statistics(&self) -> Statistics {
        self.note_peak();
        let store = self.store();
        Statistics { nodes: store.len(), steps: store.budget.steps, ..self.policy().statistics }
    }

    pub(crate) fn store(&self) -> Ref<'_, Store> {
        self.0.store.borrow()
    }

    pub(crate) fn store_mut(&self) -> RefMut<'_, Store> {
        self.0.store.borrow_mut()
    }

    pub(crate) fn policy(&self) -> RefMut<'_, ReorderPolicy> {
        self.0.policy.borrow_mut()
    }

    /// The nodes with handles.
    pub(crate) fn roots(&self) -> Vec<u32> {
        let n_handles = self.0.n_handles.borrow();
        n_handles.iter().zip(0..).filter(|&(&n, _)| n > 0).map(|(_, id)| id).collect()
    }

    /// The edge of a function.
    ///
    /// # Panics
    /// If the function belongs to another manager: its edge has no meaning here.
    #[inline]
    pub(crate) fn edge(&self, f: &Bdd) -> Edge {
        assert!(Rc::ptr_eq(&self.0, &f.shared), "a function of another manager");
        f.edge
    }

    pub(crate) fn handle(&self, e: Edge) -> Bdd {
        Bdd::new(&self.0, e)
    }

    /// Runs one operation between two safe points, and retries it after reordering or garbage collection if needed.
    pub(crate) fn run(&self, op: impl Fn(&mut Store) -> Result<Edge, Stop>) -> Result<Bdd, Limit> {
        let attempt = |allowance| {
            let mut store = self.store_mut();
            store.budget.begin(allowance)?;
            Store::with_stack(store.n_vars(), || op(&mut store))
        };
        let mut result = attempt(self.before_operation());
        if result == Err(Stop::Reorder) {
            self.after_setting_aside();
            result = attempt(None);
        }
        if result == Err(Stop::OutOfNodes) {
            self.make_room();
            result = attempt(None);
        }
        match result {
            Ok(e) => Ok(self.handle(e)),
            Err(Stop::Limit(limit)) => Err(limit),
            Err(Stop::OutOfNodes | Stop::Reorder) => Err(Limit::Nodes),
        }
    }
}
