//! Answers about a part of a model as answers about the whole.

use crate::bdd::Limit;
use crate::check::{Evidence, Reason, Sanity, Verdict};
use crate::pursue::Pursuit;
use specwright_model::cone::Cone;
use specwright_model::interp::check_trace;
use specwright_model::{Model, Trace};

/// What an engine answers.
pub(super) trait Answer: Sized {
    /// The limit that stood against a proper answer.
    fn limit(&self) -> Option<Limit>;

    /// No answer.
    fn unknown(reason: Reason) -> Self;

    /// The same about the whole model; nothing if it cannot be said.
    fn carried_over(self, whole: &Model, cone: &Cone) -> Option<Self>;
}

impl Answer for Verdict {
    fn limit(&self) -> Option<Limit> {
        match self {
            Verdict::Unknown(Reason::Limit(limit)) => Some(*limit),
            _ => None,
        }
    }

    fn unknown(reason: Reason) -> Verdict {
        Verdict::Unknown(reason)
    }

    fn carried_over(self, whole: &Model, cone: &Cone) -> Option<Verdict> {
        let shown = |trace: &Trace| restored(whole, cone, trace).unwrap_or_else(|| cone.project(trace));
        Some(match self {
            Verdict::Fails(Evidence::Trace(trace)) => Verdict::Fails(Evidence::Trace(shown(&trace))),
            Verdict::Fails(Evidence::Prefix(trace)) => Verdict::Fails(Evidence::Prefix(shown(&trace))),
            other => other,
        })
    }
}

impl Answer for Result<bool, Reason> {
    fn limit(&self) -> Option<Limit> {
        match self {
            Err(Reason::Limit(limit)) => Some(*limit),
            _ => None,
        }
    }

    fn unknown(reason: Reason) -> Self {
        Err(reason)
    }

    fn carried_over(self, _: &Model, _: &Cone) -> Option<Self> {
        Some(self)
    }
}

impl Answer for Pursuit {
    fn limit(&self) -> Option<Limit> {
        match self {
            Pursuit::Unknown(Reason::Limit(limit)) => Some(*limit),
            _ => None,
        }
    }

    fn unknown(reason: Reason) -> Pursuit {
        Pursuit::Unknown(reason)
    }

    fn carried_over(self, whole: &Model, cone: &Cone) -> Option<Pursuit> {
        match self {
            Pursuit::Found(trace) => restored(whole, cone, &trace).map(Pursuit::Found),
            other => Some(other),
        }
    }
}

impl Answer for Sanity {
    fn limit(&self) -> Option<Limit> {
        self.is_partial.then_some(Limit::Steps)
    }

    fn unknown(_: Reason) -> Sanity {
        Sanity { is_partial: true, ..Sanity::default() }
    }

    fn carried_over(mut self, whole: &Model, cone: &Cone) -> Option<Sanity> {
        self.deadlock = self.deadlock.map(|way| restored(whole, cone, &way).unwrap_or_else(|| cone.project(&way)));
        Some(self)
    }
}

/// An execution of the whole model that does what one of a part does; nothing if the rest takes too long to come round.
fn restored(whole: &Model, cone: &Cone, trace: &Trace) -> Option<Trace> {
    let trace = cone.lift(whole, trace)?.folded();
    if let Err(error) = check_trace(whole, &trace) {
        panic!("an execution of a part became one that the interpreter rejects: {}\n{trace:?}", error.describe(whole));
    }
    Some(trace)
}
