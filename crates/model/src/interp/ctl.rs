//! Explicit CTL model checking over infinite fair paths.
//!
//! Path quantifiers range over infinite paths that satisfy every justice constraint infinitely often. States without
//! such a path are ignored, both as successors and as initial states. Compassion has no effect on CTL. Bounded
//! operators are computed step by step over fair states, as in NuSMV.
//!
//! A formula that is undefined in some states denotes two sets, one for each [`Bound`].

use super::check::CheckError;
use super::error::EvalError;
use super::eval::{Bound, eval_bool};
use super::fair::{FairGraph, Marks};
use super::graph::Graph;
use super::support::{is_temporal, support};
use crate::expr::{ExprId, Node};
use crate::op::{BinaryOp, BoundedOp, BoundedUntilOp, UnaryOp};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A set of states of a graph.
pub type StateSet = Rc<[bool]>;

/// Computes the sets of states that satisfy CTL formulas.
#[derive(Debug)]
pub struct Ctl<'g> {
    graph: &'g Graph<'g>,
    /// For each state and edge, the justice constraints that hold.
    justice: Vec<Vec<Marks>>,
    fair: StateSet,
    known: FxHashMap<(ExprId, Bound), StateSet>,
    /// The first part of a formula that is undefined in some state.
    undefined: Option<EvalError>,
}

impl<'g> Ctl<'g> {
    /// A checker for the graph.
    pub fn new(graph: &'g Graph<'g>) -> Result<Ctl<'g>, CheckError> {
        let justice = justice_marks(graph)?;
        let mut ctl = Ctl { graph, justice, fair: Rc::new([]), known: FxHashMap::default(), undefined: None };
        ctl.fair = ctl.eg(&vec![true; graph.len()]);
        Ok(ctl)
    }

    /// The states from which an infinite fair path starts.
    pub fn fair_states(&self) -> &[bool] {
        &self.fair
    }

    /// The states that satisfy a formula; the result is unspecified for unfair states. An error if a part of it is
    /// undefined in some state.
    pub fn states(&mut self, formula: ExprId) -> Result<StateSet, CheckError> {
        let states = self.bounded(formula, Bound::Surely)?;
        self.undefined.map_or(Ok(states), |error| Err(error.into()))
    }

    /// The fair initial states in which a formula is false.
    pub fn failing(&mut self, formula: ExprId) -> Result<Vec<usize>, CheckError> {
        let states = self.bounded(formula, Bound::Possibly)?;
        Ok((0..self.graph.n_initial).filter(|state| self.fair[*state] && !states[*state]).collect())
    }

    /// True if a formula is true in all fair initial states, false if it is false in one; otherwise it is undefined: an
    /// error.
    pub fn holds(&mut self, formula: ExprId) -> Result<bool, CheckError> {
        if !self.failing(formula)?.is_empty() {
            return Ok(false);
        }
        let states = self.bounded(formula, Bound::Surely)?;
        match ((0..self.graph.n_initial).all(|state| states[state] || !self.fair[state]), self.undefined) {
            (false, Some(error)) => Err(error.into()),
            _ => Ok(true),
        }
    }

    /// The states that satisfy a formula under a bound.
    fn bounded(&mut self, formula: ExprId, bound: Bound) -> Result<StateSet, CheckError> {
        if let Some(known) = self.known.get(&(formula, bound)) {
            return Ok(known.clone());
        }
        let states = super::eval::grow(|| self.compute(formula, bound))?;
        self.known.insert((formula, bound), states.clone());
        Ok(states)
    }

    fn compute(&mut self, formula: ExprId, bound: Bound) -> Result<StateSet, CheckError> {
        let model = self.graph.system;
        let node = &model[formula];
        if let Node::Define(define) = node {
            return self.bounded(model.body(*define), bound);
        }
        if !is_temporal(node) && !support(model, formula).temporal {
            return self.atom(formula, bound);
        }
        match node {
            Node::Unary(op, a) => {
                if *op == UnaryOp::Not {
                    return Ok(not(&self.bounded(*a, !bound)?));
                }
                let a = self.bounded(*a, bound)?;
                Ok(match op {
                    UnaryOp::EX => self.ex(&a),
                    UnaryOp::AX => not(&self.ex(&not(&a))),
                    UnaryOp::EF => self.ef(&a),
                    UnaryOp::AF => not(&self.eg(&not(&a))),
                    UnaryOp::EG => self.eg(&a),
                    UnaryOp::AG => not(&self.ef(&not(&a))),
                    _ => return Err(CheckError::Misplaced(formula)),
                })
            }
            Node::Binary(op @ (BinaryOp::Iff | BinaryOp::Xnor | BinaryOp::Xor), a, b) => {
                // Equal if both are true or both are false, so the result is undefined if an operand is.
                let [a, not_a, b, not_b] = [(*a, bound), (*a, !bound), (*b, bound), (*b, !bound)]
                    .map(|(part, bound)| self.bounded(part, bound));
                let (a, b, not_a, not_b) = (a?, b?, not(&not_a?), not(&not_b?));
                let either = |one: StateSet, other: StateSet| map(&one, &other, |one, other| one | other);
                let both = |one: &[bool], other: &[bool]| map(one, other, |one, other| one & other);
                Ok(match op {
                    BinaryOp::Xor => either(both(&a, &not_b), both(&not_a, &b)),
                    _ => either(both(&a, &b), both(&not_a, &not_b)),
                })
            }
            Node::Binary(op, a, b) => {
                let left = if *op == BinaryOp::Implies { !bound } else { bound };
                let (a, b) = (self.bounded(*a, left)?, self.bounded(*b, bound)?);
                Ok(match op {
                    BinaryOp::And => map(&a, &b, |a, b| a & b),
                    BinaryOp::Or => map(&a, &b, |a, b| a | b),
                    BinaryOp::Implies => map(&a, &b, |a, b| !a | b),
                    BinaryOp::EU => self.eu(&a, &b),
                    BinaryOp::AU => {
                        let (not_a, not_b) = (not(&a), not(&b));
                        let broken = self.eu(&not_b, &map(&not_a, &not_b, |a, b| a & b));
                        not(&map(&broken, &self.eg(&not_b), |a, b| a | b))
                    }
                    _ => return Err(CheckError::Misplaced(formula)),
                })
            }
            Node::Bounded(op, low, Some(high), a) => {
                let a = self.bounded(*a, bound)?;
                Ok(match op {
                    BoundedOp::EBF => self.ebf(*low, *high, &a),
                    BoundedOp::ABG => not(&self.ebf(*low, *high, &not(&a))),
                    BoundedOp::EBG => self.ebg(*low, *high, &a),
                    BoundedOp::ABF => not(&self.ebg(*low, *high, &not(&a))),
                    _ => return Err(CheckError::Misplaced(formula)),
                })
            }
            Node::BoundedUntil(op, low, high, a, b) => {
                let (a, b) = (self.bounded(*a, bound)?, self.bounded(*b, bound)?);
                Ok(match op {
                    BoundedUntilOp::EBU => self.bounded_until(*low, *high, &a, &b, Ctl::ex),
                    BoundedUntilOp::ABU => self.bounded_until(*low, *high, &a, &b, |ctl, a| not(&ctl.ex(&not(a)))),
                })
            }
            _ => Err(CheckError::Misplaced(formula)),
        }
    }

    fn atom(&mut self, formula: ExprId, bound: Bound) -> Result<StateSet, CheckError> {
        let graph = self.graph;
        let mut truth = |state| match eval_bool(graph.system, formula, state, None) {
            Err(error) if error.is_undefined() => {
                self.undefined.get_or_insert(error);
                Ok(bound == Bound::Possibly)
            }
            truth => truth.map_err(CheckError::from),
        };
        graph.states.iter().map(&mut truth).collect()
    }

    fn ex(&self, a: &[bool]) -> StateSet {
        let good = |to: usize| a[to] && self.fair[to];
        self.graph.edges.iter().map(|edges| edges.iter().any(|edge| good(edge.to))).collect()
    }

    fn ef(&self, a: &[bool]) -> StateSet {
        self.eu(&vec![true; a.len()], a)
    }

    fn eu(&self, a: &[bool], b: &[bool]) -> StateSet {
        let mut states = map(b, &self.fair, |b, fair| b & fair);
        loop {
            let before = self.ex(&states);
            let more: StateSet = (0..a.len()).map(|state| states[state] || a[state] && before[state]).collect();
            if more == states {
                return states;
            }
            states = more;
        }
    }

    /// The states with a fair path that stays in `a`.
    fn eg(&self, a: &[bool]) -> StateSet {
        let mut inside = FairGraph { justice: all_marks(self.graph.system.justice.len()), ..FairGraph::default() };
        for (from, edges) in self.graph.edges.iter().enumerate() {
            let marked = edges.iter().zip(&self.justice[from]);
            let kept = marked.filter(|(edge, _)| a[from] && a[edge.to]).map(|(edge, marks)| (edge.to, *marks));
            inside.edges.push(kept.collect());
        }
        inside.fair_nodes().into()
    }

    fn ebf(&self, low: u64, high: u64, a: &[bool]) -> StateSet {
        self.bounded_until(low, high, &vec![true; a.len()], a, Ctl::ex)
    }

    /// As in NuSMV: `g | (f & next(Y))` for each step within the bounds, then `f & next(Y)` for each step before them.
    fn bounded_until(
        &self,
        low: u64,
        high: u64,
        a: &[bool],
        b: &[bool],
        next: impl Fn(&Ctl<'g>, &[bool]) -> StateSet,
    ) -> StateSet {
        if low > high {
            return vec![false; a.len()].into();
        }
        let start = map(b, &self.fair, |b, fair| b & fair);
        let step = |states: &[bool]| map(a, &next(self, states), |a, next| a & next);
        let within = iterate(start, high - low, |states| map(states, &step(states), |a, b| a | b));
        iterate(within, low, |states| step(states))
    }

    fn ebg(&self, low: u64, high: u64, a: &[bool]) -> StateSet {
        if low > high {
            return vec![true; a.len()].into();
        }
        let start = map(a, &self.fair, |a, fair| a & fair);
        let within = iterate(start, high - low, |states| map(states, &self.ex(states), |a, b| a & b));
        iterate(within, low, |states| self.ex(states))
    }
}

/// For each state and edge of a graph, the justice constraints that hold.
pub(super) fn justice_marks(graph: &Graph<'_>) -> Result<Vec<Vec<Marks>>, CheckError> {
    let model = graph.system;
    if model.justice.len() > Marks::BITS as usize {
        return Err(CheckError::Limit);
    }
    let mut marks = Vec::with_capacity(graph.len());
    for (from, edges) in graph.edges.iter().enumerate() {
        let mut here = Vec::with_capacity(edges.len());
        for edge in edges {
            let (now, mut set) = (graph.now(from, *edge), 0);
            for (index, constraint) in model.justice.iter().enumerate() {
                let holds = eval_bool(model, constraint.expr, &now, Some(&graph.states[edge.to]))?;
                set |= Marks::from(holds) << index;
            }
            here.push(set);
        }
        marks.push(here);
    }
    Ok(marks)
}

/// The set of the first `n` marks.
pub(super) fn all_marks(n: usize) -> Marks {
    (0..n).fold(0, |marks, index| marks | 1 << index)
}

/// Applies a function `times` times; cycles in the sequence of sets are skipped.
fn iterate(start: StateSet, times: u64, step: impl Fn(&StateSet) -> StateSet) -> StateSet {
    let mut history = indexmap::IndexSet::<StateSet, rustc_hash::FxBuildHasher>::default();
    let mut states = start;
    for done in 0..times {
        if let Some(first) = history.get_index_of(&states) {
            let period = done - first as u64;
            return history[first + ((times - done) % period) as usize].clone();
        }
        history.insert(states.clone());
        states = step(&states);
    }
    states
}

fn not(a: &[bool]) -> StateSet {
    a.iter().map(|a| !a).collect()
}

fn map(a: &[bool], b: &[bool], f: impl Fn(bool, bool) -> bool) -> StateSet {
    a.iter().zip(b).map(|(a, b)| f(*a, *b)).collect()
}
