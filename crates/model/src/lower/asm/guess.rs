//! What is guessed about functions, and corrected from pass to pass: which may be without a value, and which values those
//! of endless domains take.
//!
//! A guess that keeps growing is widened: its ends are let go, and what the rules then really give is the next guess. So a
//! counter that stops at 100 is found in a few passes, and one that never stops is seen to have no end.

use super::value::{Sym, Values};
use super::{Const, Lowering};
use specwright_syntax::span::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// After so many passes, what still grows is widened.
const WIDEN_AFTER: usize = 12;

/// After so many passes, what still grows has no end; twice as many are never needed.
const MOST_PASSES: usize = 40;

/// Longer sequences than this have no end.
const LONGEST: usize = 16;

/// So far sequences without end are followed, if they are not longer in the beginning.
const CUT_AT: usize = 4;

/// What is guessed about functions.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Facts {
    /// Those that may be without a value.
    pub(super) undef: BTreeSet<usize>,
    /// What those of endless domains may hold.
    pub(super) seen: BTreeMap<usize, Seen>,
    /// Those that hold numbers without end.
    pub(super) endless: BTreeSet<usize>,
    /// How long the sequences of functions are.
    pub(super) lengths: BTreeMap<usize, Lengths>,
    /// Where those whose parameters have no end are looked up.
    pub(super) args: BTreeMap<usize, BTreeSet<Vec<Const>>>,
}

/// Values that were seen so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Seen {
    pub(super) ints: Option<(i64, i64)>,
    pub(super) atoms: Vec<Arc<str>>,
    pub(super) bools: bool,
    /// Where the last of them came from.
    pub(super) span: Option<Span>,
}

/// The lengths of sequences that were seen so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Lengths {
    /// The least and the greatest.
    pub(super) ends: Option<(usize, usize)>,
    /// Whether there may be no sequence at all.
    pub(super) absent: bool,
    /// How far they are followed, if there is no end of them.
    pub(super) cut: Option<usize>,
}

/// The guesses, from pass to pass.
#[derive(Default)]
pub(super) struct Guesses {
    pub(super) facts: Facts,
    n_passes: usize,
    /// The functions whose ends were let go for this pass.
    widened: BTreeSet<usize>,
    /// How long sequences were in the first pass.
    first_lengths: BTreeMap<usize, usize>,
}

impl Guesses {
    /// Corrects the guesses by what a pass has found: the guesses of before and more, and the values that it has seen
    /// itself. Says whether that ends: nothing was wrong, or nothing helps.
    pub(super) fn correct(&mut self, found: &Facts, given: &BTreeMap<usize, (i64, i64)>) -> bool {
        self.n_passes += 1;
        let narrow = std::mem::take(&mut self.widened);
        if (*found == self.facts && narrow.is_empty()) || self.n_passes > 2 * MOST_PASSES {
            return true;
        }
        let before = std::mem::replace(&mut self.facts, found.clone());
        self.cut_sequences();
        for function in narrow {
            let Some(seen) = self.facts.seen.get_mut(&function) else { continue };
            match given.get(&function) {
                Some((low, high)) if *low > i64::MIN && *high < i64::MAX => seen.ints = Some((*low, *high)),
                Some(_) => {
                    self.facts.endless.insert(function);
                }
                None => {}
            }
        }
        if self.n_passes != WIDEN_AFTER && self.n_passes != MOST_PASSES {
            return false;
        }
        for (function, seen) in &mut self.facts.seen {
            let (Some((low, high)), Some((first, last))) =
                (seen.ints, before.seen.get(function).and_then(|seen| seen.ints))
            else {
                continue;
            };
            if (low, high) == (first, last) {
                continue;
            }
            if self.n_passes == MOST_PASSES {
                self.facts.endless.insert(*function);
                continue;
            }
            seen.ints = Some((if low < first { i64::MIN } else { low }, if high > last { i64::MAX } else { high }));
            self.widened.insert(*function);
        }
        false
    }

    /// Says of sequences that keep growing how far they are followed.
    fn cut_sequences(&mut self) {
        for (function, lengths) in &mut self.facts.lengths {
            let Some((shortest, longest)) = lengths.ends else { continue };
            let first = *self.first_lengths.entry(*function).or_insert(longest);
            if longest > LONGEST.max(first) && lengths.cut.is_none() {
                let most = CUT_AT.max(first);
                lengths.cut = Some(most);
                lengths.ends = Some((shortest, most));
            }
        }
    }

    /// Whether nothing was found yet.
    pub(super) fn is_first(&self) -> bool {
        self.n_passes == 0
    }

    /// Whether there is no pass after the next.
    pub(super) fn is_last(&self) -> bool {
        self.n_passes >= 2 * MOST_PASSES
    }

    /// Whether a function's ends were let go for this pass, or it has none.
    pub(super) fn is_open(&self, function: usize) -> bool {
        self.widened.contains(&function) || self.facts.endless.contains(&function)
    }
}

impl Lowering<'_> {
    /// Remembers what a function is given, for the next pass.
    pub(super) fn note_values(&mut self, function: usize, value: &Sym, span: Span) {
        if let Sym::Either(cases) = value {
            for (case, _) in cases {
                self.note_values(function, case, span);
            }
            return;
        }
        let defined = self.is_defined(value);
        if self.truth_of(defined) != Some(true) {
            self.facts.undef.insert(function);
        }
        let Some(single) = self.single(value) else { return };
        let Some(seen) = self.facts.seen.get_mut(&function) else { return };
        let before = seen.clone();
        match &single.values {
            Values::Bool => seen.bools = true,
            Values::Int(low, high) => {
                let (first, last) = seen.ints.unwrap_or((*low, *high));
                seen.ints = Some((first.min(*low), last.max(*high)));
                let given = self.given.entry(function).or_insert((*low, *high));
                *given = (given.0.min(*low), given.1.max(*high));
            }
            Values::Atoms(names) => {
                for name in names.iter() {
                    if !seen.atoms.contains(name) {
                        seen.atoms.push(name.clone());
                    }
                }
            }
        }
        if *seen != before {
            seen.span = Some(span);
        }
    }

    /// Remembers how long a sequence is that a function is given.
    pub(super) fn note_length(&mut self, function: usize, n: usize) {
        let lengths = self.facts.lengths.entry(function).or_default();
        let (shortest, longest) = lengths.ends.unwrap_or((n, n));
        let most = lengths.cut.unwrap_or(usize::MAX);
        lengths.ends = Some((shortest.min(n), longest.max(n.min(most))));
    }
}
