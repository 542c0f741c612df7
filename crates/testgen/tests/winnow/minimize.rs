//! Minimum suites: they reach the same goals, and no smaller ones do.

use crate::support::{free_model, random_trace};
use crate::{engine, example};
use proptest::prelude::*;
use specwright_mc::{Answer, Budget, Proof, Search};
use specwright_model::interp::Random;
use specwright_model::{Model, Trace};
use specwright_testgen::criteria::{self, Mutation, Properties};
use specwright_testgen::generate::{self, Run, Strategy as Making, generate};
use specwright_testgen::goal::Goal;
use specwright_testgen::grade::{Bits, Grader, Matrix, Quantifiers, goal_grades, unreachable};
use specwright_testgen::minimize::{Objective, Options, minimize, synthesize};
use std::ops::ControlFlow;

/// The matrix with these rows.
fn matrix(rows: &[u16], n_goals: usize) -> Matrix {
    let row = |row: &u16| {
        let mut bits = Bits::new(n_goals);
        (0..n_goals).filter(|goal| row >> goal & 1 == 1).for_each(|goal| bits.insert(goal));
        bits
    };
    Matrix::new(n_goals, rows.iter().map(row).collect())
}

/// The minimum cost of rows that together have all bits that any row has, by brute force.
fn brute_force(rows: &[u16], costs: &[u64]) -> u64 {
    let all = rows.iter().fold(0, |all, row| all | row);
    let chosen = |set: u32| (0..rows.len()).filter(move |row| set >> row & 1 == 1);
    (0..1u32 << rows.len())
        .filter(|set| chosen(*set).fold(0, |union, row| union | rows[row]) == all)
        .map(|set| chosen(set).map(|row| costs[row]).sum())
        .min()
        .unwrap_or(0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn optimal_agrees_with_brute_force(
        rows in prop::collection::vec((0u16.., 0u16.., 0u16..), 0..=11),
        n_goals in 1usize..=16,
        costs in prop::collection::vec(0u64..6, 11),
        unit in any::<bool>(),
    ) {
        // Sparse rows, since dense ones are easy.
        let mask = u16::MAX >> (16 - n_goals);
        let rows: Vec<u16> = rows.iter().map(|(a, b, c)| a & b & c & mask).collect();
        let costs: Vec<u64> = (0..rows.len()).map(|row| if unit { 1 } else { costs[row] }).collect();
        let matrix = matrix(&rows, n_goals);
        let least = brute_force(&rows, &costs);
        for greedy in [false, true] {
            let minimum = minimize(&matrix, &costs, &Options { greedy, ..Options::default() });
            let mut reached = Bits::new(n_goals);
            minimum.tests.iter().for_each(|test| reached.union_with(matrix.goals_of(*test)));
            prop_assert_eq!(&reached, &matrix.reached());
            prop_assert!(minimum.bound <= least && least <= minimum.cost);
            if !greedy {
                prop_assert!(minimum.is_optimal(), "{:?}", minimum);
                prop_assert_eq!(minimum.cost, least);
            }
        }
    }
}

/// The tests of a minimum suite reach exactly the goals that count in the grade, and no fewer tests do.
#[test]
fn the_minimum_reaches_the_goals_that_the_grade_counts() {
    let (mut n_false, mut n_smaller) = (0, 0);
    for seed in 0..80 {
        let model = free_model(seed, 3);
        let mut engine = engine(&model);
        let mutation = Mutation { properties: Properties::Own, ..Mutation::default() };
        let (goals, _) =
            criteria::collect(&model, Some(&mut engine), &criteria::Options { mutation, ..Default::default() });
        let goals: Vec<Goal> = goals.into_iter().step_by(3).take(40).collect();
        let mut random = Random::new(seed);
        let traces: Vec<Trace> = (0..7).filter_map(|n| random_trace(&model, &mut random, 2 + n)).collect();
        let graded = |quantifiers| {
            let mut grader = Grader::new(engine.system(), goals.iter().map(|goal| goal.target), quantifiers);
            let rows = traces.iter().map(|trace| grader.reached(engine.system(), trace)).collect();
            Matrix::new(goals.len(), rows)
        };
        let (matrix, surely) = (graded(Quantifiers::Path), graded(Quantifiers::Branching));
        let budget = Budget::default();
        let (reached, surely) = (matrix.reached(), surely.reached());
        let found = goal_grades(&mut engine, &goals, &reached, &surely, &|_| true, &budget, &mut |_| true);
        let counts = matrix.without(&unreachable(&found));
        // A goal counts if it is reached in branching time, or on a path and the engine does not prove it infeasible.
        for (goal, target) in goals.iter().map(|goal| goal.target).enumerate() {
            let impossible =
                matches!(engine.answer(target, &budget), Answer::Impossible(Proof::Infeasible | Proof::Nonfalsifiable));
            let reached = reached.contains(goal);
            let expected = surely.contains(goal) || reached && !impossible;
            assert_eq!(counts.reached().contains(goal), expected, "seed {seed}: {}", goals[goal].id);
            n_false += usize::from(reached && !expected);
        }
        let rows: Vec<u64> = (0..counts.n_tests())
            .map(|test| counts.goals_of(test).iter().fold(0, |row, goal| row | 1u64 << goal))
            .collect();
        let least = (0u32..1 << rows.len())
            .filter(|set| union(&rows, *set) == union(&rows, u32::MAX))
            .map(u32::count_ones)
            .min()
            .unwrap_or(0);
        let minimum = minimize(&counts, &vec![1; rows.len()], &Options::default());
        assert_eq!((minimum.cost, minimum.is_optimal()), (u64::from(least), true), "seed {seed}");
        let kept = minimum.tests.iter().fold(0, |set, test| set | 1 << test);
        assert_eq!(union(&rows, kept), union(&rows, u32::MAX), "seed {seed}");
        n_smaller += usize::from(minimum.cost < minimize(&matrix, &vec![1; rows.len()], &Options::default()).cost);
    }
    assert!(n_false > 10 && n_smaller > 0, "{n_false} kills do not count, {n_smaller} suites are smaller without them");
}

/// The union of a subset of rows.
fn union(rows: &[u64], set: u32) -> u64 {
    rows.iter().enumerate().filter(|(row, _)| set >> row & 1 == 1).fold(0, |all, (_, row)| all | row)
}

#[test]
fn without_time_the_bound_is_a_lower_bound() {
    // A hard matrix without structure.
    let mut random = specwright_model::interp::Random::new(7);
    let rows: Vec<Bits> = (0..60)
        .map(|_| {
            let mut row = Bits::new(100);
            (0..100).filter(|_| random.percent(8)).for_each(|goal| row.insert(goal));
            row
        })
        .collect();
    let matrix = Matrix::new(100, rows);
    let costs = vec![1; 60];
    let best = minimize(&matrix, &costs, &Options::default());
    assert!(best.is_optimal());
    assert_eq!(minimize(&matrix, &costs, &Options::default()), best, "no clock decides");
    let hasty = minimize(
        &matrix,
        &costs,
        &Options { budget: Budget::default().with_deadline(Some(std::time::Instant::now())), ..Options::default() },
    );
    assert!(!hasty.is_optimal() && hasty.gap() > 0.0);
    assert!(hasty.bound <= best.cost && best.cost <= hasty.cost);
}

#[test]
fn synthesis_reaches_the_same_with_less() {
    for name in ["card-stack/card_stack.smv", "request-busy/request_busy.smv"] {
        let model = example(name);
        let mut engine = engine(&model);
        let (goals, traces, mut grader) = one_test_each(&model, &mut engine);
        let before = all_reached(&mut grader, &engine, &traces);
        for objective in [Objective::Tests, Objective::Steps] {
            let rows = traces.iter().map(|trace| grader.reached(engine.system(), trace)).collect();
            let costs = objective.costs(traces.iter());
            let chosen = minimize(&Matrix::new(goals.len(), rows), &costs, &Options::default());
            let made =
                synthesize(&mut engine, &goals, &mut grader, &traces, objective, &Options::default(), &mut || true);
            let now: Vec<Trace> = made.tests.iter().map(|(_, trace)| trace.clone()).collect();
            for trace in &now {
                assert_eq!(specwright_model::interp::check_trace(engine.system(), trace), Ok(()), "{name}");
            }
            assert!(before.is_subset(&all_reached(&mut grader, &engine, &now)), "{name}: nothing is lost");
            let cost: u64 = objective.costs(now.iter()).iter().sum();
            let less = cost < chosen.cost || (cost == chosen.cost && name.starts_with("request"));
            assert!(less, "{name}, {objective:?}: {cost} against {}", chosen.cost);
        }
    }
}

#[test]
fn synthesis_does_not_rely_on_inputs_of_removed_steps() {
    let machine = "MODULE main\nIVAR a : boolean; b : boolean;\nVAR x : boolean; y : boolean;\n\
                   ASSIGN init(x) := FALSE; next(x) := !x; init(y) := FALSE;\n";
    for claims in
        ["INVARSPEC !x & !y\nLTLSPEC G (x -> a)", "INVARSPEC x = y\nLTLSPEC G (y & !x -> a)\nLTLSPEC G (x -> a | b)"]
    {
        let model = specwright_model::testing::model(&format!("{machine}{claims}\n"));
        let mut engine = engine(&model);
        let (goals, traces, mut grader) = one_test_each(&model, &mut engine);
        let before = all_reached(&mut grader, &engine, &traces);
        assert!(before.count() > 0);
        for objective in [Objective::Tests, Objective::Steps] {
            let options = Options { greedy: true, ..Options::default() };
            let made = synthesize(&mut engine, &goals, &mut grader, &traces, objective, &options, &mut || true);
            let now: Vec<Trace> = made.tests.into_iter().map(|(_, trace)| trace).collect();
            assert!(before.is_subset(&all_reached(&mut grader, &engine, &now)), "{claims}: nothing is lost");
            for trace in now.iter().filter(|trace| trace.loop_start.is_none()) {
                let last = trace.states.last().expect("tests have states");
                let given = ["a", "b"].map(|name| last.get(engine.system().var_named(name).expect("declared")));
                assert_eq!(given, [None, None], "{claims}: no step leaves the last state");
            }
        }
    }
}

/// The goals of a model, a test for each of them, and a grader.
fn one_test_each(model: &Model, engine: &mut specwright_mc::Symbolic) -> (Vec<Goal>, Vec<Trace>, Grader) {
    let (goals, _) = criteria::collect(model, Some(engine), &criteria::Options::default());
    let mut run = Run::new(goals.len());
    let each = generate::Options { strategy: Making::Each, ..generate::Options::default() };
    let _ = generate(engine, &goals, &each, &mut run, &mut |_, _| ControlFlow::Continue(()));
    let traces = run.tests.iter().map(|test| test.trace.clone()).collect();
    let grader = Grader::new(engine.system(), goals.iter().map(|goal| goal.target), Quantifiers::Path);
    (goals, traces, grader)
}

fn all_reached(grader: &mut Grader, engine: &specwright_mc::Symbolic, traces: &[Trace]) -> Bits {
    let mut all = Bits::new(grader.n_goals());
    for trace in traces {
        all.union_with(&grader.reached(engine.system(), trace));
    }
    all
}
