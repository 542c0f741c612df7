//! Cone of influence: the variables that can affect given expressions, and the model reduced to them.
//!
//! The reduction is exact. A variable is dropped only if no kept expression reads it and its assignments always have a
//! value in its domain, so that the dropped part can take a step whenever the kept part does. Constraints could prevent
//! that. Therefore variables that share constraints are dropped together, and only if they form a small machine that,
//! by exploration, has an initial state and no deadlock. Variables of fairness constraints are kept. So the reduced and
//! the whole model satisfy the same CTL and LTL formulas over kept variables, fair paths and deadlocks included, and
//! their shortest executions have the same length.
//!
//! ```text
//! let cone = Cone::of(&model, formulas);          // of a property: its formula, and its target if it has one
//! if !cone.is_everything() {
//!     let small = cone.reduce(&model);            // the same ids: ask about the same expressions
//!     let trace = …;                              // an execution of the small model
//!     let trace = cone.restore(&model, &trace);   // one of the whole model that does the same
//! }
//! ```
//!
//! [`Influence`] computes the cones of many queries about one model.

mod influence;
#[cfg(test)]
mod tests;

pub use influence::Influence;

use crate::expr::ExprId;
use crate::interp::{Explorer, support};
use crate::model::{TransitionSystem, VarId, VarKind};
use crate::state::{State, Trace};
use crate::value::{Domain, Value};
use std::collections::HashMap;
use std::sync::Arc;

/// Maximal number of states in a lifted loop.
const MAX_LOOP: usize = 1 << 12;

/// Maximal number of values tried for one step of the dropped part.
const MAX_WORK: u64 = 1_000_000;

/// A set of variables that is closed under influence.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cone {
    /// For each variable, whether it is in the cone.
    kept: Vec<bool>,
}

impl Cone {
    /// The cone of these expressions, temporal or not.
    pub fn of(model: &TransitionSystem, exprs: impl IntoIterator<Item = ExprId>) -> Cone {
        Cone::with(model, exprs, [])
    }

    /// The cone of these expressions and variables.
    pub fn with(
        model: &TransitionSystem,
        exprs: impl IntoIterator<Item = ExprId>,
        vars: impl IntoIterator<Item = VarId>,
    ) -> Cone {
        Influence::new(model).cone(exprs, vars)
    }

    /// The cone of all variables.
    pub fn everything(model: &TransitionSystem) -> Cone {
        Cone { kept: vec![true; model.vars.len()] }
    }

    /// Whether all variables are in the cone.
    pub fn is_everything(&self) -> bool {
        self.kept.iter().all(|kept| *kept)
    }

    /// Whether a variable is in the cone.
    pub fn contains(&self, var: VarId) -> bool {
        self.kept[var.0 as usize]
    }

    /// The variables outside of the cone, in declared order.
    pub fn dropped(&self) -> impl Iterator<Item = VarId> + '_ {
        (0..).map(VarId).zip(&self.kept).filter(|(_, kept)| !**kept).map(|(var, _)| var)
    }

    /// The union of two cones.
    #[must_use]
    pub fn union(&self, other: &Cone) -> Cone {
        Cone { kept: self.kept.iter().zip(&other.kept).map(|(ours, theirs)| *ours || *theirs).collect() }
    }

    /// The number of bits of a state of the cone; unbounded variables do not count.
    pub fn n_bits(&self, model: &TransitionSystem) -> u64 {
        let kept = model.vars().filter(|(var, _)| self.contains(*var));
        kept.filter_map(|(_, var)| var.domain.bits()).map(u64::from).sum()
    }

    /// The system reduced to the cone.
    ///
    /// Ids are those of the whole system. A dropped variable still exists but is constant: it has one value and no
    /// assignments. Queries may only mention kept variables.
    pub fn reduce(&self, model: &TransitionSystem) -> TransitionSystem {
        let mut reduced = model.clone();
        for var in self.dropped() {
            let domain = &mut reduced.vars[var.0 as usize].domain;
            *domain = match domain.value_at(0) {
                Some(first) => Domain::Enum(Arc::new([first])),
                None => Domain::Range(0, 0),
            };
        }
        reduced.assigns.retain(|assign| self.contains(assign.var));
        // Variables of fairness constraints are always kept.
        for constraints in [&mut reduced.init, &mut reduced.trans, &mut reduced.invar] {
            constraints.retain(|sourced| self.covers(model, sourced.expr));
        }
        reduced
    }

    /// Whether all variables of an expression are in the cone.
    pub fn covers(&self, model: &TransitionSystem, expr: ExprId) -> bool {
        let support = support(model, expr);
        support.now.iter().chain(&support.next).all(|var| self.contains(*var))
    }

    /// Lifts an execution of the reduced model to one of the whole model with the same values of kept variables.
    ///
    /// Dropped variables take their first possible values. A loop may have to be unrolled until the dropped variables
    /// repeat, too; `None` if it gets too long, or if a step of the dropped part needs too much search.
    pub fn lift(&self, model: &TransitionSystem, trace: &Trace) -> Option<Trace> {
        self.lift_with(model, trace, &State::empty(model.vars.len()))
    }

    /// As [`lift`](Cone::lift), with values for unbounded dropped variables that nothing determines; the default is
    /// zero.
    pub fn lift_with(&self, model: &TransitionSystem, trace: &Trace, values: &State) -> Option<Trace> {
        let mut values = values.clone();
        for var in self.dropped().filter(|var| model[*var].domain == Domain::Integer) {
            values.set(var, values.get(var).or(Some(Value::Int(0))));
        }
        let explorer = Explorer::new(model);
        let wanted = self.project(trace).states;
        let mut now = explorer.initial().like(wanted.first()?).otherwise(&values).limit(MAX_WORK).next()?.ok()?.next;
        let mut states: Vec<State> = Vec::new();
        // The first occurrence of each pair of a position in the loop and a state.
        let mut seen: HashMap<(usize, State), usize> = HashMap::new();
        let mut at = 0;
        loop {
            if trace.loop_start.is_some_and(|start| at >= start) {
                if let Some(first) = seen.get(&(at, now.clone())) {
                    return Some(Trace { states, loop_start: Some(*first) });
                }
                if seen.len() == MAX_LOOP {
                    return None;
                }
                seen.insert((at, now.clone()), states.len());
            }
            // The inputs of a step belong to its source state.
            for (var, _) in model.vars().filter(|(_, var)| var.kind == VarKind::Input) {
                now.set(var, wanted[at].get(var));
            }
            let Some(next) = trace.next(at) else {
                states.push(now);
                return Some(Trace { states, loop_start: None });
            };
            let search = explorer.steps(&now).like(&wanted[next]).otherwise(&values);
            let step = search.limit(MAX_WORK).next()?.ok()?;
            states.push(step.now);
            (now, at) = (step.next, next);
        }
    }

    /// The projection of a trace to the variables of the cone.
    #[must_use]
    pub fn project(&self, trace: &Trace) -> Trace {
        let mut kept = trace.clone();
        for state in &mut kept.states {
            self.dropped().for_each(|var| state.set(var, None));
        }
        kept
    }
}
