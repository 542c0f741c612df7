//! The interface of a model: what a tester sets, what a tester sees, and when.
//!
//! [`outputs`] says which defines can be observed and which are by default, [`timing`] when inputs are taken, and
//! [`view`] makes the model as a tester sees it, in which every defined output is a variable.

pub mod outputs;
mod reads;
#[cfg(test)]
mod tests;
pub mod timing;
mod values;
pub mod view;

use crate::model::{Define, DefineId, Model, TransitionSystem, Var, VarId, VarKind};
pub use reads::Reads;
use std::collections::{BTreeMap, BTreeSet};
pub use timing::Timing;

/// The role of a variable or define in tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Set by the tester.
    Input,
    /// Observed by the tester.
    Output,
    /// Neither.
    #[default]
    Internal,
}

impl Role {
    /// Its name, as in documents.
    pub fn name(self) -> &'static str {
        match self {
            Role::Input => "input",
            Role::Output => "output",
            Role::Internal => "internal",
        }
    }
}

/// Something with a value in every state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Observable {
    /// A variable.
    Var(VarId),
    /// A define.
    Define(DefineId),
}

/// The roles of variables and defines. Those without a recorded role are internal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interface {
    roles: BTreeMap<Observable, Role>,
    /// The outputs that an implementation need not report.
    optional: BTreeSet<Observable>,
    /// When inputs are taken, as far as that is recorded.
    timings: BTreeMap<VarId, Timing>,
    /// The defines that were added only to be observed, after all others.
    added: BTreeSet<DefineId>,
}

impl Interface {
    /// The role of a variable or define.
    pub fn role(&self, of: Observable) -> Role {
        self.roles.get(&of).copied().unwrap_or_default()
    }

    /// Changes the role of a variable or define. An output is required.
    pub fn set(&mut self, of: Observable, role: Role) {
        self.roles.insert(of, role);
        self.optional.remove(&of);
    }

    /// Whether a role was given to a variable or define.
    pub fn is_given(&self, of: Observable) -> bool {
        self.roles.contains_key(&of)
    }

    /// Makes a variable or define an output that an implementation need not report.
    pub fn set_optional_output(&mut self, of: Observable) {
        self.set(of, Role::Output);
        self.optional.insert(of);
    }

    /// Whether it is an output that an implementation need not report.
    pub fn is_optional(&self, of: Observable) -> bool {
        self.optional.contains(&of)
    }

    /// All variables and defines with a role, variables first, each in declared order.
    pub fn with_role(&self, role: Role) -> impl Iterator<Item = Observable> {
        self.roles.iter().filter(move |(_, own)| **own == role).map(|(of, _)| *of)
    }

    /// The defines that are outputs.
    pub fn defined_outputs(&self) -> impl Iterator<Item = DefineId> {
        self.with_role(Role::Output).filter_map(|of| match of {
            Observable::Define(define) => Some(define),
            Observable::Var(_) => None,
        })
    }

    /// Records that a define was added only to be observed. It is not part of the specification.
    pub fn mark_added(&mut self, define: DefineId) {
        self.added.insert(define);
    }

    /// Number of defines that were added only to be observed.
    pub fn n_added(&self) -> usize {
        self.added.len()
    }

    /// Records when an input is taken, whatever the model suggests.
    pub fn set_timing(&mut self, input: VarId, timing: Timing) {
        self.timings.insert(input, timing);
    }
}

impl Model {
    /// The role of a variable.
    pub fn role(&self, var: VarId) -> Role {
        self.interface.role(Observable::Var(var))
    }

    /// The variables that the tester sets.
    pub fn inputs(&self) -> Vec<VarId> {
        self.vars().map(|(var, _)| var).filter(|var| self.role(*var) == Role::Input).collect()
    }

    /// Whether it has variables that a tester neither sets nor sees. Choices of steps, and variables that were added to
    /// remember previous values, do not count.
    pub fn has_internal(&self) -> bool {
        let is_internal = |(id, var): (VarId, &Var)| {
            self.role(id) == Role::Internal && var.kind != VarKind::Input && !self.is_shadow(id)
        };
        self.vars().any(is_internal)
    }

    /// The defines that are outputs, in declared order.
    pub fn output_defines(&self) -> Vec<DefineId> {
        self.interface.defined_outputs().collect()
    }

    /// Changes the role of a variable.
    pub fn set_role(&mut self, var: VarId, role: Role) {
        self.interface.set(Observable::Var(var), role);
    }

    /// Whether a define belongs to the main module, and not to an instance.
    pub fn is_of_main(&self, define: DefineId) -> bool {
        let name = &self[define].name;
        let is_inside = |path: &str| name.strip_prefix(path).is_some_and(|rest| rest.starts_with('.'));
        !self.source.instances.iter().any(|instance| !instance.path.is_empty() && is_inside(&instance.path))
    }
}

impl TransitionSystem {
    /// The name of a variable or define.
    pub fn name_of(&self, of: Observable) -> &str {
        match of {
            Observable::Var(var) => &self[var].name,
            Observable::Define(define) => &self[define].name,
        }
    }

    /// All defines with their ids.
    pub fn defines(&self) -> impl Iterator<Item = (DefineId, &Define)> {
        (0..).map(DefineId).zip(&self.defines)
    }
}
