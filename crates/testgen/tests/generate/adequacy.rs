//! Suites for the examples are adequate for every criterion and strategy.

use super::{assert_sound, complete, criterion_names, engine, examples, goals, options};
use specwright_testgen::generate::{Options, Strategy};

#[test]
fn every_criterion_on_every_example() {
    for (name, model) in examples() {
        for criterion in criterion_names() {
            let mut sizes = Vec::new();
            let mut counts = Vec::new();
            let mut n_goals = 0;
            for (word, strategy) in Strategy::NAMED {
                let mut engine = engine(&model);
                let goals = goals(&model, &mut engine, criterion);
                n_goals = goals.len();
                let run = complete(&mut engine, &goals, &options(strategy));
                assert_sound(&model, &goals, &run, &format!("{name}, {criterion}, {word}"));
                assert_eq!(run.counts().unknown, 0, "{name}, {criterion}, {word}");
                sizes.push(run.tests.len());
                counts.push(run.counts());
            }
            assert!(counts.iter().all(|other| *other == counts[0]), "{name}, {criterion}: {counts:?}");
            let [each, monitor, extend] = sizes[..] else { panic!("three strategies") };
            assert!(extend <= monitor, "{name}, {criterion}: {sizes:?}");
            println!("{name:18} {criterion:12} {n_goals:5} {:?} tests {each} {monitor} {extend}", counts[0]);
        }
    }
}

#[test]
fn the_same_input_gives_the_same_run() {
    for (name, model) in examples() {
        let once = || {
            let mut engine = engine(&model);
            let goals = goals(&model, &mut engine, "mcdc");
            let ids: Vec<String> = goals.iter().map(|goal| goal.id.clone()).collect();
            (ids, complete(&mut engine, &goals, &options(Strategy::Monitor)))
        };
        assert_eq!(once(), once(), "{name}");
    }
}

#[test]
fn goals_have_unique_ids() {
    for (name, model) in examples() {
        let mut engine = engine(&model);
        let mut ids = std::collections::BTreeSet::new();
        for criterion in criterion_names() {
            for goal in goals(&model, &mut engine, criterion) {
                assert!(!goal.groups.is_empty() && !goal.description.is_empty());
                assert!(ids.insert(goal.id.clone()), "{name}: {} twice", goal.id);
            }
        }
    }
}

#[test]
fn goals_get_several_tests_if_they_exist() {
    let (_, model) = examples().into_iter().find(|(name, _)| name == "request_busy").unwrap();
    let mut engine = engine(&model);
    let goals = goals(&model, &mut engine, "states");
    let one = complete(&mut engine, &goals, &options(Strategy::Monitor));
    let two = complete(&mut engine, &goals, &Options { tests_per_goal: 2, ..options(Strategy::Monitor) });
    assert_sound(&model, &goals, &two, "two tests per goal");
    assert!(two.tests.len() > one.tests.len());
    let n_tests = |id: &String| two.tests.iter().filter(|test| test.goals.contains(id)).count();
    assert!(goals.iter().filter(|goal| n_tests(&goal.id) >= 2).count() >= goals.len() / 2);
}

#[test]
fn the_first_state_needs_no_fair_future() {
    let text = "MODULE main\nVAR x : 0..3;\nINIT x = 0 | x = 3\nTRANS x < 2 & next(x) = x + 1\nFAIRNESS x = 3\n";
    let model = specwright_model::testing::model(text);
    let mut engine = engine(&model);
    let goals = goals(&model, &mut engine, "decision");
    let run = complete(&mut engine, &goals, &options(Strategy::Monitor));
    assert_sound(&model, &goals, &run, "a model that stops");
    let of_init = |goal: &&specwright_testgen::goal::Goal| goal.groups.iter().any(|group| group == "INIT");
    assert!(goals.iter().filter(of_init).count() > 0);
    for (goal, outcome) in goals.iter().zip(&run.outcomes) {
        if of_init(&goal) && goal.description.ends_with("true") {
            assert_eq!(outcome, &Some(specwright_mc::Answer::Found(())), "{}", goal.description);
        }
    }
}

/// Tests that differ in the last inputs only count as the same where they cover the same.
#[test]
fn ignoring_the_last_inputs_loses_no_goal() {
    for (name, model) in examples() {
        for criterion in ["states", "condition"] {
            let mut engine = engine(&model);
            let goals = goals(&model, &mut engine, criterion);
            let options = Options { ignored_at_end: model.inputs(), ..options(Strategy::Each) };
            let run = complete(&mut engine, &goals, &options);
            assert_sound(&model, &goals, &run, &format!("{name}, {criterion}, without the last inputs"));
        }
    }
}
