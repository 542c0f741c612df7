//! Range analysis of functions with infinite domains: their values, and which functions may be `undef`.
//!
//! The analysis is a fixpoint iteration with widening. Every pass lowers the machine with the current ranges and
//! records the values that occur. A range that keeps growing is widened to be unbounded, and the values that the rules
//! then give are the next range. So a counter that stops at 100 is found in a few passes, and one that never stops is
//! found to be unbounded.

use super::value::{Sym, Values};
use super::{Const, Lowering};
use specwright_syntax::span::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Number of passes after which ranges that still grow are widened.
const WIDEN_AFTER: usize = 12;

/// Number of passes after which ranges that still grow are unbounded. The iteration ends after at most twice as many.
const MAX_PASSES: usize = 40;

/// Length beyond which sequences are considered unbounded.
const MAX_LENGTH: usize = 16;

/// Length at which unbounded sequences are cut, unless they are longer initially.
const CUT_LENGTH: usize = 4;

/// The current approximation.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Facts {
    /// The functions that may be `undef`.
    pub(super) undef: BTreeSet<usize>,
    /// The values of functions with infinite domains.
    pub(super) seen: BTreeMap<usize, Seen>,
    /// The functions whose numbers are unbounded.
    pub(super) endless: BTreeSet<usize>,
    /// The lengths of sequences.
    pub(super) lengths: BTreeMap<usize, Lengths>,
    /// The arguments of functions with infinite parameter domains.
    pub(super) args: BTreeMap<usize, BTreeSet<Vec<Const>>>,
}

/// The values of a function so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Seen {
    pub(super) ints: Option<(i64, i64)>,
    pub(super) atoms: Vec<Arc<str>>,
    pub(super) bools: bool,
    /// The source span of the last new value.
    pub(super) span: Option<Span>,
}

/// The lengths of the sequences of a function so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Lengths {
    /// The least and the greatest length.
    pub(super) ends: Option<(usize, usize)>,
    /// Whether the value may be `undef`.
    pub(super) absent: bool,
    /// The length at which unbounded sequences are cut.
    pub(super) cut: Option<usize>,
}

/// The state of the fixpoint iteration.
#[derive(Default)]
pub(super) struct RangeAnalysis {
    pub(super) facts: Facts,
    n_passes: usize,
    /// The functions that are widened in this pass.
    widened: BTreeSet<usize>,
    /// The lengths of sequences in the first pass.
    first_lengths: BTreeMap<usize, usize>,
}

impl RangeAnalysis {
    /// Updates the approximation with the facts of a pass: the previous ones and those that are new, and the values
    /// that the pass has given. Returns whether the iteration ends: a fixpoint is reached, or the passes are used up.
    pub(super) fn correct(&mut self, found: &Facts, given: &BTreeMap<usize, (i64, i64)>) -> bool {
        self.n_passes += 1;
        let narrow = std::mem::take(&mut self.widened);
        if (*found == self.facts && narrow.is_empty()) || self.n_passes > 2 * MAX_PASSES {
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
        if self.n_passes != WIDEN_AFTER && self.n_passes != MAX_PASSES {
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
            if self.n_passes == MAX_PASSES {
                self.facts.endless.insert(*function);
                continue;
            }
            seen.ints = Some((if low < first { i64::MIN } else { low }, if high > last { i64::MAX } else { high }));
            self.widened.insert(*function);
        }
        false
    }

    /// Cuts sequences that keep growing.
    fn cut_sequences(&mut self) {
        for (function, lengths) in &mut self.facts.lengths {
            let Some((shortest, longest)) = lengths.ends else { continue };
            let first = *self.first_lengths.entry(*function).or_insert(longest);
            if longest > MAX_LENGTH.max(first) && lengths.cut.is_none() {
                let most = CUT_LENGTH.max(first);
                lengths.cut = Some(most);
                lengths.ends = Some((shortest, most));
            }
        }
    }

    /// Whether this is the first pass.
    pub(super) fn is_first(&self) -> bool {
        self.n_passes == 0
    }

    /// Whether the next pass is the last one.
    pub(super) fn is_last(&self) -> bool {
        self.n_passes >= 2 * MAX_PASSES
    }

    /// Whether a function is widened in this pass, or unbounded.
    pub(super) fn is_open(&self, function: usize) -> bool {
        self.widened.contains(&function) || self.facts.endless.contains(&function)
    }
}

impl Lowering<'_> {
    /// Records a value that is assigned to a function.
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

    /// Records the length of a sequence that is assigned to a function.
    pub(super) fn note_length(&mut self, function: usize, n: usize) {
        let lengths = self.facts.lengths.entry(function).or_default();
        let (shortest, longest) = lengths.ends.unwrap_or((n, n));
        let most = lengths.cut.unwrap_or(usize::MAX);
        lengths.ends = Some((shortest.min(n), longest.max(n.min(most))));
    }
}
