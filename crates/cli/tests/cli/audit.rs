//! `specwright audit`: verdicts against checks of the mutated files, missing properties, exit codes.

use crate::{repository, specwright_in};
use serde_json::Value;
use std::fs;
use std::process::Output;

fn specwright(args: &[&str]) -> Output {
    specwright_in(&repository()).args(args).output().unwrap()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)))
}

/// The names of properties with a verdict.
fn with_verdict(document: &Value, verdict: &str) -> Vec<String> {
    let properties = document["properties"].as_array().unwrap().iter();
    let chosen = properties.filter(|property| property["verdict"] == verdict);
    chosen.map(|property| property["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_mutant_is_killed_by_the_properties_that_fail_on_its_file() {
    let model = "examples/request-busy/request_busy.smv";
    let folder = crate::scratch().join("audit-files");
    let out = folder.to_str().unwrap();
    let audit = json(&specwright(&["audit", model, "--format", "json"]));
    assert!(specwright(&["mutate", model, "--machine", "--out", out]).status.success());
    let mutants = audit["mutants"].as_array().unwrap();
    assert_eq!(mutants.len(), 16);
    for mutant in mutants {
        let file = folder.join(format!("{}.smv", mutant["id"].as_str().unwrap()));
        let checked = json(&specwright(&["check", file.to_str().unwrap(), "--format", "json"]));
        let killed_by: Vec<String> = match mutant["killed_by"].as_array() {
            Some(names) => names.iter().map(|name| name.as_str().unwrap().to_owned()).collect(),
            None => Vec::new(),
        };
        assert_eq!(killed_by, with_verdict(&checked, "fails"), "{mutant}");
        assert_eq!(mutant["verdict"] == "killed", !killed_by.is_empty(), "{mutant}");
    }
}

#[test]
fn a_fixed_model_kills_what_survived() {
    for model in ["examples/barrier/barrier.smv", "examples/request-busy/request_busy.smv", "examples/cache/cache.smv"]
    {
        let fixed = crate::scratch().join("audit-fixed.smv");
        let fixed = fixed.to_str().unwrap();
        let before = specwright(&["audit", model, "--fix", fixed]);
        assert_eq!(before.status.code(), Some(2), "{model}: {}", String::from_utf8_lossy(&before.stderr));
        let text = fs::read_to_string(repository().join(model)).unwrap();
        let written = fs::read_to_string(fixed).unwrap();
        assert!(written.starts_with(text.trim_end()), "{model}: the text stays as it is");
        let after = specwright(&["audit", fixed, "--format", "json"]);
        assert_eq!(after.status.code(), Some(0), "{model}");
        assert_eq!(json(&after)["score"], 1.0, "{model}");
        assert!(specwright(&["check", fixed]).status.success(), "{model}");
    }
}

#[test]
fn missing_properties_of_a_chart_are_requirements_that_can_be_read() {
    let (model, folder) = ("examples/checkout/checkout.ts", crate::scratch());
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (little, missing) = (path("audit-little.smv"), path("audit-missing.smv"));
    fs::write(&little, "INVARSPEC NAME few := context.items <= 3;\n").unwrap();
    let before = specwright(&["audit", model, "--requirements", &little, "--fix", &missing]);
    assert_eq!(before.status.code(), Some(2), "{}", String::from_utf8_lossy(&before.stderr));
    assert!(fs::read_to_string(&missing).unwrap().contains("state = payment.entering"));
    let after = specwright(&["audit", model, "--requirements", &missing, "--format", "json"]);
    assert_eq!(json(&after)["score"], 1.0, "{}", String::from_utf8_lossy(&after.stderr));
}

#[test]
fn exit_codes_say_whether_the_properties_are_strong_enough() {
    let barrier = "examples/barrier/barrier.smv";
    for (args, code) in [
        (&["audit", barrier][..], 2),
        (&["audit", barrier, "--min-score", "90"], 0),
        (&["audit", barrier, "--min-score", "91"], 2),
        (&["audit", barrier, "--min-score", "200"], 1),
        (&["audit", barrier, "--property", "nothing"], 1),
        (&["audit", "examples/safety-injection-asm/safety_injection.asm"], 4),
    ] {
        let output = specwright(args);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn a_property_that_fails_is_left_out() {
    let file = crate::scratch().join("audit-failing.smv");
    let text = fs::read_to_string(repository().join("examples/barrier/barrier.smv")).unwrap();
    fs::write(&file, text + "\nCTLSPEC NAME wrong := AG barrier = down;\n").unwrap();
    let output = specwright(&["audit", file.to_str().unwrap(), "--format", "json"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("`wrong` fails on the machine itself, so it is left out"), "{said}");
    assert_eq!(json(&output)["properties"].as_array().unwrap().len(), 4);
}

#[test]
fn survivors_are_annotations_and_have_executions() {
    let barrier = "examples/barrier/barrier.smv";
    let sarif = json(&specwright(&["audit", barrier, "--format", "sarif"]));
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), 1);
    assert!(results[0]["message"]["text"].as_str().unwrap().contains("missing: CTLSPEC barrier = down"), "{results:?}");
    let text = String::from_utf8(specwright(&["audit", barrier, "--traces"]).stdout).unwrap();
    assert!(text.contains("-> State: 1.1 <-") && text.contains("barrier = up"), "{text}");
}

#[test]
fn requirements_are_kept_apart_from_the_model() {
    let folder = crate::scratch().join("requirements");
    fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let barrier = fs::read_to_string(repository().join("examples/barrier/barrier.smv")).unwrap();
    let (machine, _) = barrier.split_once("CTLSPEC").or(barrier.split_once("SPEC")).unwrap();
    let properties = &barrier[machine.len()..];
    fs::write(path("machine.smv"), machine).unwrap();
    fs::write(path("requirements.smv"), format!("-- What the barrier must do.\n{properties}")).unwrap();
    let requirements = path("requirements.smv");
    let whole = json(&specwright(&["audit", "examples/barrier/barrier.smv", "--format", "json"]));
    let apart = specwright(&["audit", &path("machine.smv"), "--requirements", &requirements, "--format", "json"]);
    assert_eq!(json(&apart)["counts"], whole["counts"], "{}", String::from_utf8_lossy(&apart.stderr));
    // The file of a project names them.
    fs::write(path("specwright.toml"), "model = 'machine.smv'\nrequirements = ['requirements.smv']\n").unwrap();
    let output = specwright_in(&folder).arg("check").output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("4 properties: 4 hold"), "{output:?}");
    // Other languages have them, too.
    fs::write(path("asm.smv"), "INVARSPEC NAME never := !(overridden & pressure = High);\n").unwrap();
    let asm = specwright(&[
        "check",
        "examples/safety-injection-asm/safety_injection.asm",
        "--requirements",
        &path("asm.smv"),
    ]);
    let said = format!("{}{}", String::from_utf8_lossy(&asm.stdout), String::from_utf8_lossy(&asm.stderr));
    assert!(said.contains("holds    never") || said.contains("fails    never"), "{said}");
    for (text, code) in [
        ("VAR x : boolean;", "SMV006"),
        ("CTLSPEC NAME opens := TRUE;", "SMV032"),
        ("CTLSPEC AG nothing", "SMV035"),
        ("MODULE main", "SMV006"),
        ("CTLSPEC (", "SMV006"),
    ] {
        fs::write(path("wrong.smv"), text).unwrap();
        let output = specwright(&["check", "examples/barrier/barrier.smv", "--requirements", &path("wrong.smv")]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.code() == Some(1) && said.contains(code) && said.contains("wrong.smv:1"),
            "{text}: {said}"
        );
    }
    let output = specwright(&["check", "examples/barrier/barrier.smv", "--requirements", &path("nothing.smv")]);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn the_examples_are_closed_by_their_requirements() {
    for (model, requirements) in [
        ("barrier/barrier.smv", "barrier/requirements.smv"),
        ("request-busy/request_busy.smv", "request-busy/requirements.smv"),
        ("cache/cache.smv", "cache/requirements.smv"),
        ("card-stack/card_stack.smv", "card-stack/requirements.smv"),
        ("cruise-control/cruise_control.smv", "cruise-control/requirements.smv"),
        ("cruise-control/cruise_control.scr", "cruise-control/matrix_requirements.smv"),
        ("safety-injection/safety_injection.smv", "safety-injection/requirements.smv"),
        ("safety-injection/safety_injection.scr", "safety-injection/tables_requirements.smv"),
        ("safety-injection-asm/safety_injection.asm", "safety-injection-asm/requirements.smv"),
        ("checkout/checkout.ts", "checkout/requirements.smv"),
    ] {
        let [model, requirements] = [model, requirements].map(|path| format!("examples/{path}"));
        let output = specwright(&["audit", &model, "--requirements", &requirements, "--format", "json"]);
        let audit = json(&output);
        assert_eq!((output.status.code(), &audit["score"]), (Some(0), &Value::from(1.0)), "{model}");
        assert!(audit["counts"]["killed"].as_u64().unwrap() > 10, "{model}");
    }
}

#[test]
fn requirements_close_a_sample_of_the_survey_boat() {
    let [model, requirements] =
        ["survey_boat.scr", "requirements.smv"].map(|file| format!("examples/survey-boat/{file}"));
    let sample = ["--sample", "40", "--no-suggest", "--format", "json"];
    let output = specwright(&[&["audit", &model, "--requirements", &requirements], &sample[..]].concat());
    let audit = json(&output);
    assert_eq!((output.status.code(), &audit["score"]), (Some(0), &Value::from(1.0)), "{audit}");
    assert!(audit["counts"]["killed"].as_u64().unwrap() > 20, "{audit}");
}

#[test]
fn survivors_of_a_machine_made_of_rules_point_at_rules() {
    let file = crate::scratch().join("audit-asm.smv");
    fs::write(&file, "CTLSPEC NAME calm := AG (pressure = High -> !overridden);\n").unwrap();
    let model = "examples/safety-injection-asm/safety_injection.asm";
    let audit = json(&specwright(&["audit", model, "--requirements", file.to_str().unwrap(), "--format", "json"]));
    let mutants = audit["mutants"].as_array().unwrap();
    let rule = mutants.iter().find(|mutant| mutant["id"] == "RR r_1.1").unwrap();
    assert_eq!((&rule["verdict"], &rule["line"]), (&Value::from("survived"), &Value::from(28)), "{rule}");
    assert!(audit["sites"]["r_1"]["survived"].as_u64().unwrap() > 0);
}

#[test]
fn an_audit_goes_on_from_its_journal() {
    let model = "examples/cache/cache.smv";
    let journal = crate::scratch().join("audit.jsonl");
    let _ = fs::remove_file(&journal);
    let with_journal = ["audit", model, "--format", "json", "--journal", journal.to_str().unwrap()];
    let whole = specwright(&with_journal);
    let lines = fs::read_to_string(&journal).unwrap();
    assert_eq!(lines.lines().count(), 1 + 106);
    // Killed in the middle of a line.
    let half: usize = lines.split_inclusive('\n').take(60).map(str::len).sum();
    fs::write(&journal, &lines[..half + 7]).unwrap();
    let resumed = specwright(&[&with_journal[..], &["--resume"]].concat());
    assert_eq!(resumed.stdout, whole.stdout);
    assert_eq!(fs::read_to_string(&journal).unwrap(), lines);
    // Verdicts are taken from the journal.
    let claimed = lines.replacen("\"verdict\":\"equivalent\"", "\"verdict\":\"dead-end\"", 1);
    assert_ne!(claimed, lines);
    fs::write(&journal, claimed).unwrap();
    let resumed = json(&specwright(&[&with_journal[..], &["--resume"]].concat()));
    assert_eq!(resumed["counts"]["invalid"], 1);
    for (args, why) in
        [(&["--property", "once"][..], "judged by other properties"), (&["--operators", "ORO"], "it has other mutants")]
    {
        let refused = specwright(&[&with_journal[..], &["--resume"], args].concat());
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(refused.status.code() == Some(1) && said.contains(why), "{said}");
    }
    let other = ["audit", "examples/barrier/barrier.smv", "--journal", journal.to_str().unwrap(), "--resume"];
    let said = specwright(&other);
    assert!(String::from_utf8_lossy(&said.stderr).contains("the model has changed since"), "{said:?}");
}

#[test]
fn verdicts_are_counted_by_line_variable_and_part() {
    let audit = json(&specwright(&["audit", "examples/barrier/barrier.smv", "--needs", "--format", "json"]));
    let line = |number: u64| audit["lines"].as_array().unwrap().iter().find(|line| line["line"] == number).unwrap();
    assert_eq!((&line(11)["survived"], &line(14)["killed"]), (&Value::from(1), &Value::from(5)));
    assert_eq!(audit["variables"]["barrier"]["mutants"], 11);
    assert_eq!(audit["sites"]["init(barrier)"]["survived"], 1);
    assert_eq!(audit["unneeded"], serde_json::json!(["init(barrier)"]));
    assert_eq!(audit["properties"][0]["needs"], serde_json::json!(["next(barrier)"]));
    let text = specwright(&["audit", "examples/barrier/barrier.smv", "--by", "operator,part,variable,line", "--needs"]);
    let text = String::from_utf8(text.stdout).unwrap();
    for head in ["operator", "part", "variable", "line", "its proof needs"] {
        assert!(text.contains(head), "{head}: {text}");
    }
}

#[test]
fn sat_based_search_judges_where_diagrams_do_not_finish() {
    let file = crate::scratch().join("audit-large.smv");
    let text = "MODULE main\nVAR a : 0..1023; b : boolean;\nASSIGN init(a) := 0; next(a) := a < 1000 ? a + 1 : a;\n\
        init(b) := FALSE; next(b) := a = 3 | b;\nINVARSPEC NAME small := a <= 1000\nINVARSPEC NAME start := b -> a > 3\n";
    fs::write(&file, text).unwrap();
    let file = file.to_str().unwrap();
    let by_diagrams = json(&specwright(&["audit", file, "--format", "json"]));
    let by_sat = specwright(&["audit", file, "--format", "json", "--max-nodes", "2000"]);
    let said = String::from_utf8_lossy(&by_sat.stderr).into_owned();
    assert!(said.contains("judged by SAT-based search"), "{said}");
    let by_sat = json(&by_sat);
    let (mut n_decided, mut n_closed) = (0, 0);
    for (one, other) in by_diagrams["mutants"].as_array().unwrap().iter().zip(by_sat["mutants"].as_array().unwrap()) {
        assert_eq!(one["id"], other["id"]);
        if other["verdict"] != "undecided" {
            assert_eq!(one["verdict"], other["verdict"], "{one} {other}");
            n_decided += 1;
        }
        let is_closed = other["closed_by"].is_array();
        assert_eq!(other["verdict"] == "survived", is_closed || other["open"] == "not-by-sat", "{other}");
        n_closed += usize::from(is_closed);
    }
    assert!(n_decided > 5 && n_closed > 3, "{n_decided} {n_closed}");
}
