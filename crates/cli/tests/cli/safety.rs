//! `specwright safety`: the book's numbers, exit codes, suites and what grading says about them.

use crate::{repository, specwright_in};
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Output;

const CRUISE: &str = "examples/cruise-control/cruise_control.smv";
/// The mutants of the paper.
const MUTANTS: [&str; 4] = ["--variable", "CruiseControl", "--operators", "CRO-if,VRO,SNO,ENO,LRO-or,STO"];

fn safety(args: &[&str]) -> Output {
    specwright_in(&repository()).arg("safety").args(args).output().unwrap()
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)))
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn scratch(name: &str) -> PathBuf {
    crate::scratch().join(name)
}

#[test]
fn the_table_in_the_book_is_what_the_command_finds() {
    let document = json(&safety(&[&[CRUISE, "--format", "json"], &MUTANTS[..]].concat()));
    let counts = format!("here there are {} and {}.", document["counts"]["mutants"], document["counts"]["dangerous"]);
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for row in document["rows"].as_array().unwrap() {
        let sizes = format!("{}/{}", row["passing"]["tests"], row["failing"]["tests"]);
        found
            .entry(row["property"].as_str().unwrap().into())
            .or_default()
            .extend([row["dangerous"].to_string(), sizes]);
    }
    let page = fs::read_to_string(repository().join("book/src/reproduction.md")).unwrap();
    assert!(page.contains(&counts), "{counts}");
    // Of each property a line of numbers and a line of sizes, both marked `here`, with a column for each criterion.
    let mut told: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let (mut property, mut numbers) = (String::new(), Vec::new());
    for line in page.lines().filter(|line| line.starts_with('|')) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        if cells[0].ends_with("_is_safe`") {
            cells[0].trim_matches('`').clone_into(&mut property);
        }
        if let ["", "here", columns @ ..] = &cells[..] {
            if numbers.is_empty() {
                numbers = columns.to_vec();
            } else {
                let pairs =
                    numbers.drain(..).zip(columns).flat_map(|(number, size)| [number.to_owned(), (*size).to_owned()]);
                told.entry(property.clone()).or_default().extend(pairs);
            }
        }
    }
    assert_eq!(told, found);
}

#[test]
fn the_json_has_what_its_schema_requires() {
    let schema = fs::read_to_string(repository().join("schemas/safety.schema.json")).unwrap();
    let schema: serde_json::Value = serde_json::from_str(&schema).unwrap();
    let document = json(&safety(&[CRUISE, "--operators", "SNO", "--format", "json"]));
    assert_eq!(document["schema"], schema["$id"]);
    let has_all = |value: &serde_json::Value, schema: &serde_json::Value| {
        for field in schema["required"].as_array().unwrap() {
            assert!(value.get(field.as_str().unwrap()).is_some(), "{field} is missing in {value}");
        }
        for (field, _) in value.as_object().unwrap() {
            assert!(schema["properties"].get(field).is_some(), "{field} is not in the schema");
        }
    };
    has_all(&document, &schema);
    for list in ["properties", "mutants", "rows"] {
        let items = document[list].as_array().unwrap();
        assert!(!items.is_empty(), "{list}");
        for item in items {
            has_all(item, &schema["properties"][list]["items"]);
        }
    }
    let counts = document["counts"].as_object().unwrap();
    let sum: u64 = counts.iter().filter(|(name, _)| *name != "mutants").map(|(_, n)| n.as_u64().unwrap()).sum();
    assert_eq!(counts["mutants"].as_u64(), Some(sum));
}

#[test]
fn what_the_machine_violates_is_not_tested_yet() {
    let output = safety(&[CRUISE, "--property", "!Brake", "--property", "off_is_safe"]);
    assert_eq!(output.status.code(), Some(4));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("The machine itself violates !Brake") && text.contains("Brake = TRUE"), "{text}");
    assert!(!text.contains("off_is_safe"), "{text}");
}

#[test]
fn only_conditions_on_states_can_be_protected() {
    let refused = [
        ("cruise_is_possible", "it is not an invariant"),
        ("AG EF Brake", "it is not an invariant"),
        ("next(Brake) = Brake", "it reads inputs or next values"),
        ("Lever", "not boolean"),
    ];
    for (property, why) in refused {
        let output = safety(&[CRUISE, "--property", property]);
        assert_eq!(output.status.code(), Some(1), "{property}");
        assert!(stderr(&output).contains(why), "{property}: {}", stderr(&output));
    }
    let output = safety(&[CRUISE, "--property", "cruise_is_save"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("did you mean `cruise_is_safe`?"), "{}", stderr(&output));
    for property in ["3", "AG (CruiseControl = Cruise -> EngRun)", "off_is_safe,4"] {
        let output = safety(&[CRUISE, "--property", property, "--operators", "SNO", "--criterion", "ax,Ef"]);
        assert_eq!(output.status.code(), Some(0), "{property}: {}", stderr(&output));
    }
}

#[test]
fn suites_are_written_and_graded() {
    for name in ["safety.json", "safety.suite"] {
        let path = scratch(name);
        let out = path.to_str().unwrap();
        let output = safety(&[&[CRUISE, "--out", out], &MUTANTS[..]].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let output = safety(&[&[CRUISE, "--grade", out], &MUTANTS[..]].concat());
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
        // More mutants need more tests.
        let document = json(&safety(&[CRUISE, "--grade", out, "--format", "json"]));
        assert_eq!(document["grade"]["adequate"], false);
        assert!(document["grade"]["missed"][0].as_str().unwrap().ends_with(":failing"), "{document}");
        // Other commands read them as well.
        let graded = specwright_in(&repository()).args(["grade", CRUISE, out, "--property", "3"]).output().unwrap();
        assert_eq!(stderr(&graded), "");
    }
    let path = scratch("wrong.suite");
    let first = "Ignited = FALSE, EngRun = FALSE, Toofast = FALSE, Brake = FALSE, Lever = Resume, CruiseControl = Off";
    fs::write(&path, format!("test wrong expect reject\n  {first}\n  departure\n  Ignited = TRUE\n  .\n")).unwrap();
    let graded = || safety(&[CRUISE, "--grade", path.to_str().unwrap(), "--property", "1"]);
    // The departure is wrong, for the mode is `Inactive` then; so the test is all right, but not enough.
    assert_eq!(graded().status.code(), Some(2));
    assert!(!stderr(&graded()).contains("error"), "{}", stderr(&graded()));
    fs::write(&path, format!("test wrong expect reject\n  {first}\n  departure\n  Brake = TRUE\n  .\n")).unwrap();
    assert_eq!(graded().status.code(), Some(2));
    assert!(
        stderr(&graded()).contains("error[SUI007]: test `wrong` is an execution of the model"),
        "{}",
        stderr(&graded())
    );
}

#[test]
fn combined_machines_confirm_verdicts() {
    let folder = scratch("combined");
    let mutant = ["--operators", "SNO", "--property", "cruise_is_safe", "--format", "json"];
    let output = safety(&[&[CRUISE, "--emit-combined", folder.to_str().unwrap()], &mutant[..]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let document = json(&output);
    let mutants = document["mutants"].as_array().unwrap();
    for mutant in mutants.iter().step_by(9) {
        let path = folder.join(format!("{}.smv", mutant["id"].as_str().unwrap()));
        let checked = specwright_in(&repository()).args(["check", "--format", "json"]).arg(&path).output().unwrap();
        let properties = json(&checked)["properties"].as_array().unwrap().clone();
        let fails = properties.iter().filter(|property| property["verdict"] == "fails");
        let fails: Vec<&str> = fails.map(|property| property["name"].as_str().unwrap()).collect();
        let dangers = mutant["dangers"]["cruise_is_safe"].as_array().cloned().unwrap_or_default();
        let dangers: Vec<String> =
            dangers.iter().map(|danger| format!("cruise_is_safe_{}", danger.as_str().unwrap())).collect();
        assert_eq!(fails, dangers, "{}", path.display());
    }
    let output = safety(&[CRUISE, "--mutant", "SNO-00000000"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("there is no mutant SNO-00000000"), "{}", stderr(&output));
}

#[test]
fn limits_are_told_and_never_counted_as_harmless() {
    let output = safety(&[CRUISE, "--timeout", "0.000001"]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
}

#[test]
fn the_same_run_gives_the_same_bytes() {
    let run = || safety(&[CRUISE, "--property", "3", "--list"]).stdout;
    let first = run();
    assert!(!first.is_empty() && run() == first);
}

#[test]
fn the_tests_expose_every_fault_that_is_one() {
    if !crate::run::has("python3") {
        return;
    }
    let suite = scratch("faults.json");
    let output = safety(&[CRUISE, "--out", suite.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let adapter = "examples/cruise-control/adapter.py";
    for fault in 0..=8 {
        let run = |judging: &[&str]| {
            let mut command = specwright_in(&repository());
            command.arg("run").arg(&suite).args(judging).args([
                "--",
                "python3",
                adapter,
                "--fault",
                &fault.to_string(),
            ]);
            let output = command.output().unwrap();
            (output.status.code(), String::from_utf8(output.stdout).unwrap())
        };
        // The seventh makes no difference while one thing happens at a time.
        let expected = if [0, 7].contains(&fault) { 0 } else { 2 };
        let (code, text) = run(&["--recorded"]);
        assert_eq!(code, Some(expected), "fault {fault}: {text}");
        // The specification judges in the same way.
        if fault < 2 {
            let (code, text) = run(&["--model", CRUISE]);
            assert_eq!(code, Some(expected), "fault {fault}: {text}");
        }
    }
}
