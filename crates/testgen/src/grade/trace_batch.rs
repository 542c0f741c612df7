//! Traces that are judged together: operations are evaluated lazily on the states of all of them.

mod atoms;

use super::bounded::{ago, within};
use super::columns::KnownColumns;
use super::program::{Op, Operand, Program};
use super::truth_vectors::{BatchLayout, TracePosition, TruthVectors, TruthVectorsMut};
use atoms::ByState;
use specwright_model::{Trace, TransitionSystem};
use std::borrow::Cow;

/// Operations between two looks at the budget: some microseconds on a trace of usual length.
const OPS_PER_LOOK: usize = 64;

/// Some traces with the truth vectors of one program, evaluated on demand.
#[derive(Clone, Debug, Default)]
pub(super) struct TraceBatch {
    pub(super) layout: BatchLayout,
    /// The position of each trace, and the number of times its loop was unrolled for past operators.
    pub(super) places: Vec<TracePosition>,
    pub(super) walks: Vec<u64>,
    traces: Vec<Cow<'static, Trace>>,
    /// The columns of the traces so far.
    columns: KnownColumns,
    /// What the interpreter evaluates.
    by_state: ByState,
    /// For each operation two truth vectors of `room` words, of which those of the layout are in use.
    truth_vectors: Vec<u64>,
    room: usize,
    /// For each operation, the number of states for which it is known.
    known: Vec<usize>,
}

impl TraceBatch {
    /// Removes all traces.
    pub(super) fn clear(&mut self) {
        self.layout.clear();
        self.places.clear();
        self.walks.clear();
        self.traces.clear();
        self.columns = KnownColumns::default();
        self.by_state.forget();
        self.known.clear();
    }

    /// Adds a trace.
    pub(super) fn add(&mut self, program: &Program, trace: Trace, walks: u64) {
        self.places.push(self.layout.add(trace.states.len(), trace.loop_start));
        self.walks.push(walks);
        self.traces.push(Cow::Owned(trace));
        self.columns = KnownColumns::default();
        self.known.resize(program.ops.len(), 0);
        self.make_room(program.ops.len());
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
    pub(super) fn compute(&mut self, program: &Program, model: &TransitionSystem, operand: Operand) {
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
                self.compute_op(program, model, op);
                open.pop();
            }
        }
    }

    /// Evaluates all operations.
    pub(super) fn complete(&mut self, program: &Program, model: &TransitionSystem) {
        for op in 0..program.ops.len() {
            if op % OPS_PER_LOOK == 0 {
                model.budget.look();
            }
            if self.known[op] < self.layout.len() {
                self.compute_op(program, model, op);
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
    fn compute_op(&mut self, program: &Program, model: &TransitionSystem, op: usize) {
        if let Op::Atom(atom) = program.ops[op] {
            return self.compute_atom(program, model, op, atom);
        }
        let TraceBatch { layout, truth_vectors: all, room, known, .. } = self;
        let n_words = layout.n_words();
        // Traces may share a word, so the first word is evaluated as a whole.
        let (before, mut out) = split(all, *room, n_words, op, known[op] / 64);
        let of = |operand: Operand| truth_vectors(before, *room, n_words, operand);
        match program.ops[op] {
            Op::True => out.constant(layout),
            Op::Atom(_) => unreachable!("atoms have no operands"),
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
