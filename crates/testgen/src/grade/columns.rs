//! The values of variables in many states, as a bit vector for each value, and what atoms make of them.

use super::atom::{Atom, Steps, Term, first_bits, sources};
use super::expr_columns::Time;
use super::truth_vectors::{self as tv, BatchLayout, TracePosition, TruthVectorsMut};
use rustc_hash::FxHashMap;
use specwright_model::{ExprId, Trace, TransitionSystem, Value, VarId};
use std::borrow::Cow;
use std::sync::Arc;

/// Values of a term up to which each has a bit vector; with more, atoms are evaluated state by state.
pub(super) const COLUMN_VALUES: usize = 64;

/// Pairs of values of two terms up to which these are compared value by value.
const COLUMN_PAIRS: usize = 1024;

/// The states in which a term has each of its values.
#[derive(Clone, Debug, Default)]
pub(super) struct Column {
    /// Different values, each with its states.
    pub(super) values: Vec<(Value, Vec<u64>)>,
}

impl Column {
    /// The states in which it has a value; nothing if there is none.
    pub(super) fn states(&self, value: Value) -> Option<&[u64]> {
        self.values.iter().find(|(known, _)| *known == value).map(|(_, states)| &**states)
    }

    /// Adds states in which it has a value.
    pub(super) fn add(&mut self, value: Value, states: &[u64]) {
        match self.values.iter_mut().find(|(known, _)| *known == value) {
            Some((_, known)) => known.iter_mut().zip(states).for_each(|(known, states)| *known |= states),
            None => self.values.push((value, states.to_vec())),
        }
    }

    /// The states in which it has any value.
    pub(super) fn defined(&self, n_words: usize) -> Vec<u64> {
        let mut all = vec![0; n_words];
        for (_, states) in &self.values {
            all.iter_mut().zip(states).for_each(|(all, states)| *all |= states);
        }
        all
    }
}

/// The columns that were made so far for some traces.
#[derive(Clone, Debug, Default)]
pub(super) struct KnownColumns {
    /// None where a term has too many values.
    terms: FxHashMap<Term, Option<Arc<Column>>>,
    /// The same for expressions, and the words of their columns.
    pub(super) exprs: FxHashMap<(ExprId, Time), Option<Arc<Column>>>,
    pub(super) n_words: usize,
}

/// The columns of some traces, made when they are needed.
pub(super) struct Columns<'a> {
    pub(super) layout: &'a BatchLayout,
    places: &'a [TracePosition],
    traces: &'a [Cow<'a, Trace>],
    pub(super) known: KnownColumns,
}

impl<'a> Columns<'a> {
    pub(super) fn new(
        layout: &'a BatchLayout,
        places: &'a [TracePosition],
        traces: &'a [Cow<'a, Trace>],
    ) -> Columns<'a> {
        Columns::knowing(layout, places, traces, KnownColumns::default())
    }

    /// The same, with columns of these traces that were made before.
    pub(super) fn knowing(
        layout: &'a BatchLayout,
        places: &'a [TracePosition],
        traces: &'a [Cow<'a, Trace>],
        known: KnownColumns,
    ) -> Columns<'a> {
        Columns { layout, places, traces, known }
    }

    /// Writes the truth of atoms: for each of them where it is true, and where it is false.
    pub(super) fn eval(&mut self, model: &TransitionSystem, atoms: &[Atom], out: &mut [Vec<u64>]) {
        let mut others = Vec::new();
        for (index, atom) in atoms.iter().enumerate() {
            model.budget.look();
            let [yes, no] = &mut out[2 * index..][..2] else { unreachable!("two vectors") };
            yes.fill(0);
            no.fill(0);
            if !self.atom(model, *atom, yes, no) {
                others.push(index);
            }
        }
        let is_evaluated = others.iter().any(|index| matches!(atoms[*index], Atom::Other(_)));
        let mut steps = Steps::default();
        for (trace, place) in self.traces.iter().zip(self.places) {
            let bits = if is_evaluated { first_bits(&mut steps, trace, *place) } else { Vec::new() };
            let mut sources = if is_evaluated { sources(model, trace, *place, &bits) } else { Vec::new() };
            for index in &others {
                model.budget.look();
                let [yes, no] = &mut out[2 * index..][..2] else { unreachable!("two vectors") };
                let mut out = TruthVectorsMut { yes, no, from: 0 };
                atoms[*index].eval(trace, *place, &mut sources, &mut out);
            }
        }
    }

    /// Writes the truth of one atom into empty vectors, if columns tell it.
    pub(super) fn atom(&mut self, model: &TransitionSystem, atom: Atom, yes: &mut [u64], no: &mut [u64]) -> bool {
        let column = match atom {
            Atom::Term(term) => self.column(term),
            Atom::Other(expr) => self.expr(model, expr),
            Atom::Equal(a, b) => return self.compare(a, b, yes, no, |a, b| Some(a == b)),
            Atom::Less(a, b) => {
                return self.compare(a, b, yes, no, |a, b| match (a, b) {
                    (Value::Int(a), Value::Int(b)) => Some(a < b),
                    _ => None,
                });
            }
        };
        let Some(column) = column else { return false };
        for (truth, out) in [(true, yes), (false, no)] {
            if let Some(states) = column.states(Value::Bool(truth)) {
                out.copy_from_slice(states);
            }
        }
        true
    }

    fn compare(
        &mut self,
        a: Term,
        b: Term,
        yes: &mut [u64],
        no: &mut [u64],
        truth: impl Fn(Value, Value) -> Option<bool>,
    ) -> bool {
        let (Some(a), Some(b)) = (self.column(a), self.column(b)) else { return false };
        if a.values.len() * b.values.len() > COLUMN_PAIRS {
            return false;
        }
        for (value, states) in &a.values {
            for (other, other_states) in &b.values {
                if let Some(truth) = truth(*value, *other) {
                    let out = if truth { &mut *yes } else { &mut *no };
                    out.iter_mut().zip(states).zip(other_states).for_each(|((out, a), b)| *out |= a & b);
                }
            }
        }
        true
    }

    pub(super) fn column(&mut self, term: Term) -> Option<Arc<Column>> {
        if !self.known.terms.contains_key(&term) {
            let column = match term {
                Term::Const(value) => {
                    let mut all = vec![0; self.layout.n_words()];
                    self.layout.all(&mut all);
                    Some(Column { values: vec![(value, all)] })
                }
                Term::Now(var) => self.values_of(var),
                Term::Next(var) => {
                    let layout = self.layout;
                    self.column(Term::Now(var)).map(|now| {
                        let next = |(value, states): &(Value, Vec<u64>)| {
                            let mut out = vec![0; states.len()];
                            tv::next(layout, 0, &mut out, states);
                            (*value, out)
                        };
                        Column { values: now.values.iter().map(next).collect() }
                    })
                }
            };
            self.known.terms.insert(term, column.map(Arc::new));
        }
        self.known.terms[&term].clone()
    }

    fn values_of(&self, var: VarId) -> Option<Column> {
        let mut column = Column::default();
        let mut last = 0;
        for (trace, place) in self.traces.iter().zip(self.places) {
            for (index, state) in trace.states.iter().enumerate() {
                let Some(value) = state.get(var) else { continue };
                if column.values.get(last).is_none_or(|(known, _)| *known != value) {
                    let known = column.values.iter().position(|(known, _)| *known == value);
                    last = known.unwrap_or_else(|| {
                        column.values.push((value, vec![0; self.layout.n_words()]));
                        column.values.len() - 1
                    });
                    if column.values.len() > COLUMN_VALUES {
                        return None;
                    }
                }
                let bit = place.bit(index);
                column.values[last].1[bit / 64] |= 1 << (bit % 64);
            }
        }
        Some(column)
    }
}
