//! Truth of an expression without temporal operators at all states of a trace.

use super::truth_vectors::{TracePosition, TruthVectorsMut, get};
use rustc_hash::FxHashMap;
use specwright_model::interp::Evaluator;
use specwright_model::op::BinaryOp;
use specwright_model::{ExprId, Node, State, Trace, TransitionSystem, Value, VarId};

/// An expression, compiled for evaluation in many states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Atom {
    /// A boolean.
    Term(Term),
    /// Equality of two terms.
    Equal(Term, Term),
    /// The first number is less than the second.
    Less(Term, Term),
    /// Any other expression, evaluated by the interpreter.
    Other(ExprId),
}

/// An operand of an atom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Term {
    Const(Value),
    Now(VarId),
    Next(VarId),
}

/// Different steps whose atoms are evaluated once, which bounds the memory for them.
const SHARED_STEPS: usize = 1 << 16;

/// Steps of traces, each with the bit of a state from which it is taken.
pub(super) type Steps = FxHashMap<(State, Option<State>), usize>;

/// What the truth of an atom in a state is found by.
pub(super) enum Source<'m> {
    /// The interpreter.
    Evaluator(Evaluator<'m>),
    /// The bit of a state from which the same step is taken.
    Bit(usize),
}

/// For each state of a trace the bit of the state from which the same step is taken first.
pub(super) fn first_bits(steps: &mut Steps, trace: &Trace, place: TracePosition) -> Vec<usize> {
    let first = |(index, now): (usize, &State)| {
        let next = trace.next(index).map(|next| &trace.states[next]);
        let (step, bit) = ((now.clone(), next.cloned()), place.bit(index));
        if let Some(first) = steps.get(&step) {
            return *first;
        }
        if steps.len() < SHARED_STEPS {
            steps.insert(step, bit);
        }
        bit
    };
    trace.states.iter().enumerate().map(first).collect()
}

/// The sources for the states of a trace with these [first bits](first_bits).
pub(super) fn sources<'m>(
    model: &'m TransitionSystem,
    trace: &'m Trace,
    place: TracePosition,
    first_bits: &[usize],
) -> Vec<Source<'m>> {
    let source = |(index, now): (usize, &'m State)| {
        let next = trace.next(index).map(|next| &trace.states[next]);
        let is_first = first_bits[index] == place.bit(index);
        if is_first { Source::Evaluator(Evaluator::new(model, now, next)) } else { Source::Bit(first_bits[index]) }
    };
    trace.states.iter().enumerate().map(source).collect()
}

impl Atom {
    /// The atom of an expression, and whether it is negated.
    pub(super) fn new(model: &TransitionSystem, expr: ExprId) -> (Atom, bool) {
        if let Some(term) = Term::new(model, expr) {
            return (Atom::Term(term), false);
        }
        if let Node::Binary(op, a, b) = &model[expr]
            && let (Some(a), Some(b)) = (Term::new(model, *a), Term::new(model, *b))
        {
            let numbers = a.is_number(model) && b.is_number(model);
            match op {
                BinaryOp::Eq => return (Atom::Equal(a.min(b), a.max(b)), false),
                BinaryOp::Ne => return (Atom::Equal(a.min(b), a.max(b)), true),
                BinaryOp::Lt if numbers => return (Atom::Less(a, b), false),
                BinaryOp::Gt if numbers => return (Atom::Less(b, a), false),
                BinaryOp::Le if numbers => return (Atom::Less(b, a), true),
                BinaryOp::Ge if numbers => return (Atom::Less(a, b), true),
                _ => {}
            }
        }
        (Atom::Other(expr), false)
    }

    /// Writes its truth at all states of a trace into empty truth vectors: open where the trace does not give a value,
    /// or where it is undefined.
    pub(super) fn eval(
        self,
        trace: &Trace,
        place: TracePosition,
        sources: &mut [Source<'_>],
        out: &mut TruthVectorsMut<'_>,
    ) {
        for (state, now) in trace.states.iter().enumerate() {
            let next = trace.next(state).map(|next| &trace.states[next]);
            let truth = match self {
                Atom::Term(term) => match term.get(now, next) {
                    Some(Value::Bool(truth)) => Some(truth),
                    _ => None,
                },
                Atom::Equal(a, b) => a.get(now, next).zip(b.get(now, next)).map(|(a, b)| a == b),
                Atom::Less(a, b) => match (a.get(now, next), b.get(now, next)) {
                    (Some(Value::Int(a)), Some(Value::Int(b))) => Some(a < b),
                    _ => None,
                },
                Atom::Other(expr) => match &mut sources[state] {
                    Source::Evaluator(evaluator) => evaluator.truth(expr).ok(),
                    Source::Bit(bit) if get(out.yes, *bit) => Some(true),
                    Source::Bit(bit) => get(out.no, *bit).then_some(false),
                },
            };
            let bit = place.bit(state);
            match truth {
                Some(true) => out.yes[bit / 64] |= 1 << (bit % 64),
                Some(false) => out.no[bit / 64] |= 1 << (bit % 64),
                None => {}
            }
        }
    }
}

impl Term {
    fn new(model: &TransitionSystem, expr: ExprId) -> Option<Term> {
        match &model[expr] {
            Node::Const(value) => Some(Term::Const(*value)),
            Node::Var(var) => Some(Term::Now(*var)),
            Node::Define(define) => Term::new(model, model.body(*define)),
            Node::Next(a) => match Term::new(model, *a)? {
                Term::Now(var) if model[var].kind == specwright_model::model::VarKind::Frozen => Some(Term::Now(var)),
                Term::Now(var) => Some(Term::Next(var)),
                Term::Const(value) => Some(Term::Const(value)),
                Term::Next(_) => None,
            },
            _ => None,
        }
    }

    fn is_number(self, model: &TransitionSystem) -> bool {
        use specwright_model::Domain;
        match self {
            Term::Const(value) => matches!(value, Value::Int(_)),
            Term::Now(var) | Term::Next(var) => matches!(model[var].domain, Domain::Range(..) | Domain::Integer),
        }
    }

    fn get(self, now: &State, next: Option<&State>) -> Option<Value> {
        match self {
            Term::Const(value) => Some(value),
            Term::Now(var) => now.get(var),
            Term::Next(var) => next?.get(var),
        }
    }
}
