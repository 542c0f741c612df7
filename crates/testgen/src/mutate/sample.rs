//! Random samples of mutants, reproducible by their seed.

use super::identity::{Hash, mix};
use super::mutant::Mutant;
use std::collections::BinaryHeap;

/// A sample of `n` mutants, in their order.
///
/// Each mutant gets a hash of the seed and its id, and those with the smallest hashes are taken. So a mutant stays in
/// the sample when others are added or removed by an edit, and at most `n` are kept in memory.
pub fn sample(mutants: impl IntoIterator<Item = Mutant>, n: usize, seed: u64) -> Vec<Mutant> {
    draw(mutants, n, seed, |mutant| u64::from(mutant.id.hash) << 32 | u64::from(mutant.id.copy))
}

/// The same for mutants of another kind, by their ids.
pub fn sample_by<T>(mutants: impl IntoIterator<Item = T>, n: usize, seed: u64, id: impl Fn(&T) -> &str) -> Vec<T> {
    draw(mutants, n, seed, |mutant| Hash::new("mutant").text(id(mutant)).finish())
}

fn draw<T>(mutants: impl IntoIterator<Item = T>, n: usize, seed: u64, name: impl Fn(&T) -> u64) -> Vec<T> {
    let mut kept: BinaryHeap<(u64, usize)> = BinaryHeap::new();
    let mut chosen = rustc_hash::FxHashMap::default();
    for (index, mutant) in mutants.into_iter().enumerate() {
        let name = name(&mutant);
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
