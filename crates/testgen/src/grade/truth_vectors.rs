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

    /// The bits of the last states of finite traces, in one word.
    pub(super) fn finite_ends(&self, word: usize) -> u64 {
        self.lasts[word] & !self.turns[word]
    }

    /// Number of states.
    pub(super) fn len(&self) -> usize {
        self.n
    }

    /// Number of words of a truth vector.
    pub(super) fn n_words(&self) -> usize {
        self.firsts.len()
    }

    /// Sets the bits of all states.
    pub(super) fn all(&self, out: &mut [u64]) {
        out.fill(u64::MAX);
        if let Some(last) = out.last_mut() {
            *last = self.mask(self.n_words() - 1);
        }
    }

    /// A mask of the bits of a word that stand for states.
    pub(super) fn mask(&self, word: usize) -> u64 {
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
        let from = self.from;
        and(&mut self.yes[from..], &a.yes[from..], &b.yes[from..]);
        or(&mut self.no[from..], &a.no[from..], &b.no[from..]);
    }

    pub(super) fn iff(&mut self, a: TruthVectors<'_>, b: TruthVectors<'_>) {
        let from = self.from;
        let [ay, an, by, bn] = [&a.yes[from..], &a.no[from..], &b.yes[from..], &b.no[from..]];
        either(&mut self.yes[from..], [ay, by, an, bn]);
        either(&mut self.no[from..], [ay, bn, an, by]);
    }

    /// The truth at the next state; open at the end of a finite trace.
    pub(super) fn next(&mut self, layout: &BatchLayout, a: TruthVectors<'_>) {
        next(layout, self.from, self.yes, a.yes);
        next(layout, self.from, self.no, a.no);
    }

    /// The solution of `z = b | a & next z`, open after the end, the least one on a loop.
    pub(super) fn until(&mut self, layout: &BatchLayout, a: TruthVectors<'_>, b: TruthVectors<'_>) {
        until(layout, self.from, self.yes, a.yes, b.yes);
        not_until(layout, self.from, self.no, a.no, b.no);
    }

    /// The truth at the previous state; false at the first one.
    pub(super) fn previous(&mut self, layout: &BatchLayout, a: TruthVectors<'_>) {
        previous(layout, self.from, self.yes, a.yes, false);
        previous(layout, self.from, self.no, a.no, true);
    }

    /// The solution of `z = b | a & previous z`, false before the first state.
    pub(super) fn since(&mut self, layout: &BatchLayout, a: TruthVectors<'_>, b: TruthVectors<'_>) {
        since(layout, self.from, self.yes, a.yes, b.yes);
        not_since(layout, self.from, self.no, a.no, b.no);
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

/// The bits of both.
pub(super) fn and(to: &mut [u64], a: &[u64], b: &[u64]) {
    to.iter_mut().zip(a).zip(b).for_each(|((to, a), b)| *to = a & b);
}

/// The bits of either.
pub(super) fn or(to: &mut [u64], a: &[u64], b: &[u64]) {
    to.iter_mut().zip(a).zip(b).for_each(|((to, a), b)| *to = a | b);
}

/// The bits of the first and the second, and those of the third and the fourth.
pub(super) fn either(to: &mut [u64], [a, b, c, d]: [&[u64]; 4]) {
    let pairs = a.iter().zip(b).zip(c.iter().zip(d));
    to.iter_mut().zip(pairs).for_each(|(to, ((a, b), (c, d)))| *to = a & b | c & d);
}

/// The bits of the next states, from some word on.
pub(super) fn next(layout: &BatchLayout, from: usize, to: &mut [u64], a: &[u64]) {
    let mut below = if from == 0 { 0 } else { a[from - 1] >> 63 };
    for ((to, a), last) in to[from..].iter_mut().zip(&a[from..]).zip(&layout.lasts[from..]) {
        *to = (a << 1 | below) & !last;
        below = a >> 63;
    }
    // What was moved out of the highest state.
    if let Some(last) = to.last_mut() {
        *last &= layout.mask(layout.n_words() - 1);
    }
    for (last, start) in layout.loops.iter().rev().take_while(|(last, _)| *last >= 64 * from) {
        to[last / 64] |= u64::from(get(a, *start)) << (last % 64);
    }
}

/// Where `a U b` is true, given where its operands are.
pub(super) fn until(layout: &BatchLayout, from: usize, to: &mut [u64], a: &[u64], b: &[u64]) {
    backwards(layout, from, to, false, |word, after| (b[word] | a[word] & after, a[word]));
}

/// Where `a U b` is false, given where its operands are.
pub(super) fn not_until(layout: &BatchLayout, from: usize, to: &mut [u64], a: &[u64], b: &[u64]) {
    backwards(layout, from, to, true, |word, after| (b[word] & (a[word] | after), b[word]));
}

/// The bits that are set, and those that are kept and whose next state has them. `step` says for each word which bits are set,
/// given those at the last states of lassos whose next state has them, and which are kept; `hopeful` is what is assumed about
/// these at first.
fn backwards(
    layout: &BatchLayout,
    from: usize,
    to: &mut [u64],
    hopeful: bool,
    step: impl Fn(usize, u64) -> (u64, u64),
) {
    let first_loop = layout.loops.partition_point(|(last, _)| *last < 64 * from);
    let loops = &layout.loops[first_loop..];
    // The first iteration around a loop computes the value at its start; the second one uses it.
    for round in 0..=usize::from(!loops.is_empty()) {
        let mut carry = from > 0 && to[from - 1] >> 63 == 1;
        let mut loops = loops;
        for word in from..to.len() {
            let mut after = if round == 0 && hopeful { layout.turns[word] } else { 0 };
            if round == 1 {
                // The start of a loop is above its end, where nothing is overwritten yet.
                while let Some(((last, start), rest)) = loops.split_first().filter(|((last, _), _)| last / 64 == word) {
                    after |= u64::from(get(to, *start)) << (last % 64);
                    loops = rest;
                }
            }
            let (set, keep) = step(word, after);
            to[word] = ripple(set, keep & !layout.lasts[word], &mut carry) & layout.mask(word);
        }
    }
}

/// The bits of states from which a state with its bit in `a` comes in the same trace, now or later.
pub(super) fn anywhere(layout: &BatchLayout, to: &mut [u64], a: &[u64]) {
    let mut carry = false;
    for ((to, a), last) in to.iter_mut().zip(a).zip(&layout.lasts) {
        *to = ripple(*a, !last, &mut carry);
    }
}

/// The bits of the previous states, from some word on; first states get `first`.
pub(super) fn previous(layout: &BatchLayout, from: usize, to: &mut [u64], a: &[u64], first: bool) {
    for word in from..to.len() {
        let above = a.get(word + 1).map_or(0, |above| above << 63);
        let before = if first { layout.firsts[word] } else { 0 };
        to[word] = (a[word] >> 1 | above) & !layout.firsts[word] | before;
    }
}

/// Where `a S b` is true, given where its operands are.
pub(super) fn since(layout: &BatchLayout, from: usize, to: &mut [u64], a: &[u64], b: &[u64]) {
    forwards(layout, from, to, |word| (b[word], a[word]));
}

/// Where `a S b` is false, given where its operands are.
pub(super) fn not_since(layout: &BatchLayout, from: usize, to: &mut [u64], a: &[u64], b: &[u64]) {
    forwards(layout, from, to, |word| (b[word] & (a[word] | layout.firsts[word]), b[word]));
}

/// The bits that are set, and those that are kept and whose previous state has them.
fn forwards(layout: &BatchLayout, from: usize, to: &mut [u64], step: impl Fn(usize) -> (u64, u64)) {
    let mut carry = false;
    for word in (from..to.len()).rev() {
        let (set, keep) = step(word);
        let keep = keep & !layout.firsts[word];
        to[word] = ripple(set.reverse_bits(), keep.reverse_bits(), &mut carry).reverse_bits();
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
