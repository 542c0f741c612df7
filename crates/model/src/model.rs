//! The model: a transition system with its properties, its interface to a tester, and its source.

use crate::interface::Interface;
pub use crate::property::{Property, PropertyKind};
pub use crate::source::{
    Cell, ChangedPart, Compound, EXECUTED, Edit, Element, Expectation, Hazard, Instance, Mark, Rewrite, RuleChoice,
    Shape, Shared, SourceInfo, Table, When,
};
pub use crate::system::{Assign, AssignKind, Define, DefineId, TransitionSystem, Var, VarId, VarKind};
use std::ops::{Deref, DerefMut};

/// A model: all languages meet here, and nothing right of this crate knows which language a model came from.
///
/// It dereferences to its transition system, so that what is written for systems takes models as well.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// Its name, usually that of the file.
    pub name: String,
    /// The system. Clones of a model share its context.
    pub system: TransitionSystem,
    /// The properties, in source order.
    pub properties: Vec<Property>,
    /// What a tester sets and sees.
    pub interface: Interface,
    /// What is known of its source.
    pub source: SourceInfo,
}

impl Deref for Model {
    type Target = TransitionSystem;

    fn deref(&self) -> &TransitionSystem {
        &self.system
    }
}

impl DerefMut for Model {
    fn deref_mut(&mut self) -> &mut TransitionSystem {
        &mut self.system
    }
}

impl Model {
    /// A reduced system as a model for the same tester. Properties, and what is known of the source, are left out.
    #[must_use]
    pub fn reduced_to(&self, system: &TransitionSystem) -> Model {
        let (name, interface) = (self.name.clone(), self.interface.clone());
        Model { name, interface, system: system.clone(), ..Model::default() }
    }

    /// The model without the added variables. Expressions over these are invalid then.
    #[must_use]
    pub fn without_shadows(&self) -> Model {
        let mut model = self.clone();
        model.vars.truncate(self.vars.len() - self.shadows.len());
        model.assigns.retain(|assign| !self.is_shadow(assign.var));
        model.shadows.clear();
        model
    }
}
