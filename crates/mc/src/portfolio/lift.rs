//! Witnesses of a part of a model as witnesses of the whole.

use crate::answer::Witness;
use crate::symbolic::check::Quantity;
use specwright_model::cone::Cone;
use specwright_model::interp::check_trace;
use specwright_model::{Trace, TransitionSystem};

/// What an answer carries.
pub(super) trait Lift: Sized {
    /// The same for the whole model; nothing if it cannot be said.
    fn lift(self, whole: &TransitionSystem, cone: &Cone) -> Option<Self>;
}

impl Lift for Trace {
    fn lift(self, whole: &TransitionSystem, cone: &Cone) -> Option<Trace> {
        lifted(whole, cone, &self)
    }
}

impl Lift for Witness {
    fn lift(self, whole: &TransitionSystem, cone: &Cone) -> Option<Witness> {
        Some(match self {
            Witness::Trace(trace) => Witness::Trace(as_far_as_known(whole, cone, &trace)),
            Witness::Prefix(trace) => Witness::Prefix(as_far_as_known(whole, cone, &trace)),
            other => other,
        })
    }
}

impl Lift for Quantity {
    fn lift(self, _: &TransitionSystem, _: &Cone) -> Option<Quantity> {
        Some(self)
    }
}

impl Lift for () {
    fn lift(self, _: &TransitionSystem, _: &Cone) -> Option<()> {
        Some(())
    }
}

/// An execution of the whole model that does what one of a part does, or the values of the part alone if the rest takes too
/// long to come round.
pub(super) fn as_far_as_known(whole: &TransitionSystem, cone: &Cone, trace: &Trace) -> Trace {
    lifted(whole, cone, trace).unwrap_or_else(|| cone.project(trace))
}

/// An execution of the whole model that does what one of a part does; nothing if the rest takes too long to come round.
fn lifted(whole: &TransitionSystem, cone: &Cone, trace: &Trace) -> Option<Trace> {
    let trace = cone.lift(whole, trace)?.folded();
    if let Err(error) = check_trace(whole, &trace) {
        panic!("an execution of a part became one that the interpreter rejects: {}\n{trace:?}", error.describe(whole));
    }
    Some(trace)
}
