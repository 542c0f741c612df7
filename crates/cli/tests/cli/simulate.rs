//! `specwright simulate`: walks at random and by choice, and how they end.

use crate::{repository, specwright_in};
use std::fs;
use std::io::Write;
use std::process::{Output, Stdio};

/// Walks through a model that is not in a file yet, with something to read from standard input.
fn simulate(test: &str, model: &str, args: &[&str], input: &str) -> Output {
    let path = crate::scratch().join(format!("simulate_{test}.smv"));
    fs::write(&path, model).unwrap();
    let mut child = specwright_in(path.parent().unwrap())
        .arg("simulate")
        .arg(path.file_name().unwrap())
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn texts(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&output.stdout), text(&output.stderr))
}

const COUNTER: &str = "MODULE main\nVAR n : 0..3;\nIVAR up : boolean;\n\
    ASSIGN init(n) := 0; next(n) := up & n < 3 ? n + 1 : n;\n";

#[test]
fn a_seed_gives_the_same_walk_again_and_another_one_another() {
    let walk = |seed: &str| {
        let model = "examples/safety-injection/safety_injection.smv";
        let args = ["simulate", model, "--steps", "50", "--seed", seed];
        specwright_in(&repository()).args(args).output().unwrap().stdout
    };
    assert_eq!(walk("7"), walk("7"));
    assert_ne!(walk("7"), walk("8"));
}

#[test]
fn a_step_is_chosen_by_its_number_and_taken_back() {
    let output = simulate("choose", COUNTER, &["--interactive"], "1\n2\nb\n1\nnonsense\n?\nq\n");
    let (walk, dialogue) = texts(&output);
    let expected = "-> State: 1.1 <-\n  n = 0\n\
                    -> Input: 1.2 <-\n  up = TRUE\n-> State: 1.2 <-\n  n = 1\n\
                    -> State: 1.1 <-\n  n = 0\n\
                    -> Input: 1.2 <-\n  up = FALSE\n-> State: 1.2 <-\n";
    assert_eq!(walk, expected, "{dialogue}");
    assert!(dialogue.contains("  1  up = FALSE\n  2  up = TRUE, n = 1\n"), "{dialogue}");
    assert!(dialogue.contains("`nonsense` is not one of the choices; `?` shows help."), "{dialogue}");
    assert!(dialogue.contains("go back one step"), "{dialogue}");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn the_end_of_the_input_ends_the_walk() {
    let output = simulate("eof", COUNTER, &["--interactive", "--format", "json"], "1\n2");
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["schema"], "specwright/trace/1");
    assert_eq!(document["states"], serde_json::json!([{"n": 0, "up": true}, {"n": 1}]));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn more_steps_than_fit_on_a_page_are_shown_when_asked_for() {
    let model = "MODULE main\nVAR n : 0..99;\n";
    let (walk, dialogue) = texts(&simulate("pages", model, &["-i"], "m\n25\nq\n"));
    assert!(dialogue.contains("[1-20…]>") && dialogue.contains("[1-40…]>"), "{dialogue}");
    assert!(walk.contains("n = 24"), "{walk}");
}

#[test]
fn a_deadlock_ends_the_walk_with_a_warning() {
    let model = "MODULE main\nVAR n : 0..3;\nINIT n = 0;\nTRANS next(n) = n + 1;\n";
    let output = simulate("deadlock", model, &[], "");
    let (walk, messages) = texts(&output);
    assert!(walk.ends_with("-> State: 1.4 <-\n  n = 3\n"), "{walk}");
    assert_eq!(messages, "warning: deadlock: state 4 has no successor, and the walk ends after 3 steps\n");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_model_without_initial_states_cannot_be_walked_through() {
    let output = simulate("no_initial", "MODULE main\nVAR x : boolean;\nINIT x & !x;\n", &[], "");
    assert_eq!(texts(&output).1, "error: simulate_no_initial.smv has no initial state\n");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn unbounded_integers_can_be_walked_through() {
    let model = "MODULE main\nVAR n : integer;\nASSIGN init(n) := 0; next(n) := n * 2 + 1;\n";
    let (walk, _) = texts(&simulate("unbounded", model, &["--steps", "40"], ""));
    assert!(walk.contains("n = 1099511627775"), "{walk}");
}

#[test]
fn roles_are_overruled() {
    let model = "examples/request-busy/request_busy.smv";
    let args = ["show", model, "--format", "json", "--internal", "request", "--input", "state"];
    let output = specwright_in(&repository()).args(args).output().unwrap();
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let roles: Vec<_> = document["variables"].as_array().unwrap().iter().map(|var| var["role"].clone()).collect();
    assert_eq!(roles, ["internal", "input"]);
    let args = ["show", model, "--output", "state", "--input", "state"];
    let output = specwright_in(&repository()).args(args).output().unwrap();
    assert_eq!(texts(&output).1, "error: `state` cannot be both --input and --output\n");
}
