//! The model as a tester sees it: every defined output is a variable that follows from the others.

use super::{Observable, Role, outputs};
use crate::expr::{Node, SourcedExpr};
use crate::interp::eval;
use crate::model::{Assign, AssignKind, Define, DefineId, Model, TransitionSystem, Var, VarId, VarKind};
use crate::state::State;
use crate::value::Value;

impl Model {
    /// The model as a tester sees it: each defined output is a variable, with the same name and role.
    #[must_use]
    pub fn tester_view(&self) -> Model {
        let defines: Vec<DefineId> = self.interface.defined_outputs().collect();
        let mut view = Model { system: self.with_variables_for(&defines), ..self.clone() };
        // They are asked for often.
        view.interface.timings = self.timings();
        for (var, define) in (self.vars.len() as u32..).map(VarId).zip(defines) {
            let of = Observable::Define(define);
            if self.interface.is_optional(of) {
                view.interface.set_optional_output(Observable::Var(var));
            } else {
                view.set_role(var, Role::Output);
            }
            view.interface.set(of, Role::Internal);
        }
        view
    }

    /// Takes over roles and timings from the variables of a suite that was made for the model. Defines that the suite does
    /// not name are no outputs, if it is one that names them.
    pub fn adopt_interface(&mut self, suite: &Model) {
        if !suite.interface.timings.is_empty() {
            for define in self.interface.defined_outputs().collect::<Vec<_>>() {
                self.interface.set(Observable::Define(define), Role::Internal);
            }
        }
        for (own, var) in suite.vars() {
            let define = self.define_named(&var.name).filter(|define| outputs::observable(self, *define).is_ok());
            let of = match (self.var_named(&var.name), define) {
                (Some(var), _) => Observable::Var(var),
                (None, Some(define)) => Observable::Define(define),
                (None, None) => continue,
            };
            if suite.interface.is_optional(Observable::Var(own)) {
                self.interface.set_optional_output(of);
            } else {
                self.interface.set(of, suite.role(own));
            }
            if let (Observable::Var(var), Some(timing)) = (of, suite.interface.timings.get(&own)) {
                self.interface.set_timing(var, *timing);
            }
        }
    }

    /// In a view, adds the values of defined outputs to a state where they follow from the other values.
    pub fn fill_defined_outputs(&self, state: &mut State) {
        for assign in self.assigns.iter().filter(|assign| assign.kind == AssignKind::Always) {
            let Node::Define(define) = self[assign.value.expr] else { continue };
            if state.get(assign.var).is_none() && self[assign.var].name == self[define].name {
                state.set(assign.var, self.define_value(define, state));
            }
        }
    }
}

impl TransitionSystem {
    /// The system with a variable for each of these defines, after all others and in this order, with the same name.
    /// Executions are the same but for these variables. The defines can be observed.
    #[must_use]
    pub fn with_variables_for(&self, defines: &[DefineId]) -> TransitionSystem {
        let mut wide = self.clone();
        if !defines.is_empty() {
            wide.context = self.context.fork();
        }
        for define in defines {
            let domain = outputs::domain(self, *define).expect("a define that can be observed has single values");
            let Define { name, span, .. } = self[*define].clone();
            let var = VarId(wide.vars.len() as u32);
            wide.vars.push(Var { name, domain, kind: VarKind::State, span });
            let expr = wide.make(Node::Define(*define)).expect("a define has a type");
            let value = SourcedExpr { expr, spans: [span].into() };
            wide.assigns.push(Assign { kind: AssignKind::Always, var, value, span });
        }
        wide
    }

    /// The value of a define in a state; `None` if the state does not say enough.
    pub fn define_value(&self, define: DefineId, state: &State) -> Option<Value> {
        eval(self, self.body(define), state, None).ok()
    }
}
