//! Defines as outputs: which can be observed, and which are by default.

use super::{Observable, Reads, Timing, values};
use crate::expr::{ExprId, Node};
use crate::interp::{Demand, support};
use crate::model::{AssignKind, DefineId, Model, TransitionSystem, VarId, VarKind};
use crate::ty::Ty;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// Maximal number of combinations of values that are tried to find out whether a define has a value everywhere.
const MAX_CASES: u128 = 1 << 14;

/// Why a define cannot be an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotObservable {
    /// It has a temporal operator.
    Temporal,
    /// It reads the next value of a variable.
    Next(VarId),
    /// It reads an input of steps.
    StepInput(VarId),
    /// It is a choice of several values.
    Choice,
    /// It is an array.
    Array,
    /// It has no value in some case.
    Partial,
}

impl NotObservable {
    /// The reason for users, such as `it reads the next value of x`.
    pub fn describe(&self, model: &TransitionSystem) -> String {
        match self {
            NotObservable::Temporal => "it is a temporal formula, which has no value in a single state".into(),
            NotObservable::Next(var) => {
                format!("it reads the next value of `{}`, so it belongs to a step, not to a state", model[*var].name)
            }
            NotObservable::StepInput(var) => {
                format!("it reads `{}`, which belongs to a step, not to a state", model[*var].name)
            }
            NotObservable::Choice => "it is a choice of several values".into(),
            NotObservable::Array => "it is an array: only single values can be observed".into(),
            NotObservable::Partial => {
                "it has no value in some cases: a `case` without a matching branch, a division by zero, or an index \
                 outside of its array"
                    .into()
            }
        }
    }
}

impl NotObservable {
    /// What the user can do about it, if there is something.
    pub fn help(&self, model: &TransitionSystem) -> Option<String> {
        match self {
            NotObservable::Next(_) | NotObservable::Temporal | NotObservable::Choice => None,
            NotObservable::StepInput(var) => Some(format!(
                "declare `{}` under `VAR` instead of `IVAR`, then it belongs to a state",
                model[*var].name
            )),
            NotObservable::Array => Some("define its elements one by one".into()),
            NotObservable::Partial => Some("give a `case` a last branch `TRUE : …`".into()),
        }
    }
}

/// Whether a define has one value in every state, so that a tester can observe it.
pub fn observable(model: &TransitionSystem, define: DefineId) -> Result<(), NotObservable> {
    let body = model.body(define);
    let support = support(model, body);
    if support.temporal {
        return Err(NotObservable::Temporal);
    }
    if let Some(var) = support.next.first() {
        return Err(NotObservable::Next(*var));
    }
    if let Some(var) = support.now.iter().find(|var| model[**var].kind == VarKind::Input) {
        return Err(NotObservable::StepInput(*var));
    }
    match model.context.exprs.ty(body) {
        Ty::Set(_) => return Err(NotObservable::Choice),
        Ty::Array(..) => return Err(NotObservable::Array),
        Ty::One(_) => {}
    }
    match (Demand { expr: body, var: None }).is_met(model, MAX_CASES) {
        Some(false) => Err(NotObservable::Partial),
        Some(true) | None => Ok(()),
    }
}

/// The values of a define that can be observed.
pub fn domain(model: &TransitionSystem, define: DefineId) -> Option<crate::value::Domain> {
    values::domain_of(model, model.body(define))
}

impl Model {
    /// Makes outputs of the defines that plainly are: those of the main module that the machine does not read, that vary,
    /// and that have one value in every state. An implementation need not report them.
    ///
    /// A define that reads an input is left out if that input is taken on leaving a state: when the define is observed,
    /// the input is not known yet.
    pub fn infer_outputs(&mut self) {
        let read = self.defines_of_machine();
        let names: FxHashSet<&str> = self.vars.iter().map(|var| var.name.as_str()).collect();
        let leaving = self.timings().into_iter().filter(|(_, timing)| *timing == Timing::Leaving);
        let leaving: BTreeSet<VarId> = leaving.map(|(var, _)| var).collect();
        let is_certain =
            |define: DefineId| Demand { expr: self.body(define), var: None }.is_met(self, MAX_CASES) == Some(true);
        let reads = self.reads_of_defines();
        let is_of_states = |reads: &Reads| reads.var && !(reads.next || reads.step_input || reads.temporal);
        let reads_leaving = self.defines_that_read(&leaving);
        // What always has a value needs no look at all that it is made of.
        let is_plain = |define: DefineId| {
            if reads[define.0 as usize].partial {
                let is_apart = || support(self, self.body(define)).now.is_disjoint(&leaving);
                observable(self, define).is_ok() && is_certain(define) && is_apart()
            } else {
                let is_single = matches!(self.context.exprs.ty(self.body(define)), Ty::One(_));
                is_single && !reads_leaving[define.0 as usize]
            }
        };
        let is_output = |define: &DefineId| {
            self.budget.look();
            !read.contains(define)
                && self.is_of_main(*define)
                && !self.interface.is_given(Observable::Define(*define))
                && !names.contains(self[*define].name.as_str())
                && is_of_states(&reads[define.0 as usize])
                && is_plain(*define)
        };
        let outputs: Vec<DefineId> = self.defines().map(|(define, _)| define).filter(is_output).collect();
        for define in outputs {
            self.interface.set_optional_output(Observable::Define(define));
        }
    }

    /// The defines that the machine reads: assignments, constraints and fairness, through other defines, too.
    fn defines_of_machine(&self) -> FxHashSet<DefineId> {
        let sourced = self.init.iter().chain(&self.trans).chain(&self.invar).chain(&self.justice);
        let sourced = sourced.chain(self.compassion.iter().flat_map(|(p, q)| [p, q]));
        let mut stack: Vec<ExprId> = sourced.map(|sourced| sourced.expr).collect();
        stack.extend(self.assigns.iter().filter(|assign| !self.is_shadow(assign.var)).map(|assign| assign.value.expr));
        let (mut seen, mut read) = (FxHashSet::default(), FxHashSet::default());
        while let Some(expr) = stack.pop() {
            if !seen.insert(expr) {
                continue;
            }
            if let Node::Define(define) = &self[expr] {
                read.insert(*define);
                stack.push(self.body(*define));
            }
            self[expr].for_each_child(|child| stack.push(child));
        }
        read
    }

    /// Whether a variable is assigned in every state or after every step.
    pub(super) fn is_determined(&self, var: VarId) -> bool {
        self.assigns.iter().any(|assign| assign.var == var && assign.kind != AssignKind::Init)
    }
}
