//! Runs the operations of all goals on one trace after another.

use super::atom::Atom;
use super::matrix::Bits;
use super::planes::{Planes, PlanesMut, Shape};
use super::program::{Op, Operand, Program, Quantifiers};
use crate::goal::Target;
use specwright_model::interp::Evaluator;
use specwright_model::typing::is_temporal;
use specwright_model::{Model, Trace};

/// Says of any trace which goals it reaches.
///
/// It belongs to the model that it was made for, and stays right while expressions are added to that model.
#[derive(Clone, Debug)]
pub struct Grader {
    program: Program,
    goals: Vec<Wish>,
    /// For each operation, how often a loop must be walked before past operators in it have settled.
    past: Vec<u64>,
    has_past: bool,
    needs_interpreter: bool,
    /// The planes of all operations, to be used again for the next trace.
    planes: Vec<u64>,
}

/// What a goal wants of its formula.
#[derive(Clone, Copy, Debug)]
struct Wish {
    operand: Operand,
    /// To be true in any state, not in the first one.
    anywhere: bool,
}

/// Loops with past operators are unrolled up to so many states; a goal that needs more is not reached.
const MOST_STATES: u64 = 1 << 16;

impl Grader {
    /// A grader for the targets of these goals.
    pub fn new(model: &Model, targets: impl IntoIterator<Item = Target>, quantifiers: Quantifiers) -> Grader {
        let mut program = Program::new(quantifiers);
        let wish = |target| {
            let (formula, falsify) = match target {
                Target::Falsify(formula) => (formula, true),
                Target::Reach(expr) => return Wish { operand: program.compile(model, expr), anywhere: true },
                Target::Show(formula) => (formula, false),
            };
            let operand = program.compile(model, formula);
            // An expression that is to be refuted is an invariant.
            let anywhere = falsify && !model.mentions(formula, is_temporal);
            Wish { operand: if falsify { !operand } else { operand }, anywhere }
        };
        let goals = targets.into_iter().map(wish).collect();
        let past = program.past_depth();
        let has_past = past.iter().any(|depth| *depth > 0);
        let needs_interpreter = program.ops.iter().any(|op| matches!(op, Op::Atom(Atom::Other(_))));
        Grader { program, goals, past, has_past, needs_interpreter, planes: Vec::new() }
    }

    /// The number of goals.
    pub fn n_goals(&self) -> usize {
        self.goals.len()
    }

    /// The number of operations that all goals together take on every trace.
    pub fn n_operations(&self) -> usize {
        self.program.ops.len()
    }

    /// The goals that a trace reaches, which must have a state. Whether it is an execution is not looked at.
    pub fn reached(&mut self, model: &Model, trace: &Trace) -> Bits {
        let (shape, walks) = self.judge(model, trace);
        let mut reached = Bits::new(self.goals.len());
        for (index, wish) in self.goals.iter().enumerate() {
            let planes = planes(&self.planes, shape, wish.operand);
            let met = if wish.anywhere { planes.yes.iter().any(|word| *word != 0) } else { shape.get(planes.yes, 0) };
            if met && self.past[wish.operand.op()] <= walks {
                reached.insert(index);
            }
        }
        reached
    }

    /// For each goal, the states of a trace at which it is met, and those at which it is not whatever could follow. For a
    /// formula that is to be shown, only the first state is looked at.
    pub fn moments(&mut self, model: &Model, trace: &Trace) -> Vec<(Bits, Bits)> {
        let (shape, walks) = self.judge(model, trace);
        let moments = |wish: &Wish| {
            let (mut met, mut missed) = (Bits::new(shape.n), Bits::new(shape.n));
            if self.past[wish.operand.op()] <= walks {
                let planes = planes(&self.planes, shape, wish.operand);
                for state in 0..if wish.anywhere { shape.n } else { 1 } {
                    if shape.get(planes.yes, state) {
                        met.insert(state);
                    } else if shape.get(planes.no, state) {
                        missed.insert(state);
                    }
                }
            }
            (met, missed)
        };
        self.goals.iter().map(moments).collect()
    }

    /// Computes all operations on a trace. Says how often its loop was walked.
    fn judge(&mut self, model: &Model, trace: &Trace) -> (Shape, u64) {
        let (unrolled, walks) = match trace.loop_start {
            Some(start) if self.has_past => {
                let period = trace.states.len() - start;
                let wanted = self.past.iter().copied().max().unwrap_or(0);
                let walks = wanted.min(MOST_STATES / period as u64);
                (Some(unroll(trace, start, walks)), walks)
            }
            _ => (None, u64::MAX),
        };
        let trace = unrolled.as_ref().unwrap_or(trace);
        let shape = Shape { n: trace.states.len(), loop_start: trace.loop_start };
        self.run(model, trace, shape);
        (shape, walks)
    }

    fn run(&mut self, model: &Model, trace: &Trace, shape: Shape) {
        let n_words = shape.n_words();
        self.planes.resize(self.program.ops.len() * 2 * n_words, 0);
        let mut evaluators: Vec<Evaluator<'_>> = Vec::new();
        if self.needs_interpreter {
            let next = |index| trace.next(index).map(|next| &trace.states[next]);
            let states = trace.states.iter().enumerate();
            evaluators.extend(states.map(|(index, now)| Evaluator::new(model, now, next(index))));
        }
        for (index, op) in self.program.ops.iter().enumerate() {
            let (before, rest) = self.planes.split_at_mut(index * 2 * n_words);
            let (yes, rest) = rest.split_at_mut(n_words);
            let mut out = PlanesMut { yes, no: &mut rest[..n_words] };
            let of = |operand: Operand| planes(before, shape, operand);
            match *op {
                Op::True => out.constant(shape),
                Op::Atom(atom) => atom.eval(trace, shape, &mut evaluators, &mut out),
                Op::And(a, b) => out.and(of(a), of(b)),
                Op::Iff(a, b) => out.iff(of(a), of(b)),
                Op::Next(a) => out.next(shape, of(a)),
                Op::Until(a, b) => out.until(shape, of(a), of(b)),
                Op::Previous(a) => out.previous(shape, of(a)),
                Op::Since(a, b) => out.since(shape, of(a), of(b)),
                Op::Within(low, high, a) => {
                    within(&mut out, shape, (low, high), None, of(a));
                }
                Op::UntilWithin(low, high, a, b) => within(&mut out, shape, (low, high), Some(of(a)), of(b)),
                Op::Ago(low, high, any, a) => ago(&mut out, shape, (low, high), any, of(a)),
                Op::NeverFalse(a) => {
                    out.assign(of(a));
                    out.no.fill(0);
                }
            }
        }
    }
}

/// The planes of an operand. Negation swaps them.
fn planes(all: &[u64], shape: Shape, operand: Operand) -> Planes<'_> {
    let n_words = shape.n_words();
    let both = &all[operand.op() * 2 * n_words..][..2 * n_words];
    let (yes, no) = both.split_at(n_words);
    if operand.negated() { Planes { yes: no, no: yes } } else { Planes { yes, no } }
}

/// Planes of their own, for what takes several steps to compute.
struct Owned {
    yes: Vec<u64>,
    no: Vec<u64>,
}

impl Owned {
    fn new(a: Planes<'_>) -> Owned {
        Owned { yes: a.yes.to_vec(), no: a.no.to_vec() }
    }

    fn get(&self) -> Planes<'_> {
        Planes { yes: &self.yes, no: &self.no }
    }

    fn negated(&self) -> Planes<'_> {
        Planes { yes: &self.no, no: &self.yes }
    }

    fn get_mut(&mut self) -> PlanesMut<'_> {
        PlanesMut { yes: &mut self.yes, no: &mut self.no }
    }
}

/// `b` in one of so many steps, and until then `a`, if it is given.
fn within(out: &mut PlanesMut<'_>, shape: Shape, (low, high): (u64, u64), a: Option<Planes<'_>>, b: Planes<'_>) {
    let (mut now, mut later) = (Owned::new(b), Owned::new(b));
    let step = |now: &Owned, later: &mut Owned| {
        later.get_mut().next(shape, now.get());
        if let Some(a) = a {
            let next = Owned::new(later.get());
            later.get_mut().and(a, next.get());
        }
    };
    for _ in low..high {
        step(&now, &mut later);
        // `b | later` is the negation of `!b & !later`.
        let mut joined = Owned::new(later.get());
        joined.get_mut().and(Planes { yes: b.no, no: b.yes }, later.negated());
        if !now.get_mut().assign(joined.negated()) {
            break;
        }
    }
    for _ in 0..low {
        step(&now, &mut later);
        if !now.get_mut().assign(later.get()) {
            break;
        }
    }
    out.assign(now.get());
}

/// So many steps ago, once or always; before the first state it was neither.
fn ago(out: &mut PlanesMut<'_>, shape: Shape, (low, high): (u64, Option<u64>), any: bool, a: Planes<'_>) {
    let (mut now, mut before) = (Owned::new(a), Owned::new(a));
    let swapped = Planes { yes: a.no, no: a.yes };
    if let Some(high) = high {
        for _ in low..high {
            before.get_mut().previous(shape, now.get());
            let mut joined = Owned::new(before.get());
            let joined = if any {
                joined.get_mut().and(swapped, before.negated());
                Owned::new(joined.negated())
            } else {
                joined.get_mut().and(a, before.get());
                joined
            };
            if !now.get_mut().assign(joined.get()) {
                break;
            }
        }
    } else {
        let mut yes = Owned::new(a);
        yes.get_mut().constant(shape);
        now.get_mut().since(shape, yes.get(), if any { a } else { swapped });
        if !any {
            now = Owned::new(now.negated());
        }
    }
    for _ in 0..low {
        before.get_mut().previous(shape, now.get());
        if !now.get_mut().assign(before.get()) {
            break;
        }
    }
    out.assign(now.get());
}

/// The same trace with its loop walked so many times more before it starts.
fn unroll(trace: &Trace, start: usize, walks: u64) -> Trace {
    let mut states = trace.states.clone();
    for _ in 0..walks {
        states.extend_from_slice(&trace.states[start..]);
    }
    let period = trace.states.len() - start;
    Trace { loop_start: Some(states.len() - period), states }
}
