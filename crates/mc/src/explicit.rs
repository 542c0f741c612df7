//! Explicit search: the reachable states one by one, by the interpreter.
//!
//! It decides queries about states and steps of models with few states. Temporal formulas are left to other engines. As it
//! shares nothing with the symbolic engine but the canonical choice of witnesses, it is the oracle of that engine in tests.

use crate::answer::{Answer, Reason};
use crate::bdd::Limit;
use crate::query::{Query, mentions_next};
use crate::search::{Search, Sink};
use specwright_model::interp::{Graph, Limits, SearchError, eval_bool};
use specwright_model::model::VarKind;
use specwright_model::typing::is_temporal;
use specwright_model::{ExprId, Node, State, Trace, TransitionSystem, Value, VarId};
use specwright_syntax::budget::Budget;
use std::ops::ControlFlow;

/// A model with few states.
pub struct Explicit {
    system: TransitionSystem,
    limits: Limits,
    preference: Vec<(VarId, Vec<Value>)>,
    /// The transitions found so far.
    steps: u64,
}

impl Explicit {
    /// A search with limits: a model with more states is undecided.
    pub fn new(system: TransitionSystem, limits: Limits) -> Explicit {
        Explicit { system, limits, preference: Vec::new(), steps: 0 }
    }

    /// The limits within a budget: a step is a state.
    pub(crate) fn within(&self, budget: &Budget) -> Limits {
        let most = budget.steps().map_or(usize::MAX, |steps| usize::try_from(steps).unwrap_or(usize::MAX));
        Limits { states: self.limits.states.min(most), ..self.limits }
    }
}

impl Search for Explicit {
    fn system(&self) -> &TransitionSystem {
        &self.system
    }

    fn set_preference(&mut self, preference: Vec<(VarId, Vec<Value>)>) {
        self.preference = preference;
    }

    fn steps(&self) -> u64 {
        self.steps
    }

    fn solve(&mut self, queries: &[Query], budget: &Budget, sink: &mut dyn Sink) -> ControlFlow<()> {
        let (system, preference) = (self.system.clone(), self.preference.clone());
        let walker = Walker::new(&system, self.within(budget), &preference);
        self.steps += walker.as_ref().map_or(0, Walker::n_edges);
        for (index, query) in queries.iter().enumerate() {
            if sink.is_open(index) {
                let answer =
                    walker.as_ref().map_or_else(|reason| Answer::Undecided(reason.clone()), |w| w.answer(*query));
                sink.answer(self, index, answer)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn answer(&mut self, query: Query, budget: &Budget) -> Answer<Trace> {
        let walker = Walker::new(&self.system, self.within(budget), &self.preference);
        self.steps += walker.as_ref().map_or(0, Walker::n_edges);
        walker.map_or_else(Answer::Undecided, |walker| walker.answer(query))
    }
}

/// The graph of a model, with the rank of every state.
struct Walker<'m> {
    graph: Graph<'m>,
    preference: &'m [(VarId, Vec<Value>)],
    /// For each state, its predecessors.
    before: Vec<Vec<usize>>,
}

/// A place that answers a query: a state, or a step from it.
type Hit = (usize, Option<usize>);

impl<'m> Walker<'m> {
    fn new(
        system: &'m TransitionSystem,
        limits: Limits,
        preference: &'m [(VarId, Vec<Value>)],
    ) -> Result<Walker<'m>, Reason> {
        let graph = Graph::explore(system, limits).map_err(|error| match error {
            SearchError::Limit => Reason::Limit(Limit::Steps),
            other => Reason::Recorded(other.describe(system)),
        })?;
        let mut before = vec![Vec::new(); graph.len()];
        for (from, edges) in graph.edges.iter().enumerate() {
            for edge in edges {
                before[edge.to].push(from);
            }
        }
        Ok(Walker { graph, preference, before })
    }

    fn n_edges(&self) -> u64 {
        self.graph.edges.iter().map(|edges| edges.len() as u64).sum()
    }

    fn answer(&self, query: Query) -> Answer<Trace> {
        let (expr, wanted) = match query {
            Query::Falsify(expr) => (expr, false),
            Query::Reach(expr) | Query::Show(expr) => (expr, true),
            Query::Kill(_) => return Answer::Undecided(Reason::Unsupported),
        };
        if self.graph.system.mentions(expr, is_temporal) {
            return Answer::Undecided(Reason::Unsupported);
        }
        let at_start = matches!(query, Query::Show(_));
        self.find(expr, wanted, at_start).into()
    }

    /// The canonical execution to where an expression has a truth value.
    fn find(&self, expr: ExprId, wanted: bool, at_start: bool) -> Option<Trace> {
        let system = self.graph.system;
        let is_input = |node: &Node| matches!(node, Node::Var(var) if system[*var].kind == VarKind::Input);
        let sources = if at_start { 0..self.graph.n_initial } else { 0..self.graph.len() };
        let is = |now: &State, next: Option<&State>| eval_bool(system, expr, now, next) == Ok(wanted);
        let states = || sources.clone().filter(|state| is(&self.graph.states[*state], None)).map(|state| (state, None));
        if !system.mentions(expr, is_input) && !mentions_next(system, expr) {
            return self.nearest(states().collect()).map(|hit| self.trace(hit));
        }
        let steps = sources.clone().flat_map(|from| (0..self.graph.edges[from].len()).map(move |edge| (from, edge)));
        let hits = steps.filter(|(from, edge)| {
            let edge = self.graph.edges[*from][*edge];
            is(&self.graph.now(*from, edge), Some(&self.graph.states[edge.to]))
        });
        let hits: Vec<Hit> = hits.map(|(from, edge)| (from, Some(edge))).collect();
        // Where no step follows, what is known without one counts.
        let ends = || states().filter(|(state, _)| self.graph.edges[*state].is_empty()).collect();
        self.nearest(hits).or_else(|| self.nearest(ends())).map(|hit| self.trace(hit))
    }

    /// The hit with the shortest way; among these the one with the first target, source and inputs.
    fn nearest(&self, hits: Vec<Hit>) -> Option<Hit> {
        let distance = |hit: &Hit| self.graph.rings[hit.0];
        let least = hits.iter().map(distance).min()?;
        let near = hits.into_iter().filter(|hit| distance(hit) == least);
        near.min_by_key(|(from, edge)| {
            let step = edge.map(|edge| self.graph.edges[*from][edge]);
            let target = step.map(|edge| self.rank(&self.graph.states[edge.to]));
            let inputs = step.map(|edge| self.rank(&self.graph.now(*from, edge)));
            (target, self.rank(&self.graph.states[*from]), inputs)
        })
    }

    /// The canonical execution to a hit.
    fn trace(&self, (state, edge): Hit) -> Trace {
        let mut states = Vec::new();
        match edge {
            Some(edge) => {
                let edge = self.graph.edges[state][edge];
                states.extend([self.graph.states[edge.to].clone(), self.graph.now(state, edge)]);
            }
            None => states.push(self.graph.states[state].clone()),
        }
        let mut at = state;
        while self.graph.rings[at] > 0 {
            let sources =
                self.before[at].iter().copied().filter(|from| self.graph.rings[*from] + 1 == self.graph.rings[at]);
            let from =
                sources.min_by_key(|from| self.rank(&self.graph.states[*from])).expect("a ring has one before it");
            let steps = self.graph.edges[from].iter().filter(|edge| edge.to == at);
            let now = steps.map(|edge| self.graph.now(from, *edge)).min_by_key(|now| self.rank(now));
            states.push(now.expect("there is a step"));
            at = from;
        }
        states.reverse();
        Trace { states, loop_start: None }
    }

    /// What comes first among states: the places of the preferred values, then those of all values in declared order.
    fn rank(&self, state: &State) -> Vec<u64> {
        let system = self.graph.system;
        let preferred = self.preference.iter().map(|(var, values)| {
            let at = state.get(*var).and_then(|value| values.iter().position(|other| *other == value));
            at.unwrap_or(values.len()) as u64
        });
        let declared = system.vars().map(|(var, declared)| {
            state.get(var).and_then(|value| declared.domain.index_of(value)).unwrap_or_default()
        });
        preferred.chain(declared).collect()
    }
}
