//! Which tests kill which mutants of the machine: the mutants execute the tests, and the outputs are compared.

use super::grader::Grader;
use super::infection::{Infections, constant};
use super::matrix::{Bits, Matrix};
use super::missed::GoalGrade;
use super::program::Quantifiers;
use crate::goal::{Goal, MachineMutant};
use crate::policy::{COMPARED, EXECUTED, FIRST_BATCH, MAX_UNDECIDED, QUICK_EFFECT};
use specwright_mc::bdd::Limit;
use specwright_mc::{Answer, Budget, Certainty, Kill, Observer, Proof, Query, Reason, Search, Tester, apply};
use specwright_model::interp::{Explorer, Step};
use specwright_model::{ExprId, Trace, TransitionSystem};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Executes tests on mutants of one model. Tests are only added.
///
/// Infection is judged for all open mutants and many tests at once. Tests are kept in batches, which grow; at the end of a batch
/// every mutant executes the tests that infect it, and those that are killed are dropped.
pub(crate) struct Executions<'m> {
    model: &'m TransitionSystem,
    mutants: Vec<Executed>,
    tester: Tester<'m>,
    /// The conditions under which mutants are infected.
    conditions: Infections<'m>,
    /// Decides which states of the kept tests the open mutants infect.
    infections: Grader,
    kept: Vec<Trace>,
    /// The number of tests before those that are kept.
    n_dropped: usize,
    /// Whether mutants do not execute tests after the first that kills them certainly.
    enough: bool,
}

/// A mutant, and what became of it.
struct Executed {
    mutant: MachineMutant,
    is_functional: bool,
    /// Its place among the mutants whose infection is judged; nothing if it executes no further tests.
    place: Option<usize>,
    /// The number of tests that it has executed, but for those that do not infect it.
    n_tests: usize,
    /// The tests that kill it, each with how sure it does.
    kills: Vec<(usize, Certainty)>,
}

impl Executed {
    fn is_killed(&self) -> bool {
        self.kills.iter().any(|(_, kill)| *kill == Certainty::Certain)
    }

    /// Where it may leave a test.
    fn infection(&self, model: &TransitionSystem, infections: &mut Infections<'_>) -> Query {
        Query::Reach(if self.is_functional { infections.infection(&self.mutant) } else { constant(model, true) })
    }
}

impl<'m> Executions<'m> {
    /// Executions of mutants, without a test. If `enough`, a mutant executes no test after the first certain kill.
    pub(crate) fn new(
        model: &'m TransitionSystem,
        observer: &'m Observer,
        mutants: Vec<MachineMutant>,
        enough: bool,
    ) -> Executions<'m> {
        let tester = Tester::new(model, observer, EXECUTED);
        let executed = |(place, mutant): (usize, MachineMutant)| {
            let is_functional = tester.is_functional(&mutant.changes);
            Executed { mutant, is_functional, place: Some(place), n_tests: 0, kills: Vec::new() }
        };
        let mutants: Vec<Executed> = mutants.into_iter().enumerate().map(executed).collect();
        let mut conditions = Infections::new(model);
        let infected = mutants.iter().map(|executed| executed.infection(model, &mut conditions));
        let infections = Grader::new(model, infected, Quantifiers::Path);
        Executions { model, mutants, tester, conditions, infections, kept: Vec::new(), n_dropped: 0, enough }
    }

    /// Adds a test, which is an execution of the model.
    pub(crate) fn add(&mut self, test: &Trace) {
        // As many tests as before, so that the mutants that the first tests kill are not judged by all others.
        let is_batch = self.enough && self.kept.len() >= self.n_dropped.max(FIRST_BATCH);
        if is_batch || self.infections.is_full() {
            self.end_batch();
        }
        self.infections.keep(test);
        self.kept.push(test.clone());
    }

    /// Executes the kept tests, and drops them and the mutants that are killed.
    fn end_batch(&mut self) {
        (0..self.mutants.len()).for_each(|mutant| self.execute(mutant));
        self.n_dropped += self.kept.len();
        self.kept.clear();
        let (model, mut open) = (self.model, Vec::new());
        for executed in &mut self.mutants {
            executed.place = executed.place.filter(|_| !(self.enough && executed.is_killed()));
            open.extend(executed.place.is_some().then_some(executed));
        }
        if 2 * open.len() > self.infections.n_goals() {
            self.infections.forget();
            return;
        }
        let infected = open.iter().map(|executed| executed.infection(model, &mut self.conditions));
        self.infections = Grader::new(model, infected, Quantifiers::Path);
        open.into_iter().enumerate().for_each(|(place, executed)| executed.place = Some(place));
    }

    /// The number of tests.
    pub(crate) fn n_tests(&self) -> usize {
        self.n_dropped + self.kept.len()
    }

    /// The tests that kill a mutant, each with how sure it does. Of a test that takes too much work, it is not known.
    pub(crate) fn kills(&mut self, mutant: usize) -> &[(usize, Certainty)] {
        self.execute(mutant);
        &self.mutants[mutant].kills
    }

    /// Leaves out a mutant: whether further tests kill it is not asked.
    pub(crate) fn leave_out(&mut self, mutant: usize) {
        self.mutants[mutant].place = None;
    }

    /// Executes the tests that a mutant has not executed yet.
    fn execute(&mut self, mutant: usize) {
        let (n_tests, executed) = (self.n_tests(), &mut self.mutants[mutant]);
        let Some(place) = executed.place.filter(|_| !(self.enough && executed.is_killed())) else { return };
        if executed.n_tests == n_tests {
            return;
        }
        self.model.budget.look();
        let infected = self.infections.open_states(place, executed.n_tests - self.n_dropped);
        executed.n_tests = n_tests;
        if infected.is_empty() {
            return;
        }
        let places: Vec<usize> = infected.iter().map(|(test, _)| self.n_dropped + test).collect();
        let tests: Vec<(&Trace, Vec<usize>)> =
            infected.into_iter().map(|(test, states)| (&self.kept[test], states)).collect();
        let kills = self.tester.execute(&tests, &executed.mutant.changes, executed.is_functional, self.enough);
        let kills = places.into_iter().zip(kills).filter_map(|(place, kill)| Some((place, kill.ok()??)));
        executed.kills.extend(kills);
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
    conditions: Infections<'m>,
    /// The number of mutants in a row that the engine could not decide.
    n_undecided: usize,
}

impl<'m> Comparison<'m> {
    /// A comparison of mutants with their model.
    pub(crate) fn new(model: &'m TransitionSystem, observer: &'m Observer) -> Comparison<'m> {
        let (executor, searcher) = (Tester::new(model, observer, EXECUTED), Tester::new(model, observer, COMPARED));
        Comparison { model, observer, executor, searcher, conditions: Infections::new(model), n_undecided: 0 }
    }

    /// A test that kills a mutant, or a proof that there is none. Everything that it takes to kill the mutant is sent.
    pub(crate) fn answer(&mut self, search: &mut dyn Search, mutant: &MachineMutant, budget: &Budget) -> Answer<Kill> {
        match self.search(search, mutant, budget) {
            Answer::Found(kill) if !self.observer.leaving.is_empty() => self.sent(kill, mutant),
            answer => answer,
        }
    }

    /// A kill by inputs that are sent. If the mutant refuses inputs of the last state that are sent with the step from it, the
    /// test takes that step.
    fn sent(&mut self, kill: Kill, mutant: &MachineMutant) -> Answer<Kill> {
        let certainty =
            |kills: Result<Vec<Option<Certainty>>, Reason>| kills.map(|kills| kills.first().copied().flatten());
        let own = certainty(self.executor.judge([&kill.trace], &mutant.changes, true));
        if own.is_ok_and(|own| own >= Some(kill.certainty)) {
            return Answer::Found(kill);
        }
        let Kill { certainty: wanted, mut trace } = kill;
        let last = trace.states.pop().map(|last| self.model.without_step_inputs(&last));
        let step = last.and_then(|last| Explorer::new(self.model).steps(&last).limit(EXECUTED.work).next());
        let Some(Ok(Step { now, next })) = step else { return Answer::Undecided(Reason::Unsupported) };
        trace.states.extend([now, next]);
        match certainty(self.executor.judge([&trace], &mutant.changes, true)) {
            Ok(Some(certainty)) => Answer::Found(Kill { certainty, trace }),
            Ok(None) => Answer::Undecided(Reason::Unsupported),
            // Too much work to execute, but now all that was found is sent.
            Err(_) => Answer::Found(Kill { certainty: wanted, trace }),
        }
    }

    /// A test that kills a mutant, or a proof that there is none: by what the change can do at all, then by the engine, then
    /// state by state. The work for each mutant is limited, and less if the engine has failed to decide several in a row.
    fn search(&mut self, search: &mut dyn Search, mutant: &MachineMutant, budget: &Budget) -> Answer<Kill> {
        if self.executor.is_functional(&mutant.changes) {
            // The mutant follows the model until the change has an effect.
            let effect = self.conditions.effect(mutant);
            match self.effect(search, effect, budget) {
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
    let mut executions = Executions::new(model, &observer, mutants, false);
    let is_execution = |test: &usize| !tests[*test].states.is_empty();
    let places_of: Vec<usize> = (0..tests.len()).filter(is_execution).collect();
    for test in &places_of {
        executions.add(&tests[*test]);
    }
    for (mutant, index) in places.into_iter().enumerate() {
        let kills = executions.kills(mutant);
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
