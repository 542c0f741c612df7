//! Which goals do not count.

use crate::events::Events;
use crate::limits::Limits;
use specwright_mc::{Ends, Symbolic};
use specwright_model::Trace;
use specwright_testgen::goal::Goal;
use specwright_testgen::winnow::{self, Sameness, Winnower, Winnowing};
pub use specwright_testgen::winnow::{Distribution, Which};

/// A kind of goals that do not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Winnow {
    /// Those that no test can reach.
    Consistent,
    /// Those that every execution reaches.
    Trivial,
    /// All but one of those that say the same.
    Duplicates,
    /// Those that are reached whenever another one is.
    Subsumed,
    /// All of these.
    All,
    /// None of them.
    None,
}

/// When two goals say the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Duplicates {
    /// Every path that goes on for long enough reaches both or neither.
    #[default]
    Paths,
    /// Every test reaches both or neither, wherever it ends.
    Tests,
    /// They are reached in the same states: `AG (m1 <-> m2)`, as in the literature.
    Branching,
}

impl Duplicates {
    /// What is the same, and where paths may end on which that is judged.
    pub fn meaning(self) -> (Sameness, Ends) {
        match self {
            Duplicates::Paths => (Sameness::Paths, Ends::Nowhere),
            Duplicates::Tests => (Sameness::Paths, Ends::Anywhere),
            Duplicates::Branching => (Sameness::Branching, Ends::Nowhere),
        }
    }
}

/// Which goals are not to count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Those that no test can reach.
    pub consistent: bool,
    /// Those that tell nothing new.
    pub others: Which,
}

/// What the names stand for.
pub(crate) fn which(names: &[Winnow]) -> Wanted {
    let mut wanted = Wanted::default();
    for name in names {
        let all = *name == Winnow::All;
        wanted.consistent |= all || *name == Winnow::Consistent;
        wanted.others.trivial |= all || *name == Winnow::Trivial;
        wanted.others.duplicates |= all || *name == Winnow::Duplicates;
        wanted.others.subsumed |= all || *name == Winnow::Subsumed;
    }
    wanted
}

/// Winnows goals that can be reached; executions that are known save questions.
pub(crate) fn winnow(
    events: &dyn Events,
    limits: &Limits,
    engine: &mut Symbolic,
    goals: &[Goal],
    feasible: &[usize],
    known: &[Trace],
    (wanted, sameness): (Which, Duplicates),
) -> Winnowing {
    let (sameness, ends) = sameness.meaning();
    let mut winnower = Winnower::new(engine, goals, ends);
    for trace in known {
        winnower.record(trace);
    }
    let mut progress = events.progress(feasible.len());
    let found = winnow::winnow(&mut winnower, feasible, wanted, sameness, &mut |what, done| {
        progress.at(done, what);
        !limits.is_cancelled()
    });
    progress.finish();
    found
}
