//! The search for tests that kill a mutant, on pairs of sets of states.
//!
//! A node is what is known after a sequence of inputs and outputs: the states of the model and those of the mutant that
//! agree with it. Nodes are expanded in breadth-first order, inputs and outputs in declared order. So the first kill is by
//! a shortest test, and by the first one among these.

use super::machine::{Machine, MoveOf};
use super::{Certainty, Kill};
use crate::answer::{Answer, Proof, Reason};
use crate::bdd::Limit;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use specwright_model::Trace;

/// The states of the model and those of the mutant.
pub(super) type Node<A, B> = (<A as Machine>::Set, <B as Machine>::Set);

/// The node before a node, with the input and the output between them; nothing for the first one.
type Parent<A> = Option<(usize, <A as Machine>::Input, <A as Machine>::Output)>;

/// For each node of a set the node before it, with the output between them.
type Sources<A> = FxHashMap<usize, (usize, <A as Machine>::Output)>;

/// A test with a run that it kills in its last step.
pub(super) struct Way<A: Machine> {
    /// The sets of states of the model before each step, from the point before the start.
    pub(super) estimates: Vec<A::Set>,
    /// The inputs and outputs between them.
    pub(super) steps: Vec<(A::Input, A::Output)>,
    /// The input of the last step.
    pub(super) last: A::Input,
}

/// The nodes found so far.
pub(super) struct Search<'a, A: Machine, B: Machine> {
    model: &'a mut A,
    mutant: &'a mut B,
    /// The largest number of nodes, and of sets of nodes.
    most: usize,
    nodes: IndexSet<Node<A, B>, FxBuildHasher>,
}

/// How a node answers an input.
struct Step<O> {
    /// The runs that go on: their outputs, and the nodes after them.
    alive: Vec<(O, usize)>,
    /// Whether some run leaves the model.
    kills: bool,
    /// Whether some run of the mutant ends without leaving the model, because the model may refuse the input.
    ends: bool,
    /// Whether the model has a run that the mutant does not have.
    loses: bool,
}

impl<'a, A: Machine, B: Machine<Input = A::Input, Output = A::Output>> Search<'a, A, B> {
    /// A search from the start of both machines.
    pub(super) fn new(model: &'a mut A, mutant: &'a mut B, most: usize) -> Search<'a, A, B> {
        let start = (model.start(), mutant.start());
        Search::from(model, mutant, start, most)
    }

    /// A search from some states of either machine.
    pub(super) fn from(model: &'a mut A, mutant: &'a mut B, start: Node<A, B>, most: usize) -> Search<'a, A, B> {
        Search { model, mutant, most, nodes: std::iter::once(start).collect() }
    }

    /// The answer. `trace` makes an execution of the model of a way.
    pub(super) fn run(
        &mut self,
        trace: impl FnOnce(&mut A, Way<A>) -> Result<Trace, Reason>,
    ) -> Result<Answer<Kill>, Reason> {
        let mut parents: Vec<Parent<A>> = vec![None];
        let (mut at, mut loses) = (0, false);
        while at < self.nodes.len() {
            for own in self.model.moves(&self.nodes[at].0)? {
                let step = self.step(at, &own)?;
                loses |= step.loses;
                if step.kills {
                    let way = self.way(&parents, at, own.input);
                    let (certainty, way) = match self.certain(&way)? {
                        Some(certain) => (Certainty::Certain, certain),
                        None => (Certainty::Possible, way),
                    };
                    return Ok(Answer::Found(Kill { certainty, trace: trace(self.model, way)? }));
                }
                for (output, node) in step.alive {
                    if node == parents.len() {
                        parents.push(Some((at, own.input.clone(), output)));
                    }
                }
                if self.nodes.len() > self.most {
                    return Err(Reason::Limit(Limit::Steps));
                }
            }
            at += 1;
        }
        Ok(Answer::Impossible(if loses { Proof::Conforming } else { Proof::Equivalent }))
    }

    /// How a node answers an input, given the answer of the model.
    fn step(&mut self, node: usize, own: &MoveOf<A>) -> Result<Step<A::Output>, Reason> {
        let theirs = self.mutant.answer(&self.nodes[node].1, &own.input)?;
        let mut step = Step {
            alive: Vec::new(),
            kills: theirs.refuses && !own.refuses,
            ends: theirs.refuses && own.refuses,
            loses: own.refuses && !theirs.refuses,
        };
        for (output, after) in theirs.outcomes {
            match own.outcomes.binary_search_by(|(other, _)| other.cmp(&output)) {
                Ok(place) => {
                    let (node, _) = self.nodes.insert_full((own.outcomes[place].1.clone(), after));
                    step.alive.push((output, node));
                }
                Err(_) => step.kills = true,
            }
        }
        step.loses |= step.alive.len() < own.outcomes.len();
        Ok(step)
    }

    /// The nodes found so far.
    pub(super) fn nodes(&self) -> impl ExactSizeIterator<Item = &Node<A, B>> {
        self.nodes.iter()
    }

    /// The way to a node, and a last input.
    fn way(&self, parents: &[Parent<A>], node: usize, last: A::Input) -> Way<A> {
        let mut way = Way { estimates: vec![self.nodes[node].0.clone()], steps: Vec::new(), last };
        let mut at = node;
        while let Some((before, input, output)) = &parents[at] {
            at = *before;
            way.estimates.push(self.nodes[at].0.clone());
            way.steps.push((input.clone(), output.clone()));
        }
        way.estimates.reverse();
        way.steps.reverse();
        way
    }

    /// A shortest test that every run of the mutant fails, if there is one and it is found within the limit. If the first
    /// test that some run fails is one, it is that.
    fn certain(&mut self, possible: &Way<A>) -> Result<Option<Way<A>>, Reason> {
        let mut runs = vec![0];
        let mut inputs = possible.steps.iter().map(|(input, _)| input).chain([&possible.last]);
        let is_certain = inputs.all(|input| match self.step_all(&runs, input) {
            Ok(Some(after)) => {
                runs = after.into_iter().map(|(_, _, node)| node).collect();
                true
            }
            _ => false,
        });
        if is_certain && runs.is_empty() {
            let Way { estimates, steps, last } = possible;
            return Ok(Some(Way { estimates: estimates.clone(), steps: steps.clone(), last: last.clone() }));
        }
        self.search_certain()
    }

    /// A breadth-first search on sets of nodes: those of all runs of the mutant that are still within the model.
    fn search_certain(&mut self) -> Result<Option<Way<A>>, Reason> {
        let mut sets: IndexSet<Vec<usize>, FxBuildHasher> = std::iter::once(vec![0]).collect();
        let mut parents: Vec<Option<(usize, A::Input)>> = vec![None];
        let mut all_sources: Vec<Sources<A>> = vec![Sources::<A>::default()];
        let mut at = 0;
        while at < sets.len() {
            // An input that the model does not permit in some run cannot be sent in that run.
            let inputs = self.model.moves(&self.nodes[sets[at][0]].0)?;
            for input in inputs.into_iter().map(|own| own.input) {
                let Some(after) = self.step_all(&sets[at].clone(), &input)? else { continue };
                if after.is_empty() {
                    let (mut set, mut node) = (at, sets[at][0]);
                    let mut way = Way { estimates: vec![self.nodes[node].0.clone()], steps: Vec::new(), last: input };
                    while let Some((before, input)) = &parents[set] {
                        let (source, output) = &all_sources[set][&node];
                        way.steps.push((input.clone(), output.clone()));
                        way.estimates.push(self.nodes[*source].0.clone());
                        (set, node) = (*before, *source);
                    }
                    way.estimates.reverse();
                    way.steps.reverse();
                    return Ok(Some(way));
                }
                let mut nodes: Vec<usize> = after.iter().map(|(_, _, node)| *node).collect();
                nodes.sort_unstable();
                nodes.dedup();
                if sets.insert(nodes) {
                    let mut sources = Sources::<A>::default();
                    for (source, output, node) in after {
                        sources.entry(node).or_insert((source, output));
                    }
                    parents.push(Some((at, input)));
                    all_sources.push(sources);
                }
                if sets.len() > self.most || self.nodes.len() > 2 * self.most {
                    return Ok(None);
                }
            }
            at += 1;
        }
        Ok(None)
    }

    /// How sure a sequence of inputs kills the mutant; nothing if it does not.
    pub(super) fn judge(&mut self, inputs: &[A::Input]) -> Result<Option<Certainty>, Reason> {
        let (mut runs, mut kills, mut survives) = (vec![0], false, false);
        for input in inputs {
            let mut after = Vec::new();
            for node in runs {
                let own = self.model.answer(&self.nodes[node].0, input)?;
                if own.outcomes.is_empty() {
                    survives = true;
                    continue;
                }
                let step = self.step(node, &own)?;
                kills |= step.kills;
                survives |= step.ends;
                after.extend(step.alive.into_iter().map(|(_, node)| node));
            }
            after.sort_unstable();
            after.dedup();
            runs = after;
        }
        survives |= !runs.is_empty();
        Ok(kills.then_some(if survives { Certainty::Possible } else { Certainty::Certain }))
    }

    /// The runs that go on after an input, with the nodes before them. Nothing if the input is no test in some run, or if
    /// some run ends without leaving the model.
    #[expect(clippy::type_complexity, reason = "a list of edges")]
    fn step_all(&mut self, runs: &[usize], input: &A::Input) -> Result<Option<Vec<(usize, A::Output, usize)>>, Reason> {
        let mut after = Vec::new();
        for node in runs {
            let own = self.model.answer(&self.nodes[*node].0, input)?;
            if own.outcomes.is_empty() {
                return Ok(None);
            }
            let step = self.step(*node, &own)?;
            if step.ends {
                return Ok(None);
            }
            after.extend(step.alive.into_iter().map(|(output, next)| (*node, output, next)));
        }
        Ok(Some(after))
    }
}
