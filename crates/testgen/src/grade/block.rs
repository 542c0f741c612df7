//! Evaluation of a plan on some traces, all states at once.

use super::bounded::{ago, within};
use super::columns::Columns;
use super::matrix::Bits;
use super::plan::{Compute, GoalRead, Plan, Step};
use super::program::Op;
use super::truth_vectors::{self as tv, BatchLayout, TracePosition, TruthVectors, TruthVectorsMut};
use specwright_model::{Trace, TransitionSystem};
use std::borrow::Cow;

/// Steps between two looks at the budget.
const STEPS_PER_LOOK: usize = 256;

/// Some traces that are judged together.
#[derive(Clone, Debug, Default)]
pub(super) struct Block<'t> {
    pub(super) layout: BatchLayout,
    pub(super) places: Vec<TracePosition>,
    traces: Vec<Cow<'t, Trace>>,
    /// The number of times the loop of each trace was unrolled for past operators.
    walks: Vec<u64>,
}

/// Room for the vectors of a block, to be used again.
#[derive(Clone, Debug, Default)]
pub(super) struct Room {
    vectors: Vec<Vec<u64>>,
    scratch: Vec<u64>,
}

impl<'t> Block<'t> {
    /// Adds a trace.
    pub(super) fn add(&mut self, trace: Cow<'t, Trace>, walks: u64) {
        self.places.push(self.layout.add(trace.states.len(), trace.loop_start));
        self.traces.push(trace);
        self.walks.push(walks);
    }

    /// The number of words of a vector.
    pub(super) fn n_words(&self) -> usize {
        self.layout.n_words()
    }

    /// For each trace, the goals that it reaches.
    pub(super) fn reached(&self, plan: &Plan, model: &TransitionSystem, room: &mut Room) -> Vec<Bits> {
        let n_words = self.n_words();
        room.vectors.resize(plan.n_vectors.max(room.vectors.len()), Vec::new());
        room.vectors.iter_mut().for_each(|vector| vector.resize(n_words, 0));
        room.scratch.resize(n_words, 0);
        Columns::new(&self.layout, &self.places, &self.traces).eval(model, &plan.atoms, &mut room.vectors);
        let n_trace_words = self.traces.len().div_ceil(64);
        let mut answers = vec![0; plan.n_goals.next_multiple_of(64) * n_trace_words];
        for (index, step) in plan.steps.iter().enumerate() {
            if index.is_multiple_of(STEPS_PER_LOOK) {
                model.budget.look();
            }
            match step {
                Step::Compute(to, compute) => self.compute(room, *to, *compute),
                Step::Read(read) => {
                    self.read(room, read, &mut answers[read.goal * n_trace_words..][..n_trace_words]);
                }
            }
        }
        rows(&answers, plan.n_goals, self.traces.len())
    }

    fn compute(&self, room: &mut Room, to: usize, compute: Compute) {
        let mut out = std::mem::take(&mut room.vectors[to]);
        let vectors = &room.vectors;
        let of = |vector: usize| vectors[vector].as_slice();
        let layout = &self.layout;
        match compute {
            Compute::All => layout.all(&mut out),
            Compute::None => out.fill(0),
            Compute::And(a, b) => tv::and(&mut out, of(a), of(b)),
            Compute::Or(a, b) => tv::or(&mut out, of(a), of(b)),
            Compute::Either(parts) => tv::either(&mut out, parts.map(of)),
            Compute::Next(a) => tv::next(layout, 0, &mut out, of(a)),
            Compute::Until(a, b) => tv::until(layout, 0, &mut out, of(a), of(b)),
            Compute::NotUntil(a, b) => tv::not_until(layout, 0, &mut out, of(a), of(b)),
            Compute::Previous(a, first) => tv::previous(layout, 0, &mut out, of(a), first),
            Compute::Since(a, b) => tv::since(layout, 0, &mut out, of(a), of(b)),
            Compute::NotSince(a, b) => tv::not_since(layout, 0, &mut out, of(a), of(b)),
            Compute::Bounded(op, parts, wants_yes) => {
                let [a_yes, a_no, b_yes, b_no] = parts.map(of);
                let (a, b) = (TruthVectors { yes: a_yes, no: a_no }, TruthVectors { yes: b_yes, no: b_no });
                let mut other = vec![0; out.len()];
                let (yes, no) = if wants_yes { (&mut out, &mut other) } else { (&mut other, &mut out) };
                let mut both = TruthVectorsMut { yes, no, from: 0 };
                match op {
                    Op::Within(low, high, _) => within(&mut both, layout, (low, high), None, a),
                    Op::UntilWithin(low, high, ..) => within(&mut both, layout, (low, high), Some(a), b),
                    Op::Ago(low, high, any, _) => ago(&mut both, layout, (low, high), any, a),
                    _ => unreachable!("no other operator is bounded"),
                }
            }
        }
        room.vectors[to] = out;
    }

    /// Reads the traces that reach a goal.
    fn read(&self, room: &mut Room, read: &GoalRead, answer: &mut [u64]) {
        let met = &room.vectors[read.vector];
        if met.iter().all(|word| *word == 0) {
            return;
        }
        let at_first = if read.anywhere {
            tv::anywhere(&self.layout, &mut room.scratch, met);
            &room.scratch
        } else {
            met
        };
        for (trace, place) in self.places.iter().enumerate() {
            let bit = place.bit(0);
            answer[trace / 64] |= (at_first[bit / 64] >> (bit % 64) & 1) << (trace % 64);
        }
        if read.past > 0 {
            for (trace, walks) in self.walks.iter().enumerate() {
                answer[trace / 64] &= !(u64::from(read.past > *walks) << (trace % 64));
            }
        }
    }
}

/// From the traces of each goal to the goals of each trace.
fn rows(answers: &[u64], n_goals: usize, n_traces: usize) -> Vec<Bits> {
    let n_trace_words = n_traces.div_ceil(64);
    let mut rows = vec![Vec::with_capacity(n_goals.div_ceil(64)); n_traces];
    for goals in answers.chunks(64 * n_trace_words) {
        for word in 0..n_trace_words {
            let mut square: [u64; 64] = std::array::from_fn(|goal| goals[goal * n_trace_words + word]);
            transpose(&mut square);
            let traces = &mut rows[64 * word..n_traces.min(64 * (word + 1))];
            traces.iter_mut().zip(square).for_each(|(row, goals)| row.push(goals));
        }
    }
    rows.into_iter().map(|words| Bits::from_words(words, n_goals)).collect()
}

/// Exchanges rows and columns of a square of bits, by exchanging ever smaller quarters.
fn transpose(square: &mut [u64; 64]) {
    let (mut half, mut mask) = (32, u64::MAX >> 32);
    while half > 0 {
        let mut row = 0;
        while row < 64 {
            let moved = (square[row] >> half ^ square[row + half]) & mask;
            square[row] ^= moved << half;
            square[row + half] ^= moved;
            row = (row + half + 1) & !half;
        }
        half /= 2;
        mask ^= mask << half;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transposed_square_has_its_bits_mirrored() {
        let mut state = 1_u64;
        let before: [u64; 64] = std::array::from_fn(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state ^ state >> 29
        });
        let mut after = before;
        transpose(&mut after);
        for (row, across) in before.iter().enumerate() {
            for (column, down) in after.iter().enumerate() {
                assert_eq!(across >> column & 1, down >> row & 1, "{row}, {column}");
            }
        }
    }
}
