//! When inputs are taken: by the step that enters a state, or by the step that leaves it.

use super::{Observable, Role};
use crate::expr::{ExprId, Node};
use crate::interp::{Support, support, support_of};
use crate::model::{AssignKind, Model, VarId, VarKind};
use crate::op::BinaryOp;
use std::collections::{BTreeMap, BTreeSet};

/// When an implementation takes an input of a state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Timing {
    /// With the step that enters the state: the outputs of the state may depend on it.
    #[default]
    Entering,
    /// With the step that leaves the state: only later outputs depend on it.
    Leaving,
}

impl Timing {
    /// Its name, as in documents.
    pub fn name(self) -> &'static str {
        match self {
            Timing::Entering => "entering",
            Timing::Leaving => "leaving",
        }
    }

    /// The timing of this name.
    pub fn named(name: &str) -> Option<Timing> {
        [Timing::Entering, Timing::Leaving].into_iter().find(|timing| timing.name() == name)
    }
}

impl Model {
    /// The inputs that have a timing: variables of the state that the tester sets. Inputs of steps and frozen ones have
    /// none.
    pub fn timed_inputs(&self) -> impl Iterator<Item = VarId> {
        let is_timed = |var: VarId| self[var].kind == VarKind::State && self.role(var) == Role::Input;
        self.vars().map(|(var, _)| var).filter(move |var| is_timed(*var) && !self.is_shadow(*var))
    }

    /// When each input is taken: as recorded, or as the model suggests.
    ///
    /// All inputs are taken together. It is on leaving a state if the outputs of a state depend on no input of the same
    /// state: no assignment or constraint of the system reads the next value of an input, or its initial value, and no
    /// output is computed from inputs of its own state. Constraints on nothing but inputs do not count.
    pub fn timings(&self) -> BTreeMap<VarId, Timing> {
        let recorded = &self.interface.timings;
        let inputs: Vec<VarId> = self.timed_inputs().collect();
        let all_recorded = inputs.iter().all(|var| recorded.contains_key(var));
        let inferred =
            if all_recorded { Timing::default() } else { self.infer_timing(&inputs.iter().copied().collect()) };
        inputs.into_iter().map(|var| (var, recorded.get(&var).copied().unwrap_or(inferred))).collect()
    }

    fn infer_timing(&self, inputs: &BTreeSet<VarId>) -> Timing {
        // A model without behaviour, such as the variables of a suite, suggests nothing.
        if self.assigns.is_empty() && self.trans.is_empty() && self.invar.is_empty() && self.defines.is_empty() {
            return Timing::default();
        }
        if self.reads_next(inputs) || self.reads_first(inputs) || self.outputs_read(inputs) {
            Timing::Entering
        } else {
            Timing::Leaving
        }
    }

    /// Whether a step of the system depends on the next value of an input.
    fn reads_next(&self, inputs: &BTreeSet<VarId>) -> bool {
        let values = self.assigns.iter().filter(|assign| assign.kind == AssignKind::Next);
        let values = values.filter(|assign| !inputs.contains(&assign.var)).map(|assign| assign.value.expr);
        let trans = self.trans.iter().filter(|trans| !support(self, trans.expr).next.is_disjoint(inputs));
        let constraints = trans.flat_map(|trans| conjuncts(self, trans.expr)).filter(|part| {
            let Support { now, next, .. } = support(self, *part);
            now.union(&next).any(|var| !self.is_set(*var))
        });
        let read = support_of(self, values.chain(constraints)).next;
        !read.is_disjoint(inputs)
    }

    /// Whether the initial state of the system depends on the initial value of an input.
    fn reads_first(&self, inputs: &BTreeSet<VarId>) -> bool {
        let values = self.assigns.iter().filter(|assign| assign.kind == AssignKind::Init);
        let values = values.filter(|assign| !inputs.contains(&assign.var)).map(|assign| assign.value.expr);
        let constraints = self
            .init
            .iter()
            .filter(|init| !support(self, init.expr).now.is_disjoint(inputs))
            .flat_map(|init| conjuncts(self, init.expr))
            .filter(|part| support(self, *part).now.iter().any(|var| !self.is_set(*var)));
        !support_of(self, values.chain(constraints)).now.is_disjoint(inputs)
    }

    /// Whether an output is computed from inputs of its own state: by an assignment, as a define, or by an invariant where
    /// no assignment determines it.
    fn outputs_read(&self, inputs: &BTreeSet<VarId>) -> bool {
        let mut stack: Vec<VarId> = Vec::new();
        let mut exprs: Vec<ExprId> = Vec::new();
        for output in self.interface.with_role(Role::Output) {
            match output {
                Observable::Var(var) => stack.push(var),
                Observable::Define(define) => exprs.push(self.body(define)),
            }
        }
        stack.extend(support_of(self, exprs.drain(..)).now);
        let mut seen = BTreeSet::new();
        while let Some(var) = stack.pop() {
            if !seen.insert(var) {
                continue;
            }
            if inputs.contains(&var) {
                return true;
            }
            if let Some(assign) = self.assign(AssignKind::Always, var) {
                stack.extend(support(self, assign.value.expr).now);
            } else if !self.is_determined(var) {
                let parts = self.invar.iter().flat_map(|invar| conjuncts(self, invar.expr));
                let supports = parts.map(|part| support(self, part).now).filter(|now| now.contains(&var));
                stack.extend(supports.flatten());
            }
        }
        false
    }

    /// Whether the tester sets a variable.
    fn is_set(&self, var: VarId) -> bool {
        self[var].kind == VarKind::Input || self.role(var) == Role::Input
    }
}

/// The parts of a conjunction.
fn conjuncts(model: &Model, expr: ExprId) -> Vec<ExprId> {
    let (mut parts, mut stack) = (Vec::new(), vec![expr]);
    while let Some(expr) = stack.pop() {
        match &model[expr] {
            Node::Binary(BinaryOp::And, a, b) => stack.extend([*b, *a]),
            Node::Define(define) => stack.push(model.body(*define)),
            _ => parts.push(expr),
        }
    }
    parts
}
