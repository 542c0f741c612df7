//! Bounds of numbers that follow from a condition.

use super::value::{Single, Sym, Values};
use super::{Env, Lowering};
use crate::expr::{ExprId, Node};
use crate::op::{BinaryOp as Op, UnaryOp};
use crate::value::{Domain, Value};
use std::rc::Rc;

impl Lowering<'_> {
    /// The environment in which a condition holds.
    pub(super) fn assume(&mut self, condition: ExprId, env: &Env) -> Env {
        let mut bounds = None;
        let mut stack = vec![(condition, true)];
        while let Some((part, truth)) = stack.pop() {
            let (op, a, b) = match self.model[part] {
                Node::Unary(UnaryOp::Not, inner) => {
                    stack.push((inner, !truth));
                    continue;
                }
                Node::Binary(Op::And, a, b) if truth => {
                    stack.extend([(a, true), (b, true)]);
                    continue;
                }
                Node::Binary(Op::Or, a, b) if !truth => {
                    stack.extend([(a, false), (b, false)]);
                    continue;
                }
                Node::Binary(op, a, b) if op.is_relational() => (if truth { op } else { opposite(op) }, a, b),
                _ => continue,
            };
            let constant = |expr: ExprId| match self.model[expr] {
                Node::Const(Value::Int(value)) => Some(value),
                _ => None,
            };
            let (expr, value, op) = match (constant(a), constant(b)) {
                (None, Some(value)) => (a, value, op),
                (Some(value), None) => (b, value, mirrored(op)),
                // For two numbers, the bounds of their difference are known.
                (None, None) if *self.model.context.exprs.ty(a) == crate::ty::Ty::INT => {
                    let (a, b, op) = if matches!(op, Op::Lt | Op::Le) { (b, a, mirrored(op)) } else { (a, b, op) };
                    (self.node(Node::Binary(Op::Sub, a, b)), 0, op)
                }
                _ => continue,
            };
            let (low, high) = match op {
                Op::Eq => (value, value),
                Op::Lt => (i64::MIN, value.saturating_sub(1)),
                Op::Le => (i64::MIN, value),
                Op::Gt => (value.saturating_add(1), i64::MAX),
                Op::Ge => (value, i64::MAX),
                Op::Ne => match self.model[expr] {
                    Node::Var(var) => match self.model[var].domain {
                        Domain::Range(first, _) if first == value => (value + 1, i64::MAX),
                        Domain::Range(_, last) if last == value => (i64::MIN, value - 1),
                        _ => continue,
                    },
                    _ => continue,
                },
                _ => continue,
            };
            let bounds = bounds.get_or_insert_with(|| (*env.bounds).clone());
            let entry = bounds.entry(expr).or_insert((i64::MIN, i64::MAX));
            *entry = (entry.0.max(low), entry.1.min(high));
        }
        match bounds {
            Some(bounds) => Env { bounds: Rc::new(bounds), ..env.clone() },
            None => env.clone(),
        }
    }

    /// A value with the bounds that are known for it: of a number, or of the length of a sequence.
    pub(super) fn bounded(&self, sym: Sym, env: &Env) -> Sym {
        match sym {
            Sym::One(Single { value, defined, values: Values::Int(low, high) }) => {
                let (low, high) = env.bounds.get(&value).map_or((low, high), |(a, b)| (low.max(*a), high.min(*b)));
                Sym::One(Single { value, defined, values: Values::Int(low.min(high), high) })
            }
            Sym::Either(cases) if !env.bounds.is_empty() => {
                let possible = |guard: ExprId| match self.model[guard] {
                    Node::Binary(Op::Eq, length, value) => match (env.bounds.get(&length), &self.model[value]) {
                        (Some((low, high)), Node::Const(Value::Int(value))) => (low..=high).contains(&value),
                        _ => true,
                    },
                    _ => true,
                };
                let left: Vec<(Sym, ExprId)> = cases.iter().filter(|(_, guard)| possible(*guard)).cloned().collect();
                match &left[..] {
                    [] => Sym::Either(cases),
                    [(only, _)] => only.clone(),
                    _ => Sym::Either(left),
                }
            }
            other => other,
        }
    }
}

fn opposite(op: Op) -> Op {
    match op {
        Op::Eq => Op::Ne,
        Op::Ne => Op::Eq,
        Op::Lt => Op::Ge,
        Op::Le => Op::Gt,
        Op::Gt => Op::Le,
        _ => Op::Lt,
    }
}

fn mirrored(op: Op) -> Op {
    match op {
        Op::Lt => Op::Gt,
        Op::Le => Op::Ge,
        Op::Gt => Op::Lt,
        Op::Ge => Op::Le,
        other => other,
    }
}
