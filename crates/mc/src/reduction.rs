//! Reductions: smaller systems that stand for a larger one, and the way back.
//!
//! A reduction says which answers about its system are answers about the whole one. A proof carries over if the reduction
//! preserves it. A witness is lifted: from an execution of the reduced system to one of the whole system. [`lift`] is the
//! only place where lifted executions are replayed. A reduction that promises executions and breaks its promise is a bug,
//! and panics; an over-approximation promises none, and its spurious executions are dropped.
//!
//! | reduction | a witness carries over | a proof carries over |
//! |---|---|---|
//! | cone of influence | always, unless its loop gets too long | always |
//! | finite focus | up to the last state in focus | if it was made with everything possible outside of the focus |
//! | quantization, free inputs | always | if the query cannot tell a value from its representative |
//! | quantization, limited changes; over-approximation | if it can be concretized | the same, and the query is about all executions |
//!
//! Reductions are stacked: [`lift_through`] and [`project_through`] go through several.

mod cone;

pub use cone::ConeOfInfluence;

use crate::answer::{Proof, Reason};
use crate::query::Query;
use specwright_model::interp::{EvalReason, TraceError, TraceFault, check_trace, unfair};
use specwright_model::{Trace, TransitionSystem};
use std::sync::Arc;

/// A smaller system that stands for a larger one.
pub trait Reduction {
    /// The reduced system.
    fn system(&self) -> &TransitionSystem;

    /// A query about the whole system as one about the reduced system.
    fn map_query(&self, query: Query) -> Query {
        query
    }

    /// Whether lifted traces are executions of the whole system, without a doubt.
    fn promises_executions(&self) -> bool {
        true
    }

    /// Whether what was proved of a query on the reduced system is so on the whole one.
    fn preserves(&self, whole: &TransitionSystem, query: Query, proof: &Proof) -> bool;

    /// An execution of the reduced system as one of the whole system. Callers use [`lift`], which replays it.
    fn lift(&self, whole: &TransitionSystem, trace: &Trace) -> Result<Lifted, NotLifted>;

    /// An execution of the whole system as one of the reduced system.
    fn project(&self, trace: &Trace) -> Trace;
}

/// An execution of the whole system, made from one of a reduced system.
#[derive(Clone, Debug)]
pub struct Lifted {
    /// The execution.
    pub trace: Trace,
    /// For each of its states, the state of the reduced execution that it is the first image of, if any.
    pub origins: Vec<Option<usize>>,
    /// How much of the reduced execution it shows.
    pub extent: Extent,
}

/// How a lifted execution relates to the reduced one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Extent {
    /// It does the same.
    Same,
    /// It does the same up to its end, which comes earlier.
    Prefix,
    /// It has further states between those of the reduced execution.
    Detour,
}

/// Why an execution of a reduced system has no execution of the whole one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotLifted {
    /// The part outside of the cone takes too long to come round. The values in the cone are known.
    TooLong {
        /// The execution with the values in the cone alone.
        known: Trace,
    },
    /// It leaves the finite focus in its first state.
    OutsideFocus,
    /// It needs numbers of more than 64 bits.
    TooLarge,
    /// It exists in the over-approximation only, or could not be concretized.
    Spurious,
}

impl NotLifted {
    /// Why the query is undecided then; none if another search may decide it.
    pub fn reason(&self) -> Option<Reason> {
        match self {
            NotLifted::TooLong { .. } => Some(Reason::LoopTooLong),
            NotLifted::OutsideFocus => Some(Reason::OutsideFocus { reached: false }),
            NotLifted::TooLarge => Some(Reason::TooLarge),
            NotLifted::Spurious => None,
        }
    }
}

/// Lifts an execution of a reduced system to the whole one, and replays it there.
///
/// # Panics
///
/// If the reduction promises an execution and the interpreter rejects it.
pub fn lift(reduction: &dyn Reduction, whole: &TransitionSystem, trace: &Trace) -> Result<Lifted, NotLifted> {
    let lifted = reduction.lift(whole, trace)?;
    // CTL takes no notice of compassion, so a witness may be unfair from the start.
    let stays_fair = || unfair(whole, &lifted.trace).is_none() || unfair(reduction.system(), trace).is_some();
    let error = match check_trace(whole, &lifted.trace) {
        Ok(()) if stays_fair() => return Ok(lifted),
        Ok(()) => "its loop is unfair".to_owned(),
        // A reduced system need not compute the numbers that it has no use for.
        Err(error) if overflows(&error) => return Err(NotLifted::TooLarge),
        Err(error) => error.describe(whole),
    };
    assert!(
        !reduction.promises_executions(),
        "an execution of a reduced system became one that the interpreter rejects: {error}\n{:?}",
        lifted.trace
    );
    Err(NotLifted::Spurious)
}

fn overflows(error: &TraceError) -> bool {
    matches!(&error.fault, TraceFault::Undefined(error, _) if error.reason == EvalReason::Overflow)
}

/// Lifts an execution through a stack of reductions, the first of which reduces the whole system.
pub fn lift_through(
    reductions: &[Arc<dyn Reduction>],
    whole: &TransitionSystem,
    trace: &Trace,
) -> Result<Lifted, NotLifted> {
    let origins = (0..trace.states.len()).map(Some).collect();
    let mut lifted = Lifted { trace: trace.clone(), origins, extent: Extent::Same };
    for (at, reduction) in reductions.iter().enumerate().rev() {
        let outer = at.checked_sub(1).map_or(whole, |outer| reductions[outer].system());
        let next = lift(&**reduction, outer, &lifted.trace)?;
        let origins = next.origins.iter().map(|origin| origin.and_then(|origin| lifted.origins[origin])).collect();
        lifted = Lifted { trace: next.trace, origins, extent: lifted.extent.max(next.extent) };
    }
    Ok(lifted)
}

/// Projects an execution of the whole system through a stack of reductions.
#[must_use]
pub fn project_through(reductions: &[Arc<dyn Reduction>], trace: &Trace) -> Trace {
    reductions.iter().fold(trace.clone(), |trace, reduction| reduction.project(&trace))
}
