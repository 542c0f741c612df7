//! What becomes of the goals that a suite does not reach: whether any test could, and which one.

use super::grader::Grader;
use super::matrix::Bits;
use super::program::Quantifiers;
use crate::generate::name_tests;
use crate::goal::Goal;
use crate::suite::{Suite, Test};
use specwright_mc::bdd::Limit;
use specwright_mc::{Answer, Budget, Proof, Query, Reason, Search, Sink, answer_each};
use specwright_model::hash::model_hash;
use specwright_model::{Model, Trace};
use std::ops::ControlFlow;

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
    // Mutants of the machine are graded apart.
    let is_asked = |goal: &usize| wanted(*goal) && goals[*goal].mutant.is_none();
    let asked: Vec<usize> = (0..goals.len()).filter(|goal| !surely_reached.contains(*goal) && is_asked(goal)).collect();
    let queries: Vec<Query> = asked.iter().map(|goal| goals[*goal].target).collect();
    let mut answers = Answers { goals, asked: &asked, budget, settled: Vec::new(), observe };
    let _ = answer_each(search, &queries, budget, &mut answers);
    let mut answers = answers.settled.into_iter();
    let grade = |goal: usize| {
        if surely_reached.contains(goal) {
            return GoalGrade::Reached;
        }
        if !is_asked(&goal) {
            return unasked(reached, goal);
        }
        match answers.next() {
            None => undecided(reached, goal, Limit::Interrupted.into()),
            Some((true, _)) if reached.contains(goal) => GoalGrade::Reached,
            Some((_, answer)) => GoalGrade::Missed(Some(answer)),
        }
    };
    (0..goals.len()).map(grade).collect()
}

/// Takes the answers about goals that are asked for.
struct Answers<'a> {
    goals: &'a [Goal],
    asked: &'a [usize],
    budget: &'a Budget,
    /// Whether each goal may be feasible, and the settled answer.
    settled: Vec<(bool, Answer<Trace>)>,
    observe: &'a mut dyn FnMut(usize) -> bool,
}

impl Sink for Answers<'_> {
    fn is_open(&mut self, query: usize) -> bool {
        query >= self.settled.len()
    }

    fn answer(&mut self, search: &mut dyn Search, query: usize, answer: Answer<Trace>) -> ControlFlow<()> {
        let may_be_feasible = !answer.is_impossible();
        let settled = self.goals[self.asked[query]].settle(search, answer, self.budget);
        self.settled.push((may_be_feasible, settled));
        if (self.observe)(self.settled.len()) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
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

/// As [`goal_grades`], where there is no engine to ask, for this reason.
pub fn undecided_grades(reached: &Bits, reason: &Reason) -> Vec<GoalGrade> {
    (0..reached.limit()).map(|index| undecided(reached, index, reason.clone())).collect()
}

fn undecided(reached: &Bits, index: usize, reason: Reason) -> GoalGrade {
    if reached.contains(index) { GoalGrade::Reached } else { GoalGrade::Missed(Some(Answer::Undecided(reason))) }
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
