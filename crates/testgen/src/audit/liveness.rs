//! Missing properties about infinite executions: what kills a mutant of fairness constraints.
//!
//! A mutant with weaker constraints has a fair execution that the machine does not have. On its loop some variables keep their
//! values: where the machine always changes one of them in the end, `AG (x = v -> AF x != v)` holds on the machine and fails on
//! the mutant. What the constraint says itself, `AG AF p`, is the last resort. A mutant with stronger constraints lacks a fair
//! execution of the machine: `EF EG p` says that there is one.

use super::literals::{always, make, none, with_value};
use super::missing::{Case, Form, property};
use specwright_mc::{Difference, Place, fairness_claim};
use specwright_model::interp::support;
use specwright_model::model::{Property, PropertyKind, VarKind};
use specwright_model::op::UnaryOp;
use specwright_model::{Domain, ExprId, Node, Trace, Value, VarId};

/// Values of a variable that are tried as the one that must come.
const MAX_VALUES: usize = 8;

impl Case<'_> {
    /// A property about infinite executions that kills a mutant of fairness constraints.
    pub(super) fn liveness(
        &mut self,
        changes: &[(Place, ExprId)],
        difference: &Difference,
    ) -> Option<(Property, Form)> {
        let found = match difference {
            Difference::FairAdded(trace) => self.response(changes, trace).or_else(|| self.recurrence(changes)),
            Difference::FairRemoved(trace) => self.persistence(changes, trace),
            _ => None,
        };
        found.map(|property| (property, Form::Liveness))
    }

    /// `AG (x = v -> AF x = w)`, or `AG (x = v -> AF x != v)`: the loop of the execution is stuck at `v`.
    fn response(&mut self, changes: &[(Place, ExprId)], trace: &Trace) -> Option<Property> {
        for (var, value) in self.stuck(changes, trace) {
            let reading = make(self.model, Node::Var(var));
            let stuck = with_value(self.model, reading, value)?;
            let response = |case: &Case<'_>, claim: ExprId| {
                let finally = make(case.model, Node::Unary(UnaryOp::AF, claim));
                property(always(case.model, Some(stuck), finally))
            };
            let changed = none(self.model, &[stuck])?;
            let weakest = response(self, changed);
            if !(self.holds_on_machine(&weakest) && self.fails_on_mutant(&weakest)) {
                continue;
            }
            // A value that must come says more, and a mutant that stays at `v` violates that, too.
            for other in other_values(&self.model[var].domain, value) {
                let stronger = response(self, with_value(self.model, reading, other)?);
                if self.holds_on_machine(&stronger) {
                    return Some(stronger);
                }
            }
            return Some(weakest);
        }
        None
    }

    /// What a changed constraint says of the machine.
    fn recurrence(&mut self, changes: &[(Place, ExprId)]) -> Option<Property> {
        for (place, _) in changes {
            let Place::Fairness(index) = *place else { continue };
            let found = match self.model.justice.get(index) {
                Some(constraint) if !self.reads_inputs(constraint.expr) => {
                    let finally = make(self.model, Node::Unary(UnaryOp::AF, constraint.expr));
                    property(make(self.model, Node::Unary(UnaryOp::AG, finally)))
                }
                _ => Property { kind: PropertyKind::Ltl, ..property(fairness_claim(self.model, index)?) },
            };
            if self.holds_on_machine(&found) && self.fails_on_mutant(&found) {
                return Some(found);
            }
        }
        None
    }

    /// `EF EG x = v`, or what a changed constraint of the mutant rules out.
    fn persistence(&mut self, changes: &[(Place, ExprId)], trace: &Trace) -> Option<Property> {
        let mut claims = Vec::new();
        for (var, value) in self.stuck(changes, trace) {
            claims.extend(with_value(self.model, make(self.model, Node::Var(var)), value));
        }
        for (place, expr) in changes {
            if matches!(place, Place::Fairness(_)) && !self.reads_inputs(*expr) {
                claims.extend(none(self.model, &[*expr]));
            }
        }
        for claim in claims {
            let globally = make(self.model, Node::Unary(UnaryOp::EG, claim));
            let found = property(make(self.model, Node::Unary(UnaryOp::EF, globally)));
            if self.holds_on_machine(&found) && self.fails_on_mutant(&found) {
                return Some(found);
            }
        }
        None
    }

    /// The variables that keep their values on the loop of an execution. Those that the constraints do not speak of come first:
    /// properties of these say what fairness is for.
    fn stuck(&self, changes: &[(Place, ExprId)], trace: &Trace) -> Vec<(VarId, Value)> {
        let Some(start) = trace.loop_start else { return Vec::new() };
        let states = &trace.states[start..];
        let mut spoken_of = std::collections::BTreeSet::new();
        for (place, expr) in changes {
            if let Place::Fairness(index) = *place {
                spoken_of.extend(support(self.model, *expr).now);
                if let Some(claim) = fairness_claim(self.model, index) {
                    spoken_of.extend(support(self.model, claim).now);
                }
            }
        }
        let kept = |(var, _): (VarId, _)| {
            let value = states.first()?.get(var)?;
            states.iter().all(|state| state.get(var) == Some(value)).then_some((var, value))
        };
        let changing = self.model.vars().filter(|(_, var)| var.kind == VarKind::State);
        let mut stuck: Vec<(VarId, Value)> = changing.filter_map(kept).collect();
        stuck.sort_by_key(|(var, _)| spoken_of.contains(var));
        stuck
    }

    fn reads_inputs(&self, expr: ExprId) -> bool {
        self.model.mentions(expr, |node| matches!(node, Node::Var(var) if self.model[*var].kind == VarKind::Input))
    }
}

/// The first few other values of a domain.
fn other_values(domain: &Domain, value: Value) -> Vec<Value> {
    domain.values().take(MAX_VALUES).filter(|other| *other != value).collect()
}
