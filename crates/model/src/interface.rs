//! The interface of a model: what a tester sets, and what a tester sees.

use crate::model::{DefineId, Model, VarId};
use std::collections::BTreeMap;

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
}

impl Interface {
    /// The role of a variable or define.
    pub fn role(&self, of: Observable) -> Role {
        self.roles.get(&of).copied().unwrap_or_default()
    }

    /// Changes the role of a variable or define.
    pub fn set(&mut self, of: Observable, role: Role) {
        self.roles.insert(of, role);
    }

    /// All variables and defines with a role, variables first, each in declared order.
    pub fn with_role(&self, role: Role) -> impl Iterator<Item = Observable> {
        self.roles.iter().filter(move |(_, own)| **own == role).map(|(of, _)| *of)
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

    /// Changes the role of a variable.
    pub fn set_role(&mut self, var: VarId, role: Role) {
        self.interface.set(Observable::Var(var), role);
    }
}
