//! A naive simulation of `run`: one run of the mutant after the other, each with its state estimate, and all sequences of
//! inputs of some length. It shares nothing with the engines but the interpreter.

use specwright_mc::Certainty;
use specwright_model::interface::{Observable, Role};
use specwright_model::interp::{Graph, Limits, eval};
use specwright_model::model::{DefineId, VarKind};
use specwright_model::{Model, State, Trace, Value, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// The most sequences of inputs that are tried.
const SEQUENCES: usize = 3000;

pub(crate) type Values = Vec<Option<Value>>;

/// A machine as a table: input, output and state after each step.
struct Table {
    initial: Vec<(Values, Values, usize)>,
    steps: Vec<Vec<(Values, Values, usize)>>,
}

/// The model and its mutant.
pub(crate) struct Naive<'m> {
    model: &'m Model,
    own: Table,
    theirs: Table,
}

/// A run of the mutant: its state, and the states in which the model may be.
type Run = (Option<usize>, BTreeSet<Option<usize>>);

pub(crate) fn inputs(model: &Model, now: Option<&State>, next: &State) -> Values {
    let of = model.vars().filter(|(id, _)| model.role(*id) == Role::Input);
    of.map(|(id, var)| if var.kind == VarKind::Input { now.and_then(|now| now.get(id)) } else { next.get(id) })
        .collect()
}

pub(crate) fn outputs(model: &Model, state: &State) -> Option<Values> {
    let of = model.vars().filter(|(id, var)| model.role(*id) == Role::Output && var.kind != VarKind::Input);
    let vars = of.map(|(id, _)| Some(state.get(id)));
    let defines = (0..model.defines.len() as u32).map(DefineId);
    let defines = defines.filter(|define| model.interface.role(Observable::Define(*define)) == Role::Output);
    vars.chain(defines.map(|define| eval(model, model.body(define), state, None).ok().map(Some))).collect()
}

impl Table {
    fn new(model: &Model) -> Option<Table> {
        let graph = Graph::explore(model, Limits { states: 400, work: 200_000 }).ok()?;
        let initial = (0..graph.n_initial).map(|state| {
            let values = &graph.states[state];
            Some((inputs(model, None, values), outputs(model, values)?, state))
        });
        let steps = (0..graph.len()).map(|from| {
            let edges = graph.edges[from].iter().map(|edge| {
                let (now, next) = (graph.now(from, *edge), &graph.states[edge.to]);
                Some((inputs(model, Some(&now), next), outputs(model, next)?, edge.to))
            });
            edges.collect()
        });
        Some(Table { initial: initial.collect::<Option<_>>()?, steps: steps.collect::<Option<_>>()? })
    }

    fn from(&self, state: Option<usize>) -> &[(Values, Values, usize)] {
        state.map_or(&self.initial, |state| &self.steps[state])
    }

    /// What follows a state by certain inputs: outputs and states.
    fn answers<'t>(
        &'t self,
        state: Option<usize>,
        inputs: &'t dyn Fn(&Values) -> bool,
    ) -> impl Iterator<Item = (&'t Values, usize)> + 't {
        self.from(state).iter().filter(move |(input, ..)| inputs(input)).map(|(_, output, to)| (output, *to))
    }

    fn refuses(&self, state: Option<usize>, inputs: &dyn Fn(&Values) -> bool) -> bool {
        self.answers(state, inputs).next().is_none()
    }
}

/// What becomes of runs.
#[derive(Default)]
struct Fate {
    /// Some run leaves what the model permits.
    killed: bool,
    /// Some run stays within it, whatever follows.
    survived: bool,
    /// The runs that go on.
    runs: BTreeSet<Run>,
}

impl<'m> Naive<'m> {
    /// Nothing for machines with too many states.
    pub(crate) fn new(model: &'m Model, mutant: &Model) -> Option<Naive<'m>> {
        Some(Naive { model, own: Table::new(model)?, theirs: Table::new(mutant)? })
    }

    fn start() -> Fate {
        Fate { runs: [(None, BTreeSet::from([None]))].into(), ..Fate::default() }
    }

    fn step(&self, fate: &Fate, input: &Values) -> Fate {
        self.step_by(fate, &|other| other == input)
    }

    /// A step by any of some inputs.
    fn step_by(&self, fate: &Fate, input: &dyn Fn(&Values) -> bool) -> Fate {
        let mut after = Fate { killed: fate.killed, survived: fate.survived, runs: BTreeSet::new() };
        for (state, estimate) in &fate.runs {
            if estimate.iter().all(|own| self.own.refuses(*own, input)) {
                after.survived = true; // The input is no test here.
            } else if self.theirs.refuses(*state, input) {
                let is_permitted = estimate.iter().any(|own| self.own.refuses(*own, input));
                after.survived |= is_permitted;
                after.killed |= !is_permitted;
            } else {
                for (output, to) in self.theirs.answers(*state, input) {
                    let answers = estimate.iter().flat_map(|own| self.own.answers(*own, input));
                    let left: BTreeSet<Option<usize>> =
                        answers.filter(|(other, _)| *other == output).map(|(_, to)| Some(to)).collect();
                    if left.is_empty() {
                        after.killed = true;
                    } else {
                        after.runs.insert((Some(to), left));
                    }
                }
            }
        }
        after
    }

    fn verdict(fate: &Fate) -> Option<Certainty> {
        let survives = fate.survived || !fate.runs.is_empty();
        fate.killed.then_some(if survives { Certainty::Possible } else { Certainty::Certain })
    }

    /// How sure an execution of the model kills the mutant.
    pub(crate) fn judge(&self, trace: &Trace) -> Option<Certainty> {
        let mut fate = self.step(&Naive::start(), &inputs(self.model, None, &trace.states[0]));
        for step in trace.states.windows(2) {
            fate = self.step(&fate, &inputs(self.model, Some(&step[0]), &step[1]));
        }
        Naive::verdict(&fate)
    }

    /// The same if inputs of the last state that are sent with the step from it are not sent.
    pub(crate) fn judge_sent(&self, trace: &Trace, is_unsent: &dyn Fn(VarId) -> bool) -> Option<Certainty> {
        let (last, before) = trace.states.split_last().expect("a test has states");
        let mut fate = Naive::start();
        for (index, state) in before.iter().enumerate() {
            fate = self.step(&fate, &inputs(self.model, index.checked_sub(1).map(|index| &before[index]), state));
        }
        let sent = inputs(self.model, before.last(), last);
        let of = self.model.vars().filter(|(id, _)| self.model.role(*id) == Role::Input);
        let unsent: Vec<bool> = of.map(|(id, _)| is_unsent(id)).collect();
        let fits = |other: &Values| (0..sent.len()).all(|place| unsent[place] || other[place] == sent[place]);
        Naive::verdict(&self.step_by(&fate, &fits))
    }

    /// The surest kill by a test of at most this number of states, as far as tests are tried.
    pub(crate) fn best(&self, n_states: usize) -> Option<Certainty> {
        let mut best = None;
        let mut open = vec![Naive::start()];
        for _ in 0..n_states {
            let mut next = Vec::new();
            for fate in &open {
                let estimates = fate.runs.iter().flat_map(|(_, estimate)| estimate);
                let all: BTreeSet<&Values> =
                    estimates.flat_map(|own| self.own.from(*own)).map(|(input, ..)| input).collect();
                for input in all {
                    let after = self.step(fate, input);
                    best = best.max(Naive::verdict(&after));
                    if best == Some(Certainty::Certain) || next.len() > SEQUENCES {
                        return best;
                    }
                    next.push(after);
                }
            }
            open = next;
        }
        best
    }

    /// Whether the model has a sequence of inputs and outputs of at most this length that the mutant does not have.
    pub(crate) fn loses(&self, n_states: usize) -> bool {
        type Sets = (BTreeSet<Option<usize>>, BTreeSet<Option<usize>>);
        let mut open: BTreeSet<Sets> = [(BTreeSet::from([None]), BTreeSet::from([None]))].into();
        for _ in 0..n_states {
            let mut next = BTreeSet::new();
            for (own, theirs) in &open {
                let mut answers: BTreeMap<(&Values, &Values), Sets> = BTreeMap::new();
                for state in own {
                    for (input, output, to) in self.own.from(*state) {
                        answers.entry((input, output)).or_default().0.insert(Some(*to));
                    }
                }
                for state in theirs {
                    for (input, output, to) in self.theirs.from(*state) {
                        answers.entry((input, output)).or_default().1.insert(Some(*to));
                    }
                }
                for (_, (a, b)) in answers {
                    if !a.is_empty() && b.is_empty() {
                        return true;
                    }
                    if !a.is_empty() {
                        next.insert((a, b));
                    }
                }
            }
            if next.len() > SEQUENCES {
                return false;
            }
            open = next;
        }
        false
    }
}
