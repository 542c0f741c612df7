//! Sets of words in which beginnings of other words do not count.

use super::machine::Word;
use rustc_hash::FxHashMap;

/// A set of words has more steps than it may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong;

/// A set of words. Every node is a step of at least one test.
pub struct Trie {
    /// For each node, its children by letter, in the order in which they were added. The children of the root are ways to
    /// begin.
    children: Vec<Vec<(usize, usize)>>,
    index: FxHashMap<(usize, usize), usize>,
    most_steps: usize,
}

impl Trie {
    /// An empty set that may have this number of steps.
    pub fn new(most_steps: usize) -> Trie {
        Trie { children: vec![Vec::new()], index: FxHashMap::default(), most_steps }
    }

    /// Adds a word.
    pub fn add(&mut self, word: &Word) -> Result<(), TooLong> {
        let mut node = 0;
        for letter in std::iter::once(&word.reset).chain(&word.letters) {
            let fresh = self.children.len();
            let next = *self.index.entry((node, *letter)).or_insert(fresh);
            if next == fresh {
                self.children[node].push((*letter, fresh));
                self.children.push(Vec::new());
            }
            node = next;
        }
        // The root and the ways to begin are no steps.
        let n_steps = self.children.len() - 1 - self.children[0].len();
        if n_steps > self.most_steps { Err(TooLong) } else { Ok(()) }
    }

    /// The words that are no beginning of another one.
    pub fn words(&self) -> Vec<Word> {
        let mut words = Vec::new();
        let mut open: Vec<(usize, Word)> = self.children[0]
            .iter()
            .rev()
            .map(|(reset, node)| (*node, Word { reset: *reset, letters: Vec::new() }))
            .collect();
        while let Some((node, word)) = open.pop() {
            if self.children[node].is_empty() {
                words.push(word);
                continue;
            }
            for (letter, child) in self.children[node].iter().rev() {
                open.push((*child, word.clone().then(&[*letter])));
            }
        }
        words
    }
}
