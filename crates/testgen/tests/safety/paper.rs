//! The errors of the paper, each with a machine that shows it.

use crate::{analysis, engine, tests};
use specwright_mc::{Answer, Proof};
use specwright_model::testing::model;
use specwright_testgen::safety::{Danger, combined};
use specwright_testgen::suite::Expect;

/// A machine from `a` to `b`, which stays there, with a mutant that goes from `a` to a harmless sink and from `b` to a
/// violation.
const DETOUR: &str = "MODULE main VAR s : {a, b, h, bad}; off : boolean; DEFINE wrong := off; ASSIGN off := FALSE; \
                      init(s) := a; \
                      next(s) := case wrong & s = a : h; s = a : b; wrong & s = b : bad; TRUE : s; esac; \
                      INVARSPEC NAME fine := s != bad";

#[test]
fn the_violation_follows_the_departure() {
    let model = model(DETOUR);
    let mut engine = engine(&model);
    let analysis = analysis(&model, &mut engine, &["SNO"]);
    let wrong = |text: &str| text == "!off";
    let index = analysis.found.iter().position(|found| wrong(&found.mutant.text(&model)));
    let index = index.expect("a test may fail here");
    assert_eq!(Danger::ALL.map(|danger| analysis.found[index].has(0, danger)), [Some(true); 4]);
    // The failing test goes through `b`, although the mutant could depart in `a` already.
    let suite = tests(&mut engine, &analysis).suite(&model, &analysis);
    let id = analysis.found[index].mutant.id.to_string();
    let failing = suite.tests.iter().find(|test| {
        test.expect == Expect::Reject && test.goals.iter().any(|goal| goal.starts_with(&id) && goal.contains(":EF:"))
    });
    let failing = failing.expect("a test may fail here");
    assert_eq!((failing.trace.states.len(), failing.rejected_at()), (3, Some(2)));

    // On the combined machine the formula of the paper holds in `a`; the corrected one only in `b`.
    let both = combined(&model, &mut engine, &analysis, index).expect("a test may fail here");
    let text = both.text(&model, &analysis.found[index].mutant);
    let claims = "SPEC s = a & original -> (original & EX !original & EF s = bad)\n\
                  SPEC s = a & original -> (original & EX (!original & EF s = bad))\n\
                  SPEC AG (s = b & original -> (original & EX (!original & EF s = bad)))\n";
    let read = specwright_model::testing::model(&format!("{text}\n{claims}"));
    let mut checker = crate::engine(&read);
    let verdicts: Vec<bool> = read.properties[4..]
        .iter()
        .map(|p| matches!(checker.check(p), Answer::Impossible(Proof::Infeasible)))
        .collect();
    assert_eq!(verdicts, [true, false, true]);
}

#[test]
fn the_union_loses_no_step_and_has_none_of_its_own() {
    // Two machines `case x = 0 & go : 1; TRUE : x; esac`, one of them with `|`. Where x = 0 and `go` is FALSE, the
    // rewritten case statement of the paper loses the step of the machine, which stays; or, where `go` is TRUE, it adds
    // one.
    let machine = "MODULE main VAR x : 0..1; go : boolean; ASSIGN init(x) := 0; \
                   next(x) := case x = 0 & go : 1; TRUE : x; esac; INVARSPEC NAME fine := x < 2";
    let model = model(machine);
    let mut engine = engine(&model);
    let analysis = analysis(&model, &mut engine, &["LRO-or"]);
    assert_eq!(analysis.found.len(), 1);
    let both = combined(&model, &mut engine, &analysis, 0).expect("a test may fail here");
    let text = both.text(&model, &analysis.found[0].mutant);
    let claims = "SPEC AG (x = 0 & !go -> EX x = 0 & EX x = 1)\nSPEC AG (x = 0 & go -> AX x = 1)\n\
                  SPEC AG (x = 1 -> AX x = 1)\nSPEC AG (x = 0 & !go & original -> AX (original <-> x = 0))\n";
    let read = specwright_model::testing::model(&format!("{text}\n{claims}"));
    let mut checker = crate::engine(&read);
    for property in &read.properties[4..] {
        assert!(matches!(checker.check(property), Answer::Impossible(Proof::Infeasible)), "{text}");
    }
}

#[test]
fn the_literal_mode_table_violates_its_property() {
    // Without `!Toofast` where `Cruise` is entered, the machine itself violates the property.
    let text = crate::cruise_control::text().replace("& EngRun & !Toofast & !Brake\n", "& EngRun & !Brake\n");
    let read = model(&text);
    let mut engine = engine(&read);
    let verdict = |engine: &mut specwright_mc::Symbolic, index: usize| engine.check(&read.properties[index]);
    assert!(matches!(verdict(&mut engine, 2), Answer::Found(_)), "cruise_is_safe");
    assert!(matches!(verdict(&mut engine, 0), Answer::Impossible(Proof::Infeasible)), "off_is_safe");
    // With free inputs it does so even with `!Toofast`: the engine may stop in the very step that enters `Cruise`.
    let free = crate::cruise_control::text();
    let free = &free[..free.find("TRANS").expect("a test may fail here")];
    let claim = "INVARSPEC CruiseControl = Cruise -> EngRun";
    let read = specwright_model::testing::model(&format!("{free}\n{claim}"));
    let verdict = crate::engine(&read).check(&read.properties[0]);
    assert!(matches!(verdict, Answer::Found(_)));
}
