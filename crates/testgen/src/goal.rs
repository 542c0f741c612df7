//! Goals of tests. Every criterion, from mutation to MC/DC, is a set of goals.

use crate::pair::Pair;
use specwright_mc::{Answer, Budget, Changes, Observer, Proof, Query, Reason, Search};
use specwright_model::{ExprId, Trace};
use specwright_syntax::span::Span;
use std::sync::Arc;

/// A goal of a test.
#[derive(Clone, Debug)]
pub struct Goal {
    /// A stable id: the same goal of the same specification always has the same one.
    pub id: String,
    /// Its criterion, such as `mutation` or `mcdc`.
    pub criterion: &'static str,
    /// Its groups within the criterion, such as the operators that made a mutant; at least one.
    pub groups: Vec<String>,
    /// Its description, in one line.
    pub description: String,
    /// The source span that it is about.
    pub span: Span,
    /// The property that it was made from, as an index into the properties of the model.
    pub property: Option<usize>,
    /// Its target.
    pub target: Query,
    /// The pair that it is a half of, if it is covered only together with another goal.
    pub pair: Option<Pair>,
    /// The condition that a state requires its step but updates are inconsistent, so that the step does not exist. A
    /// goal that is infeasible only for this reason is reported.
    pub contradiction: Option<ExprId>,
    /// The conditions under which steps are left out because they exceed a bound of what has no end in the model. If one
    /// can be reached, the lack of an execution does not prove infeasibility.
    pub bounds: Arc<[ExprId]>,
    /// The mutant of the machine that it kills, if its target is [`Query::Kill`].
    pub mutant: Option<MachineMutant>,
}

/// A mutant of the machine.
#[derive(Clone, Debug)]
pub struct MachineMutant {
    /// Its changes.
    pub changes: Arc<Changes>,
    /// What a tester sets and sees.
    pub observer: Arc<Observer>,
}

impl Goal {
    /// Whether it is a mutant, which tests kill.
    pub fn is_mutant(&self) -> bool {
        self.criterion == "mutation" || self.mutant.is_some()
    }

    /// Whether its target is one of several alternatives that were not all examined: then the lack of an execution does
    /// not prove infeasibility.
    pub fn is_guess(&self) -> bool {
        self.pair.as_ref().is_some_and(|pair| !pair.settled)
    }

    /// Whether a contradiction is all that stops a goal which no execution reaches.
    fn is_stopped(&self, search: &mut dyn Search, budget: &Budget) -> Answer<Trace> {
        self.contradiction.map_or(Answer::INFEASIBLE, |when| search.answer(Query::Reach(when), budget))
    }

    /// The answer to this goal: what the engine proves of the target, unless the target is a guess, or only a contradiction
    /// stops it.
    pub(crate) fn settle(&self, search: &mut dyn Search, answer: Answer<Trace>, budget: &Budget) -> Answer<Trace> {
        match answer {
            Answer::Impossible(Proof::Infeasible) if self.is_guess() => Answer::Undecided(Reason::OtherPairs),
            Answer::Impossible(Proof::Infeasible) => match self.is_stopped(search, budget) {
                Answer::Found(way) => Answer::Impossible(Proof::Inconsistent(Some(Box::new(way)))),
                Answer::Impossible(_) => self.within_bounds(Proof::Infeasible, search, budget),
                undecided @ Answer::Undecided(_) => undecided,
            },
            Answer::Impossible(proof @ (Proof::Nonfalsifiable | Proof::Equivalent)) => {
                self.within_bounds(proof, search, budget)
            }
            answer => answer,
        }
    }

    /// A proof, unless executions exceed a bound.
    fn within_bounds(&self, proof: Proof, search: &mut dyn Search, budget: &Budget) -> Answer<Trace> {
        for exceeds in self.bounds.iter() {
            match search.answer(Query::Reach(*exceeds), budget) {
                Answer::Found(_) => return Answer::Undecided(Reason::Bounded),
                Answer::Impossible(_) => {}
                undecided @ Answer::Undecided(_) => return undecided,
            }
        }
        Answer::Impossible(proof)
    }
}
