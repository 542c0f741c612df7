//! Steps of a quantized input whose change is limited: those that some represented values could take.

use super::uses::{members_apart, truth_of_change, uses};
use super::{Quantity, Quantized};
use crate::focus::reduce::without_spans;
use rustc_hash::FxHashMap;
use specwright_model::op::BinaryOp;
use specwright_model::{ExprId, Node, SourcedExpr, TransitionSystem, Value, VarId};
use std::collections::BTreeSet;

/// The least and the greatest of a run of indistinguishable changes.
type Changes = (i128, i128);

impl Quantized {
    /// The constraints on steps of the quantized model.
    pub(super) fn limited_steps(&self, model: &TransitionSystem) -> Vec<SourcedExpr> {
        let mut trans = model.trans.clone();
        for input in self.inputs.iter().filter(|input| input.is_limited()) {
            // All limits apply to the same change, so they stay together.
            let limits = |sourced: &SourcedExpr| !uses(model, input.var, [sourced.expr]).changes.is_empty();
            let (limited, others): (Vec<SourcedExpr>, Vec<SourcedExpr>) = trans.into_iter().partition(limits);
            let all = limited.into_iter().map(|sourced| sourced.expr).collect();
            let Some(all) = join(model, BinaryOp::And, all) else { return others };
            let ways: Vec<ExprId> = input.kinds().into_iter().map(|kind| input.way(model, kind, all)).collect();
            trans = others;
            trans.extend(join(model, BinaryOp::Or, ways).map(without_spans));
        }
        trans
    }
}

impl Quantity {
    /// The distinguishable changes, sorted.
    pub(super) fn kinds(&self) -> Vec<Changes> {
        let far = self.span;
        // The neighbours of a constant are distinguished, and so is no change.
        let around = |by: &i64| (-1..=2).map(|more| i128::from(*by) + more).collect::<Vec<_>>();
        let starts = self.changes.iter().chain([&0]).flat_map(around).filter(|by| (-far..=far).contains(by));
        let starts: BTreeSet<i128> = starts.chain([-far]).collect();
        let ends: Vec<i128> = starts.iter().skip(1).map(|start| start - 1).chain([far]).collect();
        starts.into_iter().zip(ends).collect()
    }

    /// A condition for changes of one kind, together with the condition that such a change is possible.
    fn way(&self, model: &TransitionSystem, kind: Changes, condition: ExprId) -> ExprId {
        // All changes of a kind are equivalent. The smallest one is near a constant.
        let by = 0.clamp(kind.0, kind.1);
        let says = Fixed { var: self.var, by, done: FxHashMap::default() }.fix(model, condition);
        let numbers: Vec<i64> = self
            .values
            .values()
            .filter_map(|value| match value {
                Value::Int(number) => Some(number),
                _ => None,
            })
            .collect();
        let mut ways = Vec::new();
        for from in &numbers {
            let to: Vec<i64> = numbers.iter().copied().filter(|to| self.can(*from, *to, kind)).collect();
            if to.is_empty() {
                continue;
            }
            let now = make(model, Node::Var(self.var));
            let next = make(model, Node::Next(now));
            let from = make(model, Node::Const(Value::Int(*from)));
            let from = make(model, Node::Binary(BinaryOp::Eq, now, from));
            let to: Vec<ExprId> = to.into_iter().map(|number| make(model, Node::Const(Value::Int(number)))).collect();
            let to = if let [one] = to[..] {
                make(model, Node::Binary(BinaryOp::Eq, next, one))
            } else {
                let set = make(model, Node::Set(to.into()));
                make(model, Node::Binary(BinaryOp::In, next, set))
            };
            ways.push(make(model, Node::Binary(BinaryOp::And, from, to)));
        }
        match join(model, BinaryOp::Or, ways) {
            Some(can) => make(model, Node::Binary(BinaryOp::And, can, says)),
            None => make(model, Node::Const(Value::Bool(false))),
        }
    }

    /// Whether a value represented by one can change in this way to a value represented by the other.
    fn can(&self, from: i64, to: i64, (least, most): Changes) -> bool {
        let all = |value: i64| self.gap(value).map_or((value.into(), value.into()), |gap| (gap.first, gap.last));
        let ((first, last), (to_first, to_last)) = (all(from), all(to));
        let inside = (first, last) == (to_first, to_last);
        let (low, high) = if inside && from == to { (0, 0) } else { (to_first - last, to_last - first) };
        let (low, high) = (low.max(least), high.min(most));
        // The two representatives of a gap are different values.
        low <= high && !(inside && from != to && (low, high) == (0, 0))
    }
}

/// An expression in which the change of an input is fixed.
struct Fixed {
    var: VarId,
    by: i128,
    done: FxHashMap<ExprId, ExprId>,
}

impl Fixed {
    fn fix(&mut self, model: &TransitionSystem, expr: ExprId) -> ExprId {
        if let Some(done) = self.done.get(&expr) {
            return *done;
        }
        let fixed = stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || self.compute(model, expr));
        self.done.insert(expr, fixed);
        fixed
    }

    fn compute(&mut self, model: &TransitionSystem, expr: ExprId) -> ExprId {
        if let Some(truth) = truth_of_change(model, self.var, expr, self.by) {
            return make(model, Node::Const(Value::Bool(truth)));
        }
        if let Some(members) = members_apart(model, self.var, expr) {
            let fixed = members.into_iter().map(|member| self.fix(model, member)).collect();
            return join(model, BinaryOp::Or, fixed).unwrap_or(expr);
        }
        match model[expr].clone() {
            Node::Define(define) => {
                let body = model.body(define);
                let fixed = self.fix(model, body);
                if fixed == body { expr } else { fixed }
            }
            // A change is from now to next; `next` is not nested.
            Node::Next(_) => expr,
            node => {
                let node = node.map_children(|child| self.fix(model, child));
                make(model, node)
            }
        }
    }
}

fn join(model: &TransitionSystem, op: BinaryOp, parts: Vec<ExprId>) -> Option<ExprId> {
    parts.into_iter().reduce(|all, part| make(model, Node::Binary(op, all, part)))
}

fn make(model: &TransitionSystem, node: Node) -> ExprId {
    model.make(node).expect("conditions on a number stay well-typed")
}
