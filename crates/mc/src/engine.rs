//! Which engine answers: one that the user wants, or several that help each other out.

use crate::answer::Answer;
use crate::answer_each::answer_each;
use crate::bdd::Limit;
use crate::conform::CompareMachines;
use crate::policy::{DIAGRAMS_FIRST, FIRST_NODES};
use crate::query::Query;
use crate::sat::Sat;
use crate::search::{ExtendTrace, Search, Sink, SmvExplain};
use crate::symbolic::{BuildError, Options, Symbolic};
use specwright_model::{Trace, TransitionSystem, Value, VarId};
use specwright_syntax::budget::Budget;
use std::ops::ControlFlow;

/// The engine that answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Engine {
    /// Decision diagrams; where these take too long, SAT-based search, and diagrams again for what that does not decide.
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

/// SAT-based search, and decision diagrams for what it does not decide: for some time after what is easy, and at last without
/// limit, or up to a [number of steps](Both::at_most).
pub struct Both<'a> {
    sat: &'a mut Sat,
    diagrams: Diagrams<'a>,
    answered: Answered,
}

/// Decision diagrams that are made when they are needed.
struct Diagrams<'a> {
    engine: &'a mut Option<Symbolic>,
    /// The options for those that are not there yet, if there may be any.
    options: Option<Options>,
    /// The steps that they may take for all queries.
    most: Option<u64>,
    preference: Vec<(VarId, Vec<Value>)>,
}

impl Diagrams<'_> {
    /// The engine, if it can be made in this number of steps and with few nodes, or at all.
    fn get(&mut self, system: &TransitionSystem, steps: Option<u64>) -> Option<&mut Symbolic> {
        if self.engine.is_none()
            && let Some(options) = &self.options
        {
            let budget = steps.map_or_else(|| options.budget.clone(), |steps| options.budget.limited(steps));
            let max_nodes = steps.map(|_| FIRST_NODES).into_iter().chain(options.max_nodes).min();
            match Symbolic::new(system.clone(), &Options { max_nodes, budget, ..options.clone() }) {
                Ok(mut engine) => {
                    engine.set_max_nodes(options.max_nodes);
                    engine.set_preference(self.preference.clone());
                    *self.engine = Some(engine);
                }
                Err(BuildError::Limit(Limit::Steps | Limit::Nodes)) if steps.is_some() => {}
                Err(_) => self.options = None,
            }
        }
        self.engine.as_mut()
    }
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
    /// Two engines for one system. Diagrams that are not there are made with these options. Without either, what SAT-based
    /// search does not decide is undecided.
    pub fn new(sat: &'a mut Sat, diagrams: &'a mut Option<Symbolic>, options: Option<Options>) -> Both<'a> {
        Both {
            sat,
            diagrams: Diagrams { engine: diagrams, options, most: None, preference: Vec::new() },
            answered: Answered::default(),
        }
    }

    /// The same with a limit of the steps of diagrams for all queries together. What remains is undecided then.
    #[must_use]
    pub fn at_most(mut self, steps: u64) -> Both<'a> {
        self.diagrams.most = Some(steps);
        self
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
        self.diagrams.preference.clone_from(&preference);
        if let Some(diagrams) = &mut self.diagrams.engine {
            diagrams.set_preference(preference.clone());
        }
        self.sat.set_preference(preference);
    }

    fn steps(&self) -> u64 {
        self.sat.steps() + self.diagrams.engine.as_ref().map_or(0, Symbolic::steps)
    }

    fn solve(&mut self, queries: &[Query], budget: &Budget, sink: &mut dyn Sink) -> ControlFlow<()> {
        let Both { sat, diagrams, answered } = self;
        let system = Search::system(*sat).clone();
        sat.solve(queries, budget, &mut Second { sink, queries, budget, system, diagrams, answered })
    }

    fn answer(&mut self, query: Query, budget: &Budget) -> Answer<Trace> {
        let answer = self.sat.answer(query, budget);
        let system = Search::system(self.sat).clone();
        second(answer, &mut self.diagrams, &system, query, budget, &mut self.answered)
    }

    fn extending(&mut self) -> Option<&mut dyn ExtendTrace> {
        let diagrams = self.diagrams.engine.as_mut()?;
        // Targets of diagrams need the states that can be reached.
        if diagrams.n_states().is_some() { diagrams.extending() } else { None }
    }

    fn comparing(&mut self) -> Option<&mut dyn CompareMachines> {
        let system = Search::system(self.sat).clone();
        self.diagrams.get(&system, None)?.comparing()
    }

    fn explaining(&mut self) -> Option<&mut dyn SmvExplain> {
        let system = Search::system(self.sat).clone();
        self.diagrams.get(&system, None)?.explaining()
    }
}

/// Asks decision diagrams what was not decided before it passes answers on.
struct Second<'s, 'd> {
    sink: &'s mut dyn Sink,
    queries: &'s [Query],
    budget: &'s Budget,
    system: TransitionSystem,
    diagrams: &'s mut Diagrams<'d>,
    answered: &'s mut Answered,
}

impl Sink for Second<'_, '_> {
    fn is_open(&mut self, query: usize) -> bool {
        self.sink.is_open(query)
    }

    fn answer(&mut self, search: &mut dyn Search, query: usize, answer: Answer<Trace>) -> ControlFlow<()> {
        let Second { queries, budget, system, diagrams, answered, .. } = self;
        let answer = second(answer, diagrams, system, queries[query], budget, answered);
        self.sink.answer(search, query, answer)
    }

    fn pause(&mut self, open: &[usize]) -> ControlFlow<(), bool> {
        let Some(diagrams) = self.diagrams.get(&self.system, Some(DIAGRAMS_FIRST)) else {
            return ControlFlow::Continue(false);
        };
        diagrams.limit_nodes(Some(FIRST_NODES));
        let budget = self.budget.limited(DIAGRAMS_FIRST);
        let explored = diagrams.within(&budget, |diagrams| diagrams.explore(&mut |_| ()));
        diagrams.limit_nodes(None);
        if explored.is_err() {
            return ControlFlow::Continue(false);
        }
        let queries: Vec<Query> = open.iter().map(|query| self.queries[*query]).collect();
        let mut rest = Rest { sink: self.sink, open, answered: self.answered };
        answer_each(diagrams, &queries, self.budget, &mut rest)?;
        ControlFlow::Continue(true)
    }
}

/// The sink of a batch for answers of decision diagrams to those of its queries that are open.
struct Rest<'s> {
    sink: &'s mut dyn Sink,
    open: &'s [usize],
    answered: &'s mut Answered,
}

impl Sink for Rest<'_> {
    fn is_open(&mut self, query: usize) -> bool {
        self.sink.is_open(self.open[query])
    }

    fn answer(&mut self, search: &mut dyn Search, query: usize, answer: Answer<Trace>) -> ControlFlow<()> {
        self.answered.bdd += usize::from(!answer.is_undecided());
        self.sink.answer(search, self.open[query], answer)
    }
}

fn second(
    answer: Answer<Trace>,
    diagrams: &mut Diagrams<'_>,
    system: &TransitionSystem,
    query: Query,
    budget: &Budget,
    answered: &mut Answered,
) -> Answer<Trace> {
    if !answer.is_undecided() {
        answered.sat += 1;
        return answer;
    }
    if answer.is_interrupted() {
        return answer;
    }
    let most = diagrams.most;
    let Some(diagrams) = diagrams.get(system, most) else { return answer };
    let rest = most.map(|most| most.saturating_sub(diagrams.steps()));
    if rest == Some(0) {
        return answer;
    }
    let budget = rest.map_or_else(|| budget.clone(), |rest| budget.limited(rest));
    let answer = diagrams.answer(query, &budget);
    answered.bdd += usize::from(!answer.is_undecided());
    answer
}
