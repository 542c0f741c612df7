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
        let mut through = self.tests_by_goal();
        let mut sights = Vec::with_capacity(goals.len());
        for (index, goal) in goals.iter().enumerate() {
            if goal.criterion != "mutation" || self.outcomes[index] != Some(Answer::Found(())) {
                sights.push(None);
                continue;
            }
            let tests = |through: &FxHashMap<String, Vec<usize>>| through.get(&goal.id).cloned().unwrap_or_default();
            let sight = loop {
                let shown = match viewer.hidden(goal, tests(&through)).filter(|_| !system.budget.is_spent()) {
                    Some(hidden) => hidden.shown_by,
                    None => match viewer.sight(goal, tests(&through)) {
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
                let reached = grader.reached(system, &shown);
                let ids: Vec<String> = reached.iter().map(|place| goals[covered[place]].id.clone()).collect();
                let test = self.add_shown(shown.clone(), &ids);
                viewer.put(test, shown);
                for id in ids {
                    let tests = through.entry(id).or_default();
                    if !tests.contains(&test) {
                        tests.push(test);
                        tests.sort_unstable();
                    }
                }
            };
            sights.push(Some(sight));
        }
        sights
    }

    /// For each goal by its id, the tests that cover it.
    fn tests_by_goal(&self) -> FxHashMap<String, Vec<usize>> {
        let mut tests: FxHashMap<String, Vec<usize>> = FxHashMap::default();
        for (index, test) in self.tests.iter().enumerate() {
            for goal in &test.goals {
                tests.entry(goal.clone()).or_default().push(index);
            }
        }
        tests
    }

    /// Adds a test, in the place of one that it begins with. Returns its place.
    fn add_shown(&mut self, trace: Trace, goals: &[String]) -> usize {
        if let Some(place) = self.tests.iter().position(|test| is_prefix(&test.trace, &trace, &[])) {
            let test = &mut self.tests[place];
            let new = goals.iter().filter(|id| !test.goals.contains(id)).cloned().collect::<Vec<_>>();
            test.goals.extend(new);
            if !test.notes.is_empty() {
                test.notes.resize(trace.states.len(), String::new());
            }
            test.trace = trace;
            place
        } else {
            let name = self.free_name();
            let notes = vec![String::new(); trace.states.len()];
            self.tests.push(Test { goals: goals.to_vec(), notes, ..Test::new(name, trace) });
            self.tests.len() - 1
        }
    }
}
