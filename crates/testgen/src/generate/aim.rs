//! Values of inputs with which a condition may hold in a state, for random walks.
//!
//! The condition is followed from its connectives down to comparisons. Of a disjunction one part is chosen at random. Where an
//! input decides a comparison, it gets a value with which the comparison has the wanted result. The other variables have the
//! values of the state, so the values are a guess that a search tries first.

use super::boundaries::Boundaries;
use crate::policy::WALK_AIM_PARTS;
use rustc_hash::FxHashSet;
use specwright_model::interp::{Evaluator, Random};
use specwright_model::op::{BinaryOp, UnaryOp};
use specwright_model::{ExprId, Model, Node, State, Value, VarId};

/// What values are chosen for.
pub(super) struct Aim<'a> {
    pub(super) model: &'a Model,
    pub(super) boundaries: &'a Boundaries,
    pub(super) inputs: &'a FxHashSet<VarId>,
    /// The state before, for what speaks of steps.
    pub(super) before: Option<&'a State>,
    pub(super) random: &'a mut Random,
    /// Number of operators that were evaluated.
    pub(super) work: u64,
}

impl Aim<'_> {
    /// Chooses values with which a condition may be true or false. `state` gets them, too.
    pub(super) fn choose(&mut self, condition: ExprId, truth: bool, state: &mut State, values: &mut State) {
        let mut open = vec![(condition, truth)];
        for _ in 0..WALK_AIM_PARTS {
            let Some((expr, truth)) = open.pop() else { return };
            self.work += 1;
            match &self.model[expr] {
                Node::Define(define) => open.push((self.model.body(*define), truth)),
                Node::Var(var) => self.set(*var, Value::Bool(truth), state, values),
                Node::Next(a) | Node::Unary(UnaryOp::AG | UnaryOp::G, a) => open.push((*a, truth)),
                Node::Unary(UnaryOp::Not, a) => open.push((*a, !truth)),
                Node::Binary(BinaryOp::And, a, b) if truth => open.extend([(*a, true), (*b, true)]),
                Node::Binary(BinaryOp::Or, a, b) if !truth => open.extend([(*a, false), (*b, false)]),
                Node::Binary(BinaryOp::Implies, a, b) if !truth => open.extend([(*a, true), (*b, false)]),
                Node::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
                    open.push((if self.random.percent(50) { *a } else { *b }, truth));
                }
                Node::Binary(BinaryOp::Implies, a, b) => {
                    open.push(if self.random.percent(50) { (*a, false) } else { (*b, true) });
                }
                Node::Binary(op, a, b) if op.is_relational() => self.compare(expr, (*op, *a, *b), truth, state, values),
                Node::Ite(condition, a, b) => {
                    let first = self.random.percent(50);
                    open.extend([(*condition, first), (if first { *a } else { *b }, truth)]);
                }
                Node::Case(branches) if !branches.is_empty() => {
                    let at = self.random.index(branches.len());
                    open.extend(branches[..at].iter().map(|(guard, _)| (*guard, false)));
                    open.extend([(branches[at].0, true), (branches[at].1, truth)]);
                }
                _ => {}
            }
        }
    }

    /// Gives an input a value of its domain.
    fn set(&self, var: VarId, value: Value, state: &mut State, values: &mut State) {
        if self.inputs.contains(&var) && self.model[var].domain.contains(value) {
            state.set(var, value);
            values.set(var, value);
        }
    }

    /// Chooses a value with which a comparison has this result.
    fn compare(
        &mut self,
        expr: ExprId,
        (op, a, b): (BinaryOp, ExprId, ExprId),
        truth: bool,
        state: &mut State,
        values: &mut State,
    ) {
        let holds = |aim: &mut Self, state: &State| {
            let mut evaluator = Evaluator::new(aim.model, state, None);
            let held = evaluator.truth(expr);
            aim.work += evaluator.work() + 1;
            held == Ok(truth)
        };
        if holds(self, state) {
            return;
        }
        let vars: Vec<VarId> =
            self.boundaries.vars_of(expr).iter().copied().filter(|var| self.inputs.contains(var)).collect();
        if !vars.is_empty() {
            let var = *self.random.pick(&vars);
            let kept = state.get(var);
            let (boundary, work) = self.boundaries.boundary(self.model, expr, var, self.before, state);
            self.work += work;
            for value in boundary.into_iter().flat_map(|at| [at, at.saturating_add(1), at.saturating_sub(1)]) {
                state.set(var, Value::Int(value));
                if self.model[var].domain.contains(Value::Int(value)) && holds(self, state) {
                    values.set(var, Value::Int(value));
                    return;
                }
            }
            state.set(var, kept);
            return;
        }
        for (side, other) in [(a, b), (b, a)] {
            let Node::Var(var) = self.model[side] else { continue };
            if !self.inputs.contains(&var) {
                continue;
            }
            let mut evaluator = Evaluator::new(self.model, state, None);
            let other = evaluator.value(other);
            self.work += evaluator.work() + 1;
            let is_equal = (op == BinaryOp::Eq) == truth;
            match (op, other) {
                (BinaryOp::Eq | BinaryOp::Ne, Ok(value)) if is_equal => self.set(var, value, state, values),
                _ => {
                    let Some(size) = self.model[var].domain.size() else { continue };
                    let at = self.random.below(size.min(1 << 60)) as u64;
                    if let Some(value) = self.model[var].domain.value_at(at) {
                        self.set(var, value, state, values);
                    }
                }
            }
            if holds(self, state) {
                return;
            }
        }
    }
}
