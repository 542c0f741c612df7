//! Which tests kill which mutants of the machine: the mutants execute the tests, and the outputs are compared.

use super::infection::{Infections, effect};
use super::matrix::{Bits, Matrix};
use super::missed::GoalGrade;
use crate::goal::{Goal, MachineMutant};
use crate::policy::{COMPARED, EXECUTED, MAX_UNDECIDED, QUICK_EFFECT};
use specwright_mc::bdd::Limit;
use specwright_mc::{Answer, Budget, Certainty, Kill, Observer, Proof, Query, Reason, Search, Tester, apply};
use specwright_model::{ExprId, Trace, TransitionSystem};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Executes tests on mutants of one model. Tests are only added.
pub(crate) struct Executions<'m> {
    model: &'m TransitionSystem,
    mutants: Vec<MachineMutant>,
    tester: Tester<'m>,
    infections: Infections,
    tests: Vec<Trace>,
}

impl<'m> Executions<'m> {
    /// Executions of mutants, without a test.
    pub(crate) fn new(
        model: &'m TransitionSystem,
        observer: &'m Observer,
        mutants: Vec<MachineMutant>,
    ) -> Executions<'m> {
        let tester = Tester::new(model, observer, EXECUTED);
        let infections = Infections::new(model, &tester, &mutants);
        Executions { model, mutants, tester, infections, tests: Vec::new() }
    }

    /// Adds a test, which is an execution of the model.
    pub(crate) fn add(&mut self, test: &Trace) {
        self.infections.add(self.model, test);
        self.tests.push(test.clone());
    }

    /// The number of tests.
    pub(crate) fn n_tests(&self) -> usize {
        self.tests.len()
    }

    /// The tests that kill a mutant, each with how sure it does. If `enough`, tests after the first certain kill are not
    /// tried.
    pub(crate) fn kills(&mut self, mutant: usize, enough: bool) -> Result<Vec<(usize, Certainty)>, Reason> {
        let places = self.infections.tests(mutant);
        let traces = places.iter().map(|place| &self.tests[*place]);
        let kills = self.tester.judge(traces, &self.mutants[mutant].changes, enough)?;
        Ok(places.into_iter().zip(kills).filter_map(|(place, kill)| Some((place, kill?))).collect())
    }
}

/// Searches tests that kill mutants of the machine, for goals of one model.
pub struct KillSearch<'m> {
    comparison: Option<Comparison<'m>>,
}

impl<'m> KillSearch<'m> {
    /// A search for the goals of a model.
    pub fn new(model: &'m TransitionSystem, goals: &'m [Goal]) -> KillSearch<'m> {
        let observer = goals.iter().find_map(|goal| goal.mutant.as_ref()).map(|mutant| &*mutant.observer);
        KillSearch { comparison: observer.map(|observer| Comparison::new(model, observer)) }
    }

    /// A test that kills a mutant of one of the goals, or a proof that there is none.
    pub fn answer(&mut self, search: &mut dyn Search, mutant: &MachineMutant, budget: &Budget) -> Answer<Kill> {
        match &mut self.comparison {
            Some(comparison) => comparison.answer(search, mutant, budget),
            None => Answer::Undecided(Reason::Unsupported),
        }
    }
}

/// Searches tests that kill mutants of one model.
pub(crate) struct Comparison<'m> {
    model: &'m TransitionSystem,
    observer: &'m Observer,
    executor: Tester<'m>,
    searcher: Tester<'m>,
    /// The number of mutants in a row that the engine could not decide.
    n_undecided: usize,
}

impl<'m> Comparison<'m> {
    /// A comparison of mutants with their model.
    pub(crate) fn new(model: &'m TransitionSystem, observer: &'m Observer) -> Comparison<'m> {
        let (executor, searcher) = (Tester::new(model, observer, EXECUTED), Tester::new(model, observer, COMPARED));
        Comparison { model, observer, executor, searcher, n_undecided: 0 }
    }

    /// A test that kills a mutant, or a proof that there is none: by what the change can do at all, then by the engine, then
    /// state by state. The work for each mutant is limited, and less if the engine has failed to decide several in a row.
    pub(crate) fn answer(&mut self, search: &mut dyn Search, mutant: &MachineMutant, budget: &Budget) -> Answer<Kill> {
        if self.executor.is_functional(&mutant.changes) {
            // The mutant follows the model until the change has an effect.
            match self.effect(search, effect(self.model, mutant), budget) {
                Answer::Impossible(Proof::Infeasible) => return Answer::Impossible(Proof::Equivalent),
                Answer::Found(trace) => {
                    let kills = self.executor.judge([&trace], &mutant.changes, true);
                    if kills == Ok(vec![Some(Certainty::Certain)]) {
                        return Answer::Found(Kill { certainty: Certainty::Certain, trace });
                    }
                }
                answer if answer.is_interrupted() => return Answer::INTERRUPTED,
                _ => {}
            }
        }
        let reason = if self.is_too_large() {
            Reason::Limit(Limit::Steps)
        } else {
            let compared = search.comparing().map(|engine| engine.compare(self.observer, &mutant.changes, budget));
            let answer = compared.unwrap_or(Answer::Undecided(Reason::Unsupported));
            self.n_undecided =
                if matches!(answer, Answer::Undecided(Reason::Limit(_))) { self.n_undecided + 1 } else { 0 };
            match answer {
                Answer::Undecided(reason) if reason != Reason::Limit(Limit::Interrupted) => reason,
                answer => return answer,
            }
        };
        match self.searcher.compare(&apply(self.model, &mutant.changes)) {
            Answer::Undecided(_) => Answer::Undecided(reason),
            answer => answer,
        }
    }

    /// An execution in which a change of a mutant has an effect: one that is found at once, or else by the engine.
    fn effect(&self, search: &mut dyn Search, effect: ExprId, budget: &Budget) -> Answer<Trace> {
        let quick = search.answer(Query::Reach(effect), &budget.limited(QUICK_EFFECT));
        if !quick.is_undecided() || quick.is_interrupted() || self.is_too_large() {
            return quick;
        }
        search.comparing().map_or(quick, |engine| engine.reach(effect, budget))
    }

    /// Whether the model is too large for the engine, by the mutants so far.
    fn is_too_large(&self) -> bool {
        self.n_undecided >= MAX_UNDECIDED
    }
}

/// Adds to a matrix the mutants of the machine that each test kills certainly. Returns the mutants that tests kill possibly
/// and none kills certainly, each with these tests. Tests without states are no executions, and kill nothing.
pub fn add_kills(
    model: &TransitionSystem,
    goals: &[Goal],
    tests: &[Trace],
    matrix: &mut Matrix,
) -> Vec<(usize, Vec<usize>)> {
    let mut possible = Vec::new();
    let Some(observer) = observer(goals) else { return possible };
    let mutants = goals.iter().enumerate().filter_map(|(index, goal)| Some((index, goal.mutant.clone()?)));
    let (places, mutants): (Vec<usize>, Vec<MachineMutant>) = mutants.unzip();
    let mut executions = Executions::new(model, &observer, mutants);
    let is_execution = |test: &usize| !tests[*test].states.is_empty();
    let places_of: Vec<usize> = (0..tests.len()).filter(is_execution).collect();
    for test in &places_of {
        executions.add(&tests[*test]);
    }
    for (mutant, index) in places.into_iter().enumerate() {
        model.budget.look();
        let Ok(kills) = executions.kills(mutant, false) else { continue };
        let mut certain = kills.iter().filter(|(_, kill)| *kill == Certainty::Certain).peekable();
        if certain.peek().is_none() && !kills.is_empty() {
            possible.push((index, kills.iter().map(|(test, _)| places_of[*test]).collect()));
        }
        certain.for_each(|(test, _)| matrix.insert(places_of[*test], index));
    }
    possible
}

/// The grades of the mutants of the machine that no test kills certainly: whether a test could, if that is `wanted`. All
/// other grades stay. The answers in `known`, by the numbers of goals, are taken as they are. After each question, `observe` is told how many were asked, and says whether to go on.
pub fn grade_mutants(
    search: &mut dyn Search,
    goals: &[Goal],
    (reached, possible): (&Bits, &[(usize, Vec<usize>)]),
    wanted: &dyn Fn(usize) -> bool,
    grades: &mut [GoalGrade],
    (budget, known): (&Budget, &BTreeMap<usize, Answer<Kill>>),
    observe: &mut dyn FnMut(usize) -> bool,
) {
    let Some(observer) = observer(goals) else { return };
    let model = search.system().clone();
    let mut comparison = Comparison::new(&model, &observer);
    let is_possible = |index: usize| possible.iter().any(|(goal, _)| *goal == index);
    let mut goes_on = true;
    for (n_asked, (index, goal)) in goals.iter().enumerate().enumerate() {
        let Some(mutant) = &goal.mutant else { continue };
        grades[index] = if reached.contains(index) {
            GoalGrade::Reached
        } else if !wanted(index) {
            GoalGrade::Missed(None)
        } else if !goes_on {
            GoalGrade::Missed(Some(Answer::INTERRUPTED))
        } else {
            let answer = known.get(&index).cloned();
            let answer = answer.unwrap_or_else(|| comparison.answer(search, mutant, budget));
            goes_on = observe(n_asked + 1);
            GoalGrade::Missed(Some(match answer {
                Answer::Found(Kill { certainty: Certainty::Possible, .. }) if is_possible(index) => {
                    Answer::Undecided(Reason::PossibleKill)
                }
                Answer::Undecided(_) if is_possible(index) => Answer::Undecided(Reason::PossibleKill),
                answer => answer.map(|kill| kill.trace),
            }))
        };
    }
}

/// What a tester of the mutants sets and sees; nothing if there are none.
fn observer(goals: &[Goal]) -> Option<Arc<Observer>> {
    goals.iter().find_map(|goal| goal.mutant.as_ref()).map(|mutant| mutant.observer.clone())
}
