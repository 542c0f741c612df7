//! Claims: what a bad state of a circuit contradicts, and what certificates prove.

use super::Sat;
use super::target::Target;
use crate::answer::Reason;
use crate::encode::Algebra;
use crate::query::Query;
use specwright_model::model::{Property, PropertyKind};
use specwright_sat::Signal;

/// A claim about all executions of a model.
#[derive(Clone, Copy, Debug)]
pub enum SafetyClaim<'a> {
    /// The property holds.
    Property(&'a Property),
    /// No execution answers any of the queries. It has a name.
    Infeasible(&'a str, &'a [Query]),
}

/// Single states and steps.
#[derive(Clone, Copy)]
pub(super) struct Moments {
    pub(super) state: Signal,
    pub(super) step: Signal,
}

impl SafetyClaim<'_> {
    /// Its name.
    pub fn name(&self) -> Option<&str> {
        match self {
            SafetyClaim::Property(property) => property.name.as_deref(),
            SafetyClaim::Infeasible(name, _) => Some(name),
        }
    }
}

impl<'a> From<&'a Property> for SafetyClaim<'a> {
    fn from(property: &'a Property) -> SafetyClaim<'a> {
        SafetyClaim::Property(property)
    }
}

impl Sat {
    /// The states and the steps that violate a claim; an error if it is not about single ones.
    pub(super) fn violations(&mut self, claim: &SafetyClaim<'_>) -> Result<Moments, Reason> {
        match claim {
            SafetyClaim::Property(property) => {
                let target = self.violation(property)?;
                let is_shown = property.kind == PropertyKind::Invar || self.machine.is_total && self.machine.is_fair;
                if is_shown && target.ends == Signal::FALSE { moments(target) } else { Err(Reason::Unsupported) }
            }
            SafetyClaim::Infeasible(_, queries) => {
                let mut all = Moments { state: Signal::FALSE, step: Signal::FALSE };
                for query in *queries {
                    let target = self.target(*query)?;
                    // Where every state has a step, none is judged without.
                    if target.ends != Signal::FALSE && !self.machine.is_total {
                        return Err(Reason::Unsupported);
                    }
                    let Moments { state, step } = moments(target)?;
                    all.state = self.machine.circuit.or(&all.state, &state)?;
                    all.step = self.machine.circuit.or(&all.step, &step)?;
                }
                Ok(all)
            }
        }
    }
}

fn moments(target: Target) -> Result<Moments, Reason> {
    let Target { state, step, at_start, is_whole, .. } = target;
    if at_start || !is_whole { Err(Reason::Unsupported) } else { Ok(Moments { state, step }) }
}
