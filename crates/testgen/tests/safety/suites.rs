//! Suites: every failing test is rejected and ends in a violation, every passing test is an execution, and together
//! they are adequate, also after a round trip through a file.

use crate::explicit::example;
use crate::{analysis, cruise_control, engine, tests};
use specwright_mc::Symbolic;
use specwright_model::Model;
use specwright_model::interp::{check_trace, eval_bool};
use specwright_model::testing::model;
use specwright_syntax::span::SourceMap;
use specwright_testgen::safety::{Analysis, Danger, recognise};
use specwright_testgen::suite::{Expect, Suite, Validated, read_suite, validate, write_json, write_text};

/// Checks the invariants of every suite of an analysis.
fn assert_sound(model: &Model, engine: &mut Symbolic, analysis: &Analysis, what: &str) -> Suite {
    let suite = tests(engine, analysis).suite(model, analysis);
    for test in &suite.tests {
        let what = format!("{what}: {}", test.name);
        match test.expect {
            Expect::Accept => {
                assert_eq!(check_trace(model, &test.trace), Ok(()), "{what}");
                assert_eq!(test.rejected_at(), None, "{what}");
            }
            Expect::Reject => {
                assert_eq!(validate(model, test), Ok(Validated::Rejected), "{what}");
                let wrong = check_trace(model, &test.trace).expect_err("the machine rejects it");
                assert_eq!(Some(wrong.state), test.rejected_at(), "{what}: {}", wrong.describe(model));
                for goal in &test.goals {
                    let name = goal.split(':').nth(1).expect("a test may fail here");
                    let invariant = analysis.invariants.iter().find(|invariant| invariant.name == name);
                    let safe = invariant.expect("a test may fail here").expr;
                    let broken = |state: &specwright_model::State| eval_bool(model, safe, state, None) == Ok(false);
                    let departure = test.rejected_at().expect("it is to be rejected");
                    let first = test.trace.states.iter().position(broken);
                    assert!(first >= Some(departure), "{what}: {goal}: {first:?}");
                    if goal.contains("X:") {
                        assert_eq!(first, Some(departure), "{what}: {goal}");
                    }
                }
            }
        }
        assert!(!test.goals.is_empty() && test.notes.len() == test.trace.states.len(), "{what}");
    }
    let mut names: Vec<&str> = suite.tests.iter().map(|test| test.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), suite.tests.len(), "{what}");
    for text in [write_json(model, &suite), write_text(model, &suite)] {
        let mut sources = SourceMap::default();
        sources.add("suite", text.as_str()).expect("a test may fail here");
        let (read, diagnostics) = read_suite(model, &sources.files()[0]);
        assert!(diagnostics.is_empty(), "{what}: {diagnostics:?}\n{text}");
        assert_eq!(read.suite.tests, suite.tests, "{what}\n{text}");
        let adequacy = recognise(engine, analysis, &Danger::ALL, &read.suite);
        assert_eq!(adequacy.invalid_tests, [], "{what}");
        let missed: Vec<String> = adequacy.missed().map(|goal| goal.id(analysis)).collect();
        assert!(missed.is_empty(), "{what}: {missed:?}");
    }
    suite
}

#[test]
fn suites_of_random_machines_are_sound_and_adequate() {
    let mut n_tests = 0;
    for seed in 0..200 {
        let Some((model, mut engine, analysis)) = example(seed, 8) else { continue };
        n_tests += assert_sound(&model, &mut engine, &analysis, &format!("seed {seed}")).tests.len();
    }
    assert!(n_tests > 100, "only {n_tests}");
}

#[test]
fn the_suite_of_the_cruise_control_is_adequate_and_has_nothing_superfluous() {
    let model = model(&cruise_control::text());
    let mut engine = engine(&model);
    let analysis = analysis(&model, &mut engine, &["ORO", "SNO", "STO"]);
    let suite = assert_sound(&model, &mut engine, &analysis, "cruise control");
    let counts = suite.goals.expect("a test may fail here");
    assert_eq!(counts.unknown, 0);
    assert_eq!(counts.covered + counts.infeasible, counts.total);
    for index in 0..suite.tests.len() {
        let mut rest = suite.clone();
        let gone = rest.tests.remove(index);
        let adequacy = recognise(&mut engine, &analysis, &Danger::ALL, &rest);
        let word = if gone.expect == Expect::Accept { ":passing" } else { ":failing" };
        assert!(adequacy.missed().any(|goal| goal.id(&analysis).ends_with(word)), "{} is superfluous", gone.name);
    }
}

#[test]
fn a_test_is_only_adequate_for_what_it_goes_through() {
    let machine = "MODULE main VAR go : boolean; s : 0..2; ASSIGN init(s) := 0; \
                   next(s) := case s = 0 & go : 1; TRUE : 0; esac; INVARSPEC NAME low := s < 2";
    let model = model(machine);
    let mut engine = engine(&model);
    let mutants = crate::mutants(&model, &["OBO"]);
    let invariants = crate::invariants(&model);
    let analysis = specwright_testgen::safety::analyse(
        &model,
        &mut engine,
        invariants,
        mutants,
        true,
        &std::collections::BTreeMap::new(),
        &mut crate::go_on,
    );
    let two = analysis.found.iter().position(specwright_testgen::safety::Found::is_dangerous).expect("1 can become 2");
    let mut recognised = |text: &str| {
        let mut sources = SourceMap::default();
        sources.add("suite", text).expect("a test may fail here");
        let (read, diagnostics) = read_suite(&model, &sources.files()[0]);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        let adequacy = recognise(&mut engine, &analysis, &[Danger::Ex], &read.suite);
        assert_eq!(adequacy.invalid_tests, []);
        let goals = adequacy.goals.iter().enumerate().filter(|(_, goal)| goal.mutant == two);
        goals
            .filter(|(index, _)| adequacy.covered.contains(*index))
            .map(|(_, goal)| goal.kind.word())
            .collect::<Vec<_>>()
    };
    assert_eq!(recognised("test one\n  go = FALSE, s = 0\n  go = FALSE\n"), [""; 0]);
    assert_eq!(recognised("test one\n  go = FALSE, s = 0\n  go = TRUE\n"), ["prefix"]);
    assert_eq!(recognised("test one\n  go = TRUE, s = 0\n  s = 1\n"), ["prefix", "passing"]);
    assert_eq!(recognised("test one expect reject\n  go = TRUE, s = 0\n  s = 2\n"), ["prefix", "failing"]);
    // Wrong, but not a violation.
    assert_eq!(recognised("test one expect reject\n  go = TRUE, s = 0\n  s = 0\n"), ["prefix"]);
}
