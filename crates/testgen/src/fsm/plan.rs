//! The goals and tests of a criterion for machines, and what they guarantee.

use super::checking::{self, Method};
use super::explicit::{Explicit, Form, NoMachine};
use super::machine::{Machine, Word};
use super::separate::Separators;
use super::tour::{Arc, tours};
use crate::criteria::Options;
use crate::generate::Run;
use crate::goal::Goal;
use crate::policy::{MACHINE_PAIRS, TOUR_WORK};
use crate::suite::Test;
use rustc_hash::{FxHashMap, FxHashSet};
use specwright_mc::Answer;
use specwright_model::{Model, State, Trace};

/// The names of the criteria that have a plan.
const NAMES: [&str; 7] = ["state-input", "transition-tour", "switch-1", "switch-2", "w", "wp", "hsi"];

/// The goals and tests of a criterion.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What is to be seen in tests.
    pub goals: Vec<Sequence>,
    /// The tests with the goals that each of them covers. `state-input` has none: its goals are searched for.
    pub tests: Vec<(Trace, Vec<usize>)>,
    /// What the tests guarantee.
    pub guarantee: Guarantee,
}

/// A sequence of partial states that is to be seen in a test.
#[derive(Clone, Debug)]
pub struct Sequence {
    /// Its identity within the criterion.
    pub key: String,
    /// Its group.
    pub group: String,
    /// Its description, in one line.
    pub description: String,
    /// Whether it is the beginning of a test.
    pub is_beginning: bool,
    /// The values of each state.
    pub states: Vec<State>,
}

/// What a suite guarantees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guarantee {
    /// The criterion.
    pub criterion: &'static str,
    /// The guarantee, as a sentence.
    pub text: String,
    /// Number of states of the machine, minimized where the criterion does so.
    pub n_states: usize,
    /// Number of inputs.
    pub n_inputs: usize,
    /// For W, Wp and HSI, the number of states up to which every wrong implementation is found.
    pub n_implementation_states: Option<usize>,
}

/// Whether a criterion has a plan.
pub fn is_fsm(criterion: &str) -> bool {
    NAMES.iter().any(|name| name.eq_ignore_ascii_case(criterion))
}

/// The plan of a criterion, or the reason why there is none.
pub fn plan(model: &Model, criterion: &'static str, options: &Options) -> Result<Plan, String> {
    let with = |form: Form| {
        let explicit = explicit(model, form)?;
        let planner = Planner { model, explicit: &explicit, criterion, options, keys: FxHashSet::default() };
        match criterion {
            "state-input" => planner.state_input(),
            "transition-tour" => planner.switches(1),
            "switch-1" => planner.switches(2),
            "switch-2" => planner.switches(3),
            "wp" => planner.checking(Method::Wp),
            "hsi" => planner.checking(Method::Hsi),
            _ => planner.checking(Method::W),
        }
    };
    let by_values = with(Form::Values);
    match &by_values {
        // Where values are not permitted everywhere, changes may be.
        Err(Refusal::NotPermitted(_)) => with(Form::Changes).or(by_values).map_err(Refusal::reason),
        _ => by_values.map_err(Refusal::reason),
    }
}

/// Why there is no plan.
enum Refusal {
    /// Some inputs are not permitted in some states.
    NotPermitted(String),
    Other(String),
}

impl Refusal {
    fn reason(self) -> String {
        match self {
            Refusal::NotPermitted(reason) | Refusal::Other(reason) => reason,
        }
    }
}

fn explicit(model: &Model, form: Form) -> Result<Explicit, Refusal> {
    Explicit::new(model, form).map_err(|why| {
        Refusal::Other(match why {
            NoMachine::TooLarge(size) => format!("the machine has {size}, too many to list"),
            NoMachine::Nondeterministic(place) => format!("the machine is not deterministic: {place}"),
            NoMachine::Undefined(error) => format!("the machine is undefined somewhere: {error}"),
            NoMachine::Unremembered => "the machine is not deterministic".into(),
        })
    })
}

/// Adds the tests of plans to a run that has none for their goals, and returns what they guarantee if all of their goals
/// are covered.
pub fn premade(model: &Model, goals: &[Goal], options: &Options, run: &mut Run) -> Vec<Guarantee> {
    let places: FxHashMap<&str, usize> = goals.iter().enumerate().map(|(at, goal)| (goal.id.as_str(), at)).collect();
    let mut guarantees = Vec::new();
    for criterion in NAMES.iter().filter(|name| options.criteria.iter().any(|wanted| wanted == *name)) {
        let Ok(plan) = plan(model, criterion, options) else { continue };
        if plan.goals.iter().all(|goal| places.contains_key(format!("{criterion}:{}", goal.key).as_str())) {
            guarantees.push(plan.guarantee);
        }
        for (trace, covered) in plan.tests {
            let ids = covered.iter().map(|goal| format!("{criterion}:{}", plan.goals[*goal].key));
            let ids: Vec<String> = ids.filter(|id| places.contains_key(id.as_str())).collect();
            if ids.is_empty() {
                continue;
            }
            for id in &ids {
                run.outcomes[places[id.as_str()]] = Some(Answer::Found(()));
            }
            let name = run.free_name();
            run.tests.push(Test { goals: ids, ..Test::new(name, trace) });
        }
    }
    guarantees
}

struct Planner<'a> {
    model: &'a Model,
    explicit: &'a Explicit,
    criterion: &'static str,
    options: &'a Options,
    keys: FxHashSet<String>,
}

impl Planner<'_> {
    fn machine(&self) -> &Machine {
        &self.explicit.machine
    }

    fn guarantee(&self, machine: &Machine, text: String) -> Guarantee {
        let (n_states, n_inputs) = (machine.n_states(), machine.n_letters());
        Guarantee { criterion: self.criterion, text, n_states, n_inputs, n_implementation_states: None }
    }

    /// Every input in every state in which it is permitted.
    fn state_input(mut self) -> Result<Plan, Refusal> {
        let most = self.options.max_steps;
        let n: usize = (0..self.machine().n_states()).map(|state| self.machine().moves_of(state).count()).sum();
        if n > most {
            let reason = format!("there are {n} pairs of a state and an input, and `--max-steps` allows {most} steps");
            return Err(Refusal::Other(reason));
        }
        let mut goals = Vec::new();
        for state in 0..self.machine().n_states() {
            let letters: Vec<usize> = self.machine().moves_of(state).map(|(letter, _)| letter).collect();
            goals.extend(letters.into_iter().map(|letter| self.sequence(state, &[letter])));
        }
        let text = format!(
            "every one of {} inputs is tried in every one of {} states where it is permitted",
            self.machine().n_letters(),
            self.machine().n_states()
        );
        Ok(Plan { guarantee: self.guarantee(&self.explicit.machine, text), goals, tests: Vec::new() })
    }

    /// Every sequence of `length` transitions, in few and short tests.
    fn switches(mut self, length: usize) -> Result<Plan, Refusal> {
        let most = self.options.max_steps;
        let too_long = |n: usize| {
            let size = format!("there are more than {n} sequences of transitions");
            Refusal::Other(format!("{size}, and `--max-steps` allows {most} steps"))
        };
        // Sequences that are one shorter, which tests go through; with their states.
        let machine = self.machine().clone();
        let mut nodes: Vec<(usize, Vec<usize>)> = (0..machine.n_states()).map(|state| (state, Vec::new())).collect();
        let mut short: Vec<(usize, Vec<usize>)> = Vec::new();
        let has_predecessor: FxHashSet<usize> =
            (0..machine.n_states()).flat_map(|state| machine.moves_of(state)).map(|(_, next)| next.to).collect();
        let end = |(state, letters): &(usize, Vec<usize>)| machine.after(*state, letters).expect("permitted letters");
        for n in 1..length {
            nodes = longer(&machine, &nodes);
            if nodes.len() > most {
                return Err(too_long(most));
            }
            // Sequences that neither begin later nor go on are in no longer one.
            let is_isolated = |node: &&(usize, Vec<usize>)| {
                n < length && !has_predecessor.contains(&node.0) && machine.moves_of(end(node)).next().is_none()
            };
            short.extend(nodes.iter().filter(is_isolated).cloned());
        }
        let sequences = longer(&machine, &nodes);
        if sequences.len() > most {
            return Err(too_long(most));
        }
        let places: FxHashMap<&(usize, Vec<usize>), usize> =
            nodes.iter().enumerate().map(|(at, node)| (node, at)).collect();
        let start = nodes.len();
        let mut arcs = Vec::new();
        // The word or letter of each arc, and its goal.
        let mut labels: Vec<(Option<usize>, Vec<usize>, Option<usize>)> = Vec::new();
        let mut goals = Vec::new();
        for (index, (state, letters)) in sequences.iter().enumerate() {
            let before = (*state, letters[..length - 1].to_vec());
            let after = (machine.moves[*state][letters[0]].expect("permitted").to, letters[1..].to_vec());
            arcs.push(Arc { from: places[&before], to: places[&after], steps: 1, is_required: true });
            labels.push((None, vec![letters[length - 1]], Some(index)));
            goals.push(self.sequence(*state, letters));
        }
        for (reset, first) in machine.resets.iter().enumerate() {
            if machine.resets[..reset].iter().any(|other| other.to == first.to) {
                continue;
            }
            for (place, (_, letters)) in nodes.iter().enumerate().filter(|(_, node)| node.0 == first.to) {
                arcs.push(Arc { from: start, to: place, steps: letters.len(), is_required: false });
                labels.push((Some(reset), letters.clone(), None));
            }
        }
        let mut n_nodes = start + 1;
        for (state, letters) in &short {
            let Some(reset) = machine.resets.iter().position(|first| first.to == *state) else { continue };
            arcs.push(Arc { from: start, to: n_nodes, steps: letters.len(), is_required: true });
            labels.push((Some(reset), letters.clone(), Some(goals.len())));
            goals.push(self.sequence(*state, letters));
            n_nodes += 1;
        }
        let found = tours(n_nodes, start, &arcs, TOUR_WORK);
        let mut tests = Vec::new();
        let mut n_steps = 0;
        for path in &found.paths {
            let mut word = Word { reset: 0, letters: Vec::new() };
            let mut covered = Vec::new();
            for arc in path {
                let (reset, letters, goal) = &labels[*arc];
                word.reset = reset.unwrap_or(word.reset);
                word = word.then(letters);
                covered.extend(*goal);
            }
            n_steps += word.letters.len();
            covered.sort_unstable();
            covered.dedup();
            tests.push((self.explicit.trace(self.model, &word), covered));
        }
        if n_steps > most {
            let reason = format!("the suite has {n_steps} steps, and `--max-steps` allows {most}");
            return Err(Refusal::Other(reason));
        }
        let what = match length {
            1 => "every transition".to_owned(),
            n => format!("every sequence of {n} transitions"),
        };
        let shortest = match (found.is_shortest, tests.len()) {
            (false, _) => "shorter tests may exist".into(),
            (true, 0 | 1) => format!("no test with fewer than {n_steps} steps takes them all"),
            (true, n) => format!(
                "the machine must be reset {} times, and no {n} tests with fewer than {n_steps} steps take them all",
                n - 1
            ),
        };
        let text =
            format!("{what} of {} states and {} inputs is taken; {shortest}", machine.n_states(), machine.n_letters());
        Ok(Plan { guarantee: self.guarantee(&machine, text), goals, tests })
    }

    /// The W, Wp and HSI methods.
    fn checking(mut self, method: Method) -> Result<Plan, Refusal> {
        let (minimal, classes) = self.machine().minimized();
        let (model, explicit) = (self.model, self.explicit);
        let representative = |class: usize| {
            let state = classes.iter().position(|other| *other == class).unwrap_or(0);
            explicit.state_text(model, state)
        };
        if let Some((state, letter)) = minimal.first_gap().filter(|_| method != Method::Hsi) {
            return Err(Refusal::NotPermitted(format!(
                "in state {} the input {} is not permitted; `hsi` tests the permitted inputs",
                representative(state),
                explicit.letter_text(model, letter)
            )));
        }
        if minimal.n_states() > MACHINE_PAIRS {
            let reason = format!("the minimal machine has {} states, more than {MACHINE_PAIRS}", minimal.n_states());
            return Err(Refusal::Other(reason));
        }
        let separators = Separators::new(&minimal);
        if let Some((a, b)) = separators.first_inseparable() {
            return Err(Refusal::NotPermitted(format!(
                "no permitted input sequence distinguishes the states {} and {}, although they permit different inputs",
                representative(a),
                representative(b)
            )));
        }
        let (extra, most) = (self.options.extra_states, self.options.max_steps);
        let predicted = checking::predicted_steps(&minimal, &separators, method, extra);
        let too_long = || {
            Refusal::Other(format!(
                "with {} states, {} inputs and {extra} extra states the suite has up to {predicted} steps, and \
                 `--max-steps` allows {most}",
                minimal.n_states(),
                minimal.n_letters(),
            ))
        };
        let words = checking::words(&minimal, &separators, method, extra, most).map_err(|_| too_long())?;
        if words.iter().map(|word| word.letters.len()).sum::<usize>() > most {
            return Err(too_long());
        }
        let (mut goals, mut tests) = (Vec::new(), Vec::new());
        for word in &words {
            tests.push((self.explicit.trace(self.model, word), vec![goals.len()]));
            goals.push(self.beginning(word));
        }
        let (n, at_most) = (minimal.n_states(), minimal.n_states() + extra);
        let mut restricted = String::new();
        if minimal.first_gap().is_some() {
            restricted += " on permitted inputs";
        }
        if self.explicit.form == Form::Changes {
            restricted += ", with changes of inputs as its inputs";
        }
        let text = format!(
            "finds every deterministic implementation with at most {at_most} states that behaves differently{restricted}, \
             if a reset works; the minimal machine has {n} states and {} inputs",
            minimal.n_letters()
        );
        let guarantee = Guarantee { n_implementation_states: Some(at_most), ..self.guarantee(&minimal, text) };
        Ok(Plan { goals, tests, guarantee })
    }

    /// Some letters from a state on, wherever a test is there.
    fn sequence(&mut self, from: usize, letters: &[usize]) -> Sequence {
        let state = self.explicit.state_text(self.model, from);
        let inputs = self.inputs(letters);
        let states = self.states(from, letters);
        let key = self.key(&format!("{state} / {inputs}"));
        Sequence {
            key,
            group: state.clone(),
            description: format!("{state} with input {inputs}"),
            is_beginning: false,
            states,
        }
    }

    /// A word from a reset on.
    fn beginning(&mut self, word: &Word) -> Sequence {
        let from = self.machine().resets[word.reset].to;
        let state = self.explicit.state_text(self.model, from);
        let inputs = self.inputs(&word.letters);
        let states = self.states(from, &word.letters);
        let key = self.key(&format!("{state} / {inputs}"));
        let description = format!("inputs {inputs}");
        Sequence { key, group: "words".into(), description, is_beginning: true, states }
    }

    fn inputs(&self, letters: &[usize]) -> String {
        let texts: Vec<String> = letters.iter().map(|letter| self.explicit.letter_text(self.model, *letter)).collect();
        if texts.is_empty() { "none".into() } else { texts.join("; ") }
    }

    /// The values of a sequence of letters from a state on: those of the first and the last state, and of all inputs. The
    /// last state proves that the last step is taken.
    fn states(&self, from: usize, letters: &[usize]) -> Vec<State> {
        let machine = self.machine();
        let mut states = vec![self.explicit.states[from].clone()];
        let mut at = from;
        for letter in letters {
            if let Some(last) = states.last_mut() {
                merge(last, &self.explicit.letters[*letter].0);
            }
            at = machine.moves[at][*letter].expect("permitted letters").to;
            let mut next = State::empty(self.model.vars.len());
            for var in &self.explicit.remembered {
                next.set(*var, self.explicit.states[at].get(*var));
            }
            states.push(next);
        }
        if let Some(last) = states.last_mut() {
            merge(last, &self.explicit.states[at]);
        }
        states
    }

    /// A short key for a text, which no other goal has.
    fn key(&mut self, text: &str) -> String {
        let digest = text.bytes().fold(0x811c_9dc5u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        let numbered = (2..).map(|number| format!("{digest:08x}-{number}"));
        let mut candidates = std::iter::once(format!("{digest:08x}")).chain(numbered);
        candidates.find(|key| self.keys.insert(key.clone())).expect("numbers do not end")
    }
}

fn merge(state: &mut State, more: &State) {
    for (index, value) in (0..).zip(more.values()) {
        if value.is_some() {
            state.set(specwright_model::VarId(index), *value);
        }
    }
}

/// All sequences with one more letter.
fn longer(machine: &Machine, sequences: &[(usize, Vec<usize>)]) -> Vec<(usize, Vec<usize>)> {
    let of = |(state, letters): &(usize, Vec<usize>)| {
        let end = machine.after(*state, letters).expect("permitted letters");
        let (state, letters) = (*state, letters.clone());
        machine.moves_of(end).map(move |(letter, _)| (state, [&letters[..], &[letter]].concat())).collect::<Vec<_>>()
    };
    sequences.iter().flat_map(of).collect()
}
