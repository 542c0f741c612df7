//! Words that tell states apart.

use super::machine::Machine;
use std::collections::VecDeque;

/// For any two states of a machine, a shortest word that tells them apart.
#[derive(Clone, Debug)]
pub struct Separators {
    n_states: usize,
    /// For each pair of states, the first letter and the pair after it; `None` if no word tells them apart.
    steps: Vec<Option<(usize, Option<usize>)>>,
}

impl Separators {
    /// The words of a machine; of equally short ones, the first in the order of letters. Letters must be permitted in both
    /// states.
    pub fn new(machine: &Machine) -> Separators {
        let n = machine.n_states();
        let mut found = Separators { n_states: n, steps: vec![None; n * n] };
        // For each pair, the pairs from which a letter leads there.
        let mut sources: Vec<Vec<(usize, usize)>> = vec![Vec::new(); n * n];
        let mut queue = VecDeque::new();
        for a in 0..n {
            for b in a + 1..n {
                let pair = a * n + b;
                for letter in 0..machine.n_letters() {
                    let (Some(one), Some(other)) = (machine.moves[a][letter], machine.moves[b][letter]) else {
                        continue;
                    };
                    if one.output != other.output {
                        if found.steps[pair].is_none() {
                            found.steps[pair] = Some((letter, None));
                            queue.push_back(pair);
                        }
                    } else if one.to != other.to {
                        let (low, high) = (one.to.min(other.to), one.to.max(other.to));
                        sources[low * n + high].push((pair, letter));
                    }
                }
            }
        }
        while let Some(pair) = queue.pop_front() {
            for (source, letter) in std::mem::take(&mut sources[pair]) {
                if found.steps[source].is_none() {
                    found.steps[source] = Some((letter, Some(pair)));
                    queue.push_back(source);
                }
            }
        }
        found
    }

    /// The word for two different states.
    pub fn word(&self, a: usize, b: usize) -> Option<Vec<usize>> {
        let mut pair = Some(a.min(b) * self.n_states + a.max(b));
        let mut word = Vec::new();
        while let Some(at) = pair {
            let (letter, next) = self.steps[at]?;
            word.push(letter);
            pair = next;
        }
        Some(word)
    }

    /// Two states that no word tells apart.
    pub fn first_inseparable(&self) -> Option<(usize, usize)> {
        let n = self.n_states;
        let pairs = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)));
        pairs.into_iter().find(|(a, b)| self.steps[a * n + b].is_none())
    }

    /// A characterization set: words of which one tells any two states apart.
    pub fn characterization_set(&self, machine: &Machine) -> Vec<Vec<usize>> {
        let mut words: Vec<Vec<usize>> = Vec::new();
        for a in 0..self.n_states {
            for b in a + 1..self.n_states {
                if !words.iter().any(|word| machine.differ(a, b, word)) {
                    words.extend(self.word(a, b));
                }
            }
        }
        without_prefixes(words)
    }

    /// For each state, some words of a characterization set that tell it from all others.
    pub fn identification_sets(&self, machine: &Machine, words: &[Vec<usize>]) -> Vec<Vec<Vec<usize>>> {
        let of = |state: usize| {
            let mut own: Vec<Vec<usize>> = Vec::new();
            for other in (0..self.n_states).filter(|other| *other != state) {
                let differ = |word: &&Vec<usize>| machine.differ(state, other, word);
                if !own.iter().any(|word| differ(&word)) {
                    own.extend(words.iter().find(differ).cloned());
                }
            }
            own
        };
        (0..self.n_states).map(of).collect()
    }

    /// Harmonized state identifiers: for each state, words that tell it from all others. The words of two states have a
    /// common prefix that tells them apart.
    pub fn harmonized_identifiers(&self) -> Vec<Vec<Vec<usize>>> {
        let of = |state: usize| {
            let others = (0..self.n_states).filter(|other| *other != state);
            without_prefixes(others.filter_map(|other| self.word(state, other)).collect())
        };
        (0..self.n_states).map(of).collect()
    }
}

/// Different words, without those that are the beginning of another one.
fn without_prefixes(mut words: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    words.sort();
    words.dedup();
    let is_prefix = |index: usize| words.get(index + 1).is_some_and(|next| next.starts_with(&words[index]));
    let kept: Vec<usize> = (0..words.len()).filter(|index| !is_prefix(*index)).collect();
    kept.into_iter().map(|index| words[index].clone()).collect()
}
