//! Strategies of test generation.

use super::monitor::Monitor;
use super::notes::annotate;
use super::prefix::is_prefix;
use super::state::Run;
use super::{Options, Strategy, Style};
use crate::goal::{Goal, Target};
use crate::grade::Bits;
use crate::suite::Test;
use rustc_hash::{FxHashMap, FxHashSet};
use specwright_mc::bdd::Limit;
use specwright_mc::{Answer, Proof, Reason, Symbolic, TargetSet};
use specwright_model::{ExprId, Trace, Value, VarId};
use std::ops::ControlFlow;

/// Default length in steps after which a test is no longer extended: longer tests are hard to read, and judging a test
/// again after every extension gets more expensive with its length.
const DEFAULT_MAX_LENGTH: usize = 200;

/// Number of other value orders that are tried for further tests of a goal.
const VARIANTS: usize = 8;

/// Maximal number of values of a variable whose order is varied.
const VARIED_VALUES: u128 = 64;

type Observer<'a> = &'a mut dyn FnMut(&mut Symbolic, &Run) -> ControlFlow<()>;

pub(super) struct Generation<'a> {
    engine: &'a mut Symbolic,
    goals: &'a [Goal],
    options: &'a Options,
    run: &'a mut Run,
    observe: Observer<'a>,
    cover: Monitor,
    /// What is known about where goals come true; the inner option says whether a state or step can tell.
    target_sets: FxHashMap<usize, Option<TargetSet>>,
    /// The goals that each test covers.
    covered: Vec<Bits>,
    /// Whether tests are judged late: by each goal when its turn comes, and at the end by the feasible goals. Often
    /// most mutants are consistent, and tests need not be judged by these again.
    late: bool,
}

impl<'a> Generation<'a> {
    pub(super) fn new(
        engine: &'a mut Symbolic,
        goals: &'a [Goal],
        options: &'a Options,
        run: &'a mut Run,
        observe: Observer<'a>,
    ) -> Generation<'a> {
        let cover = Monitor::new(engine.model(), goals);
        let index: FxHashMap<&str, usize> =
            goals.iter().enumerate().map(|(index, goal)| (goal.id.as_str(), index)).collect();
        let covered_by = |test: &Test| {
            let mut covered = Bits::new(goals.len());
            test.goals.iter().filter_map(|id| index.get(id.as_str())).for_each(|goal| covered.insert(*goal));
            covered
        };
        let covered = run.tests.iter().map(covered_by).collect();
        let late = options.strategy == Strategy::Monitor;
        Generation { engine, goals, options, run, observe, cover, target_sets: FxHashMap::default(), covered, late }
    }

    /// Decides all goals.
    pub(super) fn all(&mut self) -> ControlFlow<()> {
        if self.late {
            (0..self.run.tests.len()).for_each(|test| self.watch(test));
        }
        self.decide()?;
        if self.late {
            self.settle();
            self.late = false;
        }
        self.vary()?;
        self.drop_useless();
        ControlFlow::Continue(())
    }

    fn decide(&mut self) -> ControlFlow<()> {
        // Whether the current test cannot be extended any more.
        let mut stuck = false;
        // Decided goals stay decided, so the index only grows.
        let mut goal = 0;
        while goal < self.goals.len() {
            if self.run.outcomes[goal].is_some() {
                goal += 1;
                continue;
            }
            if self.late
                && let Some(test) = self.cover.covering(goal)
            {
                self.covered[test].insert(goal);
                self.run.outcomes[goal] = Some(Answer::Found(()));
                continue;
            }
            if self.options.strategy == Strategy::Extend && !stuck {
                stuck = !self.extend()?;
                if !stuck {
                    (self.observe)(self.engine, self.run)?;
                }
                continue;
            }
            let answer = self.pursue(goal);
            let outcome = match self.goals[goal].settle(self.engine, answer) {
                Answer::Found(trace) => {
                    self.take(goal, trace);
                    stuck = false;
                    Answer::Found(())
                }
                Answer::Impossible(Proof::Inconsistent(_)) => Answer::Impossible(Proof::Inconsistent(None)),
                Answer::Impossible(proof) => Answer::Impossible(proof),
                Answer::Undecided(Reason::Limit(Limit::Interrupted)) => return ControlFlow::Break(()),
                Answer::Undecided(reason) => Answer::Undecided(reason),
            };
            self.run.outcomes[goal] = Some(outcome);
            (self.observe)(self.engine, self.run)?;
        }
        ControlFlow::Continue(())
    }

    /// Keeps a test, to be judged late.
    fn watch(&mut self, test: usize) {
        if self.cover.is_full() {
            self.settle();
        }
        self.cover.keep(self.engine.model(), test, &self.run.tests[test].trace);
    }

    /// Judges the kept tests by all feasible goals.
    fn settle(&mut self) {
        for goal in 0..self.goals.len() {
            let outcome = &mut self.run.outcomes[goal];
            if matches!(outcome, Some(Answer::Impossible(_))) {
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
            for goal in self.covered[test].iter().filter(|_| self.options.strategy != Strategy::Each) {
                self.run.outcomes[goal] = Some(Answer::Found(()));
            }
        }
    }

    /// Drops tests all of whose goals other tests cover, unless several tests per goal are wanted.
    fn drop_useless(&mut self) {
        if self.options.strategy == Strategy::Each || self.options.tests_per_goal > 1 {
            return;
        }
        drop_useless(&mut self.run.tests, &mut self.covered, self.goals.len());
    }

    /// What becomes of a goal on its own. SMV's explanation is taken as it is, whether or not it shows the failure.
    pub(super) fn answer(&mut self, goal: usize) -> Answer<Trace> {
        let answer = match self.goals[goal].target {
            Target::Falsify(formula) => match self.engine.falsify(formula) {
                Answer::Found(trace) if self.options.style == Style::SmvExplain => {
                    Answer::Found(self.engine.explain_failure(formula).ok().flatten().unwrap_or(trace))
                }
                found => found,
            },
            _ => self.pursue(goal),
        };
        match answer {
            Answer::Impossible(Proof::Infeasible) if self.goals[goal].is_guess() => {
                Answer::Undecided(Reason::OtherPairs)
            }
            answer => answer,
        }
    }

    fn pursue(&mut self, goal: usize) -> Answer<Trace> {
        match self.goals[goal].target {
            Target::Falsify(formula) => match self.engine.falsify(formula) {
                Answer::Found(trace) if self.options.style == Style::SmvExplain => {
                    Answer::Found(self.explained(goal, formula).unwrap_or(trace))
                }
                found => found,
            },
            target => target.pursue(self.engine),
        }
    }

    /// The counterexample in the style of SMV, if it shows the failure.
    fn explained(&mut self, goal: usize, formula: ExprId) -> Option<Trace> {
        let trace = self.engine.explain_failure(formula).ok()??;
        self.cover.of(self.engine.model(), &trace).contains(goal).then_some(trace)
    }

    /// Adds a test for a goal, unless it is superfluous. Returns whether it was added.
    fn take(&mut self, goal: usize, trace: Trace) -> bool {
        let mut covered =
            if self.late { Bits::new(self.goals.len()) } else { self.cover.of(self.engine.model(), &trace) };
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
        let ignore = self.options.ignore_last_inputs;
        // Where last inputs are ignored, goals that depend on them must still be covered.
        let suffices = |short: &Bits, long: &Bits| !ignore || short.is_subset(long);
        for at in 0..self.run.tests.len() {
            let longer = is_prefix(self.engine.model(), trace, &self.run.tests[at].trace, ignore);
            if longer && suffices(covered, &self.covered[at]) {
                self.note_covered(at, covered);
                return true;
            }
        }
        let mut place = None;
        let mut at = 0;
        while at < self.run.tests.len() {
            let shorter = is_prefix(self.engine.model(), &self.run.tests[at].trace, trace, ignore);
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
    fn extend(&mut self) -> ControlFlow<(), bool> {
        let Some(test) = self.run.tests.last().filter(|test| test.trace.loop_start.is_none()) else {
            return ControlFlow::Continue(false);
        };
        let trace = test.trace.clone();
        let most = self.options.max_length.unwrap_or(DEFAULT_MAX_LENGTH).saturating_sub(trace.n_steps());
        let open: Vec<usize> = (0..self.goals.len()).filter(|goal| self.run.outcomes[*goal].is_none()).collect();
        for goal in &open {
            if !self.target_sets.contains_key(goal) {
                let aim = match self.goals[*goal].target {
                    Target::Falsify(formula) => self.engine.target_to_falsify(formula),
                    Target::Reach(expr) => self.engine.target_to_reach(expr).map(Some),
                    Target::Show(_) => Ok(None),
                };
                if let Err(Reason::Limit(Limit::Interrupted)) = aim {
                    return ControlFlow::Break(());
                }
                // Errors are reported when the goal is decided.
                self.target_sets.insert(*goal, aim.unwrap_or(None));
            }
        }
        // Many mutants have the same target set.
        let mut known = FxHashSet::default();
        let aimed = open.iter().filter_map(|goal| Some((*goal, self.target_sets[goal].as_ref()?)));
        let (near, target_sets): (Vec<usize>, Vec<&TargetSet>) = aimed.filter(|(_, aim)| known.insert(*aim)).unzip();
        let (which, longer) = match self.engine.extend_trace(&trace, &target_sets, most) {
            Ok(Some((which, longer))) => (near[which], longer),
            Err(Reason::Limit(Limit::Interrupted)) => return ControlFlow::Break(()),
            Ok(None) | Err(_) => return ControlFlow::Continue(false),
        };
        let mut covered = self.cover.of(self.engine.model(), &longer);
        covered.insert(which);
        self.mark(&covered);
        let at = self.run.tests.len() - 1;
        self.run.tests[at].trace = longer;
        // A goal that a prefix covers is covered by the whole.
        self.note_covered(at, &covered);
        ControlFlow::Continue(true)
    }

    /// Searches further tests for goals that have too few, by preferring other values.
    fn vary(&mut self) -> ControlFlow<()> {
        if self.options.tests_per_goal <= 1 {
            return ControlFlow::Continue(());
        }
        for goal in 0..self.goals.len() {
            for variant in 1..=VARIANTS {
                let n_tests = self.covered.iter().filter(|covered| covered.contains(goal)).count();
                if n_tests == 0 || n_tests >= self.options.tests_per_goal {
                    break;
                }
                self.engine.set_preference(self.varied(variant));
                let added = match self.pursue(goal) {
                    Answer::Found(trace) => self.take(goal, trace),
                    Answer::Undecided(Reason::Limit(Limit::Interrupted)) => return ControlFlow::Break(()),
                    _ => false,
                };
                if added {
                    (self.observe)(self.engine, self.run)?;
                }
            }
        }
        self.engine.set_preference(self.options.ties.clone());
        ControlFlow::Continue(())
    }

    /// The values of all variables in another order: a different one comes first in each variant.
    fn varied(&self, variant: usize) -> Vec<(VarId, Vec<Value>)> {
        let few = |var: &specwright_model::model::Var| var.domain.size().is_some_and(|size| size <= VARIED_VALUES);
        let vars = self.engine.model().vars().filter(|(_, var)| few(var));
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
    pub(super) fn annotate(&mut self) {
        annotate(self.engine.model(), self.goals, self.run, &self.covered);
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
