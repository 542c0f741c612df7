//! Distinguishing suffixes: tests that show to a tester what others only go through.

use super::prefix::is_prefix;
use super::state::Run;
use crate::goal::Goal;
use crate::grade::{Grader, Quantifiers, Sight, Viewer};
use crate::suite::Test;
use rustc_hash::FxHashMap;
use specwright_mc::bdd::Limit;
use specwright_mc::{Answer, Observer, Reason, Search};
use specwright_model::{Trace, TransitionSystem};

impl Run {
    /// Adds tests until every violation of a property mutant that can be shown is, at every point that tests go through. For
    /// a visible kill one point would do; implementations that are right at one point may be wrong at another. A test that
    /// begins like another one takes its place. A mutant that no point of the tests can show gets a test through another point,
    /// if there is one. Returns how well each goal is seen then; nothing for goals that are no killed property mutants.
    pub fn show_kills<'a>(
        &mut self,
        system: &'a TransitionSystem,
        observer: &'a Observer,
        goals: &[Goal],
        engine: Option<&'a mut (dyn Search + 'a)>,
    ) -> Vec<Option<Sight>> {
        let is_covered = |goal: &usize| self.outcomes[*goal] == Some(Answer::Found(()));
        let covered: Vec<usize> =
            (0..goals.len()).filter(|goal| is_covered(goal) && goals[*goal].mutant.is_none()).collect();
        let targets = covered.iter().map(|goal| goals[*goal].target);
        let mut grader = Grader::new(system, targets, Quantifiers::Branching);
        let traces = self.tests.iter().map(|test| test.trace.clone()).collect();
        let mut viewer = Viewer::new(system, observer, traces, engine);
        let mut through = self.tests_by_goal(goals);
        let mut sights = Vec::with_capacity(goals.len());
        for (index, goal) in goals.iter().enumerate() {
            if goal.criterion != "mutation" || self.outcomes[index] != Some(Answer::Found(())) {
                sights.push(None);
                continue;
            }
            let sight = loop {
                let tests = &through[index];
                let shown = match viewer.hidden(goal, tests).filter(|_| !system.budget.is_spent()) {
                    Some(hidden) => hidden.shown_by,
                    None => match viewer.sight(goal, tests) {
                        sight if system.budget.is_spent() => break sight,
                        Sight::Hidden(hidden) => hidden.shown_by,
                        Sight::Elsewhere(trace) => trace,
                        sight => break sight,
                    },
                };
                // Of a mutant with very many points, not all are looked at.
                if self.tests.iter().any(|test| test.trace == shown) {
                    break Sight::Undecided(Reason::Limit(Limit::Steps));
                }
                let reached: Vec<usize> = grader.reached(system, &shown).iter().map(|place| covered[place]).collect();
                let test = self.add_shown(shown.clone());
                for goal in reached {
                    let tests = &mut through[goal];
                    if let Err(place) = tests.binary_search(&test) {
                        tests.insert(place, test);
                        self.tests[test].goals.push(goals[goal].id.clone());
                    }
                }
                viewer.put(test, shown);
            };
            sights.push(Some(sight));
        }
        sights
    }

    /// For each goal, the tests that cover it.
    fn tests_by_goal(&self, goals: &[Goal]) -> Vec<Vec<usize>> {
        let numbers: FxHashMap<&str, usize> =
            goals.iter().enumerate().map(|(number, goal)| (goal.id.as_str(), number)).collect();
        let mut tests = vec![Vec::new(); goals.len()];
        for (index, test) in self.tests.iter().enumerate() {
            let known = test.goals.iter().filter_map(|id| numbers.get(id.as_str()));
            known.for_each(|goal| tests[*goal].push(index));
        }
        tests
    }

    /// Adds a test, in the place of one that it begins with. Returns its place.
    fn add_shown(&mut self, trace: Trace) -> usize {
        if let Some(place) = self.tests.iter().position(|test| is_prefix(&test.trace, &trace, &[])) {
            let test = &mut self.tests[place];
            if !test.notes.is_empty() {
                test.notes.resize(trace.states.len(), String::new());
            }
            test.trace = trace;
            place
        } else {
            let name = self.free_name();
            let notes = vec![String::new(); trace.states.len()];
            self.tests.push(Test { notes, ..Test::new(name, trace) });
            self.tests.len() - 1
        }
    }
}
