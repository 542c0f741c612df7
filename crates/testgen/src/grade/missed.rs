//! What becomes of the goals that a suite does not reach: whether any test could, and which one.

use super::grader::Grader;
use super::matrix::Bits;
use super::program::Quantifiers;
use crate::generate::name_tests;
use crate::goal::Goal;
use crate::suite::{Suite, Test};
use specwright_mc::bdd::Limit;
use specwright_mc::{Answer, Budget, Proof, Reason, Search};
use specwright_model::hash::model_hash;
use specwright_model::{Model, Trace};

/// What a suite does about a goal.
#[derive(Clone, Debug)]
pub enum GoalGrade {
    /// A test reaches it.
    Reached,
    /// No test reaches it. The answer says whether any could, if that was asked; an undecided goal counts as not reached.
    Missed(Option<Answer<Trace>>),
}

impl GoalGrade {
    /// The proof that no execution reaches the goal, if there is one.
    pub fn proof(&self) -> Option<&Proof> {
        match self {
            GoalGrade::Missed(Some(Answer::Impossible(proof))) => Some(proof),
            _ => None,
        }
    }

    /// Whether it is proved that no execution reaches the goal, and nothing is wrong with the specification there.
    pub fn is_impossible(&self) -> bool {
        matches!(self.proof(), Some(Proof::Infeasible | Proof::Nonfalsifiable | Proof::Conforming | Proof::Equivalent))
    }

    /// Whether it was asked and not found out whether an execution reaches the goal.
    pub fn is_undecided(&self) -> bool {
        matches!(self, GoalGrade::Missed(Some(Answer::Undecided(_)))) && !self.is_possible()
    }

    /// Whether it is a mutant of the machine that tests kill in some of its runs only.
    pub fn is_possible(&self) -> bool {
        matches!(self, GoalGrade::Missed(Some(Answer::Undecided(Reason::PossibleKill))))
    }
}

/// The grade of every goal, by asking an engine for the model about each goal that no test reaches.
///
/// Goals that are reached by what one path says of `E` and `A` need not be feasible, so the engine is asked about
/// those too that are reached, but not in branching time. Only `wanted` goals are asked about. After each question, `observe`
/// is told how many were asked, and says whether to go on; if not, the rest is undecided.
pub fn goal_grades(
    search: &mut dyn Search,
    goals: &[Goal],
    reached: &Bits,
    surely_reached: &Bits,
    wanted: &dyn Fn(usize) -> bool,
    budget: &Budget,
    observe: &mut dyn FnMut(usize) -> bool,
) -> Vec<GoalGrade> {
    let (mut n_asked, mut goes_on) = (0, true);
    let grade = |(index, goal): (usize, &Goal)| {
        if surely_reached.contains(index) {
            return GoalGrade::Reached;
        }
        // Mutants of the machine are graded apart.
        if !wanted(index) || goal.mutant.is_some() {
            return unasked(reached, index);
        }
        if !goes_on {
            return undecided(reached, index, Limit::Interrupted);
        }
        let answer = search.answer(goal.target, budget);
        let is_feasible = !answer.is_impossible();
        n_asked += 1;
        goes_on = observe(n_asked);
        match goal.settle(search, answer, budget) {
            _ if is_feasible && reached.contains(index) => GoalGrade::Reached,
            answer => GoalGrade::Missed(Some(answer)),
        }
    };
    goals.iter().enumerate().map(grade).collect()
}

/// The goals that no test can reach. A path may seem to reach one all the same, as it cannot tell `E` from `A`: that
/// counts nowhere, neither in a score nor as a reason to keep a test.
pub fn unreachable(grades: &[GoalGrade]) -> Bits {
    let mut goals = Bits::new(grades.len());
    for (goal, grade) in grades.iter().enumerate() {
        if grade.is_impossible() {
            goals.insert(goal);
        }
    }
    goals
}

/// As [`goal_grades`], where a limit leaves no engine to ask.
pub fn undecided_grades(reached: &Bits, limit: Limit) -> Vec<GoalGrade> {
    (0..reached.limit()).map(|index| undecided(reached, index, limit)).collect()
}

fn undecided(reached: &Bits, index: usize, limit: Limit) -> GoalGrade {
    if reached.contains(index) {
        GoalGrade::Reached
    } else {
        GoalGrade::Missed(Some(Answer::Undecided(Reason::Limit(limit))))
    }
}

/// As [`goal_grades`], without any questions.
pub fn unasked_grades(reached: &Bits) -> Vec<GoalGrade> {
    (0..reached.limit()).map(|index| unasked(reached, index)).collect()
}

fn unasked(reached: &Bits, index: usize) -> GoalGrade {
    if reached.contains(index) { GoalGrade::Reached } else { GoalGrade::Missed(None) }
}

/// Tests for the goals that are missed, few because each goes for what those before it leave.
pub fn suggest(model: &Model, goals: &[Goal], grades: &[GoalGrade]) -> Suite {
    let missed: Vec<(usize, &Trace)> = grades
        .iter()
        .enumerate()
        .filter_map(|(index, grade)| match grade {
            GoalGrade::Missed(Some(Answer::Found(trace))) => Some((index, trace)),
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
    name_tests(model, goals, &mut tests);
    Suite { model: model.name.clone(), model_hash: Some(model_hash(model)), tests, goals: None }
}
