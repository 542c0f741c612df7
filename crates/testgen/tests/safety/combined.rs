//! The combined machine: its verdicts agree with the analysis, also after printing and parsing.

use crate::explicit::example;
use crate::{analysis, engine};
use specwright_mc::{Answer, Symbolic};
use specwright_model::Model;
use specwright_model::testing::model;
use specwright_testgen::safety::{Analysis, Danger, combined};

/// Compares the verdicts on the combined machine of a mutant with the analysis; returns their number, and whether it
/// has `stopped`.
fn compare(model: &Model, engine: &mut Symbolic, analysis: &Analysis, index: usize, what: &str) -> (usize, bool) {
    let found = &analysis.found[index];
    let both = combined(model, engine, analysis, index).expect("small machines have no limits");
    let text = both.text(model, &found.mutant);
    let read = specwright_model::testing::model(&text);
    let mut checker = crate::engine(&read);
    let mut n_dangers = 0;
    let claims = (0..analysis.invariants.len()).flat_map(|property| Danger::ALL.map(|danger| (property, danger)));
    for (property, (invariant, danger)) in read.properties.iter().zip(claims) {
        let is_false = matches!(checker.check(property), Answer::Found(_));
        let expected = found.has(invariant, danger) == Some(true);
        assert_eq!(is_false, expected, "{what}, property {invariant}, {}:\n{text}", danger.name());
        n_dangers += usize::from(is_false);
    }
    assert_eq!(read.properties.len(), 4 * analysis.invariants.len(), "{what}");
    (n_dangers, text.contains("stopped"))
}

#[test]
fn verdicts_on_random_machines_are_those_of_the_analysis() {
    let (mut n_dangers, mut n_stopping) = (0, 0);
    for seed in 0..300 {
        let Some((model, mut engine, analysis)) = example(seed, 5) else { continue };
        for index in 0..analysis.found.len() {
            if analysis.found[index].class == specwright_testgen::safety::Class::Undefined {
                continue;
            }
            let (n, stops) = compare(&model, &mut engine, &analysis, index, &format!("seed {seed}"));
            n_dangers += n;
            n_stopping += usize::from(stops && n > 0);
        }
    }
    assert!(n_dangers > 200 && n_stopping > 5, "{n_dangers} {n_stopping}");
}

#[test]
fn a_step_to_a_deadlock_is_no_step_to_a_violation() {
    // The mutant with `dead` departs to a deadlock of both machines, so a violation is not inevitable.
    let machine = "MODULE main VAR s : {a, dead, bad}; off : boolean; DEFINE wrong := off; ASSIGN off := FALSE; init(s) := a; \
                   next(s) := wrong ? dead : a; TRANS s != dead; INVARSPEC s != bad";
    let model = model(machine);
    let mut engine = engine(&model);
    let analysis = analysis(&model, &mut engine, &["SNO"]);
    for index in 0..analysis.found.len() {
        compare(&model, &mut engine, &analysis, index, "dead end");
    }
    let dead = analysis.found.iter().find(|found| found.mutant.text(&model) == "!off");
    let dead = dead.expect("a test may fail here");
    assert_eq!(Danger::ALL.map(|danger| dead.has(0, danger)), [Some(false); 4]);
}

#[test]
fn names_that_the_model_has_are_left_alone() {
    let machine = "MODULE main VAR original : boolean; stopped : boolean; machine_step : 0..2; \
                   ASSIGN init(original) := TRUE; next(original) := original; init(machine_step) := 0; \
                   next(machine_step) := original ? 0 : machine_step; INVARSPEC NAME fine := original";
    let model = model(machine);
    let mut engine = engine(&model);
    let analysis = analysis(&model, &mut engine, &["SNO", "CRO"]);
    for index in 0..analysis.found.len() {
        compare(&model, &mut engine, &analysis, index, "names");
    }
    assert!(analysis.found.iter().any(specwright_testgen::safety::Found::is_dangerous));
}
