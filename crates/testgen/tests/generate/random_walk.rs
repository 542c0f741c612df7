//! Random walks: their results are right, and the engine agrees.

use super::{assert_sound, complete, engine, goals, options};
use specwright_mc::{Answer, Options as EngineOptions, Symbolic};
use specwright_model::testing::{model, random_model};
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
