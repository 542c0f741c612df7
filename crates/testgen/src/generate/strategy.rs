//! Strategies of test generation.

use super::monitor::Monitor;
use super::notes::annotate;
use super::prefix::is_prefix;
use super::state::Run;
use super::{Options, Strategy, Style};
use crate::goal::{Goal, MachineMutant};
use crate::grade::Bits;
use crate::policy::{DEFAULT_MAX_LENGTH, VARIANTS, VARIED_VALUES};
use crate::suite::Test;
use rustc_hash::{FxHashMap, FxHashSet};
use specwright_mc::bdd::Limit;
use specwright_mc::{Answer, Proof, Query, Reason, Search, Sink, TargetId};
use specwright_model::{Trace, TransitionSystem, Value, VarId};
use std::ops::ControlFlow;

type Observer<'a> = &'a mut dyn FnMut(&mut dyn Search, &Run) -> ControlFlow<()>;

pub(super) struct Generation<'a> {
    goals: &'a [Goal],
    pub(super) options: &'a Options,
    run: &'a mut Run,
    observe: Observer<'a>,
    cover: Monitor,
    /// The targets of goals, as far as they are known; the inner option says whether a state or step can tell.
    targets: FxHashMap<usize, Option<TargetId>>,
    /// The goals that each test covers.
    covered: Vec<Bits>,
    /// Whether tests are judged late: by each goal when its turn comes, and at the end by the feasible goals. Often
    /// most mutants are consistent, and tests need not be judged by these again.
    late: bool,
}

impl<'a> Generation<'a> {
    pub(super) fn new(
        model: &TransitionSystem,
        goals: &'a [Goal],
        options: &'a Options,
        run: &'a mut Run,
        observe: Observer<'a>,
    ) -> Generation<'a> {
        let cover = Monitor::new(model, goals);
        let index: FxHashMap<&str, usize> =
            goals.iter().enumerate().map(|(index, goal)| (goal.id.as_str(), index)).collect();
        let covered_by = |test: &Test| {
            let mut covered = Bits::new(goals.len());
            test.goals.iter().filter_map(|id| index.get(id.as_str())).for_each(|goal| covered.insert(*goal));
            covered
        };
        let covered = run.tests.iter().map(covered_by).collect();
        let late = options.strategy == Strategy::Monitor;
        Generation { goals, options, run, observe, cover, targets: FxHashMap::default(), covered, late }
    }

    /// Decides all goals.
    pub(super) fn all(&mut self, search: &mut dyn Search) -> ControlFlow<()> {
        if self.late {
            (0..self.run.tests.len()).for_each(|test| self.watch(test));
        }
        if self.options.strategy == Strategy::Extend {
            self.extend_and_decide(search)?;
        } else {
            let queries: Vec<Query> = self.goals.iter().map(|goal| goal.target).collect();
            search.solve(&queries, &self.options.budget, self)?;
        }
        if self.late {
            self.settle();
            self.late = false;
        }
        self.kill_mutants(search)?;
        self.vary(search)?;
        self.drop_useless();
        ControlFlow::Continue(())
    }

    /// Extends the current test as long as it reaches open goals, and starts a new one for the next open goal.
    fn extend_and_decide(&mut self, search: &mut dyn Search) -> ControlFlow<()> {
        // Decided goals stay decided, so the index only grows.
        let mut goal = 0;
        while goal < self.goals.len() {
            if self.run.outcomes[goal].is_some() || self.goals[goal].mutant.is_some() {
                goal += 1;
            } else if self.extend(search)? {
                (self.observe)(search, self.run)?;
            } else {
                // Until there is a new test, the current one stays stuck.
                let n_tests = self.run.tests.len();
                while goal < self.goals.len() && self.run.tests.len() == n_tests {
                    if self.run.outcomes[goal].is_none() && self.goals[goal].mutant.is_none() {
                        let answer = search.answer(self.goals[goal].target, &self.options.budget);
                        self.answer(search, goal, answer)?;
                    }
                    goal += 1;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Keeps a test, to be judged late.
    fn watch(&mut self, test: usize) {
        if self.cover.is_full() {
            self.settle();
        }
        self.cover.keep(test, &self.run.tests[test].trace);
    }

    /// Judges the kept tests by all feasible goals.
    fn settle(&mut self) {
        for goal in 0..self.goals.len() {
            let outcome = &mut self.run.outcomes[goal];
            if matches!(outcome, Some(Answer::Impossible(_))) || self.goals[goal].mutant.is_some() {
                continue;
            }
            let covered = &mut self.covered;
            self.cover.each_test(goal, |test| {
                covered[test].insert(goal);
                *outcome = Some(Answer::Found(()));
                true
            });
        }
        for test in self.cover.forget() {
            self.name_covered(test);
        }
    }

    /// Completes a run that was stopped: goals that its tests are known to cover are covered and listed. Where every
    /// goal gets its own test, goals without one stay open.
    pub(super) fn conclude(&mut self) {
        for test in 0..self.run.tests.len() {
            self.name_covered(test);
            let is_known = |goal: &usize| self.goals[*goal].mutant.is_none() && self.options.strategy != Strategy::Each;
            for goal in self.covered[test].iter().filter(is_known) {
                self.run.outcomes[goal] = Some(Answer::Found(()));
            }
        }
    }

    /// The goals about mutants of the machine.
    pub(super) fn mutants(&self) -> Vec<(usize, MachineMutant)> {
        self.goals.iter().enumerate().filter_map(|(at, goal)| Some((at, goal.mutant.clone()?))).collect()
    }

    /// Whether a goal has an outcome.
    pub(super) fn is_decided(&self, goal: usize) -> bool {
        self.run.outcomes[goal].is_some()
    }

    /// Whether some test kills the mutant of a goal.
    pub(super) fn is_killed(&self, goal: usize) -> bool {
        matches!(self.run.outcomes[goal], Some(Answer::Found(()) | Answer::Undecided(Reason::PossibleKill)))
    }

    /// The tests so far.
    pub(super) fn tests(&self) -> &[Test] {
        &self.run.tests
    }

    /// Adds a test that kills a mutant.
    pub(super) fn keep_test(&mut self, model: &TransitionSystem, goal: usize, trace: Trace) {
        self.take(model, goal, trace);
    }

    /// Records that a test kills a mutant. The goals of tests are listed by [`list_goals`](Self::list_goals).
    pub(super) fn note_kill(&mut self, test: usize, goal: usize) {
        self.covered[test].insert(goal);
    }

    /// Lists for each test the goals that it covers.
    pub(super) fn list_goals(&mut self) {
        (0..self.run.tests.len()).for_each(|test| self.name_covered(test));
    }

    /// Records the outcome of a goal.
    pub(super) fn decide(&mut self, search: &mut dyn Search, goal: usize, outcome: Answer<()>) -> ControlFlow<()> {
        self.run.outcomes[goal] = Some(outcome);
        (self.observe)(search, self.run)
    }

    /// Drops tests all of whose goals other tests cover, unless several tests per goal are wanted.
    fn drop_useless(&mut self) {
        if self.options.strategy == Strategy::Each || self.options.tests_per_goal > 1 {
            return;
        }
        drop_useless(&mut self.run.tests, &mut self.covered, self.goals.len());
    }

    /// The answer to a goal on its own. SMV's explanation is taken as it is, whether or not it shows the failure.
    pub(super) fn alone(&self, search: &mut dyn Search, goal: usize, answer: Answer<Trace>) -> Answer<Trace> {
        let Goal { target, .. } = self.goals[goal];
        match answer {
            Answer::Impossible(Proof::Infeasible) if self.goals[goal].is_guess() => {
                Answer::Undecided(Reason::OtherPairs)
            }
            Answer::Found(trace) => Answer::Found(self.explanation(search, target).unwrap_or(trace)),
            answer => answer,
        }
    }

    /// The counterexample in the style of SMV, if that style is wanted.
    fn explanation(&self, search: &mut dyn Search, target: Query) -> Option<Trace> {
        let Query::Falsify(formula) = target else { return None };
        let explaining = search.explaining().filter(|_| self.options.style == Style::SmvExplain)?;
        explaining.explain_failure(formula, &self.options.budget).found()
    }

    /// The witness that becomes a test: SMV's explanation only if it shows the failure by itself.
    fn styled(&mut self, search: &mut dyn Search, goal: usize, trace: Trace) -> Trace {
        let Some(explanation) = self.explanation(search, self.goals[goal].target) else { return trace };
        let shows = self.cover.of(search.system(), &explanation).contains(goal);
        if shows { explanation } else { trace }
    }

    /// Adds a test for a goal, unless it is superfluous. Returns whether it was added.
    fn take(&mut self, model: &TransitionSystem, goal: usize, trace: Trace) -> bool {
        let mut covered = if self.late { Bits::new(self.goals.len()) } else { self.cover.of(model, &trace) };
        covered.insert(goal);
        if self.options.strategy != Strategy::Each {
            self.mark(&covered);
            if let Some(same) = self.run.tests.iter().position(|test| test.trace == trace) {
                self.note_covered(same, &covered);
                return false;
            }
        } else if self.join(&trace, &mut covered) {
            return false;
        }
        let test = Test::new(self.run.free_name(), trace);
        self.run.tests.push(test);
        self.covered.push(Bits::new(self.goals.len()));
        let test = self.run.tests.len() - 1;
        self.note_covered(test, &covered);
        if self.late {
            self.watch(test);
        }
        true
    }

    /// Searches a test of which this one is a prefix, or that is a prefix of this one and is replaced.
    fn join(&mut self, trace: &Trace, covered: &mut Bits) -> bool {
        let ignored = &self.options.ignored_at_end;
        // Where last inputs are ignored, goals that depend on them must still be covered.
        let suffices = |short: &Bits, long: &Bits| ignored.is_empty() || short.is_subset(long);
        for at in 0..self.run.tests.len() {
            let longer = is_prefix(trace, &self.run.tests[at].trace, ignored);
            if longer && suffices(covered, &self.covered[at]) {
                self.note_covered(at, covered);
                return true;
            }
        }
        let mut place = None;
        let mut at = 0;
        while at < self.run.tests.len() {
            let shorter = is_prefix(&self.run.tests[at].trace, trace, ignored);
            if !shorter || !suffices(&self.covered[at], covered) {
                at += 1;
            } else if place.is_none() {
                place = Some(at);
                at += 1;
            } else {
                covered.union_with(&self.covered[at]);
                self.run.tests.remove(at);
                self.covered.remove(at);
            }
        }
        if let Some(place) = place {
            self.run.tests[place].trace = trace.clone();
            self.note_covered(place, covered);
        }
        place.is_some()
    }

    /// Records that a test covers these goals, in addition to earlier ones.
    fn note_covered(&mut self, test: usize, covered: &Bits) {
        if covered.is_subset(&self.covered[test]) {
            return;
        }
        self.covered[test].union_with(covered);
        self.name_covered(test);
    }

    fn name_covered(&mut self, test: usize) {
        self.run.tests[test].goals = self.covered[test].iter().map(|goal| self.goals[goal].id.clone()).collect();
    }

    /// Extends the current test. Returns whether that was possible.
    fn extend(&mut self, search: &mut dyn Search) -> ControlFlow<(), bool> {
        let last = self.run.tests.last().filter(|test| test.trace.loop_start.is_none());
        let (Some(test), Some(extending)) = (last, search.extending()) else { return ControlFlow::Continue(false) };
        let most = self.options.max_length.unwrap_or(DEFAULT_MAX_LENGTH).saturating_sub(test.trace.n_steps());
        let open: Vec<usize> = (0..self.goals.len()).filter(|goal| self.run.outcomes[*goal].is_none()).collect();
        for goal in &open {
            if !self.targets.contains_key(goal) {
                let target = extending.target(self.goals[*goal].target, &self.options.budget);
                if target.is_interrupted() {
                    return ControlFlow::Break(());
                }
                // Errors are reported when the goal is decided.
                self.targets.insert(*goal, target.found());
            }
        }
        // Many mutants have the same target set.
        let mut known = FxHashSet::default();
        let with_target = open.iter().filter_map(|goal| Some((*goal, self.targets[goal]?)));
        let (near, targets): (Vec<usize>, Vec<TargetId>) = with_target.filter(|(_, id)| known.insert(*id)).unzip();
        let (which, longer) = match extending.extend_trace(&test.trace, &targets, most, &self.options.budget) {
            Answer::Found((which, longer)) => (near[which], longer),
            Answer::Undecided(Reason::Limit(Limit::Interrupted)) => return ControlFlow::Break(()),
            _ => return ControlFlow::Continue(false),
        };
        let mut covered = self.cover.of(search.system(), &longer);
        covered.insert(which);
        self.mark(&covered);
        let at = self.run.tests.len() - 1;
        self.run.tests[at].trace = longer;
        // A goal that a prefix covers is covered by the whole.
        self.note_covered(at, &covered);
        ControlFlow::Continue(true)
    }

    /// Searches further tests for goals that have too few, by preferring other values.
    fn vary(&mut self, search: &mut dyn Search) -> ControlFlow<()> {
        if self.options.tests_per_goal <= 1 {
            return ControlFlow::Continue(());
        }
        for goal in 0..self.goals.len() {
            for variant in 1..=VARIANTS {
                let n_tests = self.covered.iter().filter(|covered| covered.contains(goal)).count();
                if n_tests == 0 || n_tests >= self.options.tests_per_goal {
                    break;
                }
                search.set_preference(Self::varied(search.system(), variant));
                let added = match search.answer(self.goals[goal].target, &self.options.budget) {
                    Answer::Found(trace) => {
                        let trace = self.styled(search, goal, trace);
                        self.take(search.system(), goal, trace)
                    }
                    Answer::Undecided(Reason::Limit(Limit::Interrupted)) => return ControlFlow::Break(()),
                    _ => false,
                };
                if added {
                    (self.observe)(search, self.run)?;
                }
            }
        }
        search.set_preference(self.options.ties.clone());
        ControlFlow::Continue(())
    }

    /// The values of all variables in another order: a different one comes first in each variant.
    fn varied(model: &TransitionSystem, variant: usize) -> Vec<(VarId, Vec<Value>)> {
        let few = |var: &specwright_model::model::Var| var.domain.size().is_some_and(|size| size <= VARIED_VALUES);
        let vars = model.vars().filter(|(_, var)| few(var));
        vars.map(|(id, var)| {
            let mut values: Vec<Value> = var.domain.values().collect();
            let n = values.len().max(1);
            values.rotate_left(variant % n);
            if variant > n {
                values.reverse();
            }
            (id, values)
        })
        .collect()
    }

    /// Adds the notes that explain each state of each test.
    pub(super) fn annotate(&mut self, model: &TransitionSystem) {
        annotate(model, self.goals, self.run, &self.covered);
    }

    fn mark(&mut self, covered: &Bits) {
        for goal in covered.iter() {
            let outcome = &mut self.run.outcomes[goal];
            // A goal that is undecided because of a limit may be covered by a test for another goal.
            if matches!(outcome, None | Some(Answer::Undecided(_))) {
                *outcome = Some(Answer::Found(()));
            }
        }
    }
}

impl Sink for Generation<'_> {
    fn is_open(&mut self, goal: usize) -> bool {
        if self.run.outcomes[goal].is_none()
            && self.late
            && let Some(test) = self.cover.covering(goal)
        {
            self.covered[test].insert(goal);
            self.run.outcomes[goal] = Some(Answer::Found(()));
        }
        self.run.outcomes[goal].is_none() && self.goals[goal].mutant.is_none()
    }

    fn answer(&mut self, search: &mut dyn Search, goal: usize, answer: Answer<Trace>) -> ControlFlow<()> {
        let outcome = match self.goals[goal].settle(search, answer, &self.options.budget) {
            Answer::Found(trace) => {
                let trace = self.styled(search, goal, trace);
                self.take(search.system(), goal, trace);
                Answer::Found(())
            }
            Answer::Impossible(Proof::Inconsistent(_)) => Answer::Impossible(Proof::Inconsistent(None)),
            Answer::Impossible(proof) => Answer::Impossible(proof),
            Answer::Undecided(Reason::Limit(Limit::Interrupted)) => return ControlFlow::Break(()),
            Answer::Undecided(reason) => Answer::Undecided(reason),
        };
        self.run.outcomes[goal] = Some(outcome);
        (self.observe)(search, self.run)
    }
}

/// Drops tests all of whose goals other tests cover, those that were made first first: later ones are for harder goals,
/// and often cover the simpler ones on the way.
pub(super) fn drop_useless(tests: &mut Vec<Test>, covered: &mut Vec<Bits>, n_goals: usize) {
    let mut n_tests = vec![0usize; n_goals];
    for covered in covered.iter() {
        covered.iter().for_each(|goal| n_tests[goal] += 1);
    }
    let mut at = 0;
    while at < tests.len() {
        if covered[at].iter().all(|goal| n_tests[goal] > 1) {
            covered[at].iter().for_each(|goal| n_tests[goal] -= 1);
            tests.remove(at);
            covered.remove(at);
        } else {
            at += 1;
        }
    }
}
