//! Range analysis of functions with infinite domains: their values, and which functions may be `undef`.
//!
//! The analysis is a fixpoint iteration with widening. Every pass lowers the machine with the current ranges and
//! records the values that occur. A range that keeps growing is widened to be unbounded, and the values that the rules
//! then give are the next range. So a counter that stops at 100 is found in a few passes, and one that never stops is
//! found to be unbounded.

use super::signature::Dom;
use super::structures::{items_of, tuple_of};
use super::value::{Sym, Values};
use super::{Bounds, Const, Lowering};
use indexmap::IndexMap;
use specwright_syntax::span::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Number of passes after which ranges that still grow are widened.
const WIDEN_AFTER: usize = 12;

/// Number of passes after which ranges that still grow are unbounded. The iteration ends after at most twice as many.
const MAX_PASSES: usize = 40;

/// Length beyond which sequences are considered unbounded.
const MAX_LENGTH: usize = 16;

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
    /// The parts of values of `Any` that are tuples, sets and sequences. They have facts like functions, with numbers of
    /// their own.
    parts: IndexMap<(usize, Part), usize>,
    /// The numbers that functions have initially, although their domains do not.
    pub(super) initial: BTreeMap<usize, BTreeSet<i64>>,
    /// Whether locations of `Real` hold fractions.
    pub(super) has_fractions: bool,
    /// The denominators of functions that rules give smaller fractions than the machine mentions.
    pub(super) denominators: BTreeMap<usize, i64>,
    /// The number of elements of a domain that one step makes, if it is more than the bound.
    pub(super) made_at_once: BTreeMap<usize, usize>,
}

/// A part of a value of `Any`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Part {
    /// A component of the tuples of some length.
    Component(usize, usize),
    /// The members of sets.
    Member,
    /// The items of sequences.
    Item,
}

/// The number of the first part; functions have smaller ones.
const FIRST_PART: usize = 1 << 32;

/// Maximal depth of structures in values of `Any`.
const MAX_PART_DEPTH: usize = 4;

impl Facts {
    /// The number of a part, as if it were a function.
    pub(super) fn part(&mut self, function: usize, part: Part) -> usize {
        let number = FIRST_PART + self.parts.len();
        *self.parts.entry((function, part)).or_insert(number)
    }

    /// The function that a part belongs to.
    pub(super) fn owner(&self, function: usize) -> usize {
        self.path_up(function).last().unwrap_or(function)
    }

    /// The values that a part is inside of, the innermost first.
    fn path_up(&self, function: usize) -> impl Iterator<Item = usize> + '_ {
        let outer = |function: usize| {
            let index = function.checked_sub(FIRST_PART)?;
            self.parts.get_index(index).map(|((outer, _), _)| *outer)
        };
        std::iter::successors(outer(function), move |function| outer(*function))
    }
}

/// The values of a function so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Seen {
    pub(super) ints: Option<(i64, i64)>,
    pub(super) atoms: Vec<Arc<str>>,
    pub(super) bools: bool,
    /// The lengths of tuples, and whether there are sets and sequences; for values of `Any`.
    pub(super) tuples: BTreeSet<usize>,
    pub(super) sets: bool,
    pub(super) sequences: bool,
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
#[derive(Debug, Default)]
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
    pub(super) fn correct(&mut self, found: &Facts, given: &BTreeMap<usize, (i64, i64)>, bounds: Bounds) -> bool {
        self.n_passes += 1;
        let narrow = std::mem::take(&mut self.widened);
        if (*found == self.facts && narrow.is_empty()) || self.n_passes > 2 * MAX_PASSES {
            return true;
        }
        let before = std::mem::replace(&mut self.facts, found.clone());
        self.cut_sequences(bounds.sequence);
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
    fn cut_sequences(&mut self, bound: usize) {
        for (function, lengths) in &mut self.facts.lengths {
            let Some((shortest, longest)) = lengths.ends else { continue };
            let first = *self.first_lengths.entry(*function).or_insert(longest);
            if longest > MAX_LENGTH.max(first).max(bound) && lengths.cut.is_none() {
                let most = bound.max(first);
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
        let Some(single) = self.single(value) else {
            self.note_structure(function, value, span);
            return;
        };
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

    /// Records the parts of a tuple, set or sequence that is assigned to a function of `Any`.
    fn note_structure(&mut self, function: usize, value: &Sym, span: Span) {
        if !self.facts.seen.contains_key(&function) || !self.holds_any(function) {
            return;
        }
        let mut parts: Vec<(Part, Sym)> = Vec::new();
        let before = self.facts.seen[&function].clone();
        let mut length = None;
        match (tuple_of(value), items_of(value)) {
            (Some(items), _) => {
                let n = items.len();
                self.facts.seen.entry(function).or_default().tuples.insert(n);
                parts.extend(items.into_iter().enumerate().map(|(at, item)| (Part::Component(n, at), item)));
            }
            (None, Some(items)) => {
                self.facts.seen.entry(function).or_default().sequences = true;
                length = Some(items.len());
                parts.extend(items.into_iter().map(|item| (Part::Item, item)));
            }
            _ if matches!(value, Sym::Set(_) | Sym::Known(Const::Set(_))) => {
                self.facts.seen.entry(function).or_default().sets = true;
                let members = self.members_of(value).unwrap_or_default();
                parts.extend(members.into_iter().map(|(member, _)| (Part::Member, member)));
            }
            _ => return,
        }
        if self.facts.path_up(function).count() >= MAX_PART_DEPTH {
            let message = format!("values of `Any` with structures more than {MAX_PART_DEPTH} deep are not supported");
            self.unsupported(span, &message);
            return;
        }
        if let Some(length) = length {
            let key = self.facts.part(function, Part::Item);
            self.facts.seen.entry(key).or_default();
            self.note_length(key, length);
        }
        for (part, item) in parts {
            let key = self.facts.part(function, part);
            self.facts.seen.entry(key).or_default();
            self.note_values(key, &item, span);
        }
        if let Some(seen) = self.facts.seen.get_mut(&function)
            && *seen != before
        {
            seen.span = Some(span);
        }
    }

    /// Whether a function has values of `Any`, or values with parts of `Any`.
    pub(super) fn holds_any(&self, function: usize) -> bool {
        let holds = |dom: &Dom| -> bool {
            let mut open = vec![self.base(dom)];
            while let Some(dom) = open.pop() {
                match dom {
                    Dom::Any => return true,
                    Dom::Prod(parts) => open.extend(parts.iter().map(|part| self.base(part))),
                    Dom::Set(inner) | Dom::Seq(inner) => open.push(self.base(&inner)),
                    _ => {}
                }
            }
            false
        };
        function >= FIRST_PART || holds(&self.sig.functions[function].codomain)
    }

    /// Records the length of a sequence that is assigned to a function.
    pub(super) fn note_length(&mut self, function: usize, n: usize) {
        let lengths = self.facts.lengths.entry(function).or_default();
        let (shortest, longest) = lengths.ends.unwrap_or((n, n));
        let most = lengths.cut.unwrap_or(usize::MAX);
        lengths.ends = Some((shortest.min(n), longest.max(n.min(most))));
    }
}
