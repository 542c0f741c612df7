//! Traces that are judged together: operations are evaluated lazily on the states of all of them.

use super::atom::{Steps, sources};
use super::bounded::{ago, within};
use super::program::{Op, Operand, Program};
use super::truth_vectors::{BatchLayout, TracePosition, TruthVectors, TruthVectorsMut};
use specwright_model::{Trace, TransitionSystem};
use specwright_syntax::budget::Budget;

/// Operations between two looks at the budget: some microseconds on a trace of usual length.
const OPS_PER_LOOK: usize = 64;

/// Some traces with the truth vectors of one program, evaluated on demand.
#[derive(Clone, Debug, Default)]
pub(super) struct TraceBatch {
    pub(super) layout: BatchLayout,
    /// The position of each trace, and the number of times its loop was unrolled for past operators.
    pub(super) places: Vec<TracePosition>,
    pub(super) walks: Vec<u64>,
    /// For each operation two truth vectors of `room` words, of which those of the layout are in use.
    truth_vectors: Vec<u64>,
    room: usize,
    /// For each operation, the number of states for which it is known.
    known: Vec<usize>,
    /// The steps of the traces, if atoms need the interpreter.
    steps: Steps,
}

impl TraceBatch {
    /// Removes all traces.
    pub(super) fn clear(&mut self) {
        self.layout.clear();
        self.places.clear();
        self.walks.clear();
        self.known.clear();
        self.steps.clear();
    }

    /// Adds a trace and evaluates all atoms on it, which needs the model; all other operations need only bits.
    pub(super) fn add(&mut self, program: &Program, model: &TransitionSystem, trace: &Trace, walks: u64) {
        let place = self.layout.add(trace.states.len(), trace.loop_start);
        self.places.push(place);
        self.walks.push(walks);
        self.known.resize(program.ops.len(), 0);
        self.make_room(program.ops.len());
        let is_evaluated = program.needs_interpreter();
        let mut sources = if is_evaluated { sources(&mut self.steps, model, trace, place) } else { Vec::new() };
        for (count, (index, atom)) in program.atoms.iter().enumerate() {
            if count % OPS_PER_LOOK == 0 {
                model.budget.look();
            }
            self.begin(*index, place);
            let (_, mut out) =
                split(&mut self.truth_vectors, self.room, self.layout.n_words(), *index, place.base / 64);
            atom.eval(trace, place, &mut sources, &mut out);
            self.known[*index] = self.layout.len();
        }
    }

    /// Clears the truth vectors of an operation at a new trace.
    fn begin(&mut self, op: usize, place: TracePosition) {
        let (word, bit) = (place.base / 64, place.base % 64);
        let n_words = self.layout.n_words();
        for plane in [2 * op, 2 * op + 1] {
            let words = &mut self.truth_vectors[plane * self.room..][..n_words];
            words[word] &= (1 << bit) - 1;
            words[word + 1..].fill(0);
        }
    }

    fn make_room(&mut self, n_ops: usize) {
        let n_words = self.layout.n_words();
        if n_words > self.room {
            let room = n_words.max(2 * self.room);
            let mut truth_vectors = vec![0; 2 * n_ops * room];
            if self.room > 0 {
                let pairs = truth_vectors.chunks_exact_mut(room).zip(self.truth_vectors.chunks_exact(self.room));
                pairs.for_each(|(new, old)| new[..old.len()].copy_from_slice(old));
            }
            (self.truth_vectors, self.room) = (truth_vectors, room);
        }
    }

    /// Evaluates an operand and its dependencies, as far as they are not known.
    pub(super) fn compute(&mut self, program: &Program, operand: Operand) {
        let mut open = vec![operand.op()];
        while let Some(op) = open.last().copied() {
            if self.known[op] == self.layout.len() {
                open.pop();
                continue;
            }
            let n_open = open.len();
            program.ops[op].for_each_operand(|part| {
                if self.known[part.op()] < self.layout.len() {
                    open.push(part.op());
                }
            });
            if open.len() == n_open {
                self.compute_op(program, op);
                open.pop();
            }
        }
    }

    /// Evaluates all operations.
    pub(super) fn complete(&mut self, program: &Program, budget: &Budget) {
        for op in 0..program.ops.len() {
            if op % OPS_PER_LOOK == 0 {
                budget.look();
            }
            if self.known[op] < self.layout.len() {
                self.compute_op(program, op);
            }
        }
    }

    /// The truth vectors of an evaluated operand.
    pub(super) fn truth_vectors(&self, operand: Operand) -> TruthVectors<'_> {
        truth_vectors(&self.truth_vectors, self.room, self.layout.n_words(), operand)
    }

    /// The lowest bit, from some bit on, at which an evaluated operand is true; with `anywhere` false, only first
    /// states count.
    pub(super) fn next_met(&self, operand: Operand, anywhere: bool, from: usize) -> Option<usize> {
        let yes = self.truth_vectors(operand).yes;
        let met = |word: usize| if anywhere { yes[word] } else { yes[word] & self.layout.firsts[word] };
        let first = |word: usize| if word == from / 64 { met(word) & u64::MAX << (from % 64) } else { met(word) };
        let word = (from / 64..yes.len()).find(|word| first(*word) != 0)?;
        Some(64 * word + first(word).trailing_zeros() as usize)
    }

    /// The bits, from some bit on, at which an evaluated operand is not false; in the last states of finite traces, at which it
    /// is true.
    pub(super) fn open_bits(&self, operand: Operand, from: usize) -> impl Iterator<Item = usize> {
        let TruthVectors { yes, no } = self.truth_vectors(operand);
        let open = move |word: usize| {
            let finite_ends = self.layout.finite_ends(word);
            let open = yes[word] | (!no[word] & !finite_ends & self.layout.mask(word));
            if word == from / 64 { open & u64::MAX << (from % 64) } else { open }
        };
        (from / 64..yes.len()).flat_map(move |word| {
            let mut left = open(word);
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| 64 * word + left.trailing_zeros() as usize);
                left &= left.wrapping_sub(1);
                bit
            })
        })
    }

    /// The trace that a bit belongs to.
    pub(super) fn trace_at(&self, bit: usize) -> usize {
        self.places.partition_point(|place| place.base <= bit) - 1
    }

    /// Evaluates an operation where it is not known; its operands must be known.
    fn compute_op(&mut self, program: &Program, op: usize) {
        let TraceBatch { layout, truth_vectors: all, room, known, .. } = self;
        let n_words = layout.n_words();
        // Traces may share a word, so the first word is evaluated as a whole.
        let (before, mut out) = split(all, *room, n_words, op, known[op] / 64);
        let of = |operand: Operand| truth_vectors(before, *room, n_words, operand);
        match program.ops[op] {
            Op::True => out.constant(layout),
            Op::Atom(_) => unreachable!("atoms are evaluated when a trace comes"),
            Op::And(a, b) => out.and(of(a), of(b)),
            Op::Iff(a, b) => out.iff(of(a), of(b)),
            Op::Next(a) => out.next(layout, of(a)),
            Op::Until(a, b) => out.until(layout, of(a), of(b)),
            Op::Previous(a) => out.previous(layout, of(a)),
            Op::Since(a, b) => out.since(layout, of(a), of(b)),
            Op::Within(low, high, a) => within(&mut out, layout, (low, high), None, of(a)),
            Op::UntilWithin(low, high, a, b) => within(&mut out, layout, (low, high), Some(of(a)), of(b)),
            Op::Ago(low, high, any, a) => ago(&mut out, layout, (low, high), any, of(a)),
            Op::NeverFalse(a) => out.never_false(of(a)),
        }
        known[op] = layout.len();
    }
}

/// The truth vectors of the previous operations, and those of this one from some word on.
fn split(all: &mut [u64], room: usize, n_words: usize, op: usize, from: usize) -> (&[u64], TruthVectorsMut<'_>) {
    let (before, rest) = all.split_at_mut(2 * op * room);
    let (yes, no) = rest[..2 * room].split_at_mut(room);
    (before, TruthVectorsMut { yes: &mut yes[..n_words], no: &mut no[..n_words], from })
}

/// The truth vectors of an operand. Negation swaps them.
fn truth_vectors(all: &[u64], room: usize, n_words: usize, operand: Operand) -> TruthVectors<'_> {
    let (yes, no) = all[2 * operand.op() * room..][..2 * room].split_at(room);
    let truth_vectors = TruthVectors { yes: &yes[..n_words], no: &no[..n_words] };
    if operand.negated() { truth_vectors.negated() } else { truth_vectors }
}
