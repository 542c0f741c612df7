//! The unique table of one variable: chains of nodes, hashed by their branches.

use crate::store::Edge;

/// A node that can be in a chain.
pub(crate) trait Chained: Copy {
    fn branches(&self) -> (Edge, Edge);
    /// The next node in the chain; 0 ends it.
    fn next(&self) -> u32;
    fn set_next(&mut self, next: u32);
}

/// The nodes of one variable. They are stored in an array that is passed to every method.
pub(crate) struct Table {
    /// The first node of each chain; a power of two.
    pub(crate) buckets: Vec<u32>,
    pub(crate) len: usize,
}

const MIN_BUCKETS: usize = 8;

impl Table {
    pub(crate) fn with_room_for(n_nodes: usize) -> Self {
        Table { buckets: vec![0; buckets_for(n_nodes)], len: 0 }
    }

    /// Removes all nodes, and has room for as many; room that is far too much is given up.
    pub(crate) fn clear_for(&mut self, n_nodes: usize) {
        self.len = 0;
        if n_nodes * 8 < self.buckets.len() {
            // Garbage is collected where nodes come and go: twice the room saves the next growth.
            self.buckets = vec![0; buckets_for(2 * n_nodes)];
        } else {
            self.buckets.fill(0);
        }
    }

    #[inline]
    fn bucket(&self, hi: Edge, lo: Edge) -> usize {
        let key = u64::from(hi.raw()) | u64::from(lo.raw()) << 32;
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 36) as usize & (self.buckets.len() - 1)
    }

    #[inline]
    pub(crate) fn find<N: Chained>(&self, nodes: &[N], hi: Edge, lo: Edge) -> Option<u32> {
        let mut id = self.buckets[self.bucket(hi, lo)];
        while id != 0 {
            let node = &nodes[id as usize];
            if node.branches() == (hi, lo) {
                return Some(id);
            }
            id = node.next();
        }
        None
    }

    /// Adds the node `id`, which has its branches already.
    #[inline]
    pub(crate) fn insert<N: Chained>(&mut self, nodes: &mut [N], id: u32) {
        let node = &mut nodes[id as usize];
        let (hi, lo) = node.branches();
        let at = self.bucket(hi, lo);
        node.set_next(self.buckets[at]);
        self.buckets[at] = id;
        self.len += 1;
        if self.len > self.buckets.len() {
            self.fit(nodes);
        }
    }

    /// Removes the node `id`, which must be in the table.
    pub(crate) fn remove<N: Chained>(&mut self, nodes: &mut [N], id: u32) {
        let (hi, lo) = nodes[id as usize].branches();
        let next = nodes[id as usize].next();
        let at = self.bucket(hi, lo);
        if self.buckets[at] == id {
            self.buckets[at] = next;
        } else {
            let mut before = self.buckets[at] as usize;
            while nodes[before].next() != id {
                before = nodes[before].next() as usize;
            }
            nodes[before].set_next(next);
        }
        self.len -= 1;
    }

    /// Removes all nodes for which `keep` is false; `keep` is called once for each node.
    #[inline]
    pub(crate) fn retain<N: Chained>(&mut self, nodes: &mut [N], mut keep: impl FnMut(&[N], u32) -> bool) {
        for first in &mut self.buckets {
            let mut last = 0;
            let mut id = *first;
            while id != 0 {
                let next = nodes[id as usize].next();
                if keep(nodes, id) {
                    last = id;
                } else {
                    self.len -= 1;
                    if last == 0 {
                        *first = next;
                    } else {
                        nodes[last as usize].set_next(next);
                    }
                }
                id = next;
            }
        }
    }

    pub(crate) fn for_each<N: Chained>(&self, nodes: &[N], mut visit: impl FnMut(u32)) {
        for &first in &self.buckets {
            let mut id = first;
            while id != 0 {
                visit(id);
                id = nodes[id as usize].next();
            }
        }
    }

    /// The number of nodes.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Whether there are far more buckets than nodes, which makes visiting all nodes slow.
    #[inline]
    pub(crate) fn is_sparse(&self) -> bool {
        self.len * 8 < self.buckets.len() && self.buckets.len() > MIN_BUCKETS
    }

    /// Resizes the table to its number of nodes, up to a constant factor.
    #[cold]
    pub(crate) fn fit<N: Chained>(&mut self, nodes: &mut [N]) {
        let old = std::mem::replace(&mut self.buckets, vec![0; buckets_for(self.len)]);
        for mut id in old {
            while id != 0 {
                let (hi, lo) = nodes[id as usize].branches();
                let at = self.bucket(hi, lo);
                let next = nodes[id as usize].next();
                nodes[id as usize].set_next(self.buckets[at]);
                self.buckets[at] = id;
                id = next;
            }
        }
    }
}

fn buckets_for(n_nodes: usize) -> usize {
    (n_nodes + 1).next_power_of_two().max(MIN_BUCKETS)
}
