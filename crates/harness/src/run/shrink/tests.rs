//! Failing tests of faulty implementations, which are simulated by a function from inputs to outputs.

use super::*;
use crate::run::outcome::ExchangeRecord;
use specwright_model::interp::{Explorer, Random};
use specwright_model::testing::model;

/// A door with a lock, and a counter of visits that is not seen.
const DOOR: &str = "MODULE main
VAR push : boolean; lock : boolean; door : {shut, open}; locked : boolean;
ASSIGN
  init(door) := shut; init(locked) := FALSE;
  next(locked) := lock;
  next(door) := case push & !locked : open; TRUE : shut; esac;";

/// An implementation judged by its outputs: the failure is the first state that the faulty model does not have.
struct Faulty<'a> {
    specification: &'a Model,
    /// From the inputs up to now to whether the door is wrong.
    is_wrong: fn(&Model, &[State]) -> bool,
    n_runs: usize,
}

impl Faulty<'_> {
    fn run(&mut self, states: &[State]) -> Outcome {
        self.n_runs += 1;
        let wrong = (1..states.len()).find(|n| (self.is_wrong)(self.specification, &states[..*n]));
        let mut outcome = match wrong {
            Some(step) => Outcome::new(Verdict::Fail, Some(step), "wrong"),
            None => Outcome::new(Verdict::Pass, None, ""),
        };
        let record = |state: &State| ExchangeRecord { inputs: state.clone(), outputs: state.clone() };
        outcome.history = states.iter().map(record).collect();
        outcome
    }
}

fn is_true(model: &Model, state: &State, name: &str) -> bool {
    let var = model.var_named(name).expect("declared");
    state.get(var) == Some(specwright_model::Value::Bool(true))
}

fn is_open(model: &Model, state: &State) -> bool {
    let var = model.var_named("door").expect("declared");
    state.get(var).map(|value| model.show(value)).as_deref() == Some("open")
}

/// A random execution.
fn walk(model: &Model, n_states: usize, seed: u64) -> Vec<State> {
    let explorer = Explorer::new(model);
    let mut random = Random::new(seed);
    let mut shuffle = || Random::new(random.next_u64());
    let mut states = vec![explorer.initial().shuffled(shuffle()).next().expect("initial").expect("defined").next];
    while states.len() < n_states {
        let step = explorer.steps(&states[states.len() - 1]).shuffled(shuffle()).next();
        let step = step.expect("no deadlock").expect("defined");
        *states.last_mut().expect("not empty") = step.now;
        states.push(step.next);
    }
    states
}

/// Shrinks a walk of 75 states, twice, and returns the number of states that are left.
fn shrunk(is_wrong: fn(&Model, &[State]) -> bool, seed: u64) -> Option<usize> {
    let mut model = model(DOOR);
    model.infer_outputs();
    let mut faulty = Faulty { specification: &model, is_wrong, n_runs: 0 };
    let mut once =
        |states: &[State]| shrink(Some(&model), states, Expect::Accept, &mut |states| Some(faulty.run(states)));
    let long = walk(&model, 75, seed);
    let first = once(&long)?;
    assert!(first.is_complete, "seed {seed}: {} runs", first.n_runs);
    let second = once(&first.trace.states).expect("it fails, too");
    assert_eq!(first.trace, second.trace, "seed {seed}: a second time changes nothing");
    assert!(!second.is_shorter());
    Some(first.trace.states.len())
}

/// The door jams when it was opened three times: six steps are enough.
fn jams(model: &Model, states: &[State]) -> bool {
    let is_opened = |pair: &[State]| !is_open(model, &pair[0]) && is_open(model, &pair[1]);
    let last = &states[states.len() - 1];
    states.windows(2).filter(|pair| is_opened(pair)).count() >= 3 && !is_open(model, last)
}

/// The door forgets that it was locked twice in a row, then pushed against, then unlocked.
fn forgets(model: &Model, states: &[State]) -> bool {
    let locked = |state: &State| is_true(model, state, "lock");
    let pushed = |state: &State| is_true(model, state, "push");
    let mut stage = 0;
    for state in states {
        stage = match stage {
            0 | 1 if locked(state) => stage + 1,
            2 if pushed(state) && locked(state) => 3,
            3 if !locked(state) && !pushed(state) => 4,
            4 if pushed(state) => 5,
            stage => stage,
        };
    }
    stage == 5
}

#[test]
fn a_failure_of_75_states_shrinks_to_what_it_needs() {
    let (mut n_jams, mut n_forgets) = (0, 0);
    for seed in 0..20 {
        if let Some(n_states) = shrunk(jams, seed) {
            assert_eq!(n_states, 8, "seed {seed}");
            n_jams += 1;
        }
        if let Some(n_states) = shrunk(forgets, seed) {
            assert_eq!(n_states, 6, "seed {seed}");
            n_forgets += 1;
        }
    }
    assert!(n_jams > 15 && n_forgets > 15, "{n_jams} {n_forgets}");
}

#[test]
fn a_failure_that_does_not_come_back_is_not_shrunk() {
    let mut model = model(DOOR);
    model.infer_outputs();
    let mut n_runs = 0;
    let mut once = |_: &[State]| {
        n_runs += 1;
        let verdict = if n_runs == 1 { Verdict::Fail } else { Verdict::Pass };
        Some(Outcome::new(verdict, Some(3), ""))
    };
    assert_eq!(shrink(Some(&model), &walk(&model, 10, 1), Expect::Accept, &mut once), None);
    assert_eq!(n_runs, 2);
}

/// Of a program that fails now and then, every result failed twice in a row.
#[test]
fn nondeterministic_failures_are_confirmed() {
    let mut model = model(DOOR);
    model.infer_outputs();
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let mut failed: Vec<Vec<State>> = Vec::new();
        let mut once = |states: &[State]| {
            let is_failing = random.percent(80);
            if is_failing {
                failed.push(states.to_vec());
            }
            Some(Outcome::new(if is_failing { Verdict::Fail } else { Verdict::Pass }, Some(states.len() - 1), ""))
        };
        let Some(found) = shrink(Some(&model), &walk(&model, 20, seed), Expect::Accept, &mut once) else { continue };
        assert!(failed.iter().filter(|states| **states == found.trace.states).count() >= 2, "seed {seed}");
    }
}

/// A limit is a number of runs, and the result says that it was reached.
#[test]
fn shrinking_ends_at_its_limit() {
    let mut model = model(DOOR);
    model.infer_outputs();
    let long = walk(&model, 300, 7);
    let n_states = long.len();
    let mut n_runs = 0;
    // Only the whole test fails, at its end.
    let mut once = |states: &[State]| {
        n_runs += 1;
        let verdict = if states.len() == n_states { Verdict::Fail } else { Verdict::Pass };
        Some(Outcome::new(verdict, Some(states.len() - 1), ""))
    };
    let found = shrink(Some(&model), &long, Expect::Accept, &mut once).expect("it fails");
    assert!(!found.is_shorter() && !found.is_complete);
    assert_eq!(found.n_runs, n_runs);
    assert!(n_runs <= SHRINK_RUNS + 1);
}
