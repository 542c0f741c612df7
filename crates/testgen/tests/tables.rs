//! Coverage of tables: the elements of Ammann and Black (2001), and minimum suites for them.

use specwright_mc::{Options as EngineOptions, Symbolic};
use specwright_model::Model;
use specwright_model::testing::scr;
use specwright_testgen::criteria;
use specwright_testgen::generate::{Options, Run, Strategy, generate};
use specwright_testgen::goal::Goal;
use specwright_testgen::grade::grade;
use std::ops::ControlFlow;

fn suite(text: &str, csv: bool, criterion: &str, strategy: Strategy) -> (Model, Vec<Goal>, Run) {
    let model = scr(text, csv);
    let mut engine =
        Symbolic::new(model.system.clone(), &EngineOptions::default()).unwrap_or_else(|error| panic!("{error:?}"));
    let wanted = criteria::Options { criteria: vec![criterion.into()], ..criteria::Options::default() };
    let (goals, notes) = criteria::collect(&model, Some(&mut engine), &wanted);
    assert_eq!(notes, []);
    let mut run = Run::new(goals.len());
    let options = Options { strategy, ..Options::default() };
    let result = generate(&mut engine, &goals, &options, &mut run, &mut |_, _| ControlFlow::Continue(()));
    assert!(result.is_continue());
    (model, goals, run)
}

#[test]
fn safety_injection_has_16_elements_and_4_tests_cover_them() {
    let text = include_str!("../../../examples/safety-injection/safety_injection.scr");
    let (model, goals, run) = suite(text, false, "table-cells", Strategy::Each);
    assert_eq!((goals.len(), run.counts().covered), (16, 16));
    let count = |table: &str| goals.iter().filter(|goal| goal.groups.iter().any(|group| group.contains(table))).count();
    assert_eq!(["Pressure", "Overridden", "SafetyInjection"].map(count), [8, 6, 2]);

    // The minimum of the suite.
    let matrix = grade(&model, &goals, &run.suite(&model)).matrix;
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
        let (model, goals, run) = suite(text, false, "table-cells", Strategy::Monitor);
        assert_eq!((goals.len(), run.counts().covered), (elements, elements));
        let grade = grade(&model, &goals, &run.suite(&model));
        assert_eq!((grade.invalid_tests.len(), grade.matrix.reached().count()), (0, elements));
    }
}

#[test]
fn the_tables_of_the_a_7e_can_be_covered() {
    let Some(root) = specwright_syntax::testing::shared("scr") else { return };
    for (name, elements) in [("ANT.csv", 602), ("NU.csv", 156)] {
        let text = std::fs::read_to_string(root.join(name)).unwrap_or_else(|error| panic!("{error}"));
        let (_, goals, run) = suite(&text, true, "table", Strategy::Monitor);
        assert_eq!((goals.len(), run.counts().covered), (elements, elements), "{name}");
    }
}

/// A row with several modes abbreviates one row for each, and so does a cell with several events: both notations have
/// the same goals, and without abbreviations `table` and `table-cells` have the same goals.
#[test]
fn abbreviated_rows_have_the_goals_of_full_ones() {
    let start = "monitored\n  a, b : boolean initially FALSE\nmodes\n  M : {X, Y, Z} initially X\n\
                 controlled\n  c : boolean initially FALSE\n  d : boolean\n";
    let short = "mode table M\n  X, Z | @T(b) OR @T(a) WHEN b | Y\n  Y | @F(b) | X\n  X, Y | @F(a) | Z\n\
                 event table c by M\n  X, Y | (@T(a) OR @T(b)) WHEN NOT c | @F(a)\n  Z | @T(Inmode) OR @F(b) | FALSE\n  \
                 c' = | TRUE | FALSE\ncondition table d by M\n  X, Y | a AND b | NOT (a AND b)\n  Z | TRUE | FALSE\n  \
                 d = | TRUE | FALSE\n";
    let long = "mode table M\n  X | @T(b) | Y\n  X | @T(a) WHEN b | Y\n  Z | @T(b) | Y\n  Z | @T(a) WHEN b | Y\n  \
                Y | @F(b) | X\n  X | @F(a) | Z\n  Y | @F(a) | Z\n\
                event table c by M\n  X | @T(a) WHEN NOT c | @F(a)\n  X | @T(b) WHEN NOT c | FALSE\n  \
                Y | @T(a) WHEN NOT c | @F(a)\n  Y | @T(b) WHEN NOT c | FALSE\n  Z | @T(Inmode) | FALSE\n  \
                Z | @F(b) | FALSE\n  c' = | TRUE | FALSE\n\
                condition table d by M\n  X | a AND b | NOT (a AND b)\n  Y | a AND b | NOT (a AND b)\n  \
                Z | TRUE | FALSE\n  d = | TRUE | FALSE\n";
    let goals = |text: &str, criterion: &str| {
        let (model, goals, run) = suite(&format!("{start}{text}"), false, criterion, Strategy::Each);
        let names = |goal: &Goal| model.show_expr(goal.target.expr());
        assert_eq!(run.counts().unknown, 0);
        goals.iter().map(names).collect::<Vec<_>>()
    };
    // Goals for values have the same descriptions; goals for the absence of an event are about the whole event of a
    // cell.
    let happens = |goals: Vec<String>| -> std::collections::BTreeSet<String> {
        goals.into_iter().filter(|goal| goal.contains("next(") && !goal.contains("!(")).collect()
    };
    assert_eq!(happens(goals(short, "table")), happens(goals(long, "table")));
    assert_eq!(goals(long, "table"), goals(long, "table-cells"));
    assert!(goals(short, "table-cells").len() < goals(short, "table").len());
}

/// A suite that leaves out a mode of a row, or an event of a cell, is not adequate.
#[test]
fn every_mode_and_every_event_of_a_cell_counts() {
    let text = "monitored\n  a, b : boolean initially FALSE\nmodes\n  M : {X, Y} initially X\n\
                controlled\n  c : boolean initially FALSE\nmode table M\n  X | @T(b) | Y\n  Y | @F(b) | X\n\
                event table c by M\n  X, Y | @T(a) | @F(a)\n  c' = | TRUE | FALSE\n";
    let (model, goals, run) = suite(text, false, "table", Strategy::Extend);
    assert_eq!((goals.len(), run.counts().covered), (12, 12));
    let suite = run.suite(&model);
    let (class, c) = (model.var_named("M").unwrap(), model.var_named("c").unwrap());
    for mode in ["X", "Y"] {
        for value in [false, true] {
            let shown = suite.tests.iter().flat_map(|test| test.trace.states.windows(2)).any(|step| {
                let before = model.show(step[0].get(class).unwrap());
                let values = [&step[0], &step[1]].map(|state| state.get(c).unwrap());
                before == mode && values == [!value, value].map(specwright_model::Value::Bool)
            });
            assert!(shown, "c becomes {value} in {mode}");
        }
    }
}
