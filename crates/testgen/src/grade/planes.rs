//! The truth of a formula at all states of a trace, as bits, and the operators of temporal logic on them.
//!
//! Time runs from high to low: the last state of a trace of `n` is bit 0, the first one bit `n - 1`. So what flows
//! backwards in time flows upwards through the bits, as the carry of an addition does, and an until over 64 states
//! costs one addition.

/// The states of a trace.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// How many there are.
    pub(super) n: usize,
    /// The state that follows the last one.
    pub(super) loop_start: Option<usize>,
}

impl Shape {
    /// The number of words that have a bit for each state.
    pub(super) fn n_words(self) -> usize {
        self.n.div_ceil(64)
    }

    /// The word and the bit of a state.
    pub(super) fn bit(self, state: usize) -> (usize, u32) {
        let at = self.n - 1 - state;
        (at / 64, (at % 64) as u32)
    }

    /// Whether the bit of a state is set.
    pub(super) fn get(self, words: &[u64], state: usize) -> bool {
        let (word, bit) = self.bit(state);
        words[word] >> bit & 1 == 1
    }

    /// Ones for those bits of a word that stand for states.
    fn mask(self, word: usize) -> u64 {
        if word + 1 < self.n_words() { u64::MAX } else { u64::MAX >> ((64 - self.n % 64) % 64) }
    }
}

/// Where a formula is true and where it is false. Where it is neither, it is open.
#[derive(Clone, Copy)]
pub(super) struct Planes<'a> {
    pub(super) yes: &'a [u64],
    pub(super) no: &'a [u64],
}

/// The planes that a formula is written to.
pub(super) struct PlanesMut<'a> {
    pub(super) yes: &'a mut [u64],
    pub(super) no: &'a mut [u64],
}

impl PlanesMut<'_> {
    pub(super) fn constant(&mut self, shape: Shape) {
        for word in 0..shape.n_words() {
            (self.yes[word], self.no[word]) = (shape.mask(word), 0);
        }
    }

    pub(super) fn and(&mut self, a: Planes<'_>, b: Planes<'_>) {
        for word in 0..self.yes.len() {
            self.yes[word] = a.yes[word] & b.yes[word];
            self.no[word] = a.no[word] | b.no[word];
        }
    }

    pub(super) fn iff(&mut self, a: Planes<'_>, b: Planes<'_>) {
        for word in 0..self.yes.len() {
            self.yes[word] = a.yes[word] & b.yes[word] | a.no[word] & b.no[word];
            self.no[word] = a.yes[word] & b.no[word] | a.no[word] & b.yes[word];
        }
    }

    /// What is so in the next state; behind the end everything is open.
    pub(super) fn next(&mut self, shape: Shape, a: Planes<'_>) {
        for (to, from) in [(&mut *self.yes, a.yes), (&mut *self.no, a.no)] {
            let mut carry = shape.loop_start.is_some_and(|start| shape.get(from, start));
            for (word, (to, from)) in to.iter_mut().zip(from).enumerate() {
                *to = (from << 1 | u64::from(carry)) & shape.mask(word);
                carry = from >> 63 == 1;
            }
        }
    }

    /// The solution of `z = b | a & next z`, open behind the end, the least one on a loop.
    pub(super) fn until(&mut self, shape: Shape, a: Planes<'_>, b: Planes<'_>) {
        let back = shape.loop_start.map(|start| shape.bit(start));
        let (mut yes, mut no) = (false, back.is_some());
        // Once around a loop gives the right value where it starts; the second time around uses it.
        for _ in 0..=usize::from(back.is_some()) {
            for word in 0..self.yes.len() {
                let mask = shape.mask(word);
                self.yes[word] = ripple(b.yes[word], a.yes[word], &mut yes) & mask;
                self.no[word] = ripple(a.no[word] & b.no[word], b.no[word], &mut no) & mask;
            }
            if let Some((word, bit)) = back {
                (yes, no) = (self.yes[word] >> bit & 1 == 1, self.no[word] >> bit & 1 == 1);
            }
        }
    }

    /// What was so in the previous state; false in the first one.
    pub(super) fn previous(&mut self, shape: Shape, a: Planes<'_>) {
        for (to, from, first) in [(&mut *self.yes, a.yes, false), (&mut *self.no, a.no, true)] {
            for word in 0..to.len() {
                let above = from.get(word + 1).map_or(0, |above| above << 63);
                to[word] = from[word] >> 1 | above;
            }
            let (word, bit) = shape.bit(0);
            to[word] |= u64::from(first) << bit;
        }
    }

    /// The solution of `z = b | a & previous z`, false before the beginning.
    pub(super) fn since(&mut self, shape: Shape, a: Planes<'_>, b: Planes<'_>) {
        let (mut yes, mut no) = (false, true);
        for word in (0..self.yes.len()).rev() {
            // Bits above the first state hand on what is before the beginning.
            let (mask, above) = (shape.mask(word), !shape.mask(word));
            let back = |set: u64, keep: u64, carry: &mut bool| {
                ripple(set.reverse_bits(), (keep | above).reverse_bits(), carry).reverse_bits() & mask
            };
            self.yes[word] = back(b.yes[word], a.yes[word], &mut yes);
            self.no[word] = back(a.no[word] & b.no[word], b.no[word], &mut no);
        }
    }

    /// Takes over other planes; true if that changes anything.
    pub(super) fn assign(&mut self, a: Planes<'_>) -> bool {
        let changes = *self.yes != *a.yes || *self.no != *a.no;
        self.yes.copy_from_slice(a.yes);
        self.no.copy_from_slice(a.no);
        changes
    }
}

/// The solution of `z(k) = set(k) | keep(k) & z(k - 1)`, where `carry` is the bit below the lowest, and then the highest.
fn ripple(set: u64, keep: u64, carry: &mut bool) -> u64 {
    // Adding `set` to `set | keep` carries out of exactly those bits.
    let both = set | keep;
    let (sum, first) = both.overflowing_add(set);
    let (sum, second) = sum.overflowing_add(u64::from(*carry));
    let carried_in = sum ^ both ^ set;
    *carry = first | second;
    set | keep & carried_in
}
