//! Which pairs of variables occur together in some function.
//!
//! Two pairs that never do can pass each other without looking at a single node, and tell nothing about how much a move
//! can gain. The relation belongs to the functions and not to their order, so one computation serves a whole reordering.

use rustc_hash::FxHashSet;

use super::Var;

/// Words of memory that the supports of all nodes may take; beyond it, everything is taken to interact.
const MAX_WORDS: usize = 8 << 20;

/// A symmetric relation on the pairs, each named by half its current variable.
pub(super) struct Interaction {
    n_words: usize,
    /// `None` if all interact.
    rows: Option<Vec<u64>>,
}

impl Interaction {
    #[inline]
    pub(super) fn test(&self, a: usize, b: usize) -> bool {
        self.rows.as_ref().is_none_or(|rows| rows[a * self.n_words + b / 64] >> (b % 64) & 1 == 1)
    }

    /// Reads nodes that come after their children, the terminal being the first; `roots` are the functions.
    pub(super) fn of(n_pairs: usize, vars: &[Var], children: impl Iterator<Item = [usize; 2]>, roots: &[u32]) -> Self {
        let n_words = n_pairs.div_ceil(64);
        if vars.len().saturating_mul(n_words) > MAX_WORDS {
            return Interaction { n_words, rows: None };
        }
        let mut supports = vec![0_u64; vars.len() * n_words];
        for (node, [hi, lo]) in children.enumerate().skip(1) {
            let pair = vars[node] as usize / 2;
            supports[node * n_words + pair / 64] |= 1 << (pair % 64);
            for word in 0..n_words {
                supports[node * n_words + word] |= supports[hi * n_words + word] | supports[lo * n_words + word];
            }
        }
        let mut rows = vec![0_u64; n_pairs * n_words];
        let mut seen: FxHashSet<&[u64]> = FxHashSet::default();
        for &root in roots {
            let support = &supports[root as usize * n_words..][..n_words];
            if !seen.insert(support) {
                continue;
            }
            for pair in (0..n_pairs).filter(|pair| support[pair / 64] >> (pair % 64) & 1 == 1) {
                for (word, bits) in support.iter().enumerate() {
                    rows[pair * n_words + word] |= bits;
                }
            }
        }
        Interaction { n_words, rows: Some(rows) }
    }
}
