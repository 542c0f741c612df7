//! The values of variables in many states, as a bit vector for each value, and what atoms make of them.

use super::atom::{Atom, Steps, Term, sources};
use super::truth_vectors::{self as tv, BatchLayout, TracePosition, TruthVectorsMut};
use rustc_hash::FxHashMap;
use specwright_model::{Trace, TransitionSystem, Value, VarId};
use std::borrow::Cow;

/// Values of a variable up to which each has a bit vector; with more, atoms are evaluated state by state.
const COLUMN_VALUES: usize = 32;

/// Pairs of values of two terms up to which these are compared value by value.
const COLUMN_PAIRS: usize = 256;

/// The states in which a term has each of its values.
#[derive(Clone, Debug, Default)]
struct Column {
    values: Vec<(Value, Vec<u64>)>,
}

/// The columns of some traces, made when they are needed.
pub(super) struct Columns<'a> {
    layout: &'a BatchLayout,
    places: &'a [TracePosition],
    traces: &'a [Cow<'a, Trace>],
    /// None where a term has too many values.
    known: FxHashMap<Term, Option<Column>>,
}

impl<'a> Columns<'a> {
    pub(super) fn new(
        layout: &'a BatchLayout,
        places: &'a [TracePosition],
        traces: &'a [Cow<'a, Trace>],
    ) -> Columns<'a> {
        Columns { layout, places, traces, known: FxHashMap::default() }
    }

    /// Writes the truth of atoms: for each of them where it is true, and where it is false.
    pub(super) fn eval(&mut self, model: &TransitionSystem, atoms: &[Atom], out: &mut [Vec<u64>]) {
        let mut others = Vec::new();
        for (index, atom) in atoms.iter().enumerate() {
            model.budget.look();
            let [yes, no] = &mut out[2 * index..][..2] else { unreachable!("two vectors") };
            yes.fill(0);
            no.fill(0);
            if !self.atom(*atom, yes, no) {
                others.push(index);
            }
        }
        let is_evaluated = others.iter().any(|index| matches!(atoms[*index], Atom::Other(_)));
        let mut steps = Steps::default();
        for (trace, place) in self.traces.iter().zip(self.places) {
            let mut sources = if is_evaluated { sources(&mut steps, model, trace, *place) } else { Vec::new() };
            for index in &others {
                model.budget.look();
                let [yes, no] = &mut out[2 * index..][..2] else { unreachable!("two vectors") };
                let mut out = TruthVectorsMut { yes, no, from: 0 };
                atoms[*index].eval(trace, *place, &mut sources, &mut out);
            }
        }
    }

    /// Writes the truth of one atom into empty vectors, if columns tell it.
    fn atom(&mut self, atom: Atom, yes: &mut [u64], no: &mut [u64]) -> bool {
        match atom {
            Atom::Term(term) => {
                let Some(column) = self.column(term) else { return false };
                for (value, states) in &column.values {
                    match value {
                        Value::Bool(true) => yes.copy_from_slice(states),
                        Value::Bool(false) => no.copy_from_slice(states),
                        _ => {}
                    }
                }
            }
            Atom::Equal(a, b) => return self.compare(a, b, yes, no, |a, b| Some(a == b)),
            Atom::Less(a, b) => {
                return self.compare(a, b, yes, no, |a, b| match (a, b) {
                    (Value::Int(a), Value::Int(b)) => Some(a < b),
                    _ => None,
                });
            }
            Atom::Other(_) => return false,
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
        self.column(a);
        self.column(b);
        let (Some(Some(a)), Some(Some(b))) = (self.known.get(&a), self.known.get(&b)) else { return false };
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

    fn column(&mut self, term: Term) -> Option<&Column> {
        if !self.known.contains_key(&term) {
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
            self.known.insert(term, column);
        }
        self.known[&term].as_ref()
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
