//! The reachability graph of a small model.

use super::search::{Explorer, Search, SearchError, Step};
use crate::model::{TransitionSystem, VarKind};
use crate::state::{State, Trace};
use indexmap::IndexSet;

/// The reachable states of a model and the steps between them.
#[derive(Clone, Debug)]
pub struct Graph<'m> {
    /// The system.
    pub system: &'m TransitionSystem,
    /// The states, without inputs, in breadth-first order.
    pub states: IndexSet<State, rustc_hash::FxBuildHasher>,
    /// For each state, its distance from the initial states.
    pub rings: Vec<usize>,
    /// Number of initial states; they are the first ones of `states`.
    pub n_initial: usize,
    /// For each state, its outgoing edges, in declared order of inputs and next states.
    pub edges: Vec<Vec<Edge>>,
    /// For each state, its predecessor on a shortest path and the index of the edge; `None` for initial states.
    parents: Vec<Option<(usize, usize)>>,
    /// The inputs of edges, each as a state that has values for inputs only.
    labels: IndexSet<State, rustc_hash::FxBuildHasher>,
}

/// All steps of a search, unless there are too many: as soon as one does not go on, given the number of steps so far.
fn all_steps(search: Search<'_>, mut goes_on: impl FnMut(&Step, usize) -> bool) -> Result<Vec<Step>, SearchError> {
    let mut steps = Vec::new();
    for step in search {
        let step = step?;
        if !goes_on(&step, steps.len() + 1) {
            return Err(SearchError::Limit);
        }
        steps.push(step);
    }
    Ok(steps)
}

/// An edge of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The target state.
    pub to: usize,
    label: usize,
}

/// Limits of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximal number of states.
    pub states: usize,
    /// Maximal number of values tried and operators evaluated for each state.
    pub work: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { states: 100_000, work: 10_000_000 }
    }
}

impl<'m> Graph<'m> {
    /// Explores a model. Exceeding a limit is [`SearchError::Limit`].
    pub fn explore(system: &'m TransitionSystem, limits: Limits) -> Result<Graph<'m>, SearchError> {
        let explorer = Explorer::new(system);
        let mut initial = all_steps(explorer.initial().limit(limits.work), |_, n| n <= limits.states)?;
        initial.sort_by_cached_key(|step| step.next.rank(system));
        let states: IndexSet<State, _> = initial.into_iter().map(|step| step.next).collect();
        let n = states.len();
        let mut graph = Graph {
            system,
            states,
            rings: vec![0; n],
            n_initial: n,
            edges: Vec::new(),
            parents: vec![None; n],
            labels: IndexSet::default(),
        };
        while graph.edges.len() < graph.states.len() {
            if graph.states.len() > limits.states {
                return Err(SearchError::Limit);
            }
            let from = graph.edges.len();
            let mut edges = Vec::new();
            let mut fresh: IndexSet<State, rustc_hash::FxBuildHasher> = IndexSet::default();
            let mut steps = all_steps(explorer.steps(&graph.states[from]).limit(limits.work), |step, _| {
                if !graph.states.contains(&step.next) {
                    fresh.insert(step.next.clone());
                }
                graph.states.len() + fresh.len() <= limits.states
            })?;
            steps.sort_by_cached_key(|step| (step.now.rank(system), step.next.rank(system)));
            for step in steps {
                let (to, new) = graph.states.insert_full(step.next);
                if new {
                    graph.rings.push(graph.rings[from] + 1);
                    graph.parents.push(Some((from, edges.len())));
                }
                let (label, _) = graph.labels.insert_full(inputs_only(system, step.now));
                edges.push(Edge { to, label });
            }
            graph.edges.push(edges);
        }
        Ok(graph)
    }

    /// The graph of a single infinite path: complete states, pairwise different without their inputs; the successor of
    /// the last one is given by `loop_start`.
    #[cfg(test)]
    pub(super) fn of_path(system: &'m TransitionSystem, path: &[State], loop_start: usize) -> Graph<'m> {
        let mut labels = IndexSet::default();
        let mut edges = Vec::new();
        for (index, now) in path.iter().enumerate() {
            let to = if index + 1 < path.len() { index + 1 } else { loop_start };
            let (label, _) = labels.insert_full(inputs_only(system, now.clone()));
            edges.push(vec![Edge { to, label }]);
        }
        let without_inputs = |state: &State| {
            let mut state = state.clone();
            inputs(system).for_each(|(var, _)| state.set(var, None));
            state
        };
        let states: IndexSet<State, _> = path.iter().map(without_inputs).collect();
        assert_eq!(states.len(), path.len(), "the states of a path must be different");
        let n = states.len();
        Graph { system, states, rings: (0..n).collect(), n_initial: 1, edges, parents: vec![None; n], labels }
    }

    /// The number of states.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether there is no state.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// The source state of an edge, with its inputs.
    pub fn now(&self, from: usize, edge: Edge) -> State {
        let mut now = self.states[from].clone();
        for (var, _) in inputs(self.system) {
            now.set(var, self.labels[edge.label].get(var));
        }
        now
    }

    /// The states without successors.
    pub fn deadlocks(&self) -> Vec<usize> {
        (0..self.len()).filter(|state| self.edges[*state].is_empty()).collect()
    }

    /// A shortest execution to a state; the inputs of its last state have no values.
    pub fn path_to(&self, state: usize) -> Trace {
        let mut states = vec![self.states[state].clone()];
        let mut at = state;
        while let Some((from, edge)) = self.parents[at] {
            states.push(self.now(from, self.edges[from][edge]));
            at = from;
        }
        states.reverse();
        Trace { states, loop_start: None }
    }
}

fn inputs(system: &TransitionSystem) -> impl Iterator<Item = (crate::model::VarId, &crate::model::Var)> {
    system.vars().filter(|(_, var)| var.kind == VarKind::Input)
}

fn inputs_only(system: &TransitionSystem, now: State) -> State {
    let mut label = now;
    for (var, _) in system.vars().filter(|(_, var)| var.kind != VarKind::Input) {
        label.set(var, None);
    }
    label
}
