//! Goals that are infeasible because the updates of their step are inconsistent, or because it exceeds a bound.

use super::builder::Builder;
use crate::policy::CONTRADICTION_WORK;
use rustc_hash::FxHashMap;
use specwright_model::model::VarKind;
use specwright_model::{ExprId, Node, Value, VarId, interp};
use std::sync::Arc;

impl Builder<'_> {
    /// The condition that a predicate holds in a state whose step does not exist because of inconsistent updates.
    /// `None` if there are no such updates or too many choices.
    pub(super) fn contradiction(&mut self, predicate: ExprId) -> Option<ExprId> {
        let [in_state, in_step] = self.clash();
        if self.inputs(predicate).is_empty() {
            return in_state.map(|clash| self.all([predicate, clash]));
        }
        let both = self.all([predicate, in_step?]);
        let inputs = self.inputs(both);
        let domains: Vec<Vec<Value>> = inputs.iter().map(|var| self.model()[*var].domain.values().collect()).collect();
        let n_choices = domains.iter().map(Vec::len).try_fold(1usize, usize::checked_mul)?;
        n_choices
            .checked_mul(self.model().context.exprs.parts([both]).len())
            .filter(|work| *work <= CONTRADICTION_WORK)?;
        let mut cases = vec![both];
        for (var, values) in inputs.into_iter().zip(domains) {
            let mut more = Vec::new();
            for case in cases {
                more.extend(values.iter().map(|value| self.with_value(case, var, *value)));
            }
            cases = more;
        }
        Some(self.any_of(&cases))
    }

    /// The condition that any updates are inconsistent: over states, and over steps with their choices; `None` if there
    /// are none.
    fn clash(&mut self) -> [Option<ExprId>; 2] {
        if self.clash.is_none() {
            let hazards = self.model().source.hazards.iter().filter(|hazard| hazard.is_contradiction);
            let (states, steps): (Vec<ExprId>, Vec<ExprId>) =
                hazards.map(|hazard| (hazard.predicate, hazard.step)).unzip();
            let states: Vec<ExprId> = states.into_iter().filter(|expr| self.inputs(*expr).is_empty()).collect();
            let any = |builder: &mut Self, parts: &[ExprId]| (!parts.is_empty()).then(|| builder.any_of(parts));
            self.clash = Some([any(self, &states), any(self, &steps)]);
        }
        self.clash.unwrap_or_default()
    }

    /// The conditions under which the model leaves out steps because they exceed a bound.
    pub(super) fn bounds(&mut self) -> Arc<[ExprId]> {
        let bounds = self.model().source.hazards.iter().filter(|hazard| hazard.is_bound);
        let mut bounds: Vec<ExprId> = bounds.map(|hazard| hazard.predicate).collect();
        for bound in &mut bounds {
            if !self.inputs(*bound).is_empty() {
                // There are too many choices: whether one of them exceeds the bound is not known.
                *bound = self.make(Node::Const(Value::Bool(true)));
            }
        }
        bounds.sort_unstable();
        bounds.dedup();
        bounds.into()
    }

    /// The inputs in an expression.
    fn inputs(&self, expr: ExprId) -> Vec<VarId> {
        let support = interp::support(self.model(), expr).now;
        support.into_iter().filter(|var| self.model()[*var].kind == VarKind::Input).collect()
    }

    /// An expression with a variable replaced by a value.
    fn with_value(&mut self, expr: ExprId, var: VarId, value: Value) -> ExprId {
        let mut made: FxHashMap<ExprId, ExprId> = FxHashMap::default();
        for part in self.model().context.exprs.parts([expr]) {
            let node = match self.model()[part].clone() {
                Node::Var(other) if other == var => Node::Const(value),
                node => node.map_children(|child| made[&child]),
            };
            made.insert(part, self.make(node));
        }
        made[&expr]
    }
}
