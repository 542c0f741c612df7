//! Canonical solutions: the choice depends on the caller's preferences and not on the variable order.

use rustc_hash::FxHashMap;

use crate::store::{Edge, Store};
use crate::{Bdd, Var};

impl Bdd {
    /// The best solution by priority: the values of the listed variables, in the order of the list.
    ///
    /// The first variable takes its preferred value if any solution has it, then the second one if any of the remaining
    /// solutions has it, and so on. Variables that are not listed are free. `None` if there is no solution.
    pub fn pick(&self, priorities: &[(Var, bool)]) -> Option<Vec<bool>> {
        let store = self.shared.store();
        let mut wish = vec![None; store.n_vars() as usize];
        for (place, &(var, preferred)) in priorities.iter().enumerate() {
            wish[var as usize] = Some((place, preferred));
        }
        let n_words = priorities.len().div_ceil(64).max(1);
        let mut picker =
            Picker { store: &store, wish, n_words, regrets: vec![0; n_words], known: FxHashMap::default() };
        let first = Store::with_stack(store.n_vars(), || picker.first(self.edge))?;
        let regrets = picker.string(first);
        let values = priorities.iter().enumerate();
        Some(values.map(|(place, &(_, preferred))| preferred != bit(regrets, place)).collect())
    }
}

/// A bottom-up pass that computes the best solution of every edge.
///
/// A solution is represented by the set of list positions where it differs from the preference, as a bit string whose
/// first bit is the first position: comparing bit strings compares solutions. A free variable has its preferred value.
/// Adding one literal to all solutions of a branch keeps their order, so the better of two branches is the best
/// solution of the node.
struct Picker<'a> {
    store: &'a Store,
    /// For each variable, its position in the list and its preferred value.
    wish: Vec<Option<(usize, bool)>>,
    n_words: usize,
    /// Bit strings of `n_words` words each; the one at index 0 is empty.
    regrets: Vec<u64>,
    known: FxHashMap<Edge, Option<usize>>,
}

impl Picker<'_> {
    fn first(&mut self, e: Edge) -> Option<usize> {
        if e.is_constant() {
            return (e == Edge::TRUE).then_some(0);
        }
        if let Some(&known) = self.known.get(&e) {
            return known;
        }
        let (t, f) = self.store.branches(e);
        let wish = self.wish[self.store.node(e).var as usize];
        let t = self.first(t).map(|first| self.with_literal(first, wish, true));
        let f = self.first(f).map(|first| self.with_literal(first, wish, false));
        let first = match (t, f) {
            (Some(t), Some(f)) => Some(if self.string(t) <= self.string(f) { t } else { f }),
            (one, other) => one.or(other),
        };
        self.known.insert(e, first);
        first
    }

    fn string(&self, index: usize) -> &[u64] {
        &self.regrets[index * self.n_words..][..self.n_words]
    }

    fn with_literal(&mut self, index: usize, wish: Option<(usize, bool)>, value: bool) -> usize {
        match wish {
            Some((place, preferred)) if preferred != value => {
                let new = self.regrets.len() / self.n_words;
                self.regrets.extend_from_within(index * self.n_words..(index + 1) * self.n_words);
                self.regrets[new * self.n_words + place / 64] |= 1 << (63 - place % 64);
                new
            }
            _ => index,
        }
    }
}

fn bit(string: &[u64], place: usize) -> bool {
    string[place / 64] >> (63 - place % 64) & 1 == 1
}
