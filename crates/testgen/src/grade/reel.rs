//! Traces that are judged together: operations are evaluated lazily on the states of all of them.

use super::bounded::{ago, within};
use super::planes::{Place, Planes, PlanesMut, Strip};
use super::program::{Op, Operand, Program};
use specwright_model::interp::Evaluator;
use specwright_model::{Model, Trace};
use specwright_syntax::budget::Budget;

/// Some traces with the truth vectors of one program, evaluated on demand.
#[derive(Clone, Debug, Default)]
pub(super) struct Reel {
    pub(super) strip: Strip,
    /// The position of each trace, and the number of times its loop was unrolled for past operators.
    pub(super) places: Vec<Place>,
    pub(super) walks: Vec<u64>,
    /// For each operation two truth vectors of `room` words, of which those of the layout are in use.
    planes: Vec<u64>,
    room: usize,
    /// For each operation, the number of states for which it is known.
    known: Vec<usize>,
}

impl Reel {
    /// Removes all traces.
    pub(super) fn clear(&mut self) {
        self.strip.clear();
        self.places.clear();
        self.walks.clear();
        self.known.clear();
    }

    /// Adds a trace and evaluates all atoms on it, which needs the model; all other operations need only bits.
    pub(super) fn add(&mut self, program: &Program, model: &Model, trace: &Trace, walks: u64) {
        let place = self.strip.add(trace.states.len(), trace.loop_start);
        self.places.push(place);
        self.walks.push(walks);
        self.known.resize(program.ops.len(), 0);
        self.make_room(program.ops.len());
        let mut evaluators: Vec<Evaluator<'_>> = Vec::new();
        if program.needs_interpreter() {
            let next = |index| trace.next(index).map(|next| &trace.states[next]);
            let states = trace.states.iter().enumerate();
            evaluators.extend(states.map(|(index, now)| Evaluator::new(model, now, next(index))));
        }
        for (index, op) in program.ops.iter().enumerate() {
            if let Op::Atom(atom) = op {
                model.budget.look();
                self.begin(index, place);
                let (_, mut out) = split(&mut self.planes, self.room, self.strip.n_words(), index, place.base / 64);
                atom.eval(trace, place, &mut evaluators, &mut out);
                self.known[index] = self.strip.len();
            }
        }
    }

    /// Clears the truth vectors of an operation at a new trace.
    fn begin(&mut self, op: usize, place: Place) {
        let (word, bit) = (place.base / 64, place.base % 64);
        let n_words = self.strip.n_words();
        for plane in [2 * op, 2 * op + 1] {
            let words = &mut self.planes[plane * self.room..][..n_words];
            words[word] &= (1 << bit) - 1;
            words[word + 1..].fill(0);
        }
    }

    fn make_room(&mut self, n_ops: usize) {
        let n_words = self.strip.n_words();
        if n_words > self.room {
            let room = n_words.max(2 * self.room);
            let mut planes = vec![0; 2 * n_ops * room];
            if self.room > 0 {
                let pairs = planes.chunks_exact_mut(room).zip(self.planes.chunks_exact(self.room));
                pairs.for_each(|(new, old)| new[..old.len()].copy_from_slice(old));
            }
            (self.planes, self.room) = (planes, room);
        }
    }

    /// Evaluates an operand and its dependencies, as far as they are not known.
    pub(super) fn compute(&mut self, program: &Program, operand: Operand) {
        let mut open = vec![operand.op()];
        while let Some(op) = open.last().copied() {
            if self.known[op] == self.strip.len() {
                open.pop();
                continue;
            }
            let n_open = open.len();
            program.ops[op].for_each_operand(|part| {
                if self.known[part.op()] < self.strip.len() {
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
            budget.look();
            if self.known[op] < self.strip.len() {
                self.compute_op(program, op);
            }
        }
    }

    /// The truth vectors of an evaluated operand.
    pub(super) fn planes(&self, operand: Operand) -> Planes<'_> {
        planes(&self.planes, self.room, self.strip.n_words(), operand)
    }

    /// The lowest bit, from some bit on, at which an evaluated operand is true; with `anywhere` false, only first
    /// states count.
    pub(super) fn next_met(&self, operand: Operand, anywhere: bool, from: usize) -> Option<usize> {
        let yes = self.planes(operand).yes;
        let met = |word: usize| if anywhere { yes[word] } else { yes[word] & self.strip.firsts[word] };
        let first = |word: usize| if word == from / 64 { met(word) & u64::MAX << (from % 64) } else { met(word) };
        let word = (from / 64..yes.len()).find(|word| first(*word) != 0)?;
        Some(64 * word + first(word).trailing_zeros() as usize)
    }

    /// The trace that a bit belongs to.
    pub(super) fn trace_at(&self, bit: usize) -> usize {
        self.places.partition_point(|place| place.base <= bit) - 1
    }

    /// Evaluates an operation where it is not known; its operands must be known.
    fn compute_op(&mut self, program: &Program, op: usize) {
        let Reel { strip, planes: all, room, known, .. } = self;
        let n_words = strip.n_words();
        // Traces may share a word, so the first word is evaluated as a whole.
        let (before, mut out) = split(all, *room, n_words, op, known[op] / 64);
        let of = |operand: Operand| planes(before, *room, n_words, operand);
        match program.ops[op] {
            Op::True => out.constant(strip),
            Op::Atom(_) => unreachable!("atoms are evaluated when a trace comes"),
            Op::And(a, b) => out.and(of(a), of(b)),
            Op::Iff(a, b) => out.iff(of(a), of(b)),
            Op::Next(a) => out.next(strip, of(a)),
            Op::Until(a, b) => out.until(strip, of(a), of(b)),
            Op::Previous(a) => out.previous(strip, of(a)),
            Op::Since(a, b) => out.since(strip, of(a), of(b)),
            Op::Within(low, high, a) => within(&mut out, strip, (low, high), None, of(a)),
            Op::UntilWithin(low, high, a, b) => within(&mut out, strip, (low, high), Some(of(a)), of(b)),
            Op::Ago(low, high, any, a) => ago(&mut out, strip, (low, high), any, of(a)),
            Op::NeverFalse(a) => out.never_false(of(a)),
        }
        known[op] = strip.len();
    }
}

/// The truth vectors of the previous operations, and those of this one from some word on.
fn split(all: &mut [u64], room: usize, n_words: usize, op: usize, from: usize) -> (&[u64], PlanesMut<'_>) {
    let (before, rest) = all.split_at_mut(2 * op * room);
    let (yes, no) = rest[..2 * room].split_at_mut(room);
    (before, PlanesMut { yes: &mut yes[..n_words], no: &mut no[..n_words], from })
}

/// The truth vectors of an operand. Negation swaps them.
fn planes(all: &[u64], room: usize, n_words: usize, operand: Operand) -> Planes<'_> {
    let (yes, no) = all[2 * operand.op() * room..][..2 * room].split_at(room);
    let planes = Planes { yes: &yes[..n_words], no: &no[..n_words] };
    if operand.negated() { planes.negated() } else { planes }
}
