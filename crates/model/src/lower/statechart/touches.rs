//! What steps look at: the conditions under which a transition is evaluated and a state is entered or left. Where nothing
//! that a mutant changes is looked at, the mutant does what the chart does.

use super::Lowering;
use super::config::{Config, Current};
use super::events::matches;
use crate::expr::{ExprId, Node};
use crate::model::{Model, VarId};
use crate::op::BinaryOp;
use crate::value::Value;
use rustc_hash::FxHashMap;
use specwright_syntax::statechart::ast::StateId;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Maximal number of expressions of a condition that are read to find the values that it permits.
const MAX_READ: usize = 500;

/// What was recorded while steps were unfolded.
#[derive(Default)]
pub(super) struct Touches {
    is_on: bool,
    evaluated: FxHashMap<usize, Vec<ExprId>>,
    entered: FxHashMap<StateId, Vec<ExprId>>,
    left: FxHashMap<StateId, Vec<ExprId>>,
    /// The events by which transitions were selected, and the states that were active then.
    selections: Vec<(Current, Vec<ExprId>)>,
}

/// The values that a condition permits, for some variables.
pub(super) type Permitted = BTreeMap<VarId, BTreeSet<Value>>;

impl Touches {
    /// An empty record that is written.
    pub(super) fn on() -> Touches {
        Touches { is_on: true, ..Touches::default() }
    }

    pub(super) fn evaluated(&mut self, index: usize, when: ExprId) {
        if self.is_on {
            self.evaluated.entry(index).or_default().push(when);
        }
    }

    pub(super) fn enters(&mut self, state: StateId, when: ExprId) {
        if self.is_on {
            self.entered.entry(state).or_default().push(when);
        }
    }

    pub(super) fn leaves(&mut self, state: StateId, when: ExprId) {
        if self.is_on {
            self.left.entry(state).or_default().push(when);
        }
    }

    pub(super) fn selects(&mut self, current: &Current, config: &Config) {
        if self.is_on {
            self.selections.push((current.clone(), config.active.clone()));
        }
    }

    /// Where a transition is evaluated.
    pub(super) fn of_transition(&self, index: usize) -> Vec<ExprId> {
        self.evaluated.get(&index).cloned().unwrap_or_default()
    }

    /// Where a state is entered.
    pub(super) fn of_entry(&self, state: StateId) -> Vec<ExprId> {
        self.entered.get(&state).cloned().unwrap_or_default()
    }

    /// Where a state is left.
    pub(super) fn of_exit(&self, state: StateId) -> Vec<ExprId> {
        self.left.get(&state).cloned().unwrap_or_default()
    }
}

impl Lowering<'_> {
    /// Where a state is active while an event occurs that a descriptor matches.
    pub(super) fn where_event(&mut self, touches: &Touches, source: StateId, descriptor: &Arc<str>) -> Vec<ExprId> {
        let mut found = Vec::new();
        for (current, active) in &touches.selections {
            let is_match = |event: usize| matches(self.chart.profile, descriptor, &self.events[event].name);
            let when: Vec<ExprId> =
                current.iter().filter(|(event, _)| is_match(*event)).map(|(_, when)| *when).collect();
            let when = self.any(&when);
            found.push(self.and(active[source.index()], when));
        }
        found
    }
}

/// The values that a condition permits for variables that it compares with constants. Variables that it does not mention,
/// or mentions in another way, may have any value.
pub(super) fn permitted(model: &Model, condition: ExprId) -> Permitted {
    let mut left = MAX_READ;
    permitted_within(model, condition, &mut left)
}

fn permitted_within(model: &Model, condition: ExprId, left: &mut usize) -> Permitted {
    let Some(rest) = left.checked_sub(1) else { return Permitted::default() };
    *left = rest;
    match model[condition] {
        Node::Binary(BinaryOp::Eq, var, value) => match (&model[var], &model[value]) {
            (Node::Var(var), Node::Const(value)) => [(*var, [*value].into())].into_iter().collect(),
            _ => Permitted::default(),
        },
        Node::Binary(BinaryOp::And, a, b) => {
            let (mut all, other) = (permitted_within(model, a, left), permitted_within(model, b, left));
            for (var, values) in other {
                let both = all.get(&var).map_or(values.clone(), |own| own & &values);
                all.insert(var, both);
            }
            all
        }
        Node::Binary(BinaryOp::Or, a, b) => {
            let (mut all, other) = (permitted_within(model, a, left), permitted_within(model, b, left));
            all.retain(|var, _| other.contains_key(var));
            for (var, values) in &mut all {
                values.extend(other[var].iter().copied());
            }
            all
        }
        _ => Permitted::default(),
    }
}
