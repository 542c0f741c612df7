//! Grading by bits agrees with the interpreter, which is the reference.

use crate::support::{free_model, random_model, random_trace};
use specwright_mc::Query;
use specwright_model::interp::{Path, Random, check_trace};
use specwright_model::model::VarKind;
use specwright_model::op::UnaryOp;
use specwright_model::{Node, Trace};
use specwright_testgen::grade::{Grader, Quantifiers, grade_with};
use specwright_testgen::suite::{Suite, Test, Validated, executions, validate};
use std::num::NonZeroUsize;

#[test]
fn bits_agree_with_the_interpreter() {
    let (mut n_compared, mut n_killed, mut n_loops) = (0, 0, 0);
    for seed in 0..400 {
        let mut model = random_model(seed, 6);
        // Walks of one, two and three words.
        let mut random = Random::new(seed);
        let traces: Vec<_> =
            [1, 5, 20, 64, 65, 150].iter().filter_map(|n| random_trace(&model, &mut random, *n)).collect();
        let formulas: Vec<_> = model.properties.iter().map(|property| property.formula.expr).collect();
        let targets: Vec<Query> =
            formulas.iter().flat_map(|f| [Query::Falsify(*f), Query::Show(*f), Query::Reach(*f)]).collect();
        let negations: Vec<_> = formulas
            .iter()
            .map(|formula| model.make(Node::Unary(UnaryOp::Not, *formula)).expect("formulas are truth values"))
            .collect();
        let mut grader = Grader::new(&model, targets, Quantifiers::Path);
        let alone: Vec<_> = traces.iter().map(|trace| grader.reached(&model, trace)).collect();
        let many: Vec<&Trace> = traces.iter().cycle().take(25 * traces.len()).collect();
        for jobs in [1, 3] {
            model.system.budget = model.system.budget.clone().with_jobs(NonZeroUsize::new(jobs));
            let together = grader.reached_by_each(&model, &many);
            assert!(together.iter().eq(alone.iter().cycle().take(many.len())), "seed {seed}, {jobs} threads");
        }
        for trace in &traces {
            assert_eq!(check_trace(&model, trace), Ok(()), "walks are executions");
            n_loops += usize::from(trace.loop_start.is_some());
            let reached = grader.reached(&model, trace);
            let mut path = Path::new(&model, trace);
            for (index, (formula, negation)) in formulas.iter().zip(&negations).enumerate() {
                let property = &model.properties[index];
                let text = || format!("seed {seed}, {}, {trace:?}", model.show_expr(*formula));
                let Ok(killed) = path.kills(property) else { continue };
                let temporal = model.mentions(*formula, specwright_model::typing::is_temporal);
                if temporal || property.kind == specwright_model::model::PropertyKind::Invar {
                    assert_eq!(reached.contains(3 * index), killed, "kills {}", text());
                    n_killed += usize::from(killed);
                }
                let values = path.values(*formula).expect("it has values for kills");
                assert_eq!(reached.contains(3 * index + 1), values.at(0) == Some(true), "shows {}", text());
                let opposite = path.values(*negation).expect("so has the negation");
                let anywhere = (0..1000).any(|at| opposite.at(at) == Some(false));
                assert_eq!(reached.contains(3 * index + 2), anywhere, "reaches {}", text());
                n_compared += 1;
            }
        }
    }
    assert!(n_compared > 10_000 && n_killed > 1000 && n_loops > 100, "{n_compared} {n_killed} {n_loops}");
}

/// Kept traces share words, and goals are judged on demand: in any order, the answers are those for each trace alone.
#[test]
fn traces_that_are_judged_together_do_not_interfere() {
    let (mut n_asked, mut n_reached, mut n_loops) = (0, 0, 0);
    for seed in 0..300 {
        let model = random_model(seed, 6);
        let mut random = Random::new(seed);
        let formulas = || model.properties.iter().map(|property| property.formula.expr);
        let targets: Vec<Query> =
            formulas().flat_map(|f| [Query::Falsify(f), Query::Show(f), Query::Reach(f)]).collect();
        let mut grader = Grader::new(&model, targets.iter().copied(), Quantifiers::Branching);
        let mut kept: Vec<Trace> = Vec::new();
        for _ in 0..40 {
            if random.percent(60) {
                let n = *random.pick(&[1, 2, 3, 5, 9, 40, 64, 130]);
                let Some(trace) = random_trace(&model, &mut random, n) else { continue };
                n_loops += usize::from(trace.loop_start.is_some());
                grader.keep(&trace);
                kept.push(trace);
            } else if random.percent(5) {
                grader.forget();
                kept.clear();
            } else {
                let goal = random.index(targets.len());
                let mut reaching = Vec::new();
                grader.each_kept(goal, |trace| {
                    reaching.push(trace);
                    true
                });
                let reaches = |trace: &&Trace| grader.clone().reached(&model, trace).contains(goal);
                let alone: Vec<usize> =
                    kept.iter().enumerate().filter(|(_, trace)| reaches(trace)).map(|(at, _)| at).collect();
                assert_eq!(reaching, alone, "seed {seed}, {:?}", targets[goal]);
                n_asked += kept.len();
                n_reached += alone.len();
            }
        }
    }
    assert!(n_asked > 10_000 && n_reached > 1000 && n_loops > 100, "{n_asked} {n_reached} {n_loops}");
}

#[test]
fn branching_time_kills_less() {
    let mut n_different = 0;
    for seed in 0..200 {
        let model = random_model(seed, 4);
        let targets: Vec<Query> = model.properties.iter().map(|p| Query::Falsify(p.formula.expr)).collect();
        let mut by_path = Grader::new(&model, targets.iter().copied(), Quantifiers::Path);
        let mut branching = Grader::new(&model, targets.iter().copied(), Quantifiers::Branching);
        let mut random = Random::new(seed);
        for _ in 0..4 {
            let Some(trace) = random_trace(&model, &mut random, 12) else { continue };
            let (more, less) = (by_path.reached(&model, &trace), branching.reached(&model, &trace));
            assert!(less.is_subset(&more), "seed {seed}");
            n_different += usize::from(less != more);
        }
    }
    assert!(n_different > 0);
}

/// A partial test stands for all executions that agree with it, and reaches the goals that all of them reach.
#[test]
fn partial_tests_reach_what_all_their_executions_reach() {
    let (mut n_open, mut n_ways) = (0, 0);
    for seed in 0..300 {
        let model = free_model(seed, 3);
        let mut random = Random::new(seed);
        let Some(trace) = random_trace(&model, &mut random, 4) else { continue };
        let mut holes = trace.clone();
        for state in &mut holes.states {
            for (var, _) in model.vars() {
                if random.percent(40) {
                    state.set(var, None);
                }
            }
        }
        let test = Test::new("open", holes.clone());
        let Some(ways) = executions(&model, &test) else { continue };
        let agrees = |way: &Trace| {
            let values = way.states.iter().zip(&holes.states).flat_map(|(a, b)| a.values().iter().zip(b.values()));
            values.into_iter().all(|(full, given)| given.is_none() || full == given)
        };
        assert!(ways.iter().all(|way| check_trace(&model, way) == Ok(()) && agrees(way)), "seed {seed}");
        let same = |way: &Trace| {
            let last = way.states.len() - 1;
            (0..=last).all(|at| {
                model.vars().all(|(var, declared)| {
                    let open_input = at == last && declared.kind == VarKind::Input && way.loop_start.is_none();
                    open_input || way.states[at].get(var) == trace.states[at].get(var)
                })
            })
        };
        assert!(ways.iter().any(same), "seed {seed}: the execution that it was made from is one of them");
        if let Ok(Validated::Execution(only)) = validate(&model, &test) {
            assert_eq!(ways, [only], "seed {seed}");
        }
        n_open += 1;
        n_ways += ways.len();
        let targets: Vec<Query> = model.properties.iter().map(|p| Query::Falsify(p.formula.expr)).collect();
        let mut grader = Grader::new(&model, targets.iter().copied(), Quantifiers::Path);
        let suite = Suite { model: String::new(), model_hash: None, tests: vec![test], goals: None };
        let grade = grade_with(&model, &grader, &suite);
        assert!(grade.invalid_tests.is_empty(), "seed {seed}");
        for goal in 0..targets.len() {
            let all = ways.iter().all(|way| grader.reached(&model, way).contains(goal));
            assert_eq!(grade.matrix.reaches(0, goal), all, "seed {seed}, goal {goal}");
        }
    }
    assert!(n_open > 50 && n_ways > 2 * n_open, "{n_open} {n_ways}");
}
