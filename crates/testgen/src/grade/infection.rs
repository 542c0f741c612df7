//! Infection: where a changed part of a mutant of the machine has another value than in the model.
//!
//! Where the assignments of model and mutant determine their steps, a mutant follows a test until it is infected. So only tests that
//! infect a mutant can kill it. Whether they do is judged for all mutants and all states of a test at once.

use crate::goal::MachineMutant;
use crate::policy::COMPARED_BRANCHES;
use rustc_hash::FxHashMap;
use specwright_mc::Place;
use specwright_model::interp::Demand;
use specwright_model::model::AssignKind;
use specwright_model::op::{BinaryOp, UnaryOp};
use specwright_model::{ExprId, Node, TransitionSystem, Ty, Value};

/// Makes the conditions under which mutants of one model are infected. Mutants of the same `case` share most of their parts.
pub(super) struct Infections<'m> {
    model: &'m TransitionSystem,
    /// For a `case` and the number of a branch, the condition that no earlier branch is taken.
    reached: FxHashMap<(ExprId, usize), ExprId>,
    /// For a value, a `case` and the number of a branch, the condition that the `case` from there on has another value.
    unequal: FxHashMap<(ExprId, ExprId, usize), ExprId>,
    /// Whether an expression has a value everywhere, by its shape.
    total: FxHashMap<ExprId, bool>,
}

/// A `case` with its branches.
#[derive(Clone, Copy)]
struct Case<'a> {
    expr: ExprId,
    branches: &'a [(ExprId, ExprId)],
}

impl<'m> Infections<'m> {
    pub(super) fn new(model: &'m TransitionSystem) -> Infections<'m> {
        let (reached, unequal, total) = (FxHashMap::default(), FxHashMap::default(), FxHashMap::default());
        Infections { model, reached, unequal, total }
    }

    /// The condition, on a state or a step, that some changed part may have another value.
    pub(super) fn infection(&mut self, mutant: &MachineMutant) -> ExprId {
        self.any_change(mutant, |_, _, differ| differ)
    }

    /// The condition that some changed part has an effect: on the state, or on the step that takes the value.
    pub(super) fn effect(&mut self, mutant: &MachineMutant) -> ExprId {
        self.any_change(mutant, |model, place, differ| match place {
            // A step of the model takes the value of the model.
            Place::Assign(index) if model.assigns[index].kind == AssignKind::Next => {
                let assign = &model.assigns[index];
                let taken = model.make(Node::Var(assign.var)).and_then(|var| model.make(Node::Next(var)));
                let taken = taken.and_then(|next| model.make(Node::Binary(BinaryOp::Eq, next, assign.value.expr)));
                taken.map_or(differ, |taken| and(model, differ, taken))
            }
            _ => differ,
        })
    }

    fn any_change(
        &mut self,
        mutant: &MachineMutant,
        effect: impl Fn(&TransitionSystem, Place, ExprId) -> ExprId,
    ) -> ExprId {
        let model = self.model;
        mutant.changes.iter().fold(constant(model, false), |any, (place, new)| {
            let old = match *place {
                Place::Define(define) => model.body(define),
                Place::Assign(index) => model.assigns[index].value.expr,
                Place::Init(index) => model.init[index].expr,
                Place::Invar(index) => model.invar[index].expr,
                Place::Trans(index) => {
                    model.trans.get(index).map_or_else(|| constant(model, true), |sourced| sourced.expr)
                }
                // No test shows it.
                Place::Fairness(_) => return any,
            };
            or(model, any, effect(model, *place, self.differ(old, *new)))
        })
    }

    /// A condition that holds wherever two expressions have different values.
    fn differ(&mut self, old: ExprId, new: ExprId) -> ExprId {
        let model = self.model;
        match (&model[old], &model[new]) {
            _ if old == new => constant(model, false),
            (Node::Const(one), Node::Const(other)) if one == other => constant(model, false),
            (Node::Case(own), Node::Case(others)) if own.len() == others.len() => {
                self.cases(Case { expr: old, branches: own }, Case { expr: new, branches: others })
            }
            (Node::Ite(guard, yes, no), Node::Ite(other, other_yes, other_no)) if guard == other => {
                let yes = and(model, *guard, self.differ(*yes, *other_yes));
                or(model, yes, and(model, not(model, *guard), self.differ(*no, *other_no)))
            }
            _ => {
                let ty = model.context.exprs.ty(old);
                let op = if *ty == Ty::BOOL { BinaryOp::Xor } else { BinaryOp::Ne };
                model.make(Node::Binary(op, old, new)).unwrap_or_else(|_| constant(model, true))
            }
        }
    }

    /// The same for two `case` expressions, branch by branch.
    fn cases(&mut self, old: Case<'_>, new: Case<'_>) -> ExprId {
        let model = self.model;
        let mut any = constant(model, false);
        let mut reached = None;
        let is_same = |(one, other): &(&(ExprId, ExprId), &(ExprId, ExprId))| one == other;
        let n_last = old.branches.iter().rev().zip(new.branches.iter().rev()).take_while(is_same).count();
        let is_exact = self.is_total(old.expr);
        for at in 0..old.branches.len() - n_last {
            let ((guard, value), (other_guard, other_value)) = (old.branches[at], new.branches[at]);
            if reached.is_none() && old.branches[at] == new.branches[at] {
                continue;
            }
            let here = reached.unwrap_or_else(|| self.reached(old, at));
            let neither = and(model, not(model, guard), not(model, other_guard));
            reached = Some(and(model, here, if guard == other_guard { not(model, guard) } else { neither }));
            let differ = if guard == other_guard {
                and(model, guard, self.differ(value, other_value))
            } else {
                let change = self.differ(guard, other_guard);
                // The branch is taken by one of both, and its value may be what the other one gets later.
                let is_last = at + 1 == old.branches.len() - n_last;
                if is_exact && is_last && value == other_value && self.is_total(other_guard) {
                    and(model, change, self.unequal(value, old, at + 1))
                } else {
                    or(model, change, and(model, guard, self.differ(value, other_value)))
                }
            };
            any = or(model, any, and(model, here, differ));
        }
        any
    }

    /// The condition that no branch before this one is taken.
    fn reached(&mut self, case: Case<'_>, at: usize) -> ExprId {
        let model = self.model;
        let known = (0..=at).rev().find_map(|known| Some((known, *self.reached.get(&(case.expr, known))?)));
        let (first, mut reached) = known.unwrap_or_else(|| (0, constant(model, true)));
        for (index, (guard, _)) in case.branches.iter().enumerate().take(at).skip(first) {
            reached = and(model, reached, not(model, *guard));
            self.reached.insert((case.expr, index + 1), reached);
        }
        reached
    }

    /// The condition that a `case` has another value than this one, if no branch before `at` is taken. Values that are no constants
    /// or variables, and long rests, are taken for other values.
    fn unequal(&mut self, value: ExprId, case: Case<'_>, at: usize) -> ExprId {
        let model = self.model;
        let rest = &case.branches[at..];
        let is_plain = |value: &ExprId| match &model[*value] {
            Node::Const(_) | Node::Var(_) => true,
            Node::Next(inner) => matches!(model[*inner], Node::Var(_)),
            _ => false,
        };
        let mut unequal = constant(model, true);
        if rest.len() > COMPARED_BRANCHES || !is_plain(&value) || !rest.iter().all(|(_, value)| is_plain(value)) {
            return unequal;
        }
        let known = (at..case.branches.len()).find(|at| self.unequal.contains_key(&(value, case.expr, *at)));
        let last = known.unwrap_or(case.branches.len());
        if let Some(at) = known {
            unequal = self.unequal[&(value, case.expr, at)];
        }
        for at in (at..last).rev() {
            let (guard, other) = case.branches[at];
            let differ = self.differ(value, other);
            unequal = match &model[differ] {
                Node::Const(Value::Bool(true)) => or(model, guard, unequal),
                _ => or(model, and(model, guard, differ), and(model, not(model, guard), unequal)),
            };
            self.unequal.insert((value, case.expr, at), unequal);
        }
        unequal
    }

    fn is_total(&mut self, expr: ExprId) -> bool {
        let model = self.model;
        *self.total.entry(expr).or_insert_with(|| !Demand { expr, var: None }.may_fail(model))
    }
}

pub(super) fn constant(model: &TransitionSystem, value: bool) -> ExprId {
    model.make(Node::Const(Value::Bool(value))).expect("constants have types")
}

fn not(model: &TransitionSystem, expr: ExprId) -> ExprId {
    model.make(Node::Unary(UnaryOp::Not, expr)).expect("guards are conditions")
}

fn and(model: &TransitionSystem, one: ExprId, other: ExprId) -> ExprId {
    match (&model[one], &model[other]) {
        (Node::Const(Value::Bool(true)), _) | (_, Node::Const(Value::Bool(false))) => other,
        (Node::Const(Value::Bool(false)), _) | (_, Node::Const(Value::Bool(true))) => one,
        _ => model.make(Node::Binary(BinaryOp::And, one, other)).expect("both are conditions"),
    }
}

fn or(model: &TransitionSystem, one: ExprId, other: ExprId) -> ExprId {
    match (&model[one], &model[other]) {
        (Node::Const(Value::Bool(false)), _) | (_, Node::Const(Value::Bool(true))) => other,
        (Node::Const(Value::Bool(true)), _) | (_, Node::Const(Value::Bool(false))) => one,
        _ => model.make(Node::Binary(BinaryOp::Or, one, other)).expect("both are conditions"),
    }
}
