//! `grade --winnow`, `minimize` and `compare`: documents, files, exit codes, mistakes on the command line.

use crate::{repository, specwright_in};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::Output;

const STACK: &str = "examples/card-stack/card_stack.smv";
const NINE: &str = "examples/card-stack/published.suite";
const GOALS: [&str; 4] = ["--properties", "own", "--guard", "Sound"];

fn run(command: &str, args: &[&str]) -> Output {
    specwright_in(&repository()).arg(command).args(args).output().unwrap()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

/// A file that does not exist yet.
fn file(name: &str) -> PathBuf {
    let path = crate::scratch().join(format!("winnow-{name}"));
    let _ = fs::remove_file(&path);
    path
}

#[test]
fn each_step_of_winnowing_is_in_the_document() {
    let output = run("grade", &[&[STACK, NINE, "--winnow", "all", "--format", "json"], &GOALS[..]].concat());
    assert_eq!(output.status.code(), Some(0), "the nine tests kill everything");
    let document = json(&output);
    let totals: Vec<(&str, u64)> = document["effects"]
        .as_array()
        .unwrap()
        .iter()
        .map(|effect| (effect["left_out"].as_str().unwrap(), effect["total"].as_u64().unwrap()))
        .collect();
    let (names, sizes): (Vec<&str>, Vec<u64>) = totals.into_iter().unzip();
    assert_eq!(names, ["none", "consistent", "trivial", "duplicates", "subsumed"]);
    assert_eq!(sizes[..2], [742, 439]);
    assert!(sizes.windows(2).all(|pair| pair[0] > pair[1]), "{sizes:?}");
    let winnowed = &document["winnowed"];
    let left_out = ["consistent", "nonfalsifiable", "trivial", "duplicates", "subsumed"];
    let n_left_out: u64 = left_out.iter().map(|why| winnowed[why].as_u64().unwrap()).sum();
    assert_eq!(742 - n_left_out, document["total"].as_u64().unwrap());
    assert_eq!(document["duplication"]["distorting"], true);
}

/// Even if the other tests reach every goal.
#[test]
fn a_test_that_is_no_execution_is_a_finding() {
    let (model, suite) = (file("flip.smv"), file("flip.suite"));
    fs::write(&model, "MODULE main VAR x : boolean; ASSIGN init(x) := FALSE; next(x) := !x;\n").unwrap();
    let code = |tests: &str| {
        fs::write(&suite, tests).unwrap();
        run("grade", &[model.to_str().unwrap(), suite.to_str().unwrap(), "-c", "states"]).status.code()
    };
    let good = "test good\n  x = FALSE\n  x = TRUE\n";
    assert_eq!(code(good), Some(0));
    assert_eq!(code(&format!("{good}test bad\n  x = TRUE\n")), Some(2));
}

#[test]
fn subsumption_is_written_as_json_and_as_a_graph() {
    let (data, graph) = (file("subsumption.json"), file("subsumption.dot"));
    for path in [&data, &graph] {
        let args = [&[STACK, NINE, "--subsumption", path.to_str().unwrap()], &GOALS[..]].concat();
        assert_eq!(run("grade", &args).status.code(), Some(0));
    }
    let document: Value = serde_json::from_str(&fs::read_to_string(data).unwrap()).unwrap();
    assert_eq!(document["schema"], "specwright/subsumption/1");
    let goals = document["goals"].as_array().unwrap();
    assert_eq!(goals.len(), 102);
    let n_duplicates: usize = goals.iter().map(|goal| goal["duplicates"].as_array().unwrap().len()).sum();
    assert_eq!(goals.len() + n_duplicates, 439);
    let subsumed = |id: &Value| goals.iter().any(|goal| goal["subsumes"].as_array().unwrap().contains(id));
    for goal in goals {
        assert_eq!(goal["dominator"], !subsumed(&goal["id"]), "{goal}");
    }
    let graph = fs::read_to_string(graph).unwrap();
    assert!(graph.starts_with("digraph subsumption {") && graph.ends_with("}\n"));
    assert_eq!(graph.matches("shape = box").count(), document["dominators"].as_array().unwrap().len());
}

#[test]
fn winnowed_goals_need_no_more_tests() {
    let out = file("fewer-goals.json");
    let args = [&[STACK, "--winnow", "all", "--out", out.to_str().unwrap(), "--format", "json"], &GOALS[..]].concat();
    let output = run("generate", &args);
    assert_eq!(output.status.code(), Some(0));
    let n_goals = json(&output)["total"]["goals"].as_u64().unwrap();
    assert!(0 < n_goals && n_goals < 102, "{n_goals}");
    // The suite for what is left does for all.
    let grade = run("grade", &[&[STACK, out.to_str().unwrap()], &GOALS[..]].concat());
    assert_eq!(grade.status.code(), Some(0), "{}", String::from_utf8_lossy(&grade.stdout));
}

#[test]
fn a_smaller_suite_is_written_and_grades_the_same() {
    for (flags, n_tests) in [(&["--objective", "steps"][..], 9), (&["--synthesize"], 1), (&["--greedy"], 9)] {
        let out = file(&format!("smaller{n_tests}.suite"));
        let args = [&[STACK, NINE, "--format", "json", "--out", out.to_str().unwrap()], flags, &GOALS[..]].concat();
        let output = run("minimize", &args);
        assert_eq!(output.status.code(), Some(0));
        let document = json(&output);
        assert_eq!(document["after"]["tests"], n_tests, "{flags:?}");
        assert_eq!(document["reached"], 439);
        let (kept, left) = (document["kept"].as_array().unwrap().len(), document["left_out"].as_array().unwrap().len());
        assert_eq!((kept, kept + left), (n_tests, 9));
        let grade = run("grade", &[&[STACK, out.to_str().unwrap(), "--format", "json"], &GOALS[..]].concat());
        assert_eq!(json(&grade)["killed"], 439);
    }
}

#[test]
fn rows_that_are_parts_of_operators_are_found() {
    let names = "replace_constant,replace_vars,ORO,ORO+,LRRO";
    let document = json(&run("compare", &[STACK, "--properties", "own", "--operators", names, "--format", "json"]));
    let rows = document["rows"].as_array().unwrap();
    let mutants = |row: usize| rows[row]["mutants"].as_u64().unwrap();
    assert_eq!(rows[0]["operator"], "replace_constant");
    assert_eq!(mutants(0) + mutants(1), mutants(2));
    assert_eq!(mutants(2), mutants(3), "there are no relations between numbers");
    let total = document["total"]["mutants"].as_u64().unwrap();
    assert_eq!(total, mutants(3) + mutants(4));
}

#[test]
fn criteria_are_compared_too() {
    let model = "examples/request-busy/request_busy.smv";
    let output = run("compare", &[model, "--criteria", "states,mcdc", "--format", "json"]);
    assert_eq!(output.status.code(), Some(0));
    let document = json(&output);
    assert_eq!(document["kind"], "criterion");
    assert_eq!(document["rows"].as_array().unwrap().len(), 2);
}

#[test]
fn mistakes_are_told() {
    let told = |command: &str, args: &[&str], text: &str| {
        let output = run(command, args);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        assert!(error.contains(text), "{error}");
    };
    told("compare", &[STACK, "--operators", "ORX"], "did you mean `ORO`?");
    told("compare", &[STACK, "--criteria", "mcdcd"], "did you mean `mcdc`?");
    told("compare", &[STACK, "--set", "push"], "`NAME=PROPERTY,…`");
    told("compare", &[STACK, "--set", "push=pusch_*"], "unknown property `pusch_*`");
    told("compare", &[STACK, "--guard", "instr"], "not boolean");
    told("grade", &[STACK, NINE, "--guard", "Sond"], "did you mean `Sound`?");
    told("minimize", &[STACK, "no-such.suite"], "no-such.suite");
}
