//! LTL formulas over few operators: `!`, `&`, next, until, previous, since.

use crate::expr::{ExprId, Node};
use crate::interp::check::CheckError;
use crate::interp::eval::{Bound, grow};
use crate::interp::support::support;
use crate::model::TransitionSystem;
use crate::op::{BinaryOp, BoundedOp, UnaryOp};
use indexmap::IndexSet;
use rustc_hash::FxHashMap;

/// A formula as a list of subformulas, operands before operators; the last one is the whole.
#[derive(Debug, Default)]
pub(super) struct Formula {
    pub(super) parts: IndexSet<Part, rustc_hash::FxBuildHasher>,
    pub(super) root: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Part {
    True,
    /// An expression without temporal operators; the bound says how undefined values are read.
    Atom(ExprId, Bound),
    Not(usize),
    And(usize, usize),
    Next(usize),
    Until(usize, usize),
    /// In the previous state, which must exist.
    Previous(usize),
    Since(usize, usize),
}

impl Formula {
    /// The negation of a formula, read with a bound. Both bounds give the same result unless the formula is partial.
    pub(super) fn negated(
        model: &TransitionSystem,
        expr: ExprId,
        bound: Bound,
        is_partial: bool,
    ) -> Result<Formula, CheckError> {
        let mut reader = Reader { model, formula: Formula::default(), known: FxHashMap::default(), is_partial };
        let root = reader.read(expr, bound)?;
        reader.formula.root = reader.formula.not(root);
        Ok(reader.formula)
    }

    fn part(&mut self, part: Part) -> usize {
        self.parts.insert_full(part).0
    }

    fn not(&mut self, a: usize) -> usize {
        match self.parts[a] {
            Part::Not(inner) => inner,
            _ => self.part(Part::Not(a)),
        }
    }

    fn and(&mut self, a: usize, b: usize) -> usize {
        self.part(Part::And(a, b))
    }

    fn or(&mut self, a: usize, b: usize) -> usize {
        let (a, b) = (self.not(a), self.not(b));
        let neither = self.and(a, b);
        self.not(neither)
    }

    fn eventually(&mut self, a: usize) -> usize {
        let yes = self.part(Part::True);
        self.part(Part::Until(yes, a))
    }

    fn once(&mut self, a: usize) -> usize {
        let yes = self.part(Part::True);
        self.part(Part::Since(yes, a))
    }

    /// The dual of an operator: `!op(!a)`.
    fn dual(&mut self, a: usize, op: impl Fn(&mut Formula, usize) -> usize) -> usize {
        let a = self.not(a);
        let b = op(self, a);
        self.not(b)
    }
}

struct Reader<'m> {
    model: &'m TransitionSystem,
    formula: Formula,
    known: FxHashMap<(ExprId, Bound), usize>,
    is_partial: bool,
}

impl Reader<'_> {
    fn read(&mut self, expr: ExprId, bound: Bound) -> Result<usize, CheckError> {
        let key = (expr, if self.is_partial { bound } else { Bound::Surely });
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        let part = grow(|| self.translate(key.0, key.1))?;
        self.known.insert(key, part);
        Ok(part)
    }

    fn translate(&mut self, expr: ExprId, bound: Bound) -> Result<usize, CheckError> {
        if !support(self.model, expr).temporal {
            return Ok(self.formula.part(Part::Atom(expr, bound)));
        }
        match self.model[expr].clone() {
            Node::Define(define) => self.read(self.model.body(define), bound),
            Node::Unary(op, a) => {
                let a = self.read(a, if op == UnaryOp::Not { !bound } else { bound })?;
                let f = &mut self.formula;
                Ok(match op {
                    UnaryOp::Not => f.not(a),
                    UnaryOp::X => f.part(Part::Next(a)),
                    UnaryOp::F => f.eventually(a),
                    UnaryOp::G => f.dual(a, Formula::eventually),
                    UnaryOp::Y => f.part(Part::Previous(a)),
                    UnaryOp::Z => f.dual(a, |f, a| f.part(Part::Previous(a))),
                    UnaryOp::O => f.once(a),
                    UnaryOp::H => f.dual(a, Formula::once),
                    _ => return Err(CheckError::Misplaced(expr)),
                })
            }
            Node::Binary(op @ (BinaryOp::Iff | BinaryOp::Xnor | BinaryOp::Xor), a, b) => {
                // Equal if both are true or both are false, so the result is undefined if an operand is.
                let (a, b, not_a, not_b) =
                    (self.read(a, bound)?, self.read(b, bound)?, self.read(a, !bound)?, self.read(b, !bound)?);
                let f = &mut self.formula;
                let (not_a, not_b) = (f.not(not_a), f.not(not_b));
                let (with, against) = if op == BinaryOp::Xor { (not_b, b) } else { (b, not_b) };
                let (one, other) = (f.and(a, with), f.and(not_a, against));
                Ok(f.or(one, other))
            }
            Node::Binary(op, a, b) => {
                let (a, b) =
                    (self.read(a, if op == BinaryOp::Implies { !bound } else { bound })?, self.read(b, bound)?);
                let f = &mut self.formula;
                let (not_a, not_b) = (f.not(a), f.not(b));
                Ok(match op {
                    BinaryOp::And => f.and(a, b),
                    BinaryOp::Or => f.or(a, b),
                    BinaryOp::Implies => f.or(not_a, b),
                    BinaryOp::U => f.part(Part::Until(a, b)),
                    BinaryOp::S => f.part(Part::Since(a, b)),
                    BinaryOp::V => {
                        let until = f.part(Part::Until(not_a, not_b));
                        f.not(until)
                    }
                    BinaryOp::T => {
                        let since = f.part(Part::Since(not_a, not_b));
                        f.not(since)
                    }
                    _ => return Err(CheckError::Misplaced(expr)),
                })
            }
            Node::Bounded(op, low, high, a) => {
                let a = self.read(a, bound)?;
                self.bounded(op, low, high, a).ok_or(CheckError::Misplaced(expr))?
            }
            _ => Err(CheckError::Misplaced(expr)),
        }
    }

    /// Expanded as in NuSMV 2.6: `F[1,3] p` is `X (p | X (p | X p))`, and `H[0,1] p` is `p & Y p`, which is false in
    /// the first state.
    fn bounded(&mut self, op: BoundedOp, low: u64, high: Option<u64>, a: usize) -> Option<Result<usize, CheckError>> {
        /// Maximal bound, in steps: each step doubles the size of the product, so larger bounds are infeasible.
        const MAX_BOUND: u64 = 64;
        let f = &mut self.formula;
        let (step, disjunction): (fn(usize) -> Part, bool) = match op {
            BoundedOp::F => (Part::Next, true),
            BoundedOp::G => (Part::Next, false),
            BoundedOp::O => (Part::Previous, true),
            BoundedOp::H => (Part::Previous, false),
            _ => return None,
        };
        if high.unwrap_or(low) > MAX_BOUND || high.is_some_and(|high| high < low) {
            return Some(Err(CheckError::Limit));
        }
        let mut result = match (op, high) {
            (_, Some(_)) => a,
            (BoundedOp::F, None) => f.eventually(a),
            (BoundedOp::G, None) => f.dual(a, Formula::eventually),
            (BoundedOp::O, None) => f.once(a),
            (_, None) => f.dual(a, Formula::once),
        };
        for _ in 0..high.map_or(0, |high| high - low) {
            let later = f.part(step(result));
            result = if disjunction { f.or(a, later) } else { f.and(a, later) };
        }
        for _ in 0..low {
            result = f.part(step(result));
        }
        Some(Ok(result))
    }
}
