//! Goals that a suite does not reach: whether another test reaches them, and which one.

use super::grader::Grader;
use super::matrix::Bits;
use super::program::Quantifiers;
use crate::goal::Goal;
use crate::suite::{Suite, Test, model_hash};
use specwright_engine::bdd::Limit;
use specwright_engine::{Engine, Pursuit, Reason};
use specwright_model::{Model, Trace};

/// The result for a goal under a suite.
#[derive(Clone, Debug)]
pub enum Fate {
    /// A test reaches it.
    Reached,
    /// No test reaches it, but this one would, if known.
    Missed(Option<Trace>),
    /// No execution reaches it: the mutant is consistent, the predicate unreachable.
    Infeasible,
    /// The property is false, but no single execution shows that.
    Nonfalsifiable,
    /// A reachable state requires its step, but the updates are inconsistent; this execution leads there. No execution
    /// reaches the goal.
    Inconsistent(Trace),
    /// Undecided. It counts as not reached.
    Unknown(Reason),
}

/// The result for every goal; an engine decides the goals that no test reaches.
///
/// On a single path `E` and `A` agree, so a goal that is reached only in that reading may be infeasible; the engine
/// decides these goals, too. Goals other than those `wanted` are not examined. After each query, `observe` gets the
/// number of queries and returns whether to go on; if not, the remaining goals are undecided.
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

/// The goals that no test can reach. A single path may seem to reach one, as it cannot distinguish `E` from `A`: such
/// goals count neither in a score nor as a reason to keep a test.
pub fn unreachable(fates: &[Fate]) -> Bits {
    let mut goals = Bits::new(fates.len());
    for (goal, fate) in fates.iter().enumerate() {
        if matches!(fate, Fate::Infeasible | Fate::Nonfalsifiable) {
            goals.insert(goal);
        }
    }
    goals
}

/// As [`fates`], without an engine: goals that are not reached are undecided because of this limit.
pub fn unknown_fates(reached: &Bits, limit: Limit) -> Vec<Fate> {
    (0..reached.limit()).map(|index| unknown(reached, index, limit)).collect()
}

fn unknown(reached: &Bits, index: usize, limit: Limit) -> Fate {
    if reached.contains(index) { Fate::Reached } else { Fate::Unknown(Reason::Limit(limit)) }
}

/// As [`fates`], without any queries.
pub fn unasked_fates(reached: &Bits) -> Vec<Fate> {
    (0..reached.limit()).map(|index| unasked(reached, index)).collect()
}

fn unasked(reached: &Bits, index: usize) -> Fate {
    if reached.contains(index) { Fate::Reached } else { Fate::Missed(None) }
}

/// Tests for the missed goals; each is chosen for the goals that the previous ones leave.
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
