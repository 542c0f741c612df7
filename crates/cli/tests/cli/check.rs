//! `specwright check`: verdicts, exit codes, formats.

use crate::{repository, specwright_in};
use std::fs;
use std::process::Output;

fn check(args: &[&str]) -> Output {
    specwright_in(&repository()).arg("check").args(args).output().unwrap()
}

/// Checks a model that is not in a file yet.
fn check_text(test: &str, model: &str, args: &[&str]) -> Output {
    let path = crate::scratch().join(format!("{test}.smv"));
    fs::write(&path, model).unwrap();
    specwright_in(path.parent().unwrap()).arg("check").arg(&path).args(args).output().unwrap()
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn the_case_studies_hold_on_as_many_states_as_published() {
    let expected = [
        ("safety-injection/safety_injection.smv", 62, 1004),
        ("card-stack/card_stack.smv", 21, 21),
        ("cruise-control/cruise_control.smv", 8, 62),
        ("request-busy/request_busy.smv", 4, 4),
    ];
    for (file, n_properties, n_states) in expected {
        let output = check(&[&format!("examples/{file}"), "--format", "json"]);
        let document = json(&output);
        assert_eq!(output.status.code(), Some(0), "{file}");
        assert_eq!(document["schema"], "specwright/check/1");
        assert_eq!(document["states"], n_states, "{file}");
        let properties = document["properties"].as_array().unwrap();
        assert_eq!(properties.len(), n_properties, "{file}");
        assert!(properties.iter().all(|property| property["verdict"] == "holds"), "{file}");
    }
}

#[test]
fn exit_codes_tell_fails_from_unknown_from_invalid() {
    assert_eq!(check(&["examples/request-busy/impatient.smv"]).status.code(), Some(2));
    let counter = "MODULE main\nVAR w : word[24];\nASSIGN init(w) := 0ud24_0; next(w) := w + 0ud24_1;\nINVARSPEC w != 0ud24_16777215;\n";
    let output = check_text("slow", counter, &["--timeout", "0.05"]);
    assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(String::from_utf8_lossy(&output.stdout).contains("time limit reached"));
    let output = check_text("invalid", "MODULE main\nVAR n : 0..3;\nASSIGN next(n) := n + 1;\nSPEC AG n < 3;\n", &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("error[SMV091]: this can be 4, which `n` cannot have"));
    let output = check_text("unbounded", "MODULE main\nVAR n : integer;\nSPEC AG n < 3;\n", &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("error[SMV095]: `n` can be any integer"));
}

#[test]
fn properties_are_picked_by_name_and_number() {
    let model = "examples/request-busy/request_busy.smv";
    let document = json(&check(&[model, "--format", "json", "--property", "4,prompt", "-p", "4"]));
    let numbers: Vec<_> = document["properties"].as_array().unwrap().iter().map(|p| p["number"].clone()).collect();
    assert_eq!(numbers, [2, 4]);
    let output = check(&[model, "--property", "promt"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("did you mean `prompt`?"));
}

#[test]
fn compute_gives_values() {
    let model = "MODULE main\nVAR n : 0..9;\nASSIGN init(n) := 0; next(n) := n < 9 ? n + 1 : n;\n\
                 COMPUTE MIN [n = 0, n = 4]\nCOMPUTE MAX [n = 0, n = 4]\nCOMPUTE MIN [n = 4, n = 0]\n";
    let output = check_text("compute", model, &["--format", "json"]);
    let document = json(&output);
    let values: Vec<_> = document["properties"].as_array().unwrap().iter().map(|p| p["value"].clone()).collect();
    assert_eq!(values, [4.into(), 4.into(), serde_json::Value::from("infinity")]);
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_variable_order_is_written_and_read() {
    let folder = crate::scratch();
    let (order, again) = (folder.join("order"), folder.join("again"));
    let model = "examples/safety-injection/safety_injection.smv";
    check(&[model, "--reorder", "off", "--write-order", order.to_str().unwrap()]);
    let reversed: Vec<String> = fs::read_to_string(&order).unwrap().lines().rev().map(str::to_owned).collect();
    fs::write(&order, reversed.join("\n")).unwrap();
    let args = ["--reorder", "off", "--order", order.to_str().unwrap(), "--write-order", again.to_str().unwrap()];
    assert_eq!(check(&[&[model][..], &args].concat()).status.code(), Some(0));
    assert_eq!(fs::read_to_string(again).unwrap().trim(), reversed.join("\n"));
    assert_eq!(check(&[model, "--order", "no-such-file"]).status.code(), Some(1));
}

#[test]
fn traces_come_in_the_xml_of_nusmv() {
    let output = check(&["examples/request-busy/impatient.smv", "--trace-format", "xml", "-p", "1"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("<counter-example type=\"0\" id=\"1\" desc=\"CTL Counterexample\" >"), "{text}");
    assert!(text.contains("<value variable=\"state\">busy</value>"), "{text}");
}

#[test]
fn the_same_run_gives_the_same_bytes() {
    let run = || check(&["examples/request-busy/impatient.smv"]).stdout;
    let first = run();
    assert!((0..3).all(|_| run() == first));
}

#[test]
fn parts_of_a_model_are_shown_as_executions_of_all_of_it() {
    let timers = "testdata/cones/timers.smv";
    let output = check(&[timers, "--cone", "always", "--format", "json"]);
    let document = json(&output);
    assert!(document.get("states").is_none());
    let properties = document["properties"].as_array().unwrap();
    let verdicts: Vec<&str> = properties.iter().map(|property| property["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["holds", "holds", "holds", "fails", "fails"]);
    let never_late = properties[3]["trace"]["states"].as_array().unwrap();
    assert_eq!(never_late.len(), 101);
    assert!(never_late.iter().all(|state| state.as_object().unwrap().len() == 6));
    // All timers together come round too late.
    let rests = &properties[4]["trace"];
    assert!(rests["loop"].is_number());
    assert!(rests["states"].as_array().unwrap().iter().all(|state| state.get("fifth.n").is_some()));
    assert!(rests["states"].as_array().unwrap().iter().all(|state| state.get("first.n").is_none()));
    let output = check(&[timers, "--cone", "always", "--property", "rests", "--trace-format", "table"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text.contains("The other variables do not influence the property; extending the loop to them takes too long."),
        "{text}"
    );
}

#[test]
fn warnings_are_the_same_for_parts_of_a_model() {
    let model = "MODULE main\nVAR a : 0..3; b : 0..3; c : boolean;\n\
                 ASSIGN init(a) := 0; next(a) := (a + 2) mod 4; init(b) := 0; next(c) := !c;\n\
                 TRANS next(b) = b + 1 & b < 3\nSPEC AG (a = 1 -> AX a = 2)\nSPEC AG AF c\n";
    let output = |cone| check_text(&format!("parts_{cone}"), model, &["--cone", cone]);
    let (part, whole) = (output("always"), output("off"));
    let warnings = |output: &Output| String::from_utf8_lossy(&output.stderr).replace("parts_always", "parts_off");
    assert_eq!(warnings(&part), warnings(&whole));
    for code in ["SMV099", "SMV097", "SMV098"] {
        assert!(warnings(&part).contains(code), "{code}: {}", warnings(&part));
    }
}

/// The verdicts of a model that is not in a file yet.
fn verdicts(test: &str, model: &str) -> Vec<String> {
    let output = check_text(test, model, &["--format", "json"]);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{model}\n{}", String::from_utf8_lossy(&output.stderr)));
    let properties = document["properties"].as_array().unwrap();
    properties.iter().map(|property| property["verdict"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn next_in_ltl_is_the_next_state_of_the_path() {
    let constant = "MODULE main VAR x : boolean; ASSIGN next(x) := x;
        LTLSPEC next(x) = x LTLSPEC G (next(x) = x) LTLSPEC F next(x) -> F x LTLSPEC G (next(x) -> X x)
        LTLSPEC G (next(x) -> Y x) LTLSPEC O next(x) LTLSPEC G next(x)";
    let expected = ["holds", "holds", "holds", "holds", "fails", "fails", "fails"];
    assert_eq!(verdicts("next_constant", constant), expected);
    let define = "MODULE main VAR x : boolean; n : 0..3; IVAR i : boolean; DEFINE nx := next(x); up := next(n) > n;
        ASSIGN next(x) := !x; init(n) := 0; next(n) := i & n < 3 ? n + 1 : n;
        LTLSPEC G (nx <-> !x) LTLSPEC G (up -> i) LTLSPEC G (i & n < 3 <-> up) LTLSPEC F up LTLSPEC G !(up & X up)";
    assert_eq!(verdicts("next_define", define), ["holds", "holds", "holds", "fails", "fails"]);
}

#[test]
fn parameters_are_seen_from_outside() {
    let model = "MODULE leaf(p, q) VAR v : boolean; ASSIGN next(v) := p;
        MODULE sub(p, n, c, inst) VAR x : boolean; inner : leaf(p, n > 1); ASSIGN next(x) := p;
        MODULE other VAR y : 0..3; z : boolean;
        MODULE main
        VAR a : boolean; k : 0..3; o : other; s : sub(a, k + 1, red, o); e : {red, green};
        ASSIGN next(k) := s.n mod 4; next(s.inst.z) := s.p;
        TRANS next(s.inner.p) = !s.p
        SPEC AG (s.p <-> a) SPEC AG (s.n = k + 1) SPEC AG (s.c = red) SPEC AG (s.inst.y = o.y)
        SPEC AG (s.inner.p <-> a) SPEC AG (s.inner.q <-> k > 0) LTLSPEC G (next(s.p) <-> !a)
        LTLSPEC G (s.p -> X o.z) SPEC AG (e = s.c)";
    let mut expected = vec!["holds"; 8];
    expected.push("fails");
    assert_eq!(verdicts("outer_parameters", model), expected);
}

#[test]
fn words_that_only_other_languages_reserve_are_names() {
    for word in ["clock", "Integer", "Boolean", "BOOLEAN", "int", "time", "Real", "Clock", "noncontinuous", "URGENT"] {
        let model = format!(
            "MODULE {word} VAR {word}x : 0..3; ASSIGN init({word}x) := 0; next({word}x) := ({word}x + 1) mod 4;
             MODULE main VAR p : {word}; v : {{{word}, other}}; SPEC AF p.{word}x = 3 SPEC AF v = {word}"
        );
        assert_eq!(verdicts(&format!("module_{word}"), &model), ["holds", "fails"], "{word}");
    }
}

#[test]
fn values_are_not_counted_as_properties_that_hold() {
    let model = "MODULE main VAR y : 0..3; ASSIGN init(y) := 0; next(y) := y < 3 ? y + 1 : y;
        COMPUTE MIN [y = 0, y = 3] COMPUTE MAX [y = 0, y = 3] SPEC AF y = 3";
    let output = check_text("values", model, &[]);
    let summary = String::from_utf8_lossy(&output.stdout).lines().last().unwrap().to_owned();
    assert_eq!(summary, "3 properties: 1 holds, 2 values; 4 reachable states, 3 steps deep");
}

#[test]
fn very_many_states_have_a_number() {
    let model = "MODULE main VAR a : array 0..1999 of boolean; SPEC AG (a[0] | !a[0])";
    let output = check_text("very_many", model, &[]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("about 1.148e602 reachable states"), "2^2000: {text}");
}

/// A part that takes long to evaluate hides nothing that is wrong with the others, whichever command looks.
#[test]
fn what_is_slow_does_not_hide_what_is_wrong() {
    let slow = "a : word[40]; b : word[40]; c : word[40];";
    let model = format!(
        "MODULE main VAR {slow} x : 0..3; y : 0..3; p : boolean;
         ASSIGN next(c) := a * b; next(p) := a * b * c = 0ud40_77; next(x) := y / x mod 4;\n"
    );
    let path = crate::scratch().join("slow_beside.smv");
    fs::write(&path, model).unwrap();
    let output = specwright_in(path.parent().unwrap()).arg("show").arg(&path).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("SMV092") || said.contains("divi"), "{said}");
}

#[test]
fn files_that_are_not_utf_8_are_read_as_latin_1() {
    let folder = crate::scratch();
    let files: [(&str, &[u8]); 4] = [
        ("latin.smv", b"-- caf\xe9\nMODULE main VAR x : boolean; SPEC AG (x | !x)\n"),
        ("latin.scr", b"-- caf\xe9\nmonitored\n  a : boolean\nmodes\n  M : {A, B} initially A\nmode table M\n  from | event | to\n  A | @T(a) | B\n  B | @F(a) | A\n"),
        ("latin.asm", b"asm latin\n// caf\xe9\nimport StandardLibrary\nsignature:\n  controlled n: Boolean\ndefinitions:\n  main rule r_Main = n := not n\ndefault init s0:\n  function n = false\n"),
        ("latin.suite", b"-- caf\xe9\n"),
    ];
    for (name, bytes) in files {
        let path = folder.join(name);
        fs::write(&path, bytes).unwrap();
        let mut command = specwright_in(&folder);
        let output = if name.ends_with("suite") {
            command.args(["grade", "latin.smv", name, "--properties", "own"]).output().unwrap()
        } else {
            command.args(["show", name]).output().unwrap()
        };
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() != Some(1), "{name}: {said}");
        assert!(said.contains("warning[TXT001]") && said.contains(&format!("{name}:")), "{name}: {said}");
        assert!(said.contains("byte 0xe9, read as `é`"), "{name}: {said}");
    }
}

#[test]
fn many_models_are_checked_in_the_order_of_the_command_line() {
    let models = [
        "examples/door/door.smv",
        "examples/barrier/barrier.smv",
        "examples/request-busy/impatient.smv",
        "nowhere.smv",
    ];
    let all = |jobs: &str| check(&[&models[..], &["--jobs", jobs]].concat());
    let (output, other) = (all("1"), all("3"));
    assert_eq!((&output.stdout, &output.stderr), (&other.stdout, &other.stderr));
    assert_eq!(output.status.code(), Some(1), "the worst model decides");
    let alone: Vec<Output> = models.iter().map(|model| check(&[model])).collect();
    let parts = models.iter().zip(&alone).map(|(model, one)| {
        assert!(String::from_utf8_lossy(&output.stderr).contains(&*String::from_utf8_lossy(&one.stderr)), "{model}");
        format!("{model}\n{}\n", String::from_utf8_lossy(&one.stdout))
    });
    let expected = parts.collect::<String>() + "4 models: 1 invalid, 1 with failures, 2 without failures\n";
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
    let documents = check(&[&models[..3], &["--format", "json"]].concat());
    let documents: Vec<serde_json::Value> =
        serde_json::Deserializer::from_slice(&documents.stdout).into_iter().map(Result::unwrap).collect();
    assert!(documents.iter().map(|document| document["model"].as_str().unwrap()).eq(models[..3].iter().copied()));
    assert_eq!(check(&[models[0], models[1], "--certificate", "x.aag"]).status.code(), Some(1));
}

#[test]
fn a_test_violates_no_question_for_a_number() {
    let model = "MODULE main\nVAR x : 0..2;\nASSIGN init(x) := 0; next(x) := {x, 2};\nSPEC AG (x = 2 -> AX x = 2)\n\
        COMPUTE MIN [x = 0, x = 2]\n";
    check_text("compute", model, &[]);
    let folder = crate::scratch();
    let run = |args: &[&str]| specwright_in(&folder).args(args).output().unwrap();
    assert_eq!(run(&["generate", "compute.smv", "--out", "compute.json"]).status.code(), Some(0));
    let grade = run(&["grade", "compute.smv", "compute.json"]);
    assert!(!String::from_utf8_lossy(&grade.stderr).contains("violates"), "{grade:?}");
    assert_eq!(grade.status.code(), Some(0), "{grade:?}");
}
