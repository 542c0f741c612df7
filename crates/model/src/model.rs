//! The model: a transition system with its properties, its interface to a tester, and its source.

use crate::interface::Interface;
pub use crate::property::{Property, PropertyKind};
pub use crate::source::{
    Cell, Compound, Edit, Element, Expectation, Hazard, Instance, Mark, Rewrite, Shape, Shared, SourceInfo, Table, When,
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

impl From<TransitionSystem> for Model {
    /// A model without properties, of a system that has no source.
    fn from(system: TransitionSystem) -> Model {
        Model { system, ..Model::default() }
    }
}
