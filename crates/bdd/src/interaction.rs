//! Interaction of groups of variables: whether they occur together in some function.
//!
//! Two groups that do not interact can be exchanged without visiting any node, and moving past one of them gains
//! nothing. The relation depends on the functions and not on their order, so it is computed once for a whole
//! reordering.

use rustc_hash::FxHashSet;

/// Number of words for the supports of all nodes, and as many again for the relation; beyond it, all groups are assumed
/// to interact.
const MAX_WORDS: usize = 8 << 20;

/// A symmetric relation on the groups.
pub(crate) struct Interaction {
    n_words: usize,
    /// `None` if all interact.
    rows: Option<Vec<u64>>,
}

impl Interaction {
    #[inline]
    pub(crate) fn test(&self, a: usize, b: usize) -> bool {
        self.rows.as_ref().is_none_or(|rows| rows[a * self.n_words + b / 64] >> (b % 64) & 1 == 1)
    }

    /// Computes the relation from nodes in topological order, children first, starting with the terminal; `groups` has
    /// the group of each node except the terminal, and `roots` are the functions.
    pub(crate) fn of(
        n_groups: usize,
        groups: impl ExactSizeIterator<Item = usize>,
        children: impl Iterator<Item = [usize; 2]>,
        roots: &[u32],
    ) -> Self {
        let n_words = n_groups.div_ceil(64);
        let n_nodes = groups.len() + 1;
        if n_nodes.max(n_groups).saturating_mul(n_words) > MAX_WORDS {
            return Interaction { n_words, rows: None };
        }
        let mut supports = vec![0_u64; n_nodes * n_words];
        for (node, (group, [hi, lo])) in (1..).zip(groups.zip(children.skip(1))) {
            supports[node * n_words + group / 64] |= 1 << (group % 64);
            for word in 0..n_words {
                supports[node * n_words + word] |= supports[hi * n_words + word] | supports[lo * n_words + word];
            }
        }
        let mut rows = vec![0_u64; n_groups * n_words];
        let mut seen: FxHashSet<&[u64]> = FxHashSet::default();
        for &root in roots {
            let support = &supports[root as usize * n_words..][..n_words];
            if !seen.insert(support) {
                continue;
            }
            for group in (0..n_groups).filter(|group| support[group / 64] >> (group % 64) & 1 == 1) {
                for (word, bits) in support.iter().enumerate() {
                    rows[group * n_words + word] |= bits;
                }
            }
        }
        Interaction { n_words, rows: Some(rows) }
    }
}
