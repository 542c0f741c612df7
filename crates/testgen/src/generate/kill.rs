//! Tests that kill mutants of the machine.

use super::Strategy;
use super::strategy::Generation;
use crate::goal::MachineMutant;
use specwright_mc::bdd::Limit;
use specwright_mc::{Answer, Certainty, Kill, Reason, Search, Tester, apply};
use specwright_model::interp::Limits;
use specwright_model::{Trace, TransitionSystem};
use std::ops::ControlFlow;

/// Limits of the explicit search for a test that kills one mutant. Beyond them the engine of the run is asked.
pub(crate) const COMPARED: Limits = Limits { states: 1000, work: 200_000 };

/// Limits of executing a test on a mutant: the states in which either machine may be in all of its steps.
pub(crate) const EXECUTED: Limits = Limits { states: 1 << 20, work: 1_000_000 };

impl Generation<'_> {
    /// Decides the open goals about mutants of the machine. A mutant is tried on the tests so far before a test is searched.
    pub(super) fn kill_mutants(&mut self, search: &mut dyn Search) -> ControlFlow<()> {
        let mutants: Vec<(usize, MachineMutant)> = self.open_mutants();
        let Some(observer) = mutants.first().map(|(_, mutant)| mutant.observer.clone()) else {
            return ControlFlow::Continue(());
        };
        let model = search.system().clone();
        let mut judge = Tester::new(&model, &observer, EXECUTED);
        let mut tester = Tester::new(&model, &observer, COMPARED);
        for (goal, MachineMutant { changes, .. }) in mutants {
            model.budget.look();
            let mutant = apply(&model, &changes);
            let traces: Vec<Trace> = self.traces();
            let known = if self.is_each() { Ok(Vec::new()) } else { judge.judge(&traces, &mutant, true) };
            let kills = known.unwrap_or_default();
            if kills.contains(&Some(Certainty::Certain)) {
                self.decide(search, goal, Answer::Found(()))?;
                continue;
            }
            let mut answer = tester.compare(&mutant);
            if let (Answer::Undecided(Reason::Limit(_)), Some(engine)) = (&answer, search.comparing()) {
                answer = engine.compare(&observer, &changes, &self.options.budget);
            }
            let outcome = match answer {
                Answer::Found(Kill { certainty, trace }) => {
                    self.keep_test(&model, goal, trace);
                    match certainty {
                        Certainty::Certain => Answer::Found(()),
                        Certainty::Possible => Answer::Undecided(Reason::PossibleKill),
                    }
                }
                Answer::Impossible(proof) => Answer::Impossible(proof),
                Answer::Undecided(Reason::Limit(Limit::Interrupted)) => return ControlFlow::Break(()),
                Answer::Undecided(_) if kills.iter().any(Option::is_some) => Answer::Undecided(Reason::PossibleKill),
                Answer::Undecided(reason) => Answer::Undecided(reason),
            };
            self.decide(search, goal, outcome)?;
        }
        self.settle_kills(&model, &mut judge);
        ControlFlow::Continue(())
    }

    /// Notes for each test which mutants it kills: certainly, or possibly where no test kills certainly.
    fn settle_kills(&mut self, model: &TransitionSystem, judge: &mut Tester<'_>) {
        let traces = self.traces();
        for (goal, MachineMutant { changes, .. }) in self.killed_mutants() {
            model.budget.look();
            let Ok(kills) = judge.judge(&traces, &apply(model, &changes), false) else { continue };
            let best = kills.iter().copied().max().flatten();
            let tests = kills.iter().enumerate().filter(|(_, kill)| kill.is_some() && **kill == best);
            for (test, _) in tests {
                self.note_kill(test, goal);
            }
        }
    }

    fn is_each(&self) -> bool {
        self.options.strategy == Strategy::Each
    }
}
