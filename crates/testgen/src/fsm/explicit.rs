//! The machine of a model, state by state.
//!
//! A state is a valuation of the variables that are not inputs. A letter is a permitted valuation of the inputs, an output
//! the values that a tester sees after the step. An input that is taken on entering a state belongs to the letter of the step
//! to it, and its value is remembered as a part of the state; one that is taken on leaving belongs to the step from it. If
//! which inputs are permitted, or what happens, depends on inputs of the step before, all of them are remembered.

use super::machine::{Machine, Move, Word};
use crate::policy::{MACHINE_STATES, MACHINE_STEPS, MACHINE_TABLE, MACHINE_WORK};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use specwright_mc::Observer;
use specwright_model::interface::{Role, Timing};
use specwright_model::interp::{Explorer, Search, SearchError, Step, check_initial, check_step, eval};
use specwright_model::model::VarKind;
use specwright_model::{Model, State, Trace, Value, VarId};
use std::collections::BTreeSet;

/// The machine of a model, with the values that its numbers stand for.
#[derive(Clone, Debug)]
pub struct Explicit {
    /// The machine, not minimized.
    pub machine: Machine,
    /// The values of the variables of each state.
    pub states: Vec<State>,
    /// The inputs of each letter: those of the state that is left, and those of the state that is entered.
    pub letters: Vec<(State, State)>,
    /// The inputs that are a part of states.
    pub remembered: Vec<VarId>,
    /// How letters give remembered inputs.
    pub form: Form,
    /// A full state for each way to begin.
    resets: Vec<State>,
    /// For each state and letter, full states before and after the step.
    steps: Vec<Vec<Option<Step>>>,
}

/// How letters give remembered inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// By their values.
    Values,
    /// By their changes: the number of values to go on in the domain, which is cyclic. Where an input may change but need
    /// not, or only one of them may change, such letters are permitted everywhere, and values are not.
    Changes,
}

/// Why a model has no machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoMachine {
    /// There are too many states or steps.
    TooLarge(String),
    /// A state and an input have several outcomes.
    Nondeterministic(String),
    /// The model is undefined somewhere.
    Undefined(String),
    /// What is permitted, or what happens, depends on inputs that are not remembered.
    Unremembered,
}

impl Explicit {
    /// The machine of a model, within a budget of states and steps.
    pub fn new(model: &Model, form: Form) -> Result<Explicit, NoMachine> {
        let timings = model.timings();
        let is_entering = |var: VarId| timings.get(&var) != Some(&Timing::Leaving);
        let some = Building::new(model, form, &is_entering).build();
        if some.as_ref().err() == Some(&NoMachine::Unremembered) {
            return Building::new(model, form, &|_| true).build();
        }
        some
    }

    /// The execution of a word, which is replayed.
    pub fn trace(&self, model: &Model, word: &Word) -> Trace {
        let mut states = vec![self.resets[word.reset].clone()];
        let mut at = self.machine.resets[word.reset].to;
        for letter in &word.letters {
            let step = self.steps[at][*letter].as_ref().expect("words have permitted letters only");
            if let Some(last) = states.last_mut() {
                last.clone_from(&step.now);
            }
            states.push(step.next.clone());
            at = self.machine.moves[at][*letter].expect("the same letters").to;
        }
        check_initial(model, &states[0]).expect("a word begins in an initial state");
        for pair in states.windows(2) {
            check_step(model, &pair[0], &pair[1]).expect("a word is an execution of the model");
        }
        Trace { states, loop_start: None }
    }

    /// The text of a state.
    pub fn state_text(&self, model: &Model, state: usize) -> String {
        text(model, &[&self.states[state]])
    }

    /// The text of a letter.
    pub fn letter_text(&self, model: &Model, letter: usize) -> String {
        letter_text(model, self.form, &self.letters[letter])
    }
}

fn letter_text(model: &Model, form: Form, (now, next): &(State, State)) -> String {
    if form == Form::Values {
        return text(model, &[now, next]);
    }
    let change = |(var, declared): (VarId, &specwright_model::model::Var)| match next.get(var)? {
        Value::Int(_) if declared.domain.size() == Some(2) => Some(format!("{} changes", declared.name)),
        offset => Some(format!("{} changes by {}", declared.name, model.show(offset))),
    };
    let given = |(var, declared): (VarId, &specwright_model::model::Var)| {
        Some(format!("{}={}", declared.name, model.show(now.get(var)?)))
    };
    let all: Vec<String> = model.vars().filter_map(given).chain(model.vars().filter_map(change)).collect();
    if all.is_empty() { "no change".into() } else { all.join(",") }
}

/// Values as text; those of boolean variables by their names.
fn text(model: &Model, parts: &[&State]) -> String {
    let given = |state: &State| -> Vec<String> {
        let value = |(var, declared): (VarId, &specwright_model::model::Var)| {
            Some(format!("{}={}", declared.name, model.show(state.get(var)?)))
        };
        model.vars().filter_map(value).collect()
    };
    let all: Vec<String> = parts.iter().flat_map(|state| given(state)).collect();
    if all.is_empty() { "no variables".into() } else { all.join(",") }
}

type Numbers<T> = IndexSet<T, FxBuildHasher>;

/// A machine that is being built.
struct Building<'m> {
    model: &'m Model,
    form: Form,
    explorer: Explorer<'m>,
    observer: Observer,
    /// The inputs of states that are taken on leaving and not remembered.
    leaving: Vec<VarId>,
    /// The other inputs of states.
    entering: Vec<VarId>,
    frozen: Vec<VarId>,
    step_inputs: Vec<VarId>,
    states: Numbers<State>,
    letters: Numbers<(State, State)>,
    outputs: Numbers<Vec<Option<Value>>>,
    /// For each state, the permitted values of inputs that are taken on leaving.
    permitted: Vec<BTreeSet<State>>,
    n_steps: usize,
}

/// A state and what a tester sees of it.
struct Seen {
    state: usize,
    output: usize,
    left: State,
}

impl<'m> Building<'m> {
    fn new(model: &'m Model, form: Form, is_remembered: &dyn Fn(VarId) -> bool) -> Building<'m> {
        let of = |kind: VarKind, wanted: &dyn Fn(VarId) -> bool| -> Vec<VarId> {
            let inputs =
                model.vars().filter(|(var, declared)| declared.kind == kind && model.role(*var) == Role::Input);
            inputs.map(|(var, _)| var).filter(|var| wanted(*var)).collect()
        };
        Building {
            model,
            form,
            explorer: Explorer::new(model),
            observer: Observer::of(model),
            leaving: of(VarKind::State, &|var| !is_remembered(var)),
            entering: of(VarKind::State, is_remembered),
            frozen: of(VarKind::Frozen, &|_| true),
            step_inputs: model.vars().filter(|(_, var)| var.kind == VarKind::Input).map(|(var, _)| var).collect(),
            states: Numbers::default(),
            letters: Numbers::default(),
            outputs: Numbers::default(),
            permitted: Vec::new(),
            n_steps: 0,
        }
    }

    fn build(mut self) -> Result<Explicit, NoMachine> {
        let (resets, first) = self.begin()?;
        let mut edges: Vec<FxHashMap<usize, (Move, Step)>> = Vec::new();
        while edges.len() < self.states.len() {
            self.model.budget.look();
            if self.states.len() > MACHINE_STATES {
                return Err(NoMachine::TooLarge(format!("more than {MACHINE_STATES} states")));
            }
            let moves = self.moves(edges.len())?;
            edges.push(moves);
        }
        let n_letters = self.letters.len();
        if n_letters.saturating_mul(edges.len()) > MACHINE_TABLE {
            let size = format!("{} states and {n_letters} inputs", edges.len());
            return Err(NoMachine::TooLarge(size));
        }
        let mut moves = vec![vec![None; n_letters]; edges.len()];
        let mut steps = vec![vec![None; n_letters]; edges.len()];
        #[expect(clippy::iter_over_hash_type, reason = "every entry has a place of its own")]
        for (state, found) in edges.into_iter().enumerate() {
            for (letter, (next, step)) in found {
                moves[state][letter] = Some(next);
                steps[state][letter] = Some(step);
            }
        }
        Ok(Explicit {
            machine: Machine { resets, moves },
            states: self.states.into_iter().collect(),
            letters: self.letters.into_iter().collect(),
            remembered: self.entering,
            form: self.form,
            resets: first,
            steps,
        })
    }

    /// The ways to begin, each with a full state.
    fn begin(&mut self) -> Result<(Vec<Move>, Vec<State>), NoMachine> {
        let initial: Vec<State> = self.collect(Explorer::initial)?.into_iter().map(|step| step.next).collect();
        let mut ways: Vec<(State, Vec<State>)> = Vec::new();
        for state in initial {
            let chosen = self.keep(&state, &[&self.entering, &self.frozen]);
            match ways.iter_mut().find(|(way, _)| *way == chosen) {
                Some((_, states)) => states.push(state),
                None => ways.push((chosen, vec![state])),
            }
        }
        let (mut resets, mut first) = (Vec::new(), Vec::new());
        for (_, states) in ways {
            let entered = self.enter(&states).map_err(|other| self.several("the initial state", &other))?;
            resets.push(entered?);
            first.extend(states.into_iter().next());
        }
        Ok((resets, first))
    }

    /// The moves from a state, by letter.
    fn moves(&mut self, state: usize) -> Result<FxHashMap<usize, (Move, Step)>, NoMachine> {
        let mut moves = FxHashMap::default();
        let permitted: Vec<State> = self.permitted[state].iter().cloned().collect();
        for left in permitted {
            let mut now = self.states[state].clone();
            for var in &self.leaving {
                now.set(*var, left.get(*var));
            }
            let steps = self.collect(|explorer| explorer.steps(&now))?;
            let mut by_letter: Vec<(usize, Vec<Step>)> = Vec::new();
            let mut places: FxHashMap<usize, usize> = FxHashMap::default();
            for step in steps {
                let letter = (self.keep(&step.now, &[&self.leaving, &self.step_inputs]), self.entered_inputs(&step));
                let letter = self.letters.insert_full(letter).0;
                let place = *places.entry(letter).or_insert(by_letter.len());
                if place == by_letter.len() {
                    by_letter.push((letter, Vec::new()));
                }
                by_letter[place].1.push(step);
            }
            for (letter, steps) in by_letter {
                let next: Vec<State> = steps.iter().map(|step| step.next.clone()).collect();
                let entered = self.enter(&next).map_err(|other| {
                    let place = format!(
                        "state {} with input {}",
                        text(self.model, &[&self.states[state]]),
                        letter_text(self.model, self.form, &self.letters[letter])
                    );
                    self.several(&place, &other)
                })?;
                let step = steps.into_iter().next().expect("a letter has a step");
                moves.insert(letter, (entered?, step));
            }
        }
        Ok(moves)
    }

    /// The one state that all of these are, but for inputs taken on leaving, of which all that are permitted must be there.
    /// Two different states are returned.
    fn enter(&mut self, full: &[State]) -> Result<Result<Move, NoMachine>, [State; 2]> {
        let known = self.states.len();
        let mut seen = Vec::new();
        for state in full {
            match self.see(state) {
                Ok(other) => seen.push(other),
                Err(error) => return Ok(Err(error)),
            }
        }
        let first = &seen[0];
        if let Some(other) = seen.iter().position(|other| other.state != first.state) {
            return Err([full[0].clone(), full[other].clone()]);
        }
        let permitted: BTreeSet<State> = seen.iter().map(|seen| seen.left.clone()).collect();
        if first.state == known {
            self.permitted.push(permitted);
        } else if self.permitted[first.state] != permitted {
            return Ok(Err(NoMachine::Unremembered));
        }
        if seen.iter().any(|other| other.output != first.output) {
            return Ok(Err(NoMachine::Unremembered));
        }
        Ok(Ok(Move { to: first.state, output: first.output }))
    }

    fn see(&mut self, full: &State) -> Result<Seen, NoMachine> {
        let mut state = full.clone();
        for var in self.leaving.iter().chain(&self.step_inputs) {
            state.set(*var, None);
        }
        let mut output: Vec<Option<Value>> = self.observer.outputs.iter().map(|var| full.get(*var)).collect();
        for define in &self.observer.defines {
            let value = eval(self.model, self.model.body(*define), full, None);
            output.push(Some(value.map_err(|error| NoMachine::Undefined(error.describe(self.model)))?));
        }
        let left = self.keep(full, &[&self.leaving]);
        Ok(Seen { state: self.states.insert_full(state).0, output: self.outputs.insert_full(output).0, left })
    }

    fn several(&self, place: &str, [a, b]: &[State; 2]) -> NoMachine {
        if !self.leaving.is_empty() {
            // The inputs of the next state may decide.
            return NoMachine::Unremembered;
        }
        let differing = |(var, declared): (VarId, &specwright_model::model::Var)| {
            let (one, other) = (a.get(var)?, b.get(var)?);
            (one != other)
                .then(|| format!("`{}` may be {} or {}", declared.name, self.model.show(one), self.model.show(other)))
        };
        let what = self.model.vars().find_map(differing).unwrap_or_else(|| "there are several next states".into());
        NoMachine::Nondeterministic(format!("in {place}, {what}"))
    }

    /// The results of a search, within the budget.
    fn collect(&mut self, search: impl for<'e> Fn(&'e Explorer<'m>) -> Search<'e>) -> Result<Vec<Step>, NoMachine> {
        let mut found = Vec::new();
        for step in search(&self.explorer).limit(MACHINE_WORK) {
            let too_large =
                || NoMachine::TooLarge(format!("more than {MACHINE_STEPS} steps between states with inputs"));
            match step {
                Ok(step) => found.push(step),
                Err(SearchError::Limit) => return Err(too_large()),
                Err(error) => return Err(NoMachine::Undefined(error.describe(self.model))),
            }
            self.n_steps += 1;
            if self.n_steps > MACHINE_STEPS {
                return Err(too_large());
            }
        }
        Ok(found)
    }

    /// The remembered inputs of the state that a step enters, as a part of its letter.
    fn entered_inputs(&self, step: &Step) -> State {
        let mut inputs = self.keep(&step.next, &[&self.entering]);
        if self.form == Form::Changes {
            for var in &self.entering {
                let domain = &self.model[*var].domain;
                let index = |state: &State| state.get(*var).and_then(|value| domain.index_of(value)).map(i128::from);
                let size = domain.size().and_then(|size| i128::try_from(size).ok());
                let (Some(before), Some(after), Some(size)) = (index(&step.now), index(&step.next), size) else {
                    continue;
                };
                let offset = i64::try_from((after - before).rem_euclid(size)).ok().filter(|offset| *offset != 0);
                inputs.set(*var, offset.map(Value::Int));
            }
        }
        inputs
    }

    fn keep(&self, state: &State, lists: &[&Vec<VarId>]) -> State {
        let mut kept = State::empty(self.model.vars.len());
        for var in lists.iter().flat_map(|list| list.iter()) {
            kept.set(*var, state.get(*var));
        }
        kept
    }
}
