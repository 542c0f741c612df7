//! Which engine answers: one that the user wants, or several that help each other out.

use crate::answer::Answer;
use crate::conform::CompareMachines;
use crate::query::Query;
use crate::sat::Sat;
use crate::search::{ExtendTrace, Search, Sink, SmvExplain};
use crate::symbolic::Symbolic;
use specwright_model::{Trace, TransitionSystem, Value, VarId};
use specwright_syntax::budget::Budget;
use std::ops::ControlFlow;

/// The engine that answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Engine {
    /// Decision diagrams; where these take too long, SAT-based search, and diagrams again for what that cannot decide.
    #[default]
    Auto,
    /// Decision diagrams.
    Bdd,
    /// SAT-based search.
    Sat,
    /// Explicit search, for models with few states.
    Explicit,
}

impl Engine {
    /// All engines with their names.
    pub const NAMED: [(&str, Engine); 4] =
        [("auto", Engine::Auto), ("bdd", Engine::Bdd), ("sat", Engine::Sat), ("explicit", Engine::Explicit)];
}

/// SAT-based search, and decision diagrams for what it cannot decide.
pub struct Both<'a> {
    sat: &'a mut Sat,
    diagrams: Option<&'a mut Symbolic>,
    answered: Answered,
}

/// How many answers each engine gave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answered {
    /// Decision diagrams.
    pub bdd: usize,
    /// SAT-based search.
    pub sat: usize,
    /// Explicit search.
    pub explicit: usize,
}

impl<'a> Both<'a> {
    /// Two engines for one system. Without diagrams, what SAT-based search cannot decide is undecided.
    pub fn new(sat: &'a mut Sat, diagrams: Option<&'a mut Symbolic>) -> Both<'a> {
        Both { sat, diagrams, answered: Answered::default() }
    }

    /// How many answers each engine gave.
    pub fn answered(&self) -> Answered {
        self.answered
    }
}

impl Search for Both<'_> {
    fn system(&self) -> &TransitionSystem {
        Search::system(self.sat)
    }

    fn set_preference(&mut self, preference: Vec<(VarId, Vec<Value>)>) {
        if let Some(diagrams) = &mut self.diagrams {
            diagrams.set_preference(preference.clone());
        }
        self.sat.set_preference(preference);
    }

    fn steps(&self) -> u64 {
        self.sat.steps() + self.diagrams.as_ref().map_or(0, |diagrams| diagrams.steps())
    }

    fn solve(&mut self, queries: &[Query], budget: &Budget, sink: &mut dyn Sink) -> ControlFlow<()> {
        let Both { sat, diagrams, answered } = self;
        sat.solve(queries, budget, &mut Second { sink, queries, budget, diagrams: diagrams.as_deref_mut(), answered })
    }

    fn answer(&mut self, query: Query, budget: &Budget) -> Answer<Trace> {
        let answer = self.sat.answer(query, budget);
        second(answer, self.diagrams.as_deref_mut(), query, budget, &mut self.answered)
    }

    fn extending(&mut self) -> Option<&mut dyn ExtendTrace> {
        let diagrams = self.diagrams.as_mut()?;
        // Targets of diagrams need the states that can be reached.
        if diagrams.n_states().is_some() { diagrams.extending() } else { None }
    }

    fn comparing(&mut self) -> Option<&mut dyn CompareMachines> {
        self.diagrams.as_mut()?.comparing()
    }

    fn explaining(&mut self) -> Option<&mut dyn SmvExplain> {
        self.diagrams.as_mut()?.explaining()
    }
}

/// Asks decision diagrams what was not decided before it passes answers on.
struct Second<'s> {
    sink: &'s mut dyn Sink,
    queries: &'s [Query],
    budget: &'s Budget,
    diagrams: Option<&'s mut Symbolic>,
    answered: &'s mut Answered,
}

impl Sink for Second<'_> {
    fn is_open(&mut self, query: usize) -> bool {
        self.sink.is_open(query)
    }

    fn answer(&mut self, search: &mut dyn Search, query: usize, answer: Answer<Trace>) -> ControlFlow<()> {
        let diagrams = self.diagrams.as_deref_mut();
        let answer = second(answer, diagrams, self.queries[query], self.budget, self.answered);
        self.sink.answer(search, query, answer)
    }
}

fn second(
    answer: Answer<Trace>,
    diagrams: Option<&mut Symbolic>,
    query: Query,
    budget: &Budget,
    answered: &mut Answered,
) -> Answer<Trace> {
    if !answer.is_undecided() {
        answered.sat += 1;
        return answer;
    }
    match diagrams {
        Some(diagrams) if !answer.is_interrupted() => {
            let answer = diagrams.answer(query, budget);
            answered.bdd += usize::from(!answer.is_undecided());
            answer
        }
        _ => answer,
    }
}
