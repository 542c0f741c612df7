//! Whether every state of a system has a successor, reachable or not.
//!
//! An assignment always has a value, so only constraints can take all successors away. What they depend on after a step is
//! often a small part of the system, and the question is about that part alone.

use crate::bdd::Limit;
use crate::symbolic::{BuildError, Options, Symbolic};
use rustc_hash::FxHashSet;
use specwright_model::interp::support_of;
use specwright_model::model::AssignKind;
use specwright_model::{ExprId, TransitionSystem, VarId};

/// The variables on whose values after a step constraints on states or steps, or assignments in every state, can depend.
pub(crate) fn constrained(system: &TransitionSystem) -> FxHashSet<VarId> {
    let everywhere = system.assigns.iter().filter(|assign| assign.kind == AssignKind::Always);
    let constraints = system.invar.iter().chain(&system.trans).map(|constraint| constraint.expr);
    let support = support_of(system, constraints.chain(everywhere.clone().map(|assign| assign.value.expr)));
    let mut open: Vec<VarId> = everywhere.map(|assign| assign.var).chain(support.now).chain(support.next).collect();
    let mut found = FxHashSet::default();
    while let Some(var) = open.pop() {
        if found.insert(var) {
            let own = system.assigns.iter().filter(|assign| assign.var == var && assign.kind == AssignKind::Next);
            open.extend(support_of(system, own.map(|assign| assign.value.expr)).next);
        }
    }
    found
}

/// The part of a system that says which states have successors.
#[derive(Clone, Debug)]
pub struct Totality {
    part: TransitionSystem,
}

impl Totality {
    /// The part of a system.
    pub fn of(system: &TransitionSystem) -> Totality {
        let constrained = constrained(system);
        let mut part = system.clone();
        part.init.clear();
        part.justice.clear();
        part.compassion.clear();
        // What depends on next values may be circular, so it stays.
        let mentions_next = |expr: ExprId| !support_of(system, [expr]).next.is_empty();
        part.assigns.retain(|assign| match assign.kind {
            AssignKind::Init => false,
            AssignKind::Next => constrained.contains(&assign.var) || mentions_next(assign.value.expr),
            AssignKind::Always => true,
        });
        Totality { part }
    }

    /// What it depends on: systems over the same variables with equal keys are total or not together.
    pub fn key(&self) -> Vec<ExprId> {
        let Totality { part } = self;
        let constraints = part.invar.iter().chain(&part.trans).map(|constraint| constraint.expr);
        constraints.chain(part.assigns.iter().map(|assign| assign.value.expr)).collect()
    }

    /// Whether every state has a successor.
    pub fn is_total(self, options: &Options) -> Result<bool, Limit> {
        if self.key().is_empty() {
            return Ok(true);
        }
        match Symbolic::new(self.part, options) {
            Ok(mut engine) => engine.is_total(),
            Err(BuildError::Limit(limit)) => Err(limit),
            Err(BuildError::Undefined(_) | BuildError::Unbounded(_)) => Ok(false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use specwright_model::testing::model;

    #[test]
    fn constraints_take_successors_away_where_assignments_do_not_fit() {
        let total = |text: &str| Totality::of(&model(text)).is_total(&Options::default()).unwrap();
        assert!(total("MODULE main VAR a : boolean; b : 0..3; ASSIGN next(a) := !a; next(b) := 3 - b;"));
        assert!(total("MODULE main VAR a : boolean; b : boolean; c : 0..9; ASSIGN next(c) := 9 - c; INVAR !(a & b)"));
        assert!(total("MODULE main VAR a : boolean; b : boolean; ASSIGN next(a) := b; INVAR !(a & b)"));
        assert!(!total(
            "MODULE main VAR a : boolean; b : boolean; ASSIGN next(a) := b; next(b) := TRUE; INVAR !(a & b)"
        ));
        assert!(!total("MODULE main VAR a : boolean; ASSIGN next(a) := !a; TRANS next(a)"));
        assert!(!total("MODULE main VAR a : boolean; b : boolean; ASSIGN next(a) := !a; next(b) := next(a); INVAR b"));
    }
}
