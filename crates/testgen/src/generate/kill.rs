//! Tests that kill mutants of the machine.

use super::Strategy;
use super::strategy::Generation;
use crate::goal::MachineMutant;
use crate::grade::{Comparison, Executions};
use crate::policy::EXECUTED_MUTANTS;
use specwright_mc::bdd::Limit;
use specwright_mc::{Answer, Certainty, Kill, Reason, Search};
use std::ops::ControlFlow;

impl Generation<'_> {
    /// Decides the open goals about mutants of the machine. A mutant is tried on the tests so far before a test is searched.
    pub(super) fn kill_mutants(&mut self, search: &mut dyn Search) -> ControlFlow<()> {
        let (places, mutants): (Vec<usize>, Vec<MachineMutant>) = self.mutants().into_iter().unzip();
        let Some(observer) = mutants.first().map(|mutant| mutant.observer.clone()) else {
            return ControlFlow::Continue(());
        };
        let model = search.system().clone();
        let mut executions = Executions::new(&model, &observer, mutants.clone(), true);
        let mut comparison = Comparison::new(&model, &observer);
        for (index, goal) in places.iter().enumerate() {
            if self.is_decided(*goal) {
                if !self.is_killed(*goal) {
                    executions.leave_out(index);
                }
                continue;
            }
            model.budget.look();
            let kills = if self.is_each() { &[] } else { self.kills(&mut executions, index) };
            if kills.iter().any(|(_, kill)| *kill == Certainty::Certain) {
                self.decide(search, *goal, Answer::Found(()))?;
                continue;
            }
            let is_possible = !kills.is_empty();
            let known = self.options.kills.get(goal).cloned();
            let answer = known.unwrap_or_else(|| comparison.answer(search, &mutants[index], &self.options.budget));
            let outcome = match answer {
                Answer::Found(Kill { certainty, trace }) => {
                    self.keep_test(&model, *goal, trace);
                    match certainty {
                        Certainty::Certain => Answer::Found(()),
                        Certainty::Possible => Answer::Undecided(Reason::PossibleKill),
                    }
                }
                Answer::Impossible(proof) => {
                    executions.leave_out(index);
                    Answer::Impossible(proof)
                }
                Answer::Undecided(Reason::Limit(Limit::Interrupted)) => return ControlFlow::Break(()),
                Answer::Undecided(_) if is_possible => Answer::Undecided(Reason::PossibleKill),
                Answer::Undecided(reason) => Answer::Undecided(reason),
            };
            self.decide(search, *goal, outcome)?;
        }
        // Where there are few tests and mutants, all tests that kill a mutant are noted. Tests that are joined take the places
        // of others, so that they are executed again.
        let enough = places.len() * self.tests().len() > EXECUTED_MUTANTS;
        if !enough || self.is_each() {
            executions = Executions::new(&model, &observer, mutants, enough);
        }
        self.settle_kills(&places, executions);
        ControlFlow::Continue(())
    }

    /// Notes for each test which mutants it kills: certainly, or possibly where no test kills certainly.
    fn settle_kills(&mut self, places: &[usize], mut executions: Executions<'_>) {
        for (index, goal) in places.iter().enumerate() {
            if !self.is_killed(*goal) {
                continue;
            }
            let kills = self.kills(&mut executions, index);
            let best = kills.iter().map(|(_, kill)| *kill).max();
            for (test, _) in kills.iter().filter(|(_, kill)| Some(*kill) == best) {
                self.note_kill(*test, *goal);
            }
        }
        self.list_goals();
    }

    /// The tests so far that kill a mutant.
    fn kills<'e>(&self, executions: &'e mut Executions<'_>, mutant: usize) -> &'e [(usize, Certainty)] {
        for test in &self.tests()[executions.n_tests()..] {
            executions.add(&test.trace);
        }
        executions.kills(mutant)
    }

    fn is_each(&self) -> bool {
        self.options.strategy == Strategy::Each
    }
}
