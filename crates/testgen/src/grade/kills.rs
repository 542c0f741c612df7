//! Which tests kill which mutants of the machine: the mutants execute the tests, and the outputs are compared.

use super::matrix::{Bits, Matrix};
use super::missed::GoalGrade;
use crate::generate::kill::{COMPARED, EXECUTED};
use crate::goal::{Goal, MachineMutant};
use crate::suite::{Suite, Validated, validate};
use specwright_mc::{Answer, Budget, Certainty, Kill, Observer, Reason, Search, Tester, apply};
use specwright_model::{Trace, TransitionSystem};
use std::sync::Arc;

/// Adds to a matrix the mutants of the machine that each test kills certainly. Returns the mutants that tests kill possibly
/// and none kills certainly.
pub fn add_kills(model: &TransitionSystem, goals: &[Goal], suite: &Suite, matrix: &mut Matrix) -> Bits {
    let mut possible = Bits::new(goals.len());
    let Some(observer) = observer(goals) else { return possible };
    let execution = |(index, test)| match validate(model, test) {
        Ok(Validated::Execution(trace)) => Some((index, trace)),
        _ => None,
    };
    let (tests, traces): (Vec<usize>, Vec<Trace>) = suite.tests.iter().enumerate().filter_map(execution).unzip();
    let mut tester = Tester::new(model, &observer, EXECUTED);
    for (index, goal) in goals.iter().enumerate() {
        let Some(MachineMutant { changes, .. }) = &goal.mutant else { continue };
        model.budget.look();
        let Ok(kills) = tester.judge(&traces, &apply(model, changes), false) else { continue };
        if !kills.contains(&Some(Certainty::Certain)) && kills.contains(&Some(Certainty::Possible)) {
            possible.insert(index);
        }
        let certain = tests.iter().zip(&kills).filter(|(_, kill)| **kill == Some(Certainty::Certain));
        certain.for_each(|(test, _)| matrix.insert(*test, index));
    }
    possible
}

/// The grades of the mutants of the machine that no test kills certainly: whether a test could, if that is `wanted`. All
/// other grades stay. After each question, `observe` is told how many were asked, and says whether to go on.
pub fn grade_mutants(
    search: &mut dyn Search,
    goals: &[Goal],
    (reached, possible): (&Bits, &Bits),
    wanted: &dyn Fn(usize) -> bool,
    grades: &mut [GoalGrade],
    budget: &Budget,
    observe: &mut dyn FnMut(usize) -> bool,
) {
    let Some(observer) = observer(goals) else { return };
    let model = search.system().clone();
    let mut tester = Tester::new(&model, &observer, COMPARED);
    let mut goes_on = true;
    for (n_asked, (index, goal)) in goals.iter().enumerate().enumerate() {
        let Some(MachineMutant { changes, .. }) = &goal.mutant else { continue };
        grades[index] = if reached.contains(index) {
            GoalGrade::Reached
        } else if !wanted(index) {
            GoalGrade::Missed(None)
        } else if !goes_on {
            GoalGrade::Missed(Some(Answer::INTERRUPTED))
        } else {
            let mut answer = tester.compare(&apply(&model, changes));
            if let (Answer::Undecided(Reason::Limit(_)), Some(engine)) = (&answer, search.comparing()) {
                answer = engine.compare(&observer, changes, budget);
            }
            goes_on = observe(n_asked + 1);
            GoalGrade::Missed(Some(match answer {
                Answer::Found(Kill { certainty: Certainty::Possible, .. }) if possible.contains(index) => {
                    Answer::Undecided(Reason::PossibleKill)
                }
                Answer::Undecided(_) if possible.contains(index) => Answer::Undecided(Reason::PossibleKill),
                answer => answer.map(|kill| kill.trace),
            }))
        };
    }
}

/// What a tester of the mutants sets and sees; nothing if there are none.
fn observer(goals: &[Goal]) -> Option<Arc<Observer>> {
    goals.iter().find_map(|goal| goal.mutant.as_ref()).map(|mutant| mutant.observer.clone())
}
