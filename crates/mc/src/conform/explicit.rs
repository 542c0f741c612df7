//! Comparison by the interpreter, state by state: the oracle of other engines.

use super::functional::{Functional, KnownSteps};
use super::machine::{Machine, Move, MoveOf};
use super::meeting::Meetings;
use super::search::{Search, Way};
use super::{Certainty, Changes, CompareMachines, Kill, Observer, apply};
use crate::answer::{Answer, Reason};
use crate::bdd::Limit;
use crate::explicit::Explicit;
use crate::query::Query;
use crate::search::Search as _;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use specwright_model::interp::{Explorer, Limits, SearchError, Step, eval};
use specwright_model::model::VarKind;
use specwright_model::{ExprId, State, Trace, TransitionSystem, Value, VarId};
use specwright_syntax::budget::Budget;
use std::rc::Rc;

impl CompareMachines for Explicit {
    fn compare(&mut self, observer: &Observer, mutant: &Changes, budget: &Budget) -> Answer<Kill> {
        let (model, limits) = (self.system(), self.within(budget));
        Tester::new(model, observer, limits).compare(&apply(model, mutant))
    }

    fn reach(&mut self, condition: ExprId, budget: &Budget) -> Answer<Trace> {
        self.answer(Query::Reach(condition), budget)
    }
}

/// A tester of a model. Mutants are compared one after the other; what was found out about the model is shared.
pub struct Tester<'m> {
    pub(super) own: Listed<'m>,
    /// The model again, for implementations that are in another state.
    pub(super) other: Listed<'m>,
    /// The model, if its assignments determine its steps.
    functional: Option<Functional<'m>>,
    /// What is known of candidates and of the places where a tester may meet them.
    pub(super) meetings: Meetings,
}

impl<'m> Tester<'m> {
    /// The tester of a model. A comparison with more states, or more pairs of sets of states, is undecided.
    pub fn new(model: &'m TransitionSystem, observer: &'m Observer, limits: Limits) -> Tester<'m> {
        Tester {
            own: Listed::new(model, observer, limits),
            other: Listed::new(model, observer, limits),
            functional: Functional::new(model, observer),
            meetings: Meetings::default(),
        }
    }

    /// The answer of [`CompareMachines`] for a mutant, as a model with the same variables.
    pub fn compare(&mut self, mutant: &TransitionSystem) -> Answer<Kill> {
        let limits = self.own.limits;
        let mut theirs = Listed::new(mutant, self.own.observer, limits);
        let mut search = Search::new(&mut self.own, &mut theirs, limits.states);
        search.run(|own, way| own.trace(&way)).unwrap_or_else(Answer::Undecided)
    }

    /// Whether assignments determine the steps of the model and of a mutant. Then the mutant follows a test as long as its
    /// changed parts have the same values as those of the model.
    pub fn is_functional(&self, changes: &Changes) -> bool {
        self.functional.as_ref().is_some_and(|model| model.determines(changes))
    }

    /// For each test, an execution of the model, how sure it kills a mutant; nothing if it does not. Of a loop, one round
    /// is executed. If `enough`, tests after the first certain kill are not tried.
    pub fn judge<'t>(
        &mut self,
        tests: impl IntoIterator<Item = &'t Trace>,
        changes: &Changes,
        enough: bool,
    ) -> Result<Vec<Option<Certainty>>, Reason> {
        let infected = |test: &'t Trace| (test, (0..test.states.len()).collect());
        let tests: Vec<(&Trace, Vec<usize>)> = tests.into_iter().map(infected).collect();
        self.execute(&tests, changes, self.is_functional(changes), enough).into_iter().collect()
    }

    /// The same for tests with the states that a mutant infects, in ascending order: where a changed part has another value, or no
    /// value, in the state or in the step from it. Only there can a mutant that [is functional](Self::is_functional) leave a test.
    /// Of a test in which a part of the mutant has no value, it is not known; after one that takes too much work, the others are
    /// not tried.
    pub fn execute(
        &mut self,
        tests: &[(&Trace, Vec<usize>)],
        changes: &Changes,
        is_functional: bool,
        enough: bool,
    ) -> Vec<Result<Option<Certainty>, Reason>> {
        let mutant = apply(self.own.model, changes);
        let functional = self.functional.as_ref().filter(|_| is_functional);
        let mut theirs: Option<Listed<'_>> = None;
        let mut found = Vec::with_capacity(tests.len());
        let mut known = KnownSteps::default();
        for (test, infected) in tests {
            let simple = functional.and_then(|model| model.kills((test, infected), &mutant, changes, &mut known).ok());
            let kill = if let Some(kills) = simple {
                Ok(kills.then_some(Certainty::Certain))
            } else {
                let inputs = self.own.sent(test);
                let theirs = theirs.get_or_insert_with(|| Listed::new(&mutant, self.own.observer, self.own.limits));
                Search::new(&mut self.own, theirs, usize::MAX).judge(&inputs)
            };
            let is_last = matches!(kill, Err(Reason::Limit(_))) || enough && kill == Ok(Some(Certainty::Certain));
            found.push(kill);
            if is_last {
                break;
            }
        }
        found.resize(tests.len(), Ok(None));
        found
    }
}

/// Steps for each state of the limit. Above, a machine with many inputs would take more time than one with many states.
const STEPS_PER_STATE: usize = 64;

/// The values that a tester sets or sees, in declared order of variables and values.
pub(super) type Label = Rc<[Seen]>;

/// The kind of a value, and a number that orders values of one kind. A missing value comes first.
type Seen = (u8, u64);

/// An input that is not sent: it has any value.
const UNSENT: Seen = (0, u64::MAX);

/// The point before the start, or a set of states in ascending order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Set {
    Start,
    States(Rc<[usize]>),
}

/// A step as the tester sees it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Edge {
    pub(super) input: Label,
    pub(super) output: Label,
    pub(super) to: usize,
}

/// A state, or nothing for the point before the start; and an input, or nothing for all of them.
type EdgeKey = (Option<usize>, Option<Label>);

/// A machine whose states are listed as they are reached.
pub(super) struct Listed<'m> {
    pub(super) model: &'m TransitionSystem,
    pub(super) observer: &'m Observer,
    explorer: Explorer<'m>,
    pub(super) limits: Limits,
    /// The states without inputs of steps.
    pub(super) states: IndexSet<State, FxBuildHasher>,
    /// The edges of states, and those to the initial states, in the order of inputs and outputs: all of them, or those of
    /// one input.
    /// What took too much work takes too much again.
    edges: FxHashMap<EdgeKey, Result<Rc<[Edge]>, Reason>>,
    /// The number of steps found so far.
    n_steps: usize,
}

impl<'m> Listed<'m> {
    pub(super) fn new(model: &'m TransitionSystem, observer: &'m Observer, limits: Limits) -> Listed<'m> {
        let (states, edges) = (IndexSet::default(), FxHashMap::default());
        Listed { model, observer, explorer: Explorer::new(model), limits, states, edges, n_steps: 0 }
    }

    /// The edges from a state, or those to the initial states: all of them, or those of one input.
    pub(super) fn edges(&mut self, from: Option<usize>, input: Option<&Label>) -> Result<Rc<[Edge]>, Reason> {
        let key = (from, input.cloned());
        if let Some(known) = self.edges.get(&key) {
            return known.clone();
        }
        let edges = self.find_edges(from, input);
        self.edges.insert(key, edges.clone());
        edges
    }

    fn find_edges(&mut self, from: Option<usize>, input: Option<&Label>) -> Result<Rc<[Edge]>, Reason> {
        self.check_limits()?;
        let mut edges = Vec::new();
        for Step { now, next } in self.steps(from, input)? {
            let (input, output) = (self.input(&now, &next), self.output(&next)?);
            edges.push(Edge { input, output, to: self.states.insert_full(next).0 });
        }
        self.n_steps += edges.len();
        self.check_limits()?;
        edges.sort();
        edges.dedup();
        Ok(edges.into())
    }

    fn check_limits(&self) -> Result<(), Reason> {
        let is_beyond = self.states.len() > self.limits.states || self.n_steps > STEPS_PER_STATE * self.limits.states;
        if is_beyond { Err(Reason::Limit(Limit::Steps)) } else { Ok(()) }
    }

    /// The steps from a state, or those to the initial states, with all inputs or with one.
    pub(super) fn steps(&self, from: Option<usize>, input: Option<&Label>) -> Result<Vec<Step>, Reason> {
        let (mut now, mut next) = (State::empty(self.model.vars.len()), State::empty(self.model.vars.len()));
        if let Some(state) = from {
            now = self.states[state].clone();
        }
        let given = self.observer.inputs.iter().zip(input.into_iter().flat_map(|label| label.iter()));
        for (var, (_, place)) in given.filter(|(_, seen)| **seen != UNSENT) {
            let value = self.model[*var].domain.value_at(*place);
            if self.model[*var].kind == VarKind::Input { now.set(*var, value) } else { next.set(*var, value) }
        }
        let search = if from.is_some() { self.explorer.steps(&now) } else { self.explorer.initial() };
        let steps: Result<Vec<Step>, SearchError> = search.like(&next).limit(self.limits.work).collect();
        steps.map_err(|error| match error {
            SearchError::Limit => Reason::Limit(Limit::Steps),
            other => Reason::Recorded(other.describe(self.model)),
        })
    }

    fn place(&self, var: VarId, state: &State) -> Seen {
        let place = state.get(var).and_then(|value| self.model[var].domain.index_of(value));
        place.map_or((0, 0), |place| (1, place))
    }

    /// What the tester sets for a step: the inputs of the step, and those of the state after it.
    fn input(&self, now: &State, next: &State) -> Label {
        let side = |var: VarId| if self.model[var].kind == VarKind::Input { now } else { next };
        self.observer.inputs.iter().map(|var| self.place(*var, side(*var))).collect()
    }

    /// The inputs of an execution.
    pub(super) fn inputs(&self, trace: &Trace) -> Vec<Label> {
        let nothing = State::empty(self.model.vars.len());
        let first = trace.states.iter().take(1).map(|first| self.input(&nothing, first));
        let others = trace.states.windows(2).map(|step| self.input(&step[0], &step[1]));
        let last =
            trace.loop_start.map(|start| self.input(&trace.states[trace.states.len() - 1], &trace.states[start]));
        first.chain(others).chain(last).collect()
    }

    /// The inputs of a test: those of its last state that leave it are not sent.
    pub(super) fn sent(&self, test: &Trace) -> Vec<Label> {
        let mut inputs = self.inputs(test);
        if let Some(last) = inputs.last_mut() {
            let is_unsent = |var: &VarId| self.observer.leaving.contains(var);
            let sent = self.observer.inputs.iter().zip(last.iter());
            *last = sent.map(|(var, seen)| if is_unsent(var) { UNSENT } else { *seen }).collect();
        }
        inputs
    }

    /// What the tester sees in a state.
    pub(super) fn output(&self, state: &State) -> Result<Label, Reason> {
        let vars = self.observer.outputs.iter().map(|var| Ok(self.place(*var, state)));
        let defines = self.observer.defines.iter().map(|define| {
            let value = eval(self.model, self.model.body(*define), state, None);
            value.map(seen).map_err(|error| Reason::Recorded(error.describe(self.model)))
        });
        vars.chain(defines).collect()
    }

    /// The edges of all states of a set.
    fn edges_of(&mut self, set: &Set, input: Option<&Label>) -> Result<Vec<Rc<[Edge]>>, Reason> {
        sources(set).into_iter().map(|from| self.edges(from, input)).collect()
    }

    /// Adds the states of an execution from a state on with these inputs, each state the first in declared order.
    pub(super) fn walk<'i>(
        &mut self,
        from: &State,
        inputs: impl Iterator<Item = &'i Label>,
        states: &mut Vec<State>,
    ) -> Result<(), Reason> {
        let mut now = from.clone();
        for input in inputs {
            let at = self.states.insert_full(self.model.without_step_inputs(&now)).0;
            let steps = self.steps(Some(at), Some(input))?.into_iter();
            let first = steps.min_by_key(|step| (step.next.rank(self.model), step.now.rank(self.model)));
            // Another state of the estimate accepts the input, this one does not.
            let Some(step) = first else { return Err(Reason::Unsupported) };
            states.push(step.now);
            now = step.next;
        }
        states.push(now);
        Ok(())
    }

    /// An execution of the model with the inputs of a way, and its outputs up to the last step. States are chosen from the
    /// last one backwards, each the first in declared order.
    fn trace(&mut self, way: &Way<Listed<'m>>) -> Result<Trace, Reason> {
        let mut states: Vec<State> = Vec::new();
        let mut to: Option<usize> = None;
        for (index, estimate) in way.estimates.iter().enumerate().rev() {
            let (input, output) = match way.steps.get(index) {
                Some((input, output)) => (input, Some(output)),
                None => (&way.last, None),
            };
            let mut found = Vec::new();
            for from in sources(estimate) {
                let edges = self.edges(from, Some(input))?;
                let fits = |edge: &&Edge| {
                    output.is_none_or(|output| edge.output == *output) && to.is_none_or(|next| edge.to == next)
                };
                found.extend(edges.iter().filter(fits).map(|edge| (edge.to, from)));
            }
            let rank = |state: usize| self.states[state].rank(self.model);
            let first = found.into_iter().min_by_key(|(to, from)| (rank(*to), from.map(rank)));
            let (next, from) = first.expect("the estimate of a way has a step");
            if to.is_none() {
                states.push(self.states[next].clone());
            }
            if let Some(from) = from {
                let steps = self.steps(Some(from), Some(input))?.into_iter();
                let through = steps.filter(|step| step.next == self.states[next]).map(|step| step.now);
                states.extend(through.min_by_key(|now| now.rank(self.model)));
                to = Some(from);
            }
        }
        states.reverse();
        Ok(Trace { states, loop_start: None })
    }
}

impl Machine for Listed<'_> {
    type Input = Label;
    type Output = Label;
    type Set = Set;

    fn start(&self) -> Set {
        Set::Start
    }

    fn moves(&mut self, set: &Set) -> Result<Vec<MoveOf<Self>>, Reason> {
        let all = self.edges_of(set, None)?;
        let mut inputs: Vec<&Label> = all.iter().flat_map(|edges| edges.iter().map(|edge| &edge.input)).collect();
        inputs.sort();
        inputs.dedup();
        let of = |input: &Label| {
            let edges = all.iter().map(|edges| {
                let start = edges.partition_point(|edge| edge.input < *input);
                let end = edges.partition_point(|edge| edge.input <= *input);
                &edges[start..end]
            });
            join(input.clone(), edges)
        };
        Ok(inputs.into_iter().map(of).collect())
    }

    fn answer(&mut self, set: &Set, input: &Label) -> Result<MoveOf<Self>, Reason> {
        let all = self.edges_of(set, Some(input))?;
        Ok(join(input.clone(), all.iter().map(|edges| &**edges)))
    }
}

/// The states of a set; nothing stands for the point before the start.
pub(super) fn sources(set: &Set) -> Vec<Option<usize>> {
    match set {
        Set::Start => vec![None],
        Set::States(states) => states.iter().copied().map(Some).collect(),
    }
}

/// The answer of a set to an input, from the edges of each of its states.
fn join<'e>(input: Label, all: impl Iterator<Item = &'e [Edge]>) -> Move<Label, Label, Set> {
    let (mut refuses, mut edges) = (false, Vec::new());
    for own in all {
        refuses |= own.is_empty();
        edges.extend(own.iter().map(|edge| (&edge.output, edge.to)));
    }
    edges.sort();
    edges.dedup();
    let groups = edges.chunk_by(|a, b| a.0 == b.0);
    let outcomes = groups.map(|group| (group[0].0.clone(), Set::States(group.iter().map(|(_, to)| *to).collect())));
    Move { input, refuses, outcomes: outcomes.collect() }
}

/// The value of a define, as the tester sees it.
fn seen(value: Value) -> Seen {
    match value {
        Value::Bool(truth) => (1, truth.into()),
        Value::Int(number) => (2, number.abs_diff(i64::MIN)),
        Value::Symbol(symbol) => (3, symbol.0.into()),
        Value::Word(word) => (4, word.bits),
    }
}
