//! Coverage of tables: the elements of Ammann and Black (2001), and how few tests are enough for them.

use specwright_engine::{Engine, Options as EngineOptions};
use specwright_model::testing::scr;
use specwright_testgen::criteria;
use specwright_testgen::generate::{Options, Run, Strategy, generate};
use specwright_testgen::goal::Goal;
use specwright_testgen::grade::grade;
use std::ops::ControlFlow;

fn suite(text: &str, csv: bool, strategy: Strategy) -> (Engine, Vec<Goal>, Run) {
    let mut engine = Engine::new(scr(text, csv), &EngineOptions::default()).unwrap_or_else(|error| panic!("{error:?}"));
    let wanted = criteria::Options { criteria: vec!["table".into()], ..criteria::Options::default() };
    let (goals, notes) = criteria::collect(&mut engine, &wanted);
    assert_eq!(notes, []);
    let mut run = Run::new(goals.len());
    let options = Options { strategy, ..Options::default() };
    let result = generate(&mut engine, &goals, &options, &mut run, &mut |_, _| ControlFlow::Continue(()));
    assert!(result.is_continue());
    (engine, goals, run)
}

#[test]
fn safety_injection_has_16_elements_and_4_tests_cover_them() {
    let text = include_str!("../../../examples/safety-injection/safety_injection.scr");
    let (engine, goals, run) = suite(text, false, Strategy::Each);
    assert_eq!((goals.len(), run.counts().covered), (16, 16));
    let count = |table: &str| goals.iter().filter(|goal| goal.groups.iter().any(|group| group.contains(table))).count();
    assert_eq!(["Pressure", "Overridden", "SafetyInjection"].map(count), [8, 6, 2]);

    // The smallest part of the suite that still covers everything.
    let matrix = grade(engine.model(), &goals, &run.suite(engine.model())).matrix;
    let n_tests = matrix.n_tests();
    let is_adequate =
        |chosen: u32| (0..goals.len()).all(|goal| matrix.tests_of(goal).any(|test| chosen >> test & 1 == 1));
    let smallest = (0..1u32 << n_tests).filter(|chosen| is_adequate(*chosen)).map(u32::count_ones).min();
    assert_eq!(smallest, Some(4));
}

#[test]
fn every_table_of_the_examples_can_be_covered() {
    let cruise_control = include_str!("../../../examples/cruise-control/cruise_control.scr");
    let survey_boat = include_str!("../../../examples/survey-boat/survey_boat.scr");
    for (text, elements) in [(cruise_control, 24), (survey_boat, 112)] {
        let (engine, goals, run) = suite(text, false, Strategy::Monitor);
        assert_eq!((goals.len(), run.counts().covered), (elements, elements));
        let grade = grade(engine.model(), &goals, &run.suite(engine.model()));
        assert_eq!((grade.misfits.len(), grade.matrix.reached().count()), (0, elements));
    }
}

#[test]
fn the_tables_of_the_a_7e_can_be_covered() {
    let Some(root) = specwright_syntax::testing::shared("scr") else { return };
    for (name, elements) in [("ANT.csv", 602), ("NU.csv", 156)] {
        let text = std::fs::read_to_string(root.join(name)).unwrap_or_else(|error| panic!("{error}"));
        let (_, goals, run) = suite(&text, true, Strategy::Monitor);
        assert_eq!((goals.len(), run.counts().covered), (elements, elements), "{name}");
    }
}
