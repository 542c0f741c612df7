//! Random walks: their results are right, and the engine agrees.

use super::{assert_sound, complete, engine, goals, options};
use specwright_mc::{Answer, Options as EngineOptions, Symbolic};
use specwright_model::testing::{model, random_model};
use specwright_testgen::criteria;
use specwright_testgen::generate::{Run, Strategy, random_walk};
use std::ops::ControlFlow;

const WORK: u64 = 200_000;

#[test]
fn walks_cover_only_what_the_engine_can_cover() {
    let (mut n_covered, mut n_feasible) = (0, 0);
    for seed in 0..60 {
        let model = random_model(seed);
        let Ok(mut engine) = Symbolic::new(model.system.clone(), &EngineOptions::default()) else { continue };
        for criterion in ["states", "decision", "transitions"] {
            let what = format!("seed {seed}, {criterion}");
            let goals = goals(&model, &mut engine, criterion);
            let mut walked = Run::new(goals.len());
            let result = random_walk(&model, &goals, WORK, &mut walked, &mut |_| ControlFlow::Continue(()));
            assert!(result.is_continue());
            let mut decided = walked.clone();
            let open = decided.outcomes.iter_mut().filter(|outcome| outcome.is_none());
            open.for_each(|outcome| *outcome = Some(Answer::Undecided(String::from("it was not met").into())));
            assert_sound(&model, &goals, &decided, &what);
            let exact = complete(&mut engine, &goals, &options(Strategy::Monitor));
            for (index, goal) in goals.iter().enumerate() {
                let covered = walked.outcomes[index] == Some(Answer::Found(()));
                let feasible = exact.outcomes[index] == Some(Answer::Found(()));
                assert!(feasible || !covered, "{what}: {} is covered and infeasible", goal.id);
                n_covered += usize::from(covered);
                n_feasible += usize::from(feasible);
            }
        }
    }
    // In such small models, walks visit most states.
    assert!(n_feasible > 500 && n_covered * 100 >= n_feasible * 85, "{n_covered} of {n_feasible}");
}

/// Inputs that must be right at every step do not make tests longer: a walk may leave a state with another input than
/// it was reached with.
#[test]
fn walks_go_far_without_waiting_for_inputs() {
    let model = model(
        "MODULE main VAR tick : boolean; time : 0..900;
         ASSIGN init(time) := 0; next(time) := case tick & time < 900 : time + 1; TRUE : time; esac;
         SPEC AG time < 900",
    );
    let mut engine = engine(&model);
    let goals = goals(&model, &mut engine, "boundary");
    let mut run = Run::new(goals.len());
    let result = random_walk(&model, &goals, 5_000_000, &mut run, &mut |_| ControlFlow::Continue(()));
    assert!(result.is_continue());
    let exact = complete(&mut engine, &goals, &options(Strategy::Monitor));
    assert_eq!(run.counts().covered, exact.counts().covered);
    let longest = run.tests.iter().map(|test| test.trace.n_steps()).max();
    assert!(longest.is_some_and(|longest| longest <= 902), "{longest:?}");
}

#[test]
fn walks_can_be_stopped() {
    let model = model("MODULE main VAR x : 0..9; ASSIGN init(x) := 0; next(x) := x; SPEC AG x = 0");
    let mut engine = engine(&model);
    let goals = goals(&model, &mut engine, "states");
    let mut run = Run::new(goals.len());
    let result = random_walk(&model, &goals, u64::MAX, &mut run, &mut |_| ControlFlow::Break(()));
    assert!(result.is_break());
    assert_eq!(run.counts().covered, 1, "what was found until then is there");
}

/// The goals of a criterion that random walks do not cover, in a model that may have numbers without end.
fn missed(text: &str, criterion: &str) -> Vec<String> {
    let model = model(text);
    let options = criteria::Options { criteria: vec![criterion.into()], ..criteria::Options::default() };
    let goals = criteria::collect(&model, None, &options).0;
    assert!(!goals.is_empty());
    let mut run = Run::new(goals.len());
    let result = random_walk(&model, &goals, 20_000_000, &mut run, &mut |_| ControlFlow::Continue(()));
    assert!(result.is_continue());
    let open = goals.iter().zip(&run.outcomes).filter(|(_, outcome)| outcome.is_none());
    open.map(|(goal, _)| goal.id.clone()).collect()
}

/// The values that decide are sums and products of variables and constants, which the model does not mention.
#[test]
fn walks_find_inputs_at_the_boundaries_of_comparisons() {
    let text = "MODULE main VAR x : integer; y : integer; z : 0..100000; m : {low, high, top};
         ASSIGN init(y) := 1000; next(y) := case x = y + 337 & y < 5000 : y + 1000; TRUE : y; esac;
         init(m) := low;
         next(m) := case 2 * x > 3 * y + 17 & 2 * x < 3 * y + 21 : high; z = y * 7 + 1 & y > 2500 : top; TRUE : low; esac;";
    assert_eq!(missed(text, "decision"), [""; 0]);
}

/// Mutants of properties are about paths, and a step is enough to kill many.
#[test]
fn walks_cover_goals_about_steps() {
    let text = "MODULE main VAR x : integer; m : {low, high};
         ASSIGN init(m) := low; next(m) := case x > 70 : high; TRUE : low; esac; SPEC AG (x > 70 -> AX m = high)";
    let missed = missed(text, "mutation");
    assert!(missed.iter().all(|id| !id.contains("ENO")), "{missed:?}");
}

/// An input that changes by little in a step is part of the state, and so is its first value.
#[test]
fn walks_follow_inputs_that_depend_on_the_state_before() {
    let slow = "MODULE main VAR x : 0..90; m : {low, high};
         ASSIGN init(x) := 0; init(m) := low; next(m) := case x = 60 : high; TRUE : low; esac;
         TRANS next(x) - x <= 2 & x - next(x) <= 2; SPEC AG m = low";
    assert_eq!(missed(slow, "states"), [""; 0]);
    let first = "MODULE main VAR x : 0..9; m : {low, high};
         ASSIGN init(x) := 0; init(m) := low; next(m) := case x = 7 : high; TRUE : low; esac; SPEC AG m = low";
    assert_eq!(missed(first, "states"), [""; 0]);
}

/// Random values would meet one of 390,625 combinations.
#[test]
fn walks_choose_inputs_for_goals_that_are_open() {
    let inputs: Vec<String> = (1..=8).map(|at| format!("v{at} : {{a, b, c, d, e}}; ")).collect();
    let all: Vec<String> = (1..=8).map(|at| format!("v{at} = d")).collect();
    let text = format!(
        "MODULE main VAR {} m : {{low, high}};
         DEFINE valid := {}; ASSIGN init(m) := low; next(m) := case valid : high; TRUE : low; esac;
         SPEC AG m = low",
        inputs.concat(),
        all.join(" & ")
    );
    let open = missed(&text, "decision");
    assert!(open.is_empty(), "{open:?}");
}
