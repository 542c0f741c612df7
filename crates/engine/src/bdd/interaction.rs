//! Which pairs of variables occur together in some function.
//!
//! Two pairs that never do can pass each other without looking at a single node, and tell nothing about how much a move
//! can gain. The relation belongs to the functions and not to their order, so one computation serves a whole reordering.

use std::collections::HashSet;

use oxidd_core::util::Ref;
use oxidd_core::{InnerNode, LevelView, Node};

use super::apply::Store;

/// Words of memory that the supports of all nodes may take; beyond it, everything is taken to interact.
const MAX_WORDS: usize = 8 << 20;

/// A symmetric relation on the pairs, which are numbered by their level when it was computed.
pub(super) struct Interaction {
    n_words: usize,
    /// `None` if all interact.
    rows: Option<Vec<u64>>,
}

impl Interaction {
    pub(super) fn test(&self, a: usize, b: usize) -> bool {
        self.rows.as_ref().is_none_or(|rows| rows[a * self.n_words + b / 64] >> (b % 64) & 1 == 1)
    }

    /// Reads the nodes in the store, which must all be alive.
    pub(super) fn of<M: Store>(store: &M) -> Self {
        let n_levels = store.num_levels() as usize;
        let n_pairs = n_levels / 2;
        let n_words = n_pairs.div_ceil(64);
        let mut n_nodes = 0;
        let mut max_id = 0;
        for level in store.levels() {
            n_nodes += level.len();
            max_id = level.iter().map(Ref::node_id).max().unwrap_or(0).max(max_id);
        }
        if n_nodes.saturating_mul(n_words) > MAX_WORDS {
            return Interaction { n_words, rows: None };
        }
        // Supports from the bottom up. Place 0 is the terminal, which needs none.
        let mut place = vec![0_u32; max_id + 1];
        let mut supports = vec![0_u64; n_words];
        let mut n_parents = vec![0_u32];
        for (number, level) in store.levels().enumerate().rev() {
            for e in level.iter() {
                let Node::Inner(node) = store.get_node(e) else {
                    continue;
                };
                let own = supports.len();
                place[e.node_id()] = n_parents.len() as u32;
                n_parents.push(0);
                supports.resize(own + n_words, 0);
                supports[own + number / 128] |= 1 << (number / 2 % 64);
                for child in node.children() {
                    let child = place[child.node_id()] as usize;
                    n_parents[child] += 1;
                    for word in 0..n_words {
                        supports[own + word] |= supports[child * n_words + word];
                    }
                }
            }
        }
        // A node with more references than parents is a function that someone holds.
        let mut rows = vec![0_u64; n_pairs * n_words];
        let mut seen: HashSet<&[u64]> = HashSet::new();
        for level in store.levels() {
            for e in level.iter() {
                let Node::Inner(node) = store.get_node(e) else {
                    continue;
                };
                let at = place[e.node_id()] as usize;
                let support = &supports[at * n_words..][..n_words];
                if node.ref_count() <= n_parents[at] as usize || !seen.insert(support) {
                    continue;
                }
                for pair in (0..n_pairs).filter(|pair| support[pair / 64] >> (pair % 64) & 1 == 1) {
                    for (word, bits) in support.iter().enumerate() {
                        rows[pair * n_words + word] |= bits;
                    }
                }
            }
        }
        Interaction { n_words, rows: Some(rows) }
    }
}
