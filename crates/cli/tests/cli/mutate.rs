//! `specwright mutate` as scripts use it.

use crate::{repository, specwright_in};
use std::fs;
use std::path::PathBuf;
use std::process::Output;

const CARD_STACK: &str = "examples/card-stack/card_stack.smv";
const REQUEST: &str = "examples/request-busy/request_busy.smv";

fn mutate(args: &[&str]) -> Output {
    specwright_in(&repository()).arg("mutate").args(args).output().unwrap()
}

fn stdout(args: &[&str]) -> String {
    let output = mutate(args);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
fn assert_refused(args: &[&str], message: &str) {
    let output = mutate(args);
    assert_eq!(String::from_utf8(output.stderr).unwrap(), format!("error: {message}\n"));
    assert_eq!(output.status.code(), Some(1));
}

fn scratch(test: &str) -> PathBuf {
    let folder = crate::scratch().join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn the_json_has_what_its_schema_requires() {
    let schema = fs::read_to_string(repository().join("schemas/mutants.schema.json")).unwrap();
    let schema: serde_json::Value = serde_json::from_str(&schema).unwrap();
    let document: serde_json::Value =
        serde_json::from_str(&stdout(&[CARD_STACK, "--guard", "Sound", "--format", "json"])).unwrap();
    let has_all = |value: &serde_json::Value, required: &serde_json::Value| {
        required.as_array().unwrap().iter().all(|field| value.get(field.as_str().unwrap()).is_some())
    };
    assert!(has_all(&document, &schema["required"]));
    let mutants = document["mutants"].as_array().unwrap();
    let properties = &schema["properties"]["mutants"]["items"]["properties"];
    for mutant in mutants {
        assert!(has_all(mutant, &schema["properties"]["mutants"]["items"]["required"]), "{mutant}");
        assert!(mutant.as_object().unwrap().keys().all(|field| properties.get(field).is_some()), "{mutant}");
    }
    let expected = r#"{"ASO":20,"ENO":129,"LRO":108,"MCO":56,"ORO":279,"RRO":0,"SNO":75,"STO":150}"#;
    assert_eq!(document["counts"], serde_json::from_str::<serde_json::Value>(expected).unwrap());
    assert_eq!(document["total"], 742);
    assert_eq!(mutants.len(), 742);
    let empty = stdout(&[REQUEST, "--operators", "RRO", "--format", "json"]);
    assert_eq!(serde_json::from_str::<serde_json::Value>(&empty).unwrap()["mutants"], serde_json::json!([]));
}

#[test]
fn out_writes_a_model_for_each_mutant() {
    let folder = scratch("mutate_out");
    let out = folder.join("mutants").display().to_string();
    let list = stdout(&[REQUEST, "--list", "--out", &out]);
    let mut names: Vec<String> =
        fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    let ids = list.lines().map(|line| line.rsplit_once(" (").unwrap().1.trim_end_matches(')'));
    let mut expected: Vec<String> = ids.map(|id| format!("{id}.smv")).collect();
    expected.sort();
    assert_eq!(names, expected);
    let original = fs::read_to_string(repository().join(REQUEST)).unwrap();
    for name in names {
        let mutant = fs::read_to_string(PathBuf::from(&out).join(&name)).unwrap();
        assert_ne!(mutant, original);
        let output = specwright_in(&PathBuf::from(&out)).args(["show", &name]).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{mutant}");
    }
}

#[test]
fn a_diff_restricts_what_is_mutated() {
    let folder = scratch("mutate_in_diff");
    let diff = folder.join("change.diff").display().to_string();
    let line = 24;
    fs::write(&diff, format!("--- a/{REQUEST}\n+++ b/{REQUEST}\n@@ -{line} +{line} @@\n-x\n+y\n")).unwrap();
    let list = stdout(&[REQUEST, "--list", "--in-diff", &diff]);
    assert!(!list.is_empty());
    assert!(list.lines().all(|mutant| mutant.starts_with(&format!("{REQUEST}:{line}:"))), "{list}");
    fs::write(&diff, "+++ b/other.smv\n@@ -1 +1 @@\n-x\n+y\n").unwrap();
    let output = mutate(&[REQUEST, "--list", "--in-diff", &diff]);
    assert!(output.stdout.is_empty());
    assert_eq!(String::from_utf8(output.stderr).unwrap(), format!("note: the diff does not touch {REQUEST}\n"));
    fs::write(&diff, "@@ garbage\n").unwrap();
    let message = format!("cannot use the diff {diff}: line 1: this is not the header of a hunk");
    assert_refused(&[REQUEST, "--in-diff", &diff], &message);
}

#[test]
fn an_ignore_list_leaves_mutants_out() {
    let folder = scratch("mutate_ignore");
    let ignore = folder.join("ignored.txt").display().to_string();
    let all = stdout(&[REQUEST, "--list"]);
    let first = all.lines().next().unwrap();
    let id = first.rsplit_once(" (").unwrap().1.trim_end_matches(')');
    fs::write(&ignore, format!("{id} looked at\nORO-00000000 long gone\n")).unwrap();
    let output = mutate(&[REQUEST, "--list", "--ignore", &ignore]);
    assert_eq!(String::from_utf8(output.stdout).unwrap(), all[first.len() + 1..]);
    let note = "note: there is no mutant ORO-00000000 to ignore\n";
    assert_eq!(String::from_utf8(output.stderr).unwrap(), note);
    fs::write(&ignore, format!("{id}\n")).unwrap();
    let message = format!("cannot use the ignore list {ignore}: line 1: a reason must follow the name of the mutant");
    assert_refused(&[REQUEST, "--ignore", &ignore], &message);
}

#[test]
fn unknown_names_are_refused_with_a_suggestion() {
    assert_refused(&[REQUEST, "--operators", "OR0"], "--operators: unknown operator `OR0`; did you mean `ORO`?");
    let message = format!("--property: unknown property `serve` in {REQUEST}; did you mean `served`?");
    assert_refused(&[REQUEST, "--property", "serve"], &message);
    let message = format!("--variable: unknown variable `stat` in {REQUEST}; did you mean `state`?");
    assert_refused(&[REQUEST, "--variable", "stat"], &message);
    assert_refused(&[REQUEST, "--guard", "state"], "--guard: `state` is not boolean");
}

#[test]
fn a_model_without_properties_has_its_machine_mutated() {
    let folder = scratch("mutate_machine");
    fs::write(folder.join("model.smv"), "MODULE main VAR a : boolean; ASSIGN next(a) := !a;\n").unwrap();
    let output = specwright_in(&folder).args(["mutate", "model.smv", "--list"]).output().unwrap();
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "note: the model has no properties, so its machine is mutated\n"
    );
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 3);
}

#[test]
fn a_sample_is_part_of_the_whole_and_always_the_same() {
    let all = stdout(&[CARD_STACK, "--list"]);
    let sample = stdout(&[CARD_STACK, "--list", "--sample", "5", "--seed", "3"]);
    assert_eq!(sample.lines().count(), 5);
    assert!(sample.lines().all(|line| all.contains(line)));
    assert_eq!(sample, stdout(&[CARD_STACK, "--list", "--sample", "5", "--seed", "3"]));
}
