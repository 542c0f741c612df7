//! Comparison: of goals with each other, of conditions along two executions, and of mutants with the model.

pub(crate) mod agree;
pub(crate) mod bisimulation;
pub(crate) mod change;
mod conform;
pub(crate) mod distinguish;
pub(crate) mod mutant;
mod violation;

use crate::bdd::Bdd;
use crate::symbolic::encoding::machine::Part;
use crate::symbolic::safety::variant::Common;
use std::rc::Rc;

/// What comparisons with mutants share.
#[derive(Default)]
pub(crate) struct Comparison {
    /// The machine without the parts in which the last variant differs.
    pub(crate) common: Option<(Vec<Part>, Rc<Common>)>,
    /// The variables of mutants beside those of the model, once there was a mutant.
    twin: Option<Box<conform::Twin>>,
    /// The same where only the inputs of steps are shared.
    beside: Option<Box<bisimulation::Beside>>,
    /// What all mutants share, once there was a mutant.
    unchanged: Option<Box<change::Unchanged>>,
    /// Of a mutant: the steps from reachable states of the model that its changed parts may have added, once they are known.
    new_steps: Option<Bdd>,
    /// Whether it is known that one of them is a step of the mutant.
    has_new_step: bool,
}
