//! The cone of influence: the part of a model that can matter to some expressions, and the model without the rest.
//!
//! The reduction is exact. A variable is dropped only if nothing that is kept looks at it, and its assignments have a
//! value that it can take in every case: then whatever the kept part does, the dropped part can go along with it, and
//! never stops it. Constraints could stop it. So variables that constraints tie together are dropped together, and only
//! if they are a small machine of their own, of which exploring it shows that it can start and never gets stuck; what
//! fairness speaks of stays. So kept and whole model satisfy the same formulas over kept variables, of CTL as of LTL, fair
//! paths and deadlocks included, and shortest executions are equally long.
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
//! [`Influence`] gives the cones of many questions about one model.

mod influence;
#[cfg(test)]
mod tests;

pub use influence::Influence;

use crate::expr::ExprId;
use crate::interp::{Explorer, support};
use crate::model::{Model, VarId, VarKind};
use crate::state::{State, Trace};
use crate::value::{Domain, Value};
use std::collections::HashMap;
use std::sync::Arc;

/// A loop of the whole model may have so many states; one that takes more is not looked for.
const LONGEST_LOOP: usize = 1 << 12;

/// How many values may be tried to find one step of the dropped part.
const MOST_WORK: u64 = 1_000_000;

/// The variables that can matter to some expressions, and those that cannot.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cone {
    /// For each variable whether it matters.
    kept: Vec<bool>,
}

impl Cone {
    /// What can matter to the value of these expressions, temporal or not, in any state or on any path.
    pub fn of(model: &Model, exprs: impl IntoIterator<Item = ExprId>) -> Cone {
        Cone::with(model, exprs, [])
    }

    /// What can matter to the value of these expressions, and to these variables.
    pub fn with(model: &Model, exprs: impl IntoIterator<Item = ExprId>, vars: impl IntoIterator<Item = VarId>) -> Cone {
        Influence::new(model).cone(exprs, vars)
    }

    /// All variables.
    pub fn everything(model: &Model) -> Cone {
        Cone { kept: vec![true; model.vars.len()] }
    }

    /// Whether everything matters.
    pub fn is_everything(&self) -> bool {
        self.kept.iter().all(|kept| *kept)
    }

    /// Whether a variable matters.
    pub fn contains(&self, var: VarId) -> bool {
        self.kept[var.0 as usize]
    }

    /// The variables that do not matter, in declared order.
    pub fn dropped(&self) -> impl Iterator<Item = VarId> + '_ {
        (0..).map(VarId).zip(&self.kept).filter(|(_, kept)| !**kept).map(|(var, _)| var)
    }

    /// What matters to either of two.
    #[must_use]
    pub fn union(&self, other: &Cone) -> Cone {
        Cone { kept: self.kept.iter().zip(&other.kept).map(|(ours, theirs)| *ours || *theirs).collect() }
    }

    /// The bits that the values of its variables take; those of variables without bounds do not count.
    pub fn n_bits(&self, model: &Model) -> u64 {
        let kept = model.vars().filter(|(var, _)| self.contains(*var));
        kept.filter_map(|(_, var)| var.domain.bits()).map(u64::from).sum()
    }

    /// The model without what does not matter.
    ///
    /// All ids mean what they mean in the whole model. A variable that was dropped is still there, but never changes: it
    /// has one value and no assignments. Only expressions over kept variables may be asked about; properties over others,
    /// and everything that serves people or criteria, are left out.
    pub fn reduce(&self, model: &Model) -> Model {
        let mut reduced = model.clone();
        for var in self.dropped() {
            let domain = &mut reduced.vars[var.0 as usize].domain;
            *domain = match domain.value_at(0) {
                Some(first) => Domain::Enum(Arc::new([first])),
                None => Domain::Range(0, 0),
            };
        }
        reduced.assigns.retain(|assign| self.contains(assign.var));
        // What fairness speaks of is always kept.
        for constraints in [&mut reduced.init, &mut reduced.trans, &mut reduced.invar] {
            constraints.retain(|written| self.covers(model, written.expr));
        }
        reduced.properties.retain(|property| {
            let exprs = [Some(&property.formula), property.target.as_ref()];
            exprs.into_iter().flatten().all(|written| self.covers(model, written.expr))
        });
        reduced.elements.clear();
        reduced.hazards.clear();
        reduced.tables.clear();
        reduced.expectations.clear();
        reduced
    }

    /// Whether an expression speaks of kept variables only.
    pub fn covers(&self, model: &Model, expr: ExprId) -> bool {
        let support = support(model, expr);
        support.now.iter().chain(&support.next).all(|var| self.contains(*var))
    }

    /// An execution of the whole model that does with the kept variables what one of the reduced model does.
    ///
    /// Among several values of the others it takes the first. A loop may have to go round more than once before the
    /// others are where they were; nothing if that takes too long, or if they have too many values to find one.
    pub fn restore(&self, model: &Model, trace: &Trace) -> Option<Trace> {
        self.restore_with(model, trace, &State::empty(model.vars.len()))
    }

    /// The same, with values for dropped variables without bounds that nothing determines; those without one are zero.
    pub fn restore_with(&self, model: &Model, trace: &Trace, values: &State) -> Option<Trace> {
        let mut values = values.clone();
        for var in self.dropped().filter(|var| model[*var].domain == Domain::Integer) {
            values.set(var, values.get(var).or(Some(Value::Int(0))));
        }
        let explorer = Explorer::new(model);
        let wanted = self.kept_of(trace).states;
        let mut now = explorer.initial().like(wanted.first()?).otherwise(&values).limit(MOST_WORK).next()?.ok()?.next;
        let mut states: Vec<State> = Vec::new();
        // Where in the loop which state has been.
        let mut seen: HashMap<(usize, State), usize> = HashMap::new();
        let mut at = 0;
        loop {
            if trace.loop_start.is_some_and(|start| at >= start) {
                if let Some(first) = seen.get(&(at, now.clone())) {
                    return Some(Trace { states, loop_start: Some(*first) });
                }
                if seen.len() == LONGEST_LOOP {
                    return None;
                }
                seen.insert((at, now.clone()), states.len());
            }
            // A step takes the inputs of the state that it leaves.
            for (var, _) in model.vars().filter(|(_, var)| var.kind == VarKind::Input) {
                now.set(var, wanted[at].get(var));
            }
            let Some(next) = trace.next(at) else {
                states.push(now);
                return Some(Trace { states, loop_start: None });
            };
            let search = explorer.steps(&now).like(&wanted[next]).otherwise(&values);
            let step = search.limit(MOST_WORK).next()?.ok()?;
            states.push(step.now);
            (now, at) = (step.next, next);
        }
    }

    /// The values that matter.
    #[must_use]
    pub fn kept_of(&self, trace: &Trace) -> Trace {
        let mut kept = trace.clone();
        for state in &mut kept.states {
            self.dropped().for_each(|var| state.set(var, None));
        }
        kept
    }
}
