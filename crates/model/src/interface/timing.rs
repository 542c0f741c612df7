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
    /// An input is taken on entering a state if the outputs of the state may depend on it: an assignment or constraint of the
    /// system reads its next value, or its initial value, or an output is computed from inputs of its own state. Constraints
    /// on nothing but inputs do not count. So is an input that is read beside the next value of such a one: as the condition of
    /// an event it belongs to the state before, and was taken on entering that. All others are taken on leaving a state, but for
    /// those that nothing reads, which are taken with the rest.
    pub fn timings(&self) -> BTreeMap<VarId, Timing> {
        let recorded = &self.interface.timings;
        let inputs: BTreeSet<VarId> = self.timed_inputs().collect();
        let all_recorded = inputs.iter().all(|var| recorded.contains_key(var));
        let entering = if all_recorded { BTreeSet::new() } else { self.entering(&inputs) };
        let inferred = |var: &VarId| if entering.contains(var) { Timing::Entering } else { Timing::Leaving };
        inputs.iter().map(|var| (*var, recorded.get(var).copied().unwrap_or_else(|| inferred(var)))).collect()
    }

    /// The inputs that are taken on entering a state, as the model suggests.
    fn entering(&self, inputs: &BTreeSet<VarId>) -> BTreeSet<VarId> {
        // A model without behaviour, such as the variables of a suite, suggests nothing.
        if self.assigns.is_empty() && self.trans.is_empty() && self.invar.is_empty() && self.defines.is_empty() {
            return inputs.clone();
        }
        let steps = self.step_supports(inputs);
        let mut entering: BTreeSet<VarId> = steps.iter().flat_map(|step| &step.next).copied().collect();
        entering.extend(self.read_first(inputs));
        entering.extend(self.read_by_outputs());
        entering.retain(|var| inputs.contains(var));
        for step in steps.iter().filter(|step| !step.next.is_disjoint(inputs)) {
            entering.extend(self.read_through(step.now.iter().copied()).intersection(inputs));
        }
        // An input that no step reads is taken with the others.
        let read = self.read_through(steps.iter().flat_map(|step| &step.now).copied());
        let is_leaving = |var: &&VarId| read.contains(*var) && !entering.contains(*var);
        if entering.is_empty() || inputs.iter().any(|var| is_leaving(&var)) { entering } else { inputs.clone() }
    }

    /// What each part of a step of the system reads: the assignments, and the constraints on more than inputs.
    fn step_supports(&self, inputs: &BTreeSet<VarId>) -> Vec<Support> {
        let values = self.assigns.iter().filter(|assign| assign.kind == AssignKind::Next);
        let values =
            values.filter(|assign| !inputs.contains(&assign.var)).map(|assign| support(self, assign.value.expr));
        let trans = self.trans.iter().filter(|trans| !support(self, trans.expr).next.is_disjoint(inputs));
        let constraints = trans.flat_map(|trans| conjuncts(self, trans.expr)).map(|part| support(self, part));
        let is_of_system = |Support { now, next, .. }: &Support| now.union(next).any(|var| !self.is_set(*var));
        values.chain(constraints.filter(is_of_system)).collect()
    }

    /// The variables on whose initial values the initial state of the system depends.
    fn read_first(&self, inputs: &BTreeSet<VarId>) -> BTreeSet<VarId> {
        let values = self.assigns.iter().filter(|assign| assign.kind == AssignKind::Init);
        let values = values.filter(|assign| !inputs.contains(&assign.var)).map(|assign| assign.value.expr);
        let constraints = self
            .init
            .iter()
            .filter(|init| !support(self, init.expr).now.is_disjoint(inputs))
            .flat_map(|init| conjuncts(self, init.expr))
            .filter(|part| support(self, *part).now.iter().any(|var| !self.is_set(*var)));
        support_of(self, values.chain(constraints)).now
    }

    /// The variables from which outputs of the same state are computed.
    fn read_by_outputs(&self) -> BTreeSet<VarId> {
        let mut vars: Vec<VarId> = Vec::new();
        let mut exprs: Vec<ExprId> = Vec::new();
        for output in self.interface.with_role(Role::Output) {
            match output {
                Observable::Var(var) => vars.push(var),
                Observable::Define(define) => exprs.push(self.body(define)),
            }
        }
        vars.extend(support_of(self, exprs.drain(..)).now);
        self.read_through(vars)
    }

    /// Variables, and those of the same state from which they are computed: by an assignment, or by an invariant where no
    /// assignment determines them.
    fn read_through(&self, vars: impl IntoIterator<Item = VarId>) -> BTreeSet<VarId> {
        let mut stack: Vec<VarId> = vars.into_iter().collect();
        let mut seen = BTreeSet::new();
        while let Some(var) = stack.pop() {
            if !seen.insert(var) {
                continue;
            }
            if let Some(assign) = self.assign(AssignKind::Always, var) {
                stack.extend(support(self, assign.value.expr).now);
            } else if !self.is_determined(var) {
                let parts = self.invar.iter().flat_map(|invar| conjuncts(self, invar.expr));
                let supports = parts.map(|part| support(self, part).now).filter(|now| now.contains(&var));
                stack.extend(supports.flatten());
            }
        }
        seen
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
