//! Witnesses of a part of a model as witnesses of the whole.

use crate::answer::Witness;
use crate::reduction::{self, ConeOfInfluence, NotLifted};
use crate::symbolic::check::Quantity;
use specwright_model::{Trace, TransitionSystem};

/// What an answer carries.
pub(super) trait Lift: Sized {
    /// The same for the whole model; nothing if it cannot be said.
    fn lift(self, whole: &TransitionSystem, cone: &ConeOfInfluence) -> Option<Self>;
}

impl Lift for Trace {
    fn lift(self, whole: &TransitionSystem, cone: &ConeOfInfluence) -> Option<Trace> {
        lifted(whole, cone, &self)
    }
}

impl Lift for Witness {
    fn lift(self, whole: &TransitionSystem, cone: &ConeOfInfluence) -> Option<Witness> {
        Some(match self {
            Witness::Trace(trace) => Witness::Trace(as_far_as_known(whole, cone, &trace)),
            Witness::Prefix(trace) => Witness::Prefix(as_far_as_known(whole, cone, &trace)),
            other => other,
        })
    }
}

impl Lift for Quantity {
    fn lift(self, _: &TransitionSystem, _: &ConeOfInfluence) -> Option<Quantity> {
        Some(self)
    }
}

impl Lift for () {
    fn lift(self, _: &TransitionSystem, _: &ConeOfInfluence) -> Option<()> {
        Some(())
    }
}

/// An execution of the whole model that does what one of a part does, or the values of the part alone if the rest takes too
/// long to come round.
pub(super) fn as_far_as_known(whole: &TransitionSystem, cone: &ConeOfInfluence, trace: &Trace) -> Trace {
    match reduction::lift(cone, whole, trace) {
        Ok(lifted) => lifted.trace.folded(),
        Err(NotLifted::TooLong { known }) => known,
        Err(_) => cone.cone().project(trace),
    }
}

/// An execution of the whole model that does what one of a part does; nothing if the rest takes too long to come round.
fn lifted(whole: &TransitionSystem, cone: &ConeOfInfluence, trace: &Trace) -> Option<Trace> {
    reduction::lift(cone, whole, trace).ok().map(|lifted| lifted.trace.folded())
}
