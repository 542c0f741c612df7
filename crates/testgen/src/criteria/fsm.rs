//! Criteria of finite state machines: sequences of inputs of the machine of the model.

use super::builder::{Builder, Draft};
use crate::fsm::{Sequence, plan};
use specwright_mc::Query;
use specwright_model::model::VarKind;
use specwright_model::op::UnaryOp;
use specwright_model::{ExprId, Node, State};
use specwright_syntax::span::Span;

pub(super) fn goals(builder: &mut Builder<'_>) {
    let criterion = builder.criterion;
    match plan(&builder.model, criterion, builder.options) {
        Ok(plan) => plan.goals.into_iter().for_each(|sequence| builder.sequence(sequence)),
        Err(why) => builder.note(Span::NONE, format!("`{criterion}` has no goals: {why}")),
    }
}

impl Builder<'_> {
    fn sequence(&mut self, sequence: Sequence) {
        let Sequence { key, group, description, is_beginning, states } = sequence;
        let target = match &states[..] {
            [now, next] if !is_beginning => {
                let (now, next) = (self.valuation(now, false), self.valuation(next, true));
                Query::Reach(self.all([now, next]))
            }
            _ => {
                let mut formula: Option<ExprId> = None;
                for state in states.iter().rev() {
                    let here = self.valuation(state, false);
                    let later = formula.map(|later| self.make(Node::Unary(UnaryOp::X, later)));
                    formula = Some(self.all([here].into_iter().chain(later)));
                }
                let formula = formula.unwrap_or_else(|| self.all([]));
                Query::Show(if is_beginning { formula } else { self.make(Node::Unary(UnaryOp::F, formula)) })
            }
        };
        self.add(Draft { key: Some(key), group, description, span: Span::NONE, target });
    }

    /// The values of a state; of the next state, if that is wanted.
    fn valuation(&mut self, state: &State, is_next: bool) -> ExprId {
        let given: Vec<_> = self.model().vars().map(|(var, declared)| (var, declared.kind)).collect();
        let mut parts = Vec::new();
        for (var, kind) in given {
            let Some(value) = state.get(var) else { continue };
            if is_next && kind != VarKind::State {
                continue;
            }
            let mut expr = self.var(var);
            if is_next {
                expr = self.make(Node::Next(expr));
            }
            parts.push(self.has_value(expr, value));
        }
        self.all(parts)
    }
}
