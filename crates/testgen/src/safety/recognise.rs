//! Adequacy of an existing suite, as defined in section 2 of the paper.

use super::analyse::Analysis;
use super::cover::{Candidate, cover};
use super::tests::{Goal, Kind};
use crate::grade::Bits;
use crate::suite::{Expect, Invalid, Suite, Test, Validated, validate};
use specwright_mc::{Danger, Symbolic};
use specwright_model::interp::{TraceError, TraceFault};
use specwright_model::model::VarKind;
use specwright_model::{State, TransitionSystem};

/// The adequacy of a suite.
pub struct Adequacy {
    /// All goals: of every dangerous mutant, property and selected danger. If the machine has a deadlock after all
    /// dangerous traces, there is no goal of a passing test.
    pub goals: Vec<Goal>,
    /// The covered goals.
    pub covered: Bits,
    /// Invalid tests, by index, with reasons. They are ignored.
    pub invalid_tests: Vec<(usize, Invalid)>,
}

impl Adequacy {
    /// The numbers of covered goals and of all goals of a property, a danger and a kind.
    pub fn share(&self, property: usize, danger: Danger, kind: Kind) -> (usize, usize) {
        let wanted = |goal: &Goal| goal.property == property && goal.danger == danger && goal.kind == kind;
        let goals = self.goals.iter().enumerate().filter(|(_, goal)| wanted(goal));
        goals.fold((0, 0), |(n, all), (index, _)| (n + usize::from(self.covered.contains(index)), all + 1))
    }

    /// The uncovered goals.
    pub fn missed(&self) -> impl Iterator<Item = &Goal> {
        self.goals.iter().enumerate().filter(|(index, _)| !self.covered.contains(*index)).map(|(_, goal)| goal)
    }
}

/// The dangerous mutants for which a test has a dangerous trace as a prefix, with a step of the machine after it, or
/// with a violation.
pub fn recognise(engine: &mut Symbolic, analysis: &Analysis, dangers: &[Danger], suite: &Suite) -> Adequacy {
    let mut goals = Vec::new();
    for (mutant, found) in analysis.found.iter().enumerate() {
        for property in 0..analysis.invariants.len() {
            for danger in dangers.iter().copied().filter(|danger| found.has(property, *danger) == Some(true)) {
                let can_pass = match &found.dangers[property] {
                    // Undecided is not infeasible.
                    Ok(Some(dangers)) => engine.can_pass(dangers, danger).unwrap_or(true),
                    Ok(None) => false,
                    Err(_) => true,
                };
                let kinds = [Kind::Prefix, Kind::Passing, Kind::Failing].into_iter();
                let kinds = kinds.filter(|kind| *kind != Kind::Passing || can_pass);
                goals.extend(kinds.map(|kind| Goal { mutant, property, danger, kind }));
            }
        }
    }
    let (mut candidates, mut invalid_tests) = (Vec::new(), Vec::new());
    for (index, test) in suite.tests.iter().enumerate() {
        match candidate(engine.system(), test) {
            Ok(candidate) => candidates.push(candidate),
            Err(invalid) => invalid_tests.push((index, invalid)),
        }
    }
    let mut covered = Bits::new(goals.len());
    for test in cover(engine, analysis, &goals, &candidates) {
        covered.union_with(&test);
    }
    Adequacy { goals, covered, invalid_tests }
}

fn candidate(model: &TransitionSystem, test: &Test) -> Result<Candidate, Invalid> {
    match (validate(model, test)?, test.expect) {
        (Validated::Execution(trace), _) => Ok(Candidate { trace, departure: None }),
        (Validated::Rejected, Expect::Accept) => unreachable!("only tests to be rejected are"),
        (Validated::Rejected, Expect::Reject) => {
            // States that are no execution cannot be completed.
            let last = test.trace.states.len() - 1;
            for (index, state) in test.trace.states.iter().enumerate() {
                if let Some(var) = open(model, state, index == last) {
                    return Err(Invalid::Impossible(TraceError { state: index, fault: TraceFault::Missing(var) }));
                }
            }
            match test.rejected_at() {
                Some(departure @ 1..) => Ok(Candidate { trace: test.trace.clone(), departure: Some(departure) }),
                // The first state is not initial: no prefix is an execution.
                _ => Err(Invalid::NoSuch { state: 0, conflict: None }),
            }
        }
    }
}

/// A variable without a value that should have one.
fn open(model: &TransitionSystem, state: &State, is_last: bool) -> Option<specwright_model::VarId> {
    let must = |kind| !(is_last && kind == VarKind::Input);
    model.vars().find(|(id, var)| must(var.kind) && state.get(*id).is_none()).map(|(id, _)| id)
}
