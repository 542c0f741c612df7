//! Atoms of kept traces: by columns for all states at once, or state by state where there are no columns.

use super::{OPS_PER_LOOK, TraceBatch, split};
use crate::grade::atom::{Atom, Steps, first_bits, sources};
use crate::grade::columns::Columns;
use crate::grade::program::{Op, Program};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use specwright_model::TransitionSystem;

/// Atoms that are evaluated state by state, all of them together: the interpreter shares their parts.
#[derive(Clone, Debug, Default)]
pub(super) struct ByState {
    /// Their operations.
    ops: IndexSet<usize, FxBuildHasher>,
    /// Different steps of the traces.
    steps: Steps,
    /// For each trace and state, the bit of the state from which the same step is taken first.
    first_bits: Vec<Vec<usize>>,
}

impl ByState {
    /// Forgets the traces. Atoms without columns are most likely to have none on the next ones, either.
    pub(super) fn forget(&mut self) {
        self.steps.clear();
        self.first_bits.clear();
    }
}

impl TraceBatch {
    /// Evaluates an atom in the states in which it is not known.
    pub(super) fn compute_atom(&mut self, program: &Program, model: &TransitionSystem, op: usize, atom: Atom) {
        if !self.by_state.ops.contains(&op) {
            if self.by_columns(model, op, atom) {
                return;
            }
            if self.by_state.ops.is_empty() {
                // There may be more like this one.
                for (count, (other, atom)) in program.atoms.iter().enumerate() {
                    if count % OPS_PER_LOOK == 0 {
                        model.budget.look();
                    }
                    let is_open = self.known[*other] < self.layout.len() && *other != op;
                    if is_open && matches!(atom, Atom::Other(_)) && !self.by_columns(model, *other, *atom) {
                        self.by_state.ops.insert(*other);
                    }
                }
            }
            self.by_state.ops.insert(op);
        }
        self.by_interpreter(program, model);
    }

    /// Evaluates an atom in all states at once; false if it has no columns.
    fn by_columns(&mut self, model: &TransitionSystem, op: usize, atom: Atom) -> bool {
        let n_words = self.layout.n_words();
        let known = std::mem::take(&mut self.columns);
        let mut columns = Columns::knowing(&self.layout, &self.places, &self.traces, known);
        let (_, out) = split(&mut self.truth_vectors, self.room, n_words, op, 0);
        out.yes.fill(0);
        out.no.fill(0);
        let is_known = columns.atom(model, atom, out.yes, out.no);
        self.columns = columns.known;
        // With more traces a term may have too many values, and what was known is lost.
        self.known[op] = if is_known { self.layout.len() } else { 0 };
        is_known
    }

    /// Evaluates the atoms without columns, state by state.
    fn by_interpreter(&mut self, program: &Program, model: &TransitionSystem) {
        let TraceBatch { layout, places, traces, by_state, truth_vectors, room, known, .. } = self;
        let ByState { ops, steps, first_bits: firsts } = by_state;
        for (trace, place) in traces.iter().zip(&*places).skip(firsts.len()) {
            firsts.push(first_bits(steps, trace, *place));
        }
        for op in &*ops {
            if known[*op] < layout.len() {
                let (_, out) = split(truth_vectors, *room, layout.n_words(), *op, 0);
                let (word, bit) = (known[*op] / 64, known[*op] % 64);
                for words in [out.yes, out.no] {
                    words[word] &= (1 << bit) - 1;
                    words[word + 1..].fill(0);
                }
            }
        }
        let from = ops.iter().map(|op| known[*op]).min().unwrap_or(0);
        for ((trace, place), firsts) in traces.iter().zip(&*places).zip(&*firsts) {
            if place.base < from {
                continue;
            }
            let mut sources = sources(model, trace, *place, firsts);
            for (count, op) in ops.iter().enumerate().filter(|(_, op)| known[**op] <= place.base) {
                if count % OPS_PER_LOOK == 0 {
                    model.budget.look();
                }
                let Op::Atom(atom) = program.ops[*op] else { unreachable!("only atoms are evaluated here") };
                let (_, mut out) = split(truth_vectors, *room, layout.n_words(), *op, 0);
                atom.eval(trace, *place, &mut sources, &mut out);
            }
        }
        for op in &*ops {
            known[*op] = layout.len();
        }
    }
}
