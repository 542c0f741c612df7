//! Truth of formulas on a single trace, finite or lasso, with *weak* end-of-trace semantics.
//!
//! On a single path the quantifiers `A` and `E` agree, so CTL and LTL formulas are read alike. A formula is true, false
//! or **open** at a position of the trace:
//!
//! - An expression without temporal operators is true or false where all values that it reads are given. It is open
//!   where the trace does not give a value (an input or a next value in the last state), and where it is undefined, as
//!   by a division by zero.
//! - After the last state of a finite trace every formula is open. `X f` is `f` at the next position; `f U g` is `g | f
//!   & X (f U g)`; `G f` is `f & X G f`; and so on for every operator, in Kleene's three-valued logic: `&` is false if
//!   one side is false, else open if one side is open; `!` of open is open; `|`, `->`, `<->`, `xor` follow from these.
//! - Past operators refer to positions that exist, so they are exact.
//! - On a lasso there is no end: the same equations are solved exactly, untils as least and their duals as greatest
//!   fixpoints.
//!
//! A trace **kills** a formula that is false at its first position. So nothing beyond the last state is a violation,
//! whatever the polarity. This agrees with the `Check` variable and the rewriting rules of the papers, and needs no
//! model checker.

use super::check::CheckError;
use super::eval::{Evaluator, grow};
use super::support::support;
use crate::expr::{ExprId, Node};
use crate::model::{Property, PropertyKind, TransitionSystem};
use crate::op::{BinaryOp, BoundedOp, BoundedUntilOp, UnaryOp};
use crate::state::Trace;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// True, false or open (`None`).
pub type Truth = Option<bool>;

/// Whether a property is false on a trace. A `COMPUTE` is never false.
pub fn kills(model: &TransitionSystem, trace: &Trace, property: &Property) -> Result<bool, CheckError> {
    Path::new(model, trace).kills(property)
}

/// A trace with the cached truth of formulas on it. Formulas share their common parts.
pub struct Path<'a> {
    model: &'a TransitionSystem,
    /// One evaluator for each position, so that expressions are evaluated once.
    evaluators: Vec<Evaluator<'a>>,
    loop_start: Option<usize>,
    known: FxHashMap<ExprId, Rc<Values>>,
}

/// The truth of a formula at all positions of the trace. On a lasso, the last positions repeat from `loop_start` on;
/// with past operators that position may be later than the loop start of the trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Values {
    values: Vec<Truth>,
    loop_start: Option<usize>,
}

impl<'a> Path<'a> {
    /// A path along a non-empty trace.
    pub fn new(model: &'a TransitionSystem, trace: &'a Trace) -> Path<'a> {
        let evaluator = |(index, now)| Evaluator::new(model, now, trace.next(index).map(|next| &trace.states[next]));
        let evaluators = trace.states.iter().enumerate().map(evaluator).collect();
        Path { model, evaluators, loop_start: trace.loop_start, known: FxHashMap::default() }
    }

    /// Whether a property is false on the trace.
    pub fn kills(&mut self, property: &Property) -> Result<bool, CheckError> {
        let values = self.values(property.formula.expr)?;
        Ok(match property.kind {
            PropertyKind::Ctl | PropertyKind::Ltl | PropertyKind::Psl(_) => values.at(0) == Some(false),
            PropertyKind::Invar => values.values.contains(&Some(false)),
            PropertyKind::ComputeMin | PropertyKind::ComputeMax => false,
        })
    }

    /// The truth of a formula at the first position.
    pub fn truth(&mut self, formula: ExprId) -> Result<Truth, CheckError> {
        Ok(self.values(formula)?.at(0))
    }

    /// The truth of a formula at all positions.
    pub fn values(&mut self, formula: ExprId) -> Result<Rc<Values>, CheckError> {
        if let Some(known) = self.known.get(&formula) {
            return Ok(known.clone());
        }
        let values = grow(|| self.compute(formula))?;
        self.known.insert(formula, values.clone());
        Ok(values)
    }

    fn compute(&mut self, formula: ExprId) -> Result<Rc<Values>, CheckError> {
        let model = self.model;
        let misplaced = Err(CheckError::Misplaced(formula));
        if let Node::Define(define) = &model[formula] {
            return self.values(model.body(*define));
        }
        if !support(model, formula).temporal {
            return self.atom(formula).map(Rc::new);
        }
        let values = match &model[formula] {
            Node::Unary(op, a) => {
                let a = self.values(*a)?;
                match op {
                    UnaryOp::Not => a.map(not),
                    UnaryOp::X | UnaryOp::EX | UnaryOp::AX => a.later(1),
                    UnaryOp::F | UnaryOp::EF | UnaryOp::AF => eventually(&a),
                    UnaryOp::G | UnaryOp::EG | UnaryOp::AG => always(&a),
                    UnaryOp::Y => a.earlier(Some(false)),
                    UnaryOp::Z => a.earlier(Some(true)),
                    UnaryOp::O => once(&a),
                    UnaryOp::H => historically(&a),
                    UnaryOp::Neg => return misplaced,
                }
            }
            Node::Binary(op, a, b) => {
                let (a, b) = (self.values(*a)?, self.values(*b)?);
                match op {
                    BinaryOp::And => a.zip(&b, and),
                    BinaryOp::Or => a.zip(&b, or),
                    BinaryOp::Implies => a.zip(&b, |a, b| or(not(a), b)),
                    BinaryOp::Iff | BinaryOp::Xnor => a.zip(&b, iff),
                    BinaryOp::Xor => a.zip(&b, |a, b| not(iff(a, b))),
                    BinaryOp::U | BinaryOp::EU | BinaryOp::AU => until(&a, &b),
                    BinaryOp::V => until(&a.map(not), &b.map(not)).map(not),
                    BinaryOp::S => since(&a, &b),
                    BinaryOp::T => since(&a.map(not), &b.map(not)).map(not),
                    _ => return misplaced,
                }
            }
            Node::Bounded(op, low, high, a) => {
                let a = self.values(*a)?;
                bounded(*op, *low, *high, &a)?
            }
            Node::BoundedUntil(BoundedUntilOp::EBU | BoundedUntilOp::ABU, low, high, a, b) => {
                let (a, b) = (self.values(*a)?, self.values(*b)?);
                if low > high {
                    b.map(|_| Some(false))
                } else {
                    let step = |values: &Values| a.zip(&values.later(1), and);
                    let within = repeat((*b).clone(), high - low, |values| b.zip(&step(values), or))?;
                    repeat(within, *low, step)?
                }
            }
            _ => return misplaced,
        };
        Ok(Rc::new(values))
    }

    fn atom(&mut self, formula: ExprId) -> Result<Values, CheckError> {
        let mut values = Vec::with_capacity(self.evaluators.len());
        for evaluator in &mut self.evaluators {
            values.push(match evaluator.truth(formula) {
                Ok(truth) => Some(truth),
                Err(error) if error.is_open() || error.is_undefined() => None,
                Err(error) => return Err(error.into()),
            });
        }
        Ok(Values { values, loop_start: self.loop_start })
    }
}

impl Values {
    /// The truth at a position; open after the end.
    pub fn at(&self, position: u64) -> Truth {
        let len = self.values.len() as u64;
        let position = match self.loop_start {
            Some(start) if position >= len => start as u64 + (position - len) % (len - start as u64),
            _ => position,
        };
        self.values.get(usize::try_from(position).ok()?).copied().flatten()
    }

    /// Applies a function at each position.
    fn map(&self, f: impl Fn(Truth) -> Truth) -> Values {
        Values { values: self.values.iter().map(|a| f(*a)).collect(), loop_start: self.loop_start }
    }

    /// Combines two values at each position. Both belong to the same trace.
    fn zip(&self, other: &Values, f: impl Fn(Truth, Truth) -> Truth) -> Values {
        let len = self.values.len().max(other.values.len());
        let values = (0..len as u64).map(|position| f(self.at(position), other.at(position))).collect();
        Values { values, loop_start: self.loop_start.max(other.loop_start) }
    }

    /// The truth `steps` positions later.
    fn later(&self, steps: u64) -> Values {
        let values = (0..self.values.len() as u64).map(|position| self.at(position.saturating_add(steps))).collect();
        Values { values, loop_start: self.loop_start }
    }

    /// The truth one position earlier; `first` at the first position.
    fn earlier(&self, first: Truth) -> Values {
        let mut values = vec![first];
        values.extend(&self.values);
        if self.loop_start.is_none() {
            values.pop();
        }
        Values { values, loop_start: self.loop_start.map(|start| start + 1) }
    }

    /// The common length and loop start of two values.
    fn shape(&self, other: &Values) -> Shape {
        Shape { len: self.values.len().max(other.values.len()), loop_start: self.loop_start.max(other.loop_start) }
    }
}

/// The length of values, and the loop start.
#[derive(Clone, Copy)]
struct Shape {
    len: usize,
    loop_start: Option<usize>,
}

impl Shape {
    /// The solution of `z = step(position, next z)`. After the end of a finite trace it is open; on a loop it is the
    /// fixpoint reached from `start`.
    fn backwards(self, start: bool, step: impl Fn(u64, Truth) -> Truth) -> Values {
        let mut values = vec![None; self.len];
        let mut after = self.loop_start.map(|_| start);
        // The first iteration around a loop computes the value at its start; the second one uses it.
        for _ in 0..2 {
            for (position, value) in values.iter_mut().enumerate().rev() {
                after = step(position as u64, after);
                *value = after;
            }
            let Some(start) = self.loop_start else { break };
            after = values[start];
        }
        Values { values, loop_start: self.loop_start }
    }

    /// The solution of `z = step(position, previous z)`, false before the first position.
    fn forwards(self, step: impl Fn(u64, Truth) -> Truth) -> Values {
        let mut values: Vec<Truth> = Vec::with_capacity(self.len);
        let walk = |n: usize, values: &mut Vec<Truth>| {
            for _ in 0..n {
                let before = values.last().copied().unwrap_or(Some(false));
                values.push(step(values.len() as u64, before));
            }
        };
        walk(self.len, &mut values);
        let Some(mut start) = self.loop_start else { return Values { values, loop_start: None } };
        // The loop is unrolled until it starts with the same memory as one iteration before.
        let period = self.len - start;
        let memory = |values: &[Truth], at: usize| at.checked_sub(1).map_or(Some(false), |before| values[before]);
        while memory(&values, start) != memory(&values, values.len()) {
            start = values.len();
            walk(period, &mut values);
        }
        Values { values, loop_start: Some(start) }
    }
}

fn eventually(a: &Values) -> Values {
    a.shape(a).backwards(false, |at, next| or(a.at(at), next))
}

fn always(a: &Values) -> Values {
    a.shape(a).backwards(true, |at, next| and(a.at(at), next))
}

fn until(a: &Values, b: &Values) -> Values {
    a.shape(b).backwards(false, |at, next| or(b.at(at), and(a.at(at), next)))
}

fn once(a: &Values) -> Values {
    a.shape(a).forwards(|at, before| or(a.at(at), before))
}

fn historically(a: &Values) -> Values {
    once(&a.map(not)).map(not)
}

fn since(a: &Values, b: &Values) -> Values {
    a.shape(b).forwards(|at, before| or(b.at(at), and(a.at(at), before)))
}

/// Bounded temporal operators. `H[low,high]` is false where there are fewer positions to look back at, as in NuSMV 2.6,
/// which expands it with `Y`.
fn bounded(op: BoundedOp, low: u64, high: Option<u64>, a: &Values) -> Result<Values, CheckError> {
    let (future, disjunction) = match op {
        BoundedOp::F | BoundedOp::EBF | BoundedOp::ABF => (true, true),
        BoundedOp::G | BoundedOp::EBG | BoundedOp::ABG => (true, false),
        BoundedOp::O => (false, true),
        BoundedOp::H => (false, false),
    };
    let step = |values: &Values| if future { values.later(1) } else { values.earlier(Some(false)) };
    let join = |values: &Values| a.zip(&step(values), if disjunction { or } else { and });
    let within = match (high, future, disjunction) {
        (Some(high), ..) if high < low => return Ok(a.map(|_| Some(!disjunction))),
        (Some(high), ..) => repeat(a.clone(), high - low, join)?,
        (None, true, true) => eventually(a),
        (None, true, false) => always(a),
        (None, false, true) => once(a),
        (None, false, false) => historically(a),
    };
    if future { Ok(within.later(low)) } else { repeat(within, low, step) }
}

/// Applies a function `times` times, or until a fixpoint.
fn repeat(start: Values, times: u64, step: impl Fn(&Values) -> Values) -> Result<Values, CheckError> {
    /// Maximal number of iterations; larger bounds are rejected, since every iteration visits all positions.
    const MAX_ITERATIONS: u64 = 10_000;
    let mut values = start;
    for done in 0..times {
        let next = step(&values);
        if next == values {
            break;
        }
        if done == MAX_ITERATIONS {
            return Err(CheckError::Limit);
        }
        values = next;
    }
    Ok(values)
}

fn not(a: Truth) -> Truth {
    a.map(|a| !a)
}

fn and(a: Truth, b: Truth) -> Truth {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

fn or(a: Truth, b: Truth) -> Truth {
    not(and(not(a), not(b)))
}

fn iff(a: Truth, b: Truth) -> Truth {
    Some(a? == b?)
}
