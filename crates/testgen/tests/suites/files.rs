//! Suites in both formats: round trips and diagnostics.

use crate::support::{random_model, random_trace};
use specwright_model::Model;
use specwright_model::hash::model_hash;
use specwright_model::interp::Random;
use specwright_model::testing::model;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::span::SourceMap;
use specwright_testgen::suite::{
    Expect, GoalCounts, Read, Suite, Test, Validated, read_suite, shell, validate, write_json, write_text,
};
use std::fmt::Write;

const PUMP: &str = "MODULE main
VAR mode : {off, on}; level : 0..3; w : unsigned word[4]; hot : boolean;
IVAR press : boolean;
ASSIGN
  init(mode) := off; init(level) := 2; init(w) := 0ud4_0; init(hot) := FALSE;
  next(mode) := press ? (mode = off ? on : off) : mode;
  next(level) := mode = on & level > 0 ? level - 1 : level;
  next(w) := w + 0ud4_1;
  next(hot) := {hot, TRUE};
DEFINE empty := level = 0; drains := next(level) < level;
";

/// The diagnostics of a text, one on each line: position, code, message, label, notes, suggestion.
fn read(model: &Model, text: &str) -> (Read, String) {
    let mut sources = SourceMap::default();
    let file = sources.add("test", text).expect("small");
    let (read, diagnostics) = read_suite(model, &sources.files()[file]);
    (read, show(&sources, &diagnostics))
}

fn show(sources: &SourceMap, diagnostics: &[Diagnostic]) -> String {
    let mut text = String::new();
    for diagnostic in diagnostics {
        let (_, line, column) = sources.locate(diagnostic.primary.span).expect("everything has a place");
        let _ = write!(text, "{line}:{column} {}: {}", diagnostic.code.0, diagnostic.message);
        if !diagnostic.primary.text.is_empty() {
            let _ = write!(text, " ({})", diagnostic.primary.text);
        }
        for note in &diagnostic.notes {
            let _ = write!(text, " [{note}]");
        }
        for suggestion in &diagnostic.suggestions {
            let _ = write!(text, " -> {}", suggestion.replacement);
        }
        text.push('\n');
    }
    text
}

const GOLDEN: &str = "\
model test.smv sw1:00

test \"press twice\" expect reject
  covers ORO-1, \"a goal, quoted\"
  mode = off, level = 2, w = 0ud4_0, hot = FALSE, press = TRUE
  mode = on, w = 0ud4_1  -- it starts
  mode = off, level = 1, w = 0ud4_2, hot = ?

test round
  .  -- nothing is known
  loop
  press = FALSE
  .
";

#[test]
fn text_round_trips() {
    let model = model(PUMP);
    let (read, wrong) = read(&model, GOLDEN);
    assert_eq!(wrong, "");
    assert_eq!(write_text(&model, &read.suite), GOLDEN);
    let [first, second] = &read.suite.tests[..] else { panic!("two tests") };
    assert_eq!((first.expect, second.expect), (Expect::Reject, Expect::Accept));
    assert_eq!(first.goals, ["ORO-1", "a goal, quoted"]);
    assert_eq!((first.note(0), first.note(1), first.note(2)), ("", "it starts", ""));
    let press = model.var_named("press").expect("declared");
    assert_eq!(first.trace.states[1].get(press), Some(specwright_model::Value::Bool(true)), "inputs stay, too");
    assert_eq!(first.trace.states[2].get(press), None, "but not in the last state");
    assert_eq!(second.trace.loop_start, Some(1));
}

#[test]
fn names_in_quotes_keep_them() {
    let text = "MODULE main\nVAR \"the field\" : {\"@\", \"?\", \"a b\", free}; x : boolean;\n";
    let model = model(text);
    let golden = "model m\n\ntest t\n  \"the field\" = \"@\", x = TRUE\n  \"the field\" = \"?\"\n  \
                  \"the field\" = \"a b\"\n  \"the field\" = free\n";
    let (read, wrong) = read(&model, golden);
    assert_eq!(wrong, "");
    let values = read.suite.tests[0].trace.states.iter().map(|state| state.get(specwright_model::VarId(0)));
    let shown: Vec<String> = values.map(|value| model.show(value.expect("given"))).collect();
    assert_eq!(shown, ["\"@\"", "\"?\"", "\"a b\"", "free"]);
    assert_eq!(write_text(&model, &read.suite), golden);
}

#[test]
fn errors_in_text_are_pointed_at() {
    let model = model(PUMP);
    let check = |text: &str, expected: &str| assert_eq!(read(&model, text).1, expected, "{text}");
    check("test a\n  lvel = 1\n", "2:3 SUI002: the model has no variable `lvel` -> level\n");
    check("test a\n  mode = of\n", "2:10 SUI003: `mode` cannot be of (expected one of `off`, `on`) -> off\n");
    check("test a\n  level = 4\n", "2:11 SUI003: `level` cannot be 4 (expected a number from 0 to 3)\n");
    check(
        "test a\n  w = 0ud8_1\n",
        "2:7 SUI003: `w` cannot be 0ud8_1 (expected an unsigned word of 4 bits, such as 0ud4_0)\n",
    );
    check("test a\n  hot = 1\n", "2:9 SUI003: `hot` cannot be 1 (expected TRUE or FALSE)\n");
    check("test a\n  empty = 1\n", "2:11 SUI003: `empty` cannot be 1 (expected TRUE or FALSE)\n");
    check(
        "test a\n  drains = TRUE\n",
        "2:3 SUI002: tests cannot have values for the define `drains` [it reads the next value of `level`, so it belongs to a step, not to a state]\n",
    );
    check("test a\n  level = 1, level = 2\n", "2:14 SUI004: `level` has two values\n");
    check("test a\n  .\ntest a\n  .\n", "3:6 SUI004: two tests have the name `a`\n");
    check("test a\ntest b\n  .\n", "1:6 SUI005: test `a` has no states\n");
    check("test a\n  .\n  loop\n", "3:3 SUI006: the loop has no state to start with\n");
    check("test a\n  loop\n  .\n  loop\n  .\n", "4:3 SUI006: a test has one loop\n");
    let departure = "SUI001: a departure stands once, after the first state of a test to be rejected\n";
    check("test a\n  .\n  departure\n  .\n", &format!("3:3 {departure}"));
    check("test a expect reject\n  departure\n  .\n", &format!("2:3 {departure}"));
    check("test a expect reject\n  .\n  departure\n  .\n  departure\n  .\n", &format!("5:3 {departure}"));
    check("test a expect reject\n  .\n  departure\n", "1:6 SUI001: the departure has no state to go to\n");
    check("  level = 1\n", "1:3 SUI001: this belongs to a test, and no test has begun\n");
    check("test a expects reject\n", "1:8 SUI001: expected `expect accept`, `expect reject`, or nothing more\n");
    check("test a\n  level 1\n", "2:3 SUI001: unexpected `level`\n");
    check("tset a\n", "1:1 SUI001: unexpected `tset` -> test\n");
    check("test a\n  level = 1 2\n", "2:3 SUI001: expected `variable = value`\n");
    check("test \"a\n", "1:6 SUI001: a quote that does not end\n");
    check(
        "test a\n  lvel = 1, mode = of\n  hot = 3\n",
        "2:3 SUI002: the model has no variable `lvel` -> level\n\
         2:20 SUI003: `mode` cannot be of (expected one of `off`, `on`) -> off\n\
         3:9 SUI003: `hot` cannot be 3 (expected TRUE or FALSE)\n",
    );
}

#[test]
fn errors_in_json_are_pointed_at_and_say_the_path() {
    let model = model(PUMP);
    let check = |text: &str, expected: &str| assert_eq!(read(&model, text).1, expected, "{text}");
    let with = |state: &str| {
        format!("{{\"tests\": [{{\"name\": \"a\", \"more\": 1.5, \"trace\": {{\"states\": [{{}},\n{state}]}}}}]}}")
    };
    check(&with("{\"level\": 1}"), "");
    check(
        &with("{\"lvel\": 1}"),
        "2:2 SUI002: the model has no variable `lvel` [at tests[0].trace.states[1].lvel, test `a`, state 2] -> level\n",
    );
    check(
        &with("{\"mode\": \"of\"}"),
        "2:10 SUI003: `mode` cannot be \"of\" (expected one of `off`, `on`) \
         [at tests[0].trace.states[1].mode, test `a`, state 2] -> \"off\"\n",
    );
    check(
        &with("{\"hot\": \"TRUE\"}"),
        "2:9 SUI003: `hot` cannot be \"TRUE\" (expected TRUE or FALSE) \
         [at tests[0].trace.states[1].hot, test `a`, state 2]\n",
    );
    check(
        &with("{\"level\": 1, \"level\": 1}"),
        "2:14 SUI004: `level` has two values [at tests[0].trace.states[1].level, test `a`, state 2]\n",
    );
    check("{\"tests\": 3}", "1:11 SUI001: expected a list, found a number [at tests]\n");
    check("{}", "1:1 SUI005: `tests` is missing\n");
    check("{\"tests\": [{}]}", "1:12 SUI005: `name` is missing [at tests[0]]\n");
    check("{\"tests\": [}", "1:12 SUI001: the document is not JSON (expected a value)\n");
    check("{\"tests\": [", "1:12 SUI001: the document is not JSON (the text ends too early)\n");
    check(
        "{\"schema\": \"specwright/suite/3\"}",
        "1:12 SUI010: a newer version: specwright/suite/3 (expected \"specwright/suite/2\")\n",
    );
    check(
        "{\"tests\": [{\"name\": \"a\", \"trace\": {\"states\": [{}], \"loop\": 1}}]}",
        "1:60 SUI006: expected the number of a state, from 0 to 0 [at tests[0].trace.loop]\n",
    );
}

#[test]
fn both_forms_keep_every_test_of_random_models() {
    for seed in 0..150 {
        let model = random_model(seed, 0);
        let mut random = Random::new(seed);
        let mut tests: Vec<Test> = Vec::new();
        for index in 0..4 {
            let Some(trace) = random_trace(&model, &mut random, 12) else { continue };
            let mut test = Test::new(format!("test {index}"), trace);
            test.goals = vec![format!("G-{index}"), "odd \"one\", \\ with = signs".into()];
            if index % 2 == 0 {
                test.notes = vec![String::new(); test.trace.states.len() - 1];
                test.notes.push("why \"not\"".into());
            }
            tests.push(test);
        }
        let goals = Some(GoalCounts {
            total: 20,
            covered: 4,
            infeasible: 3,
            nonfalsifiable: 1,
            inconsistent: 1,
            possible: 2,
            conforming: 3,
            equivalent: 5,
            unknown: 1,
        });
        let suite = Suite { model: model.name.clone(), model_hash: Some(model_hash(&model)), tests, goals };
        let json = write_json(&model, &suite);
        let (again, wrong) = read(&model, &json);
        assert_eq!((again.suite, wrong.as_str()), (suite.clone(), ""), "{json}");
        let text = write_text(&model, &suite);
        let (again, wrong) = read(&model, &text);
        assert_eq!((again.suite, wrong.as_str()), (Suite { goals: None, ..suite.clone() }, ""), "{text}");
        // A suite can be read without its model, by the variables that it declares.
        let mut sources = SourceMap::default();
        sources.add("suite.json", json.as_str()).expect("small");
        let alone = shell(&sources.files()[0]).expect("the variables are complete");
        let (again, wrong) = read(&alone, &json);
        assert_eq!((write_json(&alone, &again.suite), wrong.as_str()), (json, ""));
    }
}

#[test]
fn tests_are_completed_where_the_model_decides() {
    let model = model(PUMP);
    let check = |text: &str, expected: Result<&str, &str>| {
        let (read, wrong) = read(&model, &format!("test a{text}"));
        assert_eq!(wrong, "");
        let found = match validate(&model, &read.suite.tests[0]) {
            Ok(Validated::Execution(trace)) => {
                let suite = Suite { tests: vec![Test::new("a", trace)], ..read.suite };
                Ok(write_text(&model, &suite).lines().skip(3).map(str::trim).collect::<Vec<_>>().join("; "))
            }
            Ok(Validated::Rejected) => Ok("rejected".into()),
            Err(invalid) => Err(invalid.describe(&model)),
        };
        assert_eq!(found.as_ref().map(String::as_str).map_err(String::as_str), expected, "{text}");
    };
    check(
        "\n press = TRUE\n hot = TRUE, press = FALSE\n .\n",
        Ok("mode = off, level = 2, w = 0ud4_0, hot = FALSE, press = TRUE; mode = on, w = 0ud4_1, hot = TRUE, \
            press = FALSE; level = 1, w = 0ud4_2"),
    );
    check("\n press = FALSE\n .\n", Err("state 2: `hot` is left open, and may be FALSE or TRUE"));
    check("\n level = 1\n", Err("state 1: `level` is 1, but the model would have 2"));
    check(
        "\n press = TRUE, hot = FALSE\n mode = off\n",
        Err("the step from state 1 to state 2: `mode` is off, but the model would have on"),
    );
    check(
        "\n mode = off, level = 2, w = 0ud4_0, hot = FALSE, press = TRUE\n w = 0ud4_1, mode = off\n",
        Err("the step from state 1 to state 2: `mode` is off, but its next assignment gives on"),
    );
    check(" expect reject\n press = TRUE, hot = FALSE\n mode = off\n", Ok("rejected"));
    // Only the last step, or the departure, is to be rejected, and what follows a departure does not count.
    let first = " expect reject\n mode = off, level = 2, w = 0ud4_0, hot = FALSE, press = TRUE\n";
    let wrong = "w = 0ud4_1, mode = off\n";
    check(&format!("{first} {wrong}"), Ok("rejected"));
    check(
        &format!("{first} {wrong} w = 0ud4_2\n"),
        Err("the step from state 1 to state 2: `mode` is off, but its next assignment gives on"),
    );
    check(&format!("{first} departure\n {wrong} w = 0ud4_9\n"), Ok("rejected"));
    check(
        " expect reject\n press = TRUE, hot = FALSE\n mode = off\n mode = on\n",
        Err("the step from state 1 to state 2: `mode` is off, but the model would have on"),
    );
    check(
        " expect reject\n press = TRUE, hot = FALSE\n mode = on\n",
        Err("it expects to be rejected, but is an execution of the model"),
    );
    check(
        " expect reject\n press = FALSE\n hot = FALSE\n",
        Err("it expects to be rejected, but is an execution of the model"),
    );
}

#[test]
fn loops_must_be_fair() {
    let model = model("MODULE main\nVAR p : boolean; q : boolean; r : boolean;\nJUSTICE r\nCOMPASSION (p, q)\n");
    let is_fair = |states: &str| {
        let (read, wrong) = read(&model, &format!("test a\n  p = TRUE, q = FALSE, r = TRUE\n  loop\n{states}"));
        assert_eq!(wrong, "");
        validate(&model, &read.suite.tests[0]).is_ok()
    };
    assert!(is_fair("  p = FALSE, q = FALSE, r = TRUE\n"), "without the cause, no effect is asked for");
    assert!(is_fair("  p = TRUE, q = FALSE, r = FALSE\n  q = TRUE, r = TRUE\n"));
    assert!(!is_fair("  p = TRUE, q = FALSE, r = TRUE\n"), "the cause recurs, and the effect does not");
    assert!(!is_fair("  p = FALSE, q = TRUE, r = FALSE\n"), "what is to happen again and again does not");
}

/// Tests may say what defines are: it is checked where states are complete, and decides where they are not.
#[test]
fn defines_have_values_in_tests() {
    let mut model = model(PUMP);
    model.infer_outputs();
    let first = "  mode = off, level = 2, w = 0ud4_0, hot = FALSE, press = FALSE";
    let judge = |text: &str| {
        let (read, wrong) = read(&model, text);
        assert_eq!(wrong, "", "{text}");
        match validate(&model, &read.suite.tests[0]) {
            Ok(Validated::Execution(_)) => "execution".to_owned(),
            Ok(Validated::Rejected) => "rejected".to_owned(),
            Err(invalid) => invalid.describe(&model),
        }
    };
    assert_eq!(judge(&format!("test a\n{first}, empty = FALSE\n")), "execution");
    let lie = "state 1: `empty` is TRUE, but the model would have FALSE";
    assert_eq!(judge(&format!("test a\n{first}, empty = TRUE\n")), lie);
    assert_eq!(judge(&format!("test a expect reject\n{first}, empty = TRUE\n")), "rejected");
    // What is left open is what the define says: after two steps down it is empty.
    let first = first.replace("press = FALSE", "press = TRUE");
    let open = format!("test a\n{first}\n  mode = on, level = ?, w = ?, hot = ?, press = FALSE\n  .\n");
    assert_eq!(judge(&format!("{open}  empty = TRUE, hot = FALSE\n")), "execution");
    let impossible = "the step from state 3 to state 4: `empty` is FALSE, but the model would have TRUE";
    assert_eq!(judge(&format!("{open}  empty = FALSE, hot = FALSE\n")), impossible);
}

/// Suites carry defined outputs and the timing of inputs; those of version 1 have neither, and are still read.
#[test]
fn suites_carry_defined_outputs_and_timing() {
    let mut model = model(&PUMP.replace("IVAR press", "VAR press"));
    model.infer_outputs();
    let text = "test a\n  mode = off, level = 2, w = 0ud4_0, hot = FALSE, press = TRUE\n";
    let suite = read(&model, text).0.suite;
    let json = write_json(&model, &suite);
    for part in [
        "\"schema\": \"specwright/suite/2\"",
        "{\"name\":\"press\",\"type\":\"boolean\",\"role\":\"input\",\"timing\":\"leaving\"}",
        "{\"name\":\"empty\",\"type\":\"boolean\",\"role\":\"output\",\"optional\":true}",
        "\"press\":true,\"empty\":false}",
    ] {
        assert!(json.contains(part), "{part} in {json}");
    }
    assert!(write_text(&model, &suite).contains("press = TRUE, empty = FALSE"));
    let (again, wrong) = read(&model, &json);
    assert_eq!((write_json(&model, &again.suite), wrong.as_str()), (json.clone(), ""));
    let first = json.replace("suite/2", "suite/1").replace(",\"empty\":false", "");
    assert_eq!(read(&model, &first).1, "");
    assert!(read(&model, &json.replace("suite/2", "suite/3")).1.contains("a newer version"));
}
