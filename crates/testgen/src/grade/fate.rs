//! What becomes of the goals that a suite does not reach: whether any test could, and which one.

use super::grader::Grader;
use super::matrix::Bits;
use super::program::Quantifiers;
use crate::goal::Goal;
use crate::suite::{Suite, Test};
use specwright_engine::bdd::Limit;
use specwright_engine::{Engine, Pursuit, Reason};
use specwright_model::hash::model_hash;
use specwright_model::{Model, Trace};

/// What becomes of a goal under a suite.
#[derive(Clone, Debug)]
pub enum Fate {
    /// A test reaches it.
    Reached,
    /// No test reaches it, but this one would, if it is known.
    Missed(Option<Trace>),
    /// No execution reaches it: the mutant is consistent, the predicate unreachable.
    Infeasible,
    /// It is false, but no single execution shows that.
    Nonfalsifiable,
    /// A state is reached that calls for it, but its updates contradict each other: this execution leads there. No
    /// execution does it.
    Inconsistent(Trace),
    /// Nobody knows. It counts as not reached.
    Unknown(Reason),
}

/// What becomes of every goal, by asking an engine for the model about each goal that no test reaches.
///
/// Goals that are reached by what one path says of `E` and `A` need not be feasible, so the engine is asked about
/// those too that are reached, but not in branching time. Others than those that are `wanted` are left as they are. After each
/// question, `observe` is told how many were asked, and says whether to go on; if not, nobody knows about the rest.
pub fn fates(
    engine: &mut Engine,
    goals: &[Goal],
    reached: &Bits,
    surely_reached: &Bits,
    wanted: &dyn Fn(usize) -> bool,
    observe: &mut dyn FnMut(usize) -> bool,
) -> Vec<Fate> {
    let (mut n_asked, mut goes_on) = (0, true);
    let fate = |(index, goal): (usize, &Goal)| {
        if surely_reached.contains(index) {
            return Fate::Reached;
        }
        if !wanted(index) {
            return unasked(reached, index);
        }
        if !goes_on {
            return unknown(reached, index, Limit::Interrupted);
        }
        let pursuit = goal.target.pursue(engine);
        n_asked += 1;
        goes_on = observe(n_asked);
        match pursuit {
            Pursuit::Infeasible if goal.is_guess() => Fate::Unknown(Reason::Limit(Limit::Steps)),
            Pursuit::Infeasible => match goal.is_stopped(engine) {
                Pursuit::Found(trace) => Fate::Inconsistent(trace),
                Pursuit::Unknown(reason) => Fate::Unknown(reason),
                _ => Fate::Infeasible,
            },
            Pursuit::Nonfalsifiable => Fate::Nonfalsifiable,
            _ if reached.contains(index) => Fate::Reached,
            Pursuit::Found(trace) => Fate::Missed(Some(trace)),
            Pursuit::Unknown(reason) => Fate::Unknown(reason),
        }
    };
    goals.iter().enumerate().map(fate).collect()
}

/// The goals that no test can reach. A path may seem to reach one all the same, as it cannot tell `E` from `A`: that
/// counts nowhere, neither in a score nor as a reason to keep a test.
pub fn unreachable(fates: &[Fate]) -> Bits {
    let mut goals = Bits::new(fates.len());
    for (goal, fate) in fates.iter().enumerate() {
        if matches!(fate, Fate::Infeasible | Fate::Nonfalsifiable) {
            goals.insert(goal);
        }
    }
    goals
}

/// The same where a limit leaves nobody to ask.
pub fn unknown_fates(reached: &Bits, limit: Limit) -> Vec<Fate> {
    (0..reached.limit()).map(|index| unknown(reached, index, limit)).collect()
}

fn unknown(reached: &Bits, index: usize, limit: Limit) -> Fate {
    if reached.contains(index) { Fate::Reached } else { Fate::Unknown(Reason::Limit(limit)) }
}

/// The same without any questions.
pub fn unasked_fates(reached: &Bits) -> Vec<Fate> {
    (0..reached.limit()).map(|index| unasked(reached, index)).collect()
}

fn unasked(reached: &Bits, index: usize) -> Fate {
    if reached.contains(index) { Fate::Reached } else { Fate::Missed(None) }
}

/// Tests for the goals that are missed, few because each goes for what those before it leave.
pub fn suggest(model: &Model, goals: &[Goal], fates: &[Fate]) -> Suite {
    let missed: Vec<(usize, &Trace)> = fates
        .iter()
        .enumerate()
        .filter_map(|(index, fate)| match fate {
            Fate::Missed(Some(trace)) => Some((index, trace)),
            _ => None,
        })
        .collect();
    let targets = missed.iter().map(|(index, _)| goals[*index].target);
    let mut grader = Grader::new(model, targets, Quantifiers::Path);
    let mut left: Vec<bool> = vec![true; missed.len()];
    let mut tests: Vec<Test> = Vec::new();
    for (place, (_, trace)) in missed.iter().enumerate() {
        if !left[place] {
            continue;
        }
        let mut test = Test::new(format!("suggested-{}", tests.len() + 1), (*trace).clone());
        let mut reached = grader.reached(model, trace);
        reached.insert(place);
        for place in reached.iter() {
            left[place] = false;
            test.goals.push(goals[missed[place].0].id.clone());
        }
        tests.push(test);
    }
    Suite { model: model.name.clone(), model_hash: Some(model_hash(model)), tests, goals: None }
}
