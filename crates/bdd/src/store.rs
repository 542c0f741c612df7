//! The node store: one array, a hash table for each variable, and mark-and-sweep garbage collection.
//!
//! Operations do not count references; the caller passes the roots to a collection, and therefore collects only between
//! operations.

use crate::cache::Cache;
use crate::limit::{Budget, Stop};
use crate::table::{Chained, Table};
use crate::{Limit, Var};
use std::cell::RefCell;

/// A function: the number of a node, and whether it is complemented. Negation flips one bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Edge(u32);

impl Edge {
    /// Number of bits in use; the operation cache uses the others.
    pub(crate) const BITS: u32 = 29;
    pub(crate) const MASK: u32 = (1 << Self::BITS) - 1;
    /// Node 0 is the only terminal.
    pub(crate) const TRUE: Edge = Edge(0);
    pub(crate) const FALSE: Edge = Edge(1);

    #[inline]
    pub(crate) fn from_raw(raw: u32) -> Self {
        Edge(raw)
    }

    #[inline]
    pub(crate) fn raw(self) -> u32 {
        self.0
    }

    #[inline]
    pub(crate) fn to(node: u32) -> Self {
        Edge(node << 1)
    }

    #[inline]
    pub(crate) fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    #[inline]
    pub(crate) fn is_constant(self) -> bool {
        self.0 <= 1
    }

    #[inline]
    pub(crate) fn is_complemented(self) -> bool {
        self.0 & 1 == 1
    }

    #[inline]
    pub(crate) fn regular(self) -> Self {
        Edge(self.0 & !1)
    }

    /// This function, negated if `other` is complemented.
    #[inline]
    pub(crate) fn signed_as(self, other: Edge) -> Self {
        Edge(self.0 ^ (other.0 & 1))
    }
}

impl std::ops::Not for Edge {
    type Output = Edge;

    #[inline]
    fn not(self) -> Edge {
        Edge(self.0 ^ 1)
    }
}

/// `var ? hi : lo`, with a regular `hi`, so that the form is canonical.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) hi: Edge,
    pub(crate) lo: Edge,
    /// The next node in the bucket, or in the list of free nodes; 0 ends both.
    pub(crate) next: u32,
    pub(crate) var: Var,
}

pub(crate) const BYTES_PER_NODE: usize = size_of::<Node>();

/// Stack space of one level of a recursion, in bytes; an upper bound.
const BYTES_PER_LEVEL: usize = if cfg!(debug_assertions) { 2048 } else { 512 };

impl Chained for Node {
    #[inline]
    fn branches(&self) -> (Edge, Edge) {
        (self.hi, self.lo)
    }

    #[inline]
    fn next(&self) -> u32 {
        self.next
    }

    #[inline]
    fn set_next(&mut self, next: u32) {
        self.next = next;
    }
}

/// Which nodes a query has visited. Nodes are marked by the number of the query, so nothing is cleared between queries.
#[derive(Default)]
pub(crate) struct Visits {
    query: u32,
    last: Vec<u32>,
}

impl Visits {
    /// Begins a query on this number of nodes.
    pub(crate) fn begin(&mut self, n_nodes: usize) {
        if self.query == u32::MAX {
            self.query = 0;
            self.last.fill(0);
        }
        self.query += 1;
        if self.last.len() < n_nodes {
            self.last.resize(n_nodes, 0);
        }
    }

    /// Whether a node is visited for the first time.
    pub(crate) fn is_first(&mut self, node: usize) -> bool {
        std::mem::replace(&mut self.last[node], self.query) != self.query
    }
}

pub(crate) struct Store {
    pub(crate) nodes: Vec<Node>,
    pub(crate) tables: Vec<Table>,
    /// The level of each variable, and at the end that of the terminal, below all others.
    pub(crate) level_of: Vec<u32>,
    pub(crate) var_at: Vec<Var>,
    /// For each pair, its group, named by its least pair. A group occupies adjacent levels.
    pub(crate) group_of: Vec<u32>,
    pub(crate) cache: Cache,
    pub(crate) budget: Budget,
    /// The nodes that the last query has visited.
    pub(crate) visits: RefCell<Visits>,
    free: u32,
    n_free: usize,
    capacity: usize,
    /// Number of nodes at which the cache grows next.
    grow_at: usize,
}

impl Store {
    pub(crate) fn new(n_vars: u32, capacity: usize, max_cache_entries: usize) -> Self {
        let terminal = Node { hi: Edge::TRUE, lo: Edge::TRUE, next: 0, var: 0 };
        let mut store = Store {
            nodes: vec![terminal],
            tables: Vec::new(),
            level_of: vec![0],
            var_at: Vec::new(),
            group_of: Vec::new(),
            cache: Cache::new(max_cache_entries),
            budget: Budget::default(),
            visits: RefCell::default(),
            free: 0,
            n_free: 0,
            capacity: capacity.min(1 << (Edge::BITS - 1)),
            grow_at: 1 << 11,
        };
        store.add_vars(n_vars);
        store
    }

    pub(crate) fn n_vars(&self) -> u32 {
        self.var_at.len() as u32
    }

    /// Adds variables below all others.
    pub(crate) fn add_vars(&mut self, additional: u32) {
        let n_vars = self.n_vars() + additional;
        self.level_of.pop();
        self.level_of.extend(self.n_vars()..=n_vars);
        self.var_at.extend(self.n_vars()..n_vars);
        self.group_of.extend(self.group_of.len() as u32..n_vars.div_ceil(2));
        self.tables.resize_with(n_vars as usize, || Table::with_room_for(0));
        self.nodes[0].var = n_vars;
    }

    /// Adds a pair of variables below the group of another, and returns its current variable. Nodes have variables and
    /// not levels, so nothing else changes.
    pub(crate) fn add_pair_below(&mut self, var: Var) -> Var {
        let current = self.n_vars();
        self.add_vars(2);
        let group = self.group_of[var as usize / 2];
        let mut place = self.level_of[var as usize | 1] as usize + 1;
        while self.group_of[self.var_at[place] as usize / 2] == group {
            place += 2;
        }
        self.var_at[place..].rotate_right(2);
        for level in place..self.var_at.len() {
            self.level_of[self.var_at[level] as usize] = level as u32;
        }
        current
    }

    /// Number of nodes in use, dead ones included, the terminal excluded.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len() - 1 - self.n_free
    }

    /// The maximal number of nodes in use.
    pub(crate) fn capacity(&self) -> usize {
        self.capacity
    }

    pub(crate) fn set_capacity(&mut self, capacity: usize) {
        self.capacity = capacity.min(1 << (Edge::BITS - 1));
        self.grow_at = self.grow_at.min(self.capacity + 1);
    }

    #[inline]
    pub(crate) fn node(&self, e: Edge) -> &Node {
        &self.nodes[e.node()]
    }

    #[inline]
    pub(crate) fn level(&self, e: Edge) -> u32 {
        self.level_of[self.node(e).var as usize]
    }

    /// The two branches of a function that is not constant: true first.
    #[inline]
    pub(crate) fn branches(&self, e: Edge) -> (Edge, Edge) {
        let node = self.node(e);
        (node.hi.signed_as(e), node.lo.signed_as(e))
    }

    /// The branches by the variable at `level`, which is at or above the top of `e`.
    #[inline]
    pub(crate) fn branches_at(&self, e: Edge, level: u32) -> (Edge, Edge) {
        if self.level(e) == level { self.branches(e) } else { (e, e) }
    }

    /// The function `var ? hi : lo`; both branches are below `var`.
    #[inline]
    pub(crate) fn make(&mut self, var: Var, hi: Edge, lo: Edge) -> Result<Edge, Stop> {
        if hi == lo {
            return Ok(hi);
        }
        let (sign, hi, lo) = (hi, hi.regular(), lo.signed_as(hi));
        if let Some(id) = self.tables[var as usize].find(&self.nodes, hi, lo) {
            return Ok(Edge::to(id).signed_as(sign));
        }
        let id = self.allocate(Node { hi, lo, var, next: 0 })?;
        self.tables[var as usize].insert(&mut self.nodes, id);
        Ok(Edge::to(id).signed_as(sign))
    }

    /// Writes a node at an index from [`Store::allocate`].
    pub(crate) fn put(&mut self, id: u32, node: Node) {
        self.nodes[id as usize] = node;
        self.tables[node.var as usize].insert(&mut self.nodes, id);
    }

    /// The index of a new node that is in no table yet.
    #[inline]
    pub(crate) fn allocate(&mut self, node: Node) -> Result<u32, Stop> {
        if self.free != 0 {
            let id = self.free;
            self.free = self.nodes[id as usize].next;
            self.n_free -= 1;
            self.nodes[id as usize] = node;
            return Ok(id);
        }
        if self.nodes.len() >= self.grow_at {
            self.make_room()?;
        }
        self.nodes.push(node);
        Ok((self.nodes.len() - 1) as u32)
    }

    #[cold]
    fn make_room(&mut self) -> Result<(), Stop> {
        if self.nodes.len() > self.capacity {
            return Err(Stop::OutOfNodes);
        }
        self.cache.grow_for(self.nodes.len());
        self.grow_at = (2 * self.nodes.len()).min(self.capacity + 1);
        Ok(())
    }

    pub(crate) fn release(&mut self, id: u32) {
        self.nodes[id as usize].next = self.free;
        self.free = id;
        self.n_free += 1;
    }

    /// Frees all nodes that are not reachable from the roots.
    pub(crate) fn collect(&mut self, roots: &[u32]) {
        let mut alive = vec![0_u64; self.nodes.len().div_ceil(64)];
        alive[0] = 1;
        let mut open: Vec<u32> = Vec::new();
        let mut mark = |id: u32, open: &mut Vec<u32>| {
            let (word, bit) = (id as usize / 64, 1 << (id % 64));
            if alive[word] & bit == 0 {
                alive[word] |= bit;
                open.push(id);
            }
        };
        for &root in roots {
            mark(root, &mut open);
            while let Some(id) = open.pop() {
                let node = &self.nodes[id as usize];
                mark(node.hi.node() as u32, &mut open);
                mark(node.lo.node() as u32, &mut open);
            }
        }
        let is_alive = |id: usize| alive[id / 64] >> (id % 64) & 1 == 1;
        // The tables are made anew: a pass over the nodes in their order reads memory in sequence, which chains do not.
        let mut n_alive = vec![0; self.tables.len()];
        for (_, node) in self.nodes.iter().enumerate().skip(1).filter(|(id, _)| is_alive(*id)) {
            n_alive[node.var as usize] += 1;
        }
        for (table, n_nodes) in self.tables.iter_mut().zip(n_alive) {
            table.clear_for(n_nodes);
        }
        self.cache.retain(|e| is_alive(e.node()));
        // The lowest indices are reused first, so that the nodes in use stay close together.
        (self.free, self.n_free) = (0, 0);
        for id in (1..self.nodes.len()).rev() {
            if is_alive(id) {
                let var = self.nodes[id].var as usize;
                self.tables[var].insert(&mut self.nodes, id as u32);
            } else {
                self.nodes[id].next = self.free;
                self.free = id as u32;
                self.n_free += 1;
            }
        }
    }

    /// Runs a recursion over the levels on a stack that is large enough for all of them.
    pub(crate) fn with_stack<T>(n_vars: u32, recursion: impl FnOnce() -> T) -> T {
        let needed = n_vars as usize * BYTES_PER_LEVEL + (64 << 10);
        stacker::maybe_grow(needed, needed, recursion)
    }

    /// Checks the clock and the flag now.
    pub(crate) fn poll(&mut self) -> Result<(), Limit> {
        self.budget.poll()
    }
}
