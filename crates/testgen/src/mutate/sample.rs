//! A sample of mutants: as many as asked for, chosen by chance, but always the same for the same seed.

use super::identity::mix;
use super::mutant::Mutant;
use std::collections::BinaryHeap;

/// So many of the mutants, in their order.
///
/// Each mutant draws a number from the seed and its name, and those with the smallest numbers are taken. So a mutant
/// stays in the sample when others come and go with the next edit, and no more are held in memory than are wanted.
pub fn sample(mutants: impl IntoIterator<Item = Mutant>, n: usize, seed: u64) -> Vec<Mutant> {
    let mut kept: BinaryHeap<(u64, usize)> = BinaryHeap::new();
    let mut chosen = rustc_hash::FxHashMap::default();
    for (index, mutant) in mutants.into_iter().enumerate() {
        let name = u64::from(mutant.id.hash) << 32 | u64::from(mutant.id.copy);
        let draw = (mix(name ^ mix(seed)), index);
        if kept.len() == n && kept.peek().is_none_or(|last| *last < draw) {
            continue;
        }
        kept.push(draw);
        chosen.insert(index, mutant);
        if kept.len() > n
            && let Some((_, last)) = kept.pop()
        {
            chosen.remove(&last);
        }
    }
    let mut indices: Vec<usize> = kept.into_iter().map(|(_, index)| index).collect();
    indices.sort_unstable();
    indices.into_iter().filter_map(|index| chosen.remove(&index)).collect()
}
