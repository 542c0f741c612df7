//! Product of a graph with a tableau of a formula.
//!
//! A node is a step of the model, a guess for every next and until (its truth at the next position), and a memory for
//! every previous and since (its truth at the previous position). These and the atoms determine the truth of all
//! subformulas. A node follows another if it fulfils the guess of that node and remembers its truth.

use super::formula::{Formula, Part};
use crate::interp::check::CheckError;
use crate::interp::ctl::{all_marks, justice_marks};
use crate::interp::eval::{Bound, Evaluator};
use crate::interp::fair::{FairGraph, Marks};
use crate::interp::graph::{Edge, Graph};
use crate::state::{State, Trace};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

/// One bit for each guessed or remembered subformula.
type Bits = u32;

/// Maximal number of guessed and remembered subformulas: the product is exponential in it.
const MAX_GUESSES: usize = 20;
/// Maximal number of nodes of the product, to bound memory.
const MAX_NODES: usize = 4_000_000;

pub(super) struct Product<'g> {
    graph: &'g Graph<'g>,
    formula: &'g Formula,
    /// The subformulas with a guess.
    guessed: Vec<usize>,
    /// The subformulas with a memory.
    remembered: Vec<usize>,
    untils: Vec<(usize, usize)>,
    /// The steps of the model, grouped by source state.
    steps: Vec<Step>,
    first_step: Vec<usize>,
}

struct Step {
    from: usize,
    edge: Edge,
    /// The truth of the atoms, indexed by subformula; other entries are unused.
    atoms: Vec<bool>,
    /// The marks of the fairness constraints of the model.
    marks: Marks,
}

/// A node and the truth of its subformulas.
#[derive(Clone, Copy)]
struct Facts {
    /// The guess.
    guess: Bits,
    /// The truth of the guessed subformulas; the guess of the preceding node must equal it.
    truth: Bits,
    /// The memory of the succeeding node.
    memory: Bits,
    /// Whether the whole formula holds.
    root: bool,
    marks: Marks,
}

impl<'g> Product<'g> {
    pub(super) fn new(graph: &'g Graph<'g>, formula: &'g Formula) -> Result<Product<'g>, CheckError> {
        let (mut guessed, mut remembered, mut untils) = (Vec::new(), Vec::new(), Vec::new());
        for (index, part) in formula.parts.iter().enumerate() {
            match *part {
                Part::Next(a) => guessed.push(a),
                Part::Until(_, b) => {
                    guessed.push(index);
                    untils.push((index, b));
                }
                Part::Previous(a) => remembered.push(a),
                Part::Since(..) => remembered.push(index),
                _ => {}
            }
        }
        for list in [&mut guessed, &mut remembered] {
            list.sort_unstable();
            list.dedup();
        }
        let model = graph.system;
        let n_marks = model.justice.len() + 2 * model.compassion.len() + untils.len();
        if guessed.len() > MAX_GUESSES || remembered.len() > Bits::BITS as usize || n_marks > Marks::BITS as usize {
            return Err(CheckError::Limit);
        }
        let mut product =
            Product { graph, formula, guessed, remembered, untils, steps: Vec::new(), first_step: Vec::new() };
        product.add_steps()?;
        Ok(product)
    }

    /// Evaluates the atoms and the fairness constraints on all steps of the graph.
    fn add_steps(&mut self) -> Result<(), CheckError> {
        let (graph, model) = (self.graph, self.graph.system);
        let justice = justice_marks(graph)?;
        for (from, edges) in graph.edges.iter().enumerate() {
            self.first_step.push(self.steps.len());
            for (edge, mut marks) in edges.iter().zip(justice[from].iter().copied()) {
                let now = graph.now(from, *edge);
                let mut evaluator = Evaluator::new(model, &now, Some(&graph.states[edge.to]));
                let mut atoms = Vec::with_capacity(self.formula.parts.len());
                for part in &self.formula.parts {
                    atoms.push(match part {
                        Part::Atom(expr, bound) => match evaluator.truth(*expr) {
                            Err(error) if error.is_undefined() => *bound == Bound::Possibly,
                            truth => truth?,
                        },
                        _ => false,
                    });
                }
                for (index, (first, second)) in model.compassion.iter().enumerate() {
                    let bit = model.justice.len() + 2 * index;
                    marks |= Marks::from(evaluator.truth(first.expr)?) << bit;
                    marks |= Marks::from(evaluator.truth(second.expr)?) << (bit + 1);
                }
                // Steps with the same target, marks and atoms are equivalent; one is enough.
                let same = |other: &Step| other.edge.to == edge.to && other.marks == marks && other.atoms == atoms;
                if !self.steps[self.first_step[from]..].iter().any(same) {
                    self.steps.push(Step { from, edge: *edge, atoms, marks });
                }
            }
        }
        self.first_step.push(self.steps.len());
        Ok(())
    }

    /// A fair path of the product on which the formula holds at the first position.
    pub(super) fn fair_path(&self) -> Result<Option<Trace>, CheckError> {
        let model = self.graph.system;
        let mut nodes: IndexMap<(usize, Bits, Bits), Facts, FxBuildHasher> = IndexMap::default();
        let mut starts = Vec::new();
        for state in 0..self.graph.n_initial {
            for step in self.first_step[state]..self.first_step[state + 1] {
                for guess in 0..1 << self.guessed.len() {
                    let facts = self.facts(step, 0, guess);
                    if facts.root {
                        starts.push(nodes.insert_full((step, 0, guess), facts).0);
                    }
                }
            }
        }
        let mut fair = FairGraph { justice: all_marks(model.justice.len()), ..FairGraph::default() };
        let (n_justice, n_pairs) = (model.justice.len(), model.compassion.len());
        let bit = |index: usize| -> Marks { 1 << index };
        fair.compassion = (0..n_pairs).map(|i| (bit(n_justice + 2 * i), bit(n_justice + 2 * i + 1))).collect();
        fair.justice |= (0..self.untils.len()).fold(0, |marks, i| marks | bit(n_justice + 2 * n_pairs + i));
        let mut consistent: FxHashMap<(usize, Bits), FxHashMap<Bits, Vec<Facts>>> = FxHashMap::default();
        while fair.edges.len() < nodes.len() {
            let (&(step, ..), facts) = nodes.get_index(fair.edges.len()).expect("it is below the length");
            let (guess, memory, marks) = (facts.guess, facts.memory, facts.marks);
            let to = self.steps[step].edge.to;
            let mut edges = Vec::new();
            for step in self.first_step[to]..self.first_step[to + 1] {
                let by_truth = consistent.entry((step, memory)).or_insert_with(|| self.by_truth(step, memory));
                for facts in by_truth.get(&guess).into_iter().flatten() {
                    edges.push((nodes.insert_full((step, memory, facts.guess), *facts).0, marks));
                }
            }
            fair.edges.push(edges);
            if nodes.len() > MAX_NODES {
                return Err(CheckError::Limit);
            }
        }
        let Some((stem, cycle)) = fair.fair_path(&starts) else { return Ok(None) };
        let state = |(node, _): &(usize, usize)| -> State {
            let (&(step, ..), _) = nodes.get_index(*node).expect("the path is one of the product");
            self.graph.now(self.steps[step].from, self.steps[step].edge)
        };
        let states = stem.iter().chain(&cycle).map(state).collect();
        Ok(Some(Trace { states, loop_start: Some(stem.len()) }))
    }

    /// All nodes of a step and a memory, by the truth of their guessed subformulas.
    fn by_truth(&self, step: usize, memory: Bits) -> FxHashMap<Bits, Vec<Facts>> {
        let mut by_truth: FxHashMap<Bits, Vec<Facts>> = FxHashMap::default();
        for guess in 0..1 << self.guessed.len() {
            let facts = self.facts(step, memory, guess);
            by_truth.entry(facts.truth).or_default().push(facts);
        }
        by_truth
    }

    /// The truth of all subformulas at a step, given a memory and a guess.
    fn facts(&self, step: usize, memory: Bits, guess: Bits) -> Facts {
        let place = |list: &[usize], part: usize| list.binary_search(&part).expect("all such parts are listed");
        let guessed = |part: usize| guess >> place(&self.guessed, part) & 1 == 1;
        let remembered = |part: usize| memory >> place(&self.remembered, part) & 1 == 1;
        let step = &self.steps[step];
        let mut truth: Vec<bool> = Vec::with_capacity(self.formula.parts.len());
        for (index, part) in self.formula.parts.iter().enumerate() {
            truth.push(match *part {
                Part::True => true,
                Part::Atom(..) => step.atoms[index],
                Part::Not(a) => !truth[a],
                Part::And(a, b) => truth[a] && truth[b],
                Part::Next(a) => guessed(a),
                Part::Until(a, b) => truth[b] || truth[a] && guessed(index),
                Part::Previous(a) => remembered(a),
                Part::Since(a, b) => truth[b] || truth[a] && remembered(index),
            });
        }
        let bits = |list: &[usize]| list.iter().rev().fold(0, |bits: Bits, part| bits << 1 | Bits::from(truth[*part]));
        let first = self.graph.system.justice.len() + 2 * self.graph.system.compassion.len();
        let mut marks = step.marks;
        for (index, (until, goal)) in self.untils.iter().enumerate() {
            // An until that holds but is never fulfilled is unfair.
            marks |= Marks::from(!truth[*until] || truth[*goal]) << (first + index);
        }
        Facts {
            guess,
            truth: bits(&self.guessed),
            memory: bits(&self.remembered),
            root: truth[self.formula.root],
            marks,
        }
    }
}
