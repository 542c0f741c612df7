//! What an existing suite is adequate for, as section 2 of the paper defines it.

use super::analyse::Analysis;
use super::cover::{Candidate, cover};
use super::tests::{Goal, Kind};
use crate::grade::Bits;
use crate::suite::{Expect, Fit, Misfit, Suite, Test, fit};
use specwright_mc::{Danger, Symbolic};
use specwright_model::interp::{TraceError, TraceFault};
use specwright_model::model::VarKind;
use specwright_model::{Model, State};

/// What a suite is adequate for.
pub struct Adequacy {
    /// All goals: of every dangerous mutant, property and danger that was asked for. Where the machine is stuck after all
    /// dangerous traces, there is nothing to pass.
    pub goals: Vec<Goal>,
    /// The goals that some test covers.
    pub covered: Bits,
    /// Tests that are not what they claim to be, by their index, and why. They count for nothing.
    pub misfits: Vec<(usize, Misfit)>,
}

impl Adequacy {
    /// How many goals of a property, a danger and a kind are covered, and how many there are.
    pub fn share(&self, property: usize, danger: Danger, kind: Kind) -> (usize, usize) {
        let wanted = |goal: &Goal| goal.property == property && goal.danger == danger && goal.kind == kind;
        let goals = self.goals.iter().enumerate().filter(|(_, goal)| wanted(goal));
        goals.fold((0, 0), |(n, all), (index, _)| (n + usize::from(self.covered.contains(index)), all + 1))
    }

    /// The goals that no test covers.
    pub fn missed(&self) -> impl Iterator<Item = &Goal> {
        self.goals.iter().enumerate().filter(|(index, _)| !self.covered.contains(*index)).map(|(_, goal)| goal)
    }
}

/// What a suite is adequate for: which dangerous mutants have a dangerous trace as a prefix of a test, which of them
/// with a step of the machine behind it, and which with a violation.
pub fn recognise(engine: &mut Symbolic, analysis: &Analysis, dangers: &[Danger], suite: &Suite) -> Adequacy {
    let mut goals = Vec::new();
    for (mutant, found) in analysis.found.iter().enumerate() {
        for property in 0..analysis.invariants.len() {
            for danger in dangers.iter().copied().filter(|danger| found.has(property, *danger) == Some(true)) {
                let can_pass = match &found.dangers[property] {
                    // What nobody knows is not taken for impossible.
                    Ok(dangers) => engine.can_pass(dangers, danger).unwrap_or(true),
                    Err(_) => true,
                };
                let kinds = [Kind::Prefix, Kind::Passing, Kind::Failing].into_iter();
                let kinds = kinds.filter(|kind| *kind != Kind::Passing || can_pass);
                goals.extend(kinds.map(|kind| Goal { mutant, property, danger, kind }));
            }
        }
    }
    let (mut candidates, mut misfits) = (Vec::new(), Vec::new());
    for (index, test) in suite.tests.iter().enumerate() {
        match candidate(engine.model(), test) {
            Ok(candidate) => candidates.push(candidate),
            Err(misfit) => misfits.push((index, misfit)),
        }
    }
    let mut covered = Bits::new(goals.len());
    for test in cover(engine, analysis, &goals, &candidates) {
        covered.union_with(&test);
    }
    Adequacy { goals, covered, misfits }
}

fn candidate(model: &Model, test: &Test) -> Result<Candidate, Misfit> {
    match (fit(model, test)?, test.expect) {
        (Fit::Execution(trace), _) => Ok(Candidate { trace, departure: None }),
        (Fit::Rejected, Expect::Accept) => unreachable!("only tests to be rejected are"),
        (Fit::Rejected, Expect::Reject) => {
            // What the machine does not do cannot be filled in.
            let last = test.trace.states.len() - 1;
            for (index, state) in test.trace.states.iter().enumerate() {
                if let Some(var) = open(model, state, index == last) {
                    return Err(Misfit::Impossible(TraceError { state: index, fault: TraceFault::Missing(var) }));
                }
            }
            match test.rejected_at() {
                Some(departure @ 1..) => Ok(Candidate { trace: test.trace.clone(), departure: Some(departure) }),
                // An initial state that is none: nothing of it is an execution.
                _ => Err(Misfit::NoSuch { state: 0, conflict: None }),
            }
        }
    }
}

/// A variable that has no value although it should.
fn open(model: &Model, state: &State, is_last: bool) -> Option<specwright_model::VarId> {
    let must = |kind| !(is_last && kind == VarKind::Input);
    model.vars().find(|(id, var)| must(var.kind) && state.get(*id).is_none()).map(|(id, _)| id)
}
