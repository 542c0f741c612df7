//! The gates of continuous integration, in a sample repository: scores, what is known, and files for other tools.

use crate::{repository, specwright_in};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

const MODEL: &str = "MODULE main
VAR high : boolean; pump : {off, on};
ASSIGN init(pump) := off; next(pump) := high ? on : off;
SPEC AG (high -> AX pump = on)
SPEC AG (!high -> AX pump = off)
";

/// One test of the two that kill all mutants.
const SUITE: &str = "test fills\nhigh = TRUE, pump = off\nhigh = FALSE, pump = on\n";

/// A test that kills next to nothing.
const WORSE: &str = "test starts\nhigh = TRUE, pump = off\n";

/// Two tests that kill all mutants.
const BETTER: &str = "test fills\nhigh = TRUE, pump = off\nhigh = FALSE, pump = on\n\
                      test idles\nhigh = FALSE, pump = off\nhigh = FALSE, pump = off\n";

fn sample(name: &str) -> PathBuf {
    let folder = crate::scratch().join(format!("gate-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("pump.smv"), MODEL).unwrap();
    fs::write(folder.join("specwright.toml"), "model = 'pump.smv'\nsuite = 'pump.suite'\nproperties = 'own'\n")
        .unwrap();
    fs::write(folder.join("pump.suite"), SUITE).unwrap();
    folder
}

fn run(folder: &Path, args: &[&str]) -> (Option<i32>, String) {
    let output = specwright_in(folder).args(args).output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
}

#[test]
fn a_survivor_that_was_there_passes_and_a_new_one_fails() {
    let folder = sample("ratchet");
    let (code, said) = run(&folder, &["grade"]);
    assert_eq!(code, Some(2), "something survives: {said}");
    let (code, said) = run(&folder, &["grade", "--known", "known.json"]);
    assert!(code == Some(1) && said.contains("there is no such file; `--update-known` makes it"), "{said}");
    let (code, said) = run(&folder, &["grade", "--known", "known.json", "--update-known"]);
    assert_eq!(code, Some(0), "{said}");
    let bytes = fs::read(folder.join("known.json")).unwrap();
    let (code, said) = run(&folder, &["grade", "--known", "known.json"]);
    assert_eq!(code, Some(0), "{said}");

    // A test is lost.
    fs::write(folder.join("pump.suite"), WORSE).unwrap();
    let files = ["--annotate", "--summary", "summary.md", "--junit", "junit.xml", "--sarif", "findings.sarif"];
    let (code, said) = run(&folder, &[&["grade", "--known", "known.json"], &files[..]].concat());
    assert!(code == Some(2) && said.contains("not known:"), "{said}");
    assert!(said.contains("::warning file=pump.smv,line="), "{said}");
    let known: Value = serde_json::from_slice(&bytes).unwrap();
    let known: Vec<&str> =
        known["known"].as_array().unwrap().iter().map(|entry| entry["id"].as_str().unwrap()).collect();
    assert!(!known.is_empty());
    let annotated: Vec<&str> = said.lines().filter(|line| line.starts_with("::")).collect();
    assert!(!annotated.iter().any(|line| known.iter().any(|id| line.contains(id))), "known ones are not annotated");
    let summary = fs::read_to_string(folder.join("summary.md")).unwrap();
    assert!(summary.starts_with("### specwright grade pump.smv: failed\n"), "{summary}");
    assert!(summary.contains(&format!("| known | {} |\n| new | {} |", known.len(), annotated.len())), "{summary}");
    let junit = fs::read_to_string(folder.join("junit.xml")).unwrap();
    assert_eq!(junit.matches("<failure ").count(), annotated.len(), "{junit}");
    assert!(junit.contains("message=\"known\""), "{junit}");
    let sarif: Value = serde_json::from_str(&fs::read_to_string(folder.join("findings.sarif")).unwrap()).unwrap();
    let states: Vec<&str> =
        sarif["runs"][0]["results"].as_array().unwrap().iter().map(|r| r["baselineState"].as_str().unwrap()).collect();
    assert_eq!(states.iter().filter(|state| **state == "new").count(), annotated.len());
    assert_eq!(states.iter().filter(|state| **state == "unchanged").count(), known.len());

    // Nothing is written unless it is asked for, and what is gone is told.
    assert_eq!(fs::read(folder.join("known.json")).unwrap(), bytes);
    assert_eq!(run(&folder, &["grade", "--known", "known.json", "--update-known"]).0, Some(0));
    fs::write(folder.join("pump.suite"), BETTER).unwrap();
    let (code, said) = run(&folder, &["grade", "--known", "known.json"]);
    assert!(code == Some(0) && said.contains("not found any more"), "{said}");
    // A summary is added to, so that several commands can share one.
    assert_eq!(run(&folder, &["grade", "--known", "known.json", "--summary", "summary.md"]).0, Some(0));
    let summary = fs::read_to_string(folder.join("summary.md")).unwrap();
    assert!(summary.contains("pump.smv: failed") && summary.contains("pump.smv: passed"), "{summary}");
}

#[test]
fn a_file_that_is_unreadable_or_of_something_else_is_refused() {
    let folder = sample("foreign");
    assert_eq!(run(&folder, &["grade", "--known", "known.json", "--update-known"]).0, Some(0));
    let good = fs::read_to_string(folder.join("known.json")).unwrap();
    let refused = |text: &str, part: &str| {
        fs::write(folder.join("known.json"), text).unwrap();
        for extra in [&[][..], &["--update-known"]] {
            let (code, said) = run(&folder, &[&["grade", "--known", "known.json"], extra].concat());
            assert!(code == Some(1) && said.contains(part), "{said}");
            assert_eq!(fs::read_to_string(folder.join("known.json")).unwrap(), text, "it is left alone");
        }
    };
    refused("", "cannot use known.json");
    refused("{}", "its schema is , not specwright/known/1");
    refused(&fs::read_to_string(folder.join("pump.suite")).unwrap(), "cannot use known.json");
    refused(&good.replace("\"grade\"", "\"audit\""), "it is of `audit`, not of `grade`");
    refused(&good.replace("pump.smv\"", "door.smv\""), "it is of the model door.smv, not of pump.smv");
    refused(&good.replace("\"known\": [", "\"unknown\": ["), "cannot use known.json");
}

#[test]
fn a_score_is_enough_or_not() {
    let folder = sample("score");
    let score = |args: &[&str]| run(&folder, &[&["grade"], args].concat());
    assert_eq!(score(&["--min-score", "1"]).0, Some(0));
    let (code, said) = score(&["--min-score", "100"]);
    assert!(code == Some(2) && said.contains("is below 100 %"), "{said}");
    assert_eq!(score(&["--min-score", "101"]).0, Some(1));
    assert_eq!(score(&["--thresholds", "break=100"]).0, Some(2));
    assert_eq!(score(&["--thresholds", "break=100", "--min-score", "1"]).0, Some(0), "what is typed counts more");
    let toml = fs::read_to_string(folder.join("specwright.toml")).unwrap();
    fs::write(folder.join("specwright.toml"), toml + "[thresholds]\nhigh = 100\nlow = 99\nbreak = 1\n").unwrap();
    let (code, said) = score(&["--summary", "summary.md"]);
    assert!(code == Some(0) && said.contains("% is low"), "{said}");
    assert!(fs::read_to_string(folder.join("summary.md")).unwrap().contains(", low |"));
    assert_eq!(run(&folder, &["check"]).0, Some(0), "a check has no score");
    assert_eq!(run(&folder, &["generate", "--min-score", "100"]).0, Some(0));
    assert_eq!(run(&folder, &["audit", "--min-score", "84"]).0, Some(2), "5 of 6 are killed");
    assert_eq!(run(&folder, &["audit", "--min-score", "83"]).0, Some(0));
    assert_eq!(run(&folder, &["audit", "--known", "audit.json", "--update-known"]).0, Some(0));
    assert_eq!(run(&folder, &["audit", "--known", "audit.json"]).0, Some(0));
}

#[test]
fn failures_and_gaps_can_be_known_too() {
    let folder = sample("failures");
    let failing = "examples/request-busy/impatient.smv";
    let model = repository().join(failing);
    let model = model.to_str().unwrap();
    assert_eq!(run(&folder, &["check", model]).0, Some(2));
    assert_eq!(run(&folder, &["check", model, "--known", "check.json", "--update-known"]).0, Some(0));
    assert_eq!(run(&folder, &["check", model, "--known", "check.json"]).0, Some(0));
    fs::write(folder.join("other.smv"), fs::read_to_string(model).unwrap() + "\nINVARSPEC FALSE\n").unwrap();
    let text = fs::read_to_string(folder.join("check.json")).unwrap().replace("impatient.smv", "other.smv");
    fs::write(folder.join("check.json"), text).unwrap();
    let (code, said) = run(&folder, &["check", "other.smv", "--known", "check.json", "--annotate"]);
    assert!(code == Some(2) && said.contains("::error file=other.smv"), "{said}");
    assert_eq!(said.matches("::error").count(), 1, "{said}");

    // Goals that limits leave undecided are gaps.
    let counter = repository().join("examples/finite-focus/counter.smv");
    let generate = |args: &[&str]| {
        let goal = ["generate", counter.to_str().unwrap(), "--goal", "value = 99999", "--engine", "explicit"];
        run(&folder, &[&goal[..], args].concat())
    };
    let (code, said) = generate(&[]);
    assert_eq!(code, Some(3), "{said}");
    assert_eq!(generate(&["--known", "gaps.json", "--update-known"]).0, Some(0));
    assert_eq!(generate(&["--known", "gaps.json"]).0, Some(0));
    let (code, said) = generate(&["--known", "gaps.json", "--goal", "value = 99998"]);
    assert_eq!(code, Some(2), "{said}");
}

#[cfg(unix)]
#[test]
fn a_failing_test_can_be_known() {
    let folder = sample("run");
    assert_eq!(run(&folder, &["generate", "--out", "s.json"]).0, Some(0));
    let adapter = "while read -r line; do case \"$line\" in *hello*) echo '{\"inputs\": \"leaving\"}' ;; \
                   *) echo '{\"outputs\": {\"pump\": \"off\"}}' ;; esac; done\n";
    fs::write(folder.join("a.sh"), adapter).unwrap();
    let tests = |args: &[&str]| run(&folder, &[&["run", "s.json"], args, &["--", "sh", "a.sh"]].concat());
    let (code, said) = tests(&["--known", "run.json", "--update-known", "--junit", "r.xml"]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(tests(&["--known", "run.json"]).0, Some(0));
    fs::write(folder.join("a.sh"), adapter.replace("off", "on")).unwrap();
    let (code, said) = tests(&["--known", "run.json", "--summary", "s.md"]);
    assert!(code == Some(2) && said.contains("not known:"), "{said}");
}
