//! Conformance of mutants, on thousands of random models with random roles and random mutants: the explicit engine against
//! a naive simulation of `run`, and the symbolic engine against the explicit one.

mod candidates;
mod functional;
mod mutant;
mod naive;
mod random;
mod tell;

use naive::Naive;
use random::{random_changes, random_roles};
use specwright_mc::{
    Answer, Budget, Certainty, CompareMachines, Explicit, Kill, Observer, Options, Proof, Symbolic, Tester, apply,
};
use specwright_model::Model;
use specwright_model::interp::{Limits, Random, check_trace};
use specwright_model::testing::random_model;

/// Bounds that keep the naive simulation feasible.
const LIMITS: Limits = Limits { states: 3000, work: 200_000 };

/// How many models are tried: `SPECWRIGHT_SEEDS`, if it is more.
fn n_seeds(least: u64) -> u64 {
    let wanted = std::env::var("SPECWRIGHT_SEEDS").ok().and_then(|text| text.parse().ok());
    wanted.unwrap_or(least).max(least)
}

/// A tester who sends all inputs, also those of the last state that leave it.
fn all_sent(model: &Model) -> Observer {
    Observer { leaving: Vec::new(), ..Observer::of(model) }
}

#[derive(Default, Debug)]
struct Counts {
    certain: usize,
    possible: usize,
    conforming: usize,
    equivalent: usize,
    undecided: usize,
}

impl Counts {
    fn add(&mut self, answer: &Answer<Kill>) {
        *match answer {
            Answer::Found(Kill { certainty: Certainty::Certain, .. }) => &mut self.certain,
            Answer::Found(_) => &mut self.possible,
            Answer::Impossible(Proof::Conforming) => &mut self.conforming,
            Answer::Impossible(_) => &mut self.equivalent,
            Answer::Undecided(_) => &mut self.undecided,
        } += 1;
    }
}

#[test]
fn the_explicit_engine_agrees_with_a_naive_simulation_of_run() {
    let mut counts = Counts::default();
    for seed in 0..n_seeds(1000) {
        let mut random = Random::new(seed);
        let mut model = random_model(seed);
        random_roles(&mut model, &mut random);
        for round in 0..3 {
            let changes = random_changes(&mut model, &mut random);
            let observer = all_sent(&model);
            let mutant = apply(&model, &changes);
            let mut explicit = Explicit::new(model.system.clone(), LIMITS);
            let answer = explicit.compare(&observer, &changes, &Budget::default());
            counts.add(&answer);
            let whole = Model { system: mutant.clone(), ..model.clone() };
            let Some(naive) = Naive::new(&model, &whole) else { continue };
            let place =
                || format!("seed {seed}, round {round}: {answer:?}\n{}", specwright_model::testing::random_smv(seed));
            match &answer {
                Answer::Found(Kill { certainty, trace }) => {
                    assert_eq!(check_trace(&model, trace), Ok(()), "{}", place());
                    assert_eq!(naive.judge(trace), Some(*certainty), "{}", place());
                    let mut tester = Tester::new(&model, &observer, LIMITS);
                    let kills = tester.judge([trace], &changes, false);
                    assert_eq!(kills, Ok(vec![Some(*certainty)]), "{}", place());
                    // No test that is shorter kills as surely.
                    if let Some(best) = naive.best(trace.states.len() - 1) {
                        assert!(best < *certainty, "{}", place());
                    }
                }
                Answer::Impossible(proof) => {
                    assert_eq!(naive.best(4), None, "{}", place());
                    if *proof == Proof::Equivalent {
                        assert!(!naive.loses(4), "{}", place());
                    }
                }
                Answer::Undecided(_) => {}
            }
        }
    }
    let Counts { certain, possible, conforming, equivalent, undecided } = counts;
    // The states of a few models are more than the limit.
    let is_decided = undecided * 1000 <= certain;
    assert!(certain > 700 && possible > 400 && conforming > 100 && equivalent > 1000 && is_decided, "{counts:?}");
}

#[test]
fn the_symbolic_engine_agrees_with_the_explicit_one() {
    let (mut counts, mut n_weaker) = (Counts::default(), 0);
    for seed in 0..n_seeds(1200) {
        let mut random = Random::new(seed);
        let mut model = random_model(seed);
        random_roles(&mut model, &mut random);
        let observer = all_sent(&model);
        let mut explicit = Explicit::new(model.system.clone(), LIMITS);
        let mut symbolic = Symbolic::new(model.system.clone(), &Options::default()).expect("random models have values");
        for round in 0..3 {
            let changes = random_changes(&mut model, &mut random);
            let expected = explicit.compare(&observer, &changes, &Budget::default());
            let answer = symbolic.compare(&observer, &changes, &Budget::default());
            counts.add(&answer);
            let place = || format!("seed {seed}, round {round}\n{}", specwright_model::testing::random_smv(seed));
            match (&expected, &answer) {
                (_, Answer::Undecided(_)) => {}
                // Single pairs may miss that a nondeterministic mutant has all runs of the model.
                (Answer::Impossible(Proof::Equivalent), Answer::Impossible(Proof::Conforming)) => n_weaker += 1,
                (Answer::Found(one), Answer::Found(other)) => {
                    let length = |kill: &Kill| (kill.certainty, kill.trace.states.len());
                    assert_eq!(length(one), length(other), "{}", place());
                    let mut tester = Tester::new(&model, &observer, LIMITS);
                    let kills = tester.judge([&other.trace], &changes, false);
                    assert_eq!(kills, Ok(vec![Some(other.certainty)]), "{}", place());
                }
                _ => assert_eq!(expected, answer, "{}", place()),
            }
        }
    }
    let Counts { certain, possible, conforming, equivalent, undecided } = counts;
    let total = certain + possible + conforming + equivalent + undecided;
    let is_much = certain > 700 && possible > 100 && conforming > 50 && equivalent > 800 && undecided * 12 < total * 5;
    assert!(is_much && n_weaker * 72 < total, "{counts:?}, {n_weaker} weaker");
}

/// Tests are judged as `run` executes them: inputs that leave the last state are not sent.
#[test]
fn what_is_not_sent_kills_nothing() {
    let (mut n_judged, mut n_unsent) = (0, 0);
    for seed in 0..n_seeds(1500) {
        let mut random = Random::new(seed);
        let mut model = random_model(seed);
        random_roles(&mut model, &mut random);
        let observer = Observer::of(&model);
        if observer.leaving.is_empty() {
            continue;
        }
        for _ in 0..3 {
            let changes = random_changes(&mut model, &mut random);
            let mut explicit = Explicit::new(model.system.clone(), LIMITS);
            let Answer::Found(kill) = explicit.compare(&observer, &changes, &Budget::default()) else { continue };
            let mutant = Model { system: apply(&model, &changes), ..model.clone() };
            let Some(naive) = Naive::new(&model, &mutant) else { continue };
            let expected = naive.judge_sent(&kill.trace, &|var| observer.leaving.contains(&var));
            let mut tester = Tester::new(&model, &observer, LIMITS);
            let kills = tester.judge([&kill.trace], &changes, false);
            assert_eq!(kills, Ok(vec![expected]), "seed {seed}\n{}", specwright_model::testing::random_smv(seed));
            n_judged += 1;
            n_unsent += usize::from(expected < Some(kill.certainty));
        }
    }
    assert!(n_judged > 200 && n_unsent > 20, "{n_judged} judged, {n_unsent} not sent");
}
