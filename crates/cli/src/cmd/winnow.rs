//! What is left out of a score, for every command that winnows.

use crate::args::{SamenessName, WinnowName};
use crate::console::{self, Console};
use specwright_mc::Symbolic;
use specwright_model::Trace;
use specwright_testgen::goal::Goal;
use specwright_testgen::winnow::{self, Which, Winnower, Winnowing};

/// Which goals are not to count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    pub consistent: bool,
    pub others: Which,
}

/// What the names stand for.
pub fn which(names: &[WinnowName]) -> Wanted {
    let mut wanted = Wanted::default();
    for name in names {
        let all = *name == WinnowName::All;
        wanted.consistent |= all || *name == WinnowName::Consistent;
        wanted.others.trivial |= all || *name == WinnowName::Trivial;
        wanted.others.duplicates |= all || *name == WinnowName::Duplicates;
        wanted.others.subsumed |= all || *name == WinnowName::Subsumed;
    }
    wanted
}

/// Winnows goals that can be reached; executions that are known save questions.
pub fn winnow(
    console: &Console,
    engine: &mut Symbolic,
    goals: &[Goal],
    feasible: &[usize],
    known: &[Trace],
    wanted: Wanted,
    sameness: SamenessName,
) -> Winnowing {
    let (sameness, ends) = sameness.meaning();
    let mut winnower = Winnower::new(engine, goals, ends);
    for trace in known {
        winnower.record(trace);
    }
    let mut progress = console.progress(feasible.len());
    let found = winnow::winnow(&mut winnower, feasible, wanted.others, sameness, &mut |what, done| {
        progress.at(done, what);
        !console::interrupted()
    });
    progress.finish();
    found
}
