//! Truth vectors: the truth of a formula at all states of traces, as bits, with the operators of temporal logic.
//!
//! Time runs from high to low bits: the last state of a trace is its lowest bit, the first one its highest. So
//! information that flows backwards in time flows upwards through the bits, as the carry of an addition does, and an
//! until over 64 states costs one addition. Traces are adjacent, so that many short ones cost little more than a long
//! one.

/// The layout of the states of some traces.
#[derive(Clone, Debug, Default)]
pub(super) struct BatchLayout {
    /// Number of states.
    n: usize,
    /// The bits of the first states of all traces.
    pub(super) firsts: Vec<u64>,
    /// The bits of the last states of all traces.
    lasts: Vec<u64>,
    /// The bits of the last states of lassos.
    turns: Vec<u64>,
    /// The bits of the last states of lassos, ascending, each with the bit of its successor.
    loops: Vec<(usize, usize)>,
}

/// The position of a trace.
#[derive(Clone, Copy, Debug)]
pub(super) struct TracePosition {
    /// The bit of its last state.
    pub(super) base: usize,
    /// Number of its states.
    pub(super) n: usize,
}

impl TracePosition {
    /// The bit of a state.
    pub(super) fn bit(self, state: usize) -> usize {
        self.base + self.n - 1 - state
    }

    /// The bit above its first state.
    pub(super) fn end(self) -> usize {
        self.base + self.n
    }
}

/// Whether a bit is set.
pub(super) fn get(words: &[u64], bit: usize) -> bool {
    words[bit / 64] >> (bit % 64) & 1 == 1
}

impl BatchLayout {
    /// Adds a trace of `n` states on top.
    pub(super) fn add(&mut self, n: usize, loop_start: Option<usize>) -> TracePosition {
        let place = TracePosition { base: self.n, n };
        self.n += n;
        for words in [&mut self.firsts, &mut self.lasts, &mut self.turns] {
            words.resize(self.n.div_ceil(64), 0);
        }
        let set = |words: &mut Vec<u64>, bit: usize| words[bit / 64] |= 1 << (bit % 64);
        set(&mut self.firsts, place.bit(0));
        set(&mut self.lasts, place.base);
        if let Some(start) = loop_start {
            set(&mut self.turns, place.base);
            self.loops.push((place.base, place.bit(start)));
        }
        place
    }

    /// Removes all traces.
    pub(super) fn clear(&mut self) {
        self.n = 0;
        self.loops.clear();
        for words in [&mut self.firsts, &mut self.lasts, &mut self.turns] {
            words.clear();
        }
    }

    /// Number of states.
    pub(super) fn len(&self) -> usize {
        self.n
    }

    /// Number of words of a truth vector.
    pub(super) fn n_words(&self) -> usize {
        self.firsts.len()
    }

    /// A mask of the bits of a word that stand for states.
    fn mask(&self, word: usize) -> u64 {
        if word + 1 < self.n_words() { u64::MAX } else { u64::MAX >> ((64 - self.n % 64) % 64) }
    }
}

/// Where a formula is true and where it is false. Everywhere else it is open.
#[derive(Clone, Copy)]
pub(super) struct TruthVectors<'a> {
    pub(super) yes: &'a [u64],
    pub(super) no: &'a [u64],
}

impl TruthVectors<'_> {
    /// The negation.
    pub(super) fn negated(self) -> Self {
        TruthVectors { yes: self.no, no: self.yes }
    }
}

/// The truth vectors that an operation writes, from some word on; lower words belong to traces for which it is known.
pub(super) struct TruthVectorsMut<'a> {
    pub(super) yes: &'a mut [u64],
    pub(super) no: &'a mut [u64],
    pub(super) from: usize,
}

impl TruthVectorsMut<'_> {
    pub(super) fn constant(&mut self, layout: &BatchLayout) {
        for word in self.from..self.yes.len() {
            (self.yes[word], self.no[word]) = (layout.mask(word), 0);
        }
    }

    pub(super) fn and(&mut self, a: TruthVectors<'_>, b: TruthVectors<'_>) {
        for word in self.from..self.yes.len() {
            self.yes[word] = a.yes[word] & b.yes[word];
            self.no[word] = a.no[word] | b.no[word];
        }
    }

    pub(super) fn iff(&mut self, a: TruthVectors<'_>, b: TruthVectors<'_>) {
        for word in self.from..self.yes.len() {
            self.yes[word] = a.yes[word] & b.yes[word] | a.no[word] & b.no[word];
            self.no[word] = a.yes[word] & b.no[word] | a.no[word] & b.yes[word];
        }
    }

    /// The truth at the next state; open at the end of a finite trace.
    pub(super) fn next(&mut self, layout: &BatchLayout, a: TruthVectors<'_>) {
        for (to, from) in [(&mut *self.yes, a.yes), (&mut *self.no, a.no)] {
            let mut below = if self.from == 0 { 0 } else { from[self.from - 1] >> 63 };
            for word in self.from..to.len() {
                to[word] = (from[word] << 1 | below) & !layout.lasts[word] & layout.mask(word);
                below = from[word] >> 63;
            }
            for (last, start) in layout.loops.iter().rev().take_while(|(last, _)| *last >= 64 * self.from) {
                to[last / 64] |= u64::from(get(from, *start)) << (last % 64);
            }
        }
    }

    /// The solution of `z = b | a & next z`, open after the end, the least one on a loop.
    pub(super) fn until(&mut self, layout: &BatchLayout, a: TruthVectors<'_>, b: TruthVectors<'_>) {
        let first_loop = layout.loops.partition_point(|(last, _)| *last < 64 * self.from);
        let loops = &layout.loops[first_loop..];
        // The first iteration around a loop computes the value at its start; the second one uses it.
        for round in 0..=usize::from(!loops.is_empty()) {
            let carry = |plane: &[u64]| self.from > 0 && plane[self.from - 1] >> 63 == 1;
            let (mut yes, mut no) = (carry(self.yes), carry(self.no));
            let mut loops = loops;
            for word in self.from..self.yes.len() {
                let (inside, mask) = (!layout.lasts[word], layout.mask(word));
                let (mut after_yes, mut after_no) = (0, if round == 0 { layout.turns[word] } else { 0 });
                if round == 1 {
                    // The start of a loop is above its end, where nothing is overwritten yet.
                    while let Some(((last, start), rest)) =
                        loops.split_first().filter(|((last, _), _)| last / 64 == word)
                    {
                        after_yes |= u64::from(get(self.yes, *start)) << (last % 64);
                        after_no |= u64::from(get(self.no, *start)) << (last % 64);
                        loops = rest;
                    }
                }
                let (a_yes, a_no, b_yes, b_no) = (a.yes[word], a.no[word], b.yes[word], b.no[word]);
                self.yes[word] = ripple(b_yes | a_yes & after_yes, a_yes & inside, &mut yes) & mask;
                self.no[word] = ripple(b_no & (a_no | after_no), b_no & inside, &mut no) & mask;
            }
        }
    }

    /// The truth at the previous state; false at the first one.
    pub(super) fn previous(&mut self, layout: &BatchLayout, a: TruthVectors<'_>) {
        for (to, from, first) in [(&mut *self.yes, a.yes, false), (&mut *self.no, a.no, true)] {
            for word in self.from..to.len() {
                let above = from.get(word + 1).map_or(0, |above| above << 63);
                let before = if first { layout.firsts[word] } else { 0 };
                to[word] = (from[word] >> 1 | above) & !layout.firsts[word] | before;
            }
        }
    }

    /// The solution of `z = b | a & previous z`, false before the first state.
    pub(super) fn since(&mut self, layout: &BatchLayout, a: TruthVectors<'_>, b: TruthVectors<'_>) {
        let (mut yes, mut no) = (false, false);
        for word in (self.from..self.yes.len()).rev() {
            let inside = !layout.firsts[word];
            let back = |set: u64, keep: u64, carry: &mut bool| {
                ripple(set.reverse_bits(), (keep & inside).reverse_bits(), carry).reverse_bits()
            };
            self.yes[word] = back(b.yes[word], a.yes[word], &mut yes);
            self.no[word] = back(b.no[word] & (a.no[word] | layout.firsts[word]), b.no[word], &mut no);
        }
    }

    /// True where it is true, open everywhere else.
    pub(super) fn never_false(&mut self, a: TruthVectors<'_>) {
        let words = self.from..self.yes.len();
        self.yes[words.clone()].copy_from_slice(&a.yes[words.clone()]);
        self.no[words].fill(0);
    }

    /// Copies truth vectors; returns whether anything changes.
    pub(super) fn assign(&mut self, a: TruthVectors<'_>) -> bool {
        let words = self.from..self.yes.len();
        let changes = self.yes[words.clone()] != a.yes[words.clone()] || self.no[words.clone()] != a.no[words.clone()];
        self.yes[words.clone()].copy_from_slice(&a.yes[words.clone()]);
        self.no[words.clone()].copy_from_slice(&a.no[words]);
        changes
    }
}

/// The solution of `z(k) = set(k) | keep(k) & z(k - 1)`; `carry` is the bit below the lowest, and afterwards the
/// highest.
fn ripple(set: u64, keep: u64, carry: &mut bool) -> u64 {
    // Adding `set` to `set | keep` carries out of exactly those bits.
    let both = set | keep;
    let (sum, first) = both.overflowing_add(set);
    let (sum, second) = sum.overflowing_add(u64::from(*carry));
    let carried_in = sum ^ both ^ set;
    *carry = first | second;
    set | keep & carried_in
}
