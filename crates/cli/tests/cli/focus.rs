//! `specwright focus`, and `--keep` elsewhere: what is written, and mistakes on the command line.

use crate::{repository, specwright_in};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::Output;

const ACCOUNT: &str = "examples/finite-focus/account.smv";

fn specwright(args: &[&str]) -> Output {
    specwright_in(&repository()).args(args).output().unwrap()
}

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("focus-{name}"))
}

#[test]
fn the_suite_is_one_of_the_whole_model() {
    let out = file("suite.json");
    let path = out.to_str().unwrap();
    let output = specwright(&["generate", ACCOUNT, "--keep", "balance in 0..2", "--out", path]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let suite: Value = serde_json::from_str(&fs::read_to_string(&out).unwrap()).unwrap();
    let names: Vec<&str> =
        suite["variables"].as_array().unwrap().iter().map(|var| var["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["order", "balance"]);
    for test in suite["tests"].as_array().unwrap() {
        for state in test["trace"]["states"].as_array().unwrap() {
            assert!((0..=2).contains(&state["balance"].as_i64().unwrap()), "{test}");
        }
    }
}

#[test]
fn a_run_in_focus_can_be_resumed() {
    let out = file("run");
    let _ = fs::remove_dir_all(&out);
    let args = ["generate", ACCOUNT, "--keep", "balance in 0..2", "--out", out.to_str().unwrap()];
    assert_eq!(specwright(&args).status.code(), Some(0));
    let read = || ["suite.json", "goals.json"].map(|name| fs::read_to_string(out.join(name)).unwrap());
    let before = read();
    let again = specwright_in(&repository()).args(args).arg("--resume").output().unwrap();
    assert_eq!(again.status.code(), Some(0), "{}", String::from_utf8_lossy(&again.stderr));
    assert_eq!(read(), before);
    let wider = ["generate", ACCOUNT, "--keep", "balance in 0..3", "--out", out.to_str().unwrap(), "--resume"];
    let wider = specwright(&wider);
    assert_eq!(wider.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&wider.stderr).contains("it was started with keep=balance in 0..2"));
}

#[test]
fn the_reduced_model_can_be_checked() {
    let out = file("account.smv");
    let path = out.to_str().unwrap();
    assert_eq!(specwright(&["focus", ACCOUNT, "--keep", "balance in 0..2", "--out", path]).status.code(), Some(0));
    assert_eq!(specwright(&["check", path]).status.code(), Some(0));
}

#[test]
fn models_of_other_languages_are_reduced_as_well() {
    for model in
        ["examples/safety-injection/safety_injection.scr", "examples/safety-injection-asm/safety_injection.asm"]
    {
        let output = specwright(&["show", model, "--format", "json"]);
        let shown: Value = serde_json::from_slice(&output.stdout).unwrap();
        let pressure = shown["variables"].as_array().unwrap().iter().find(|var| {
            var["name"].as_str().unwrap().to_lowercase().contains("pres")
                && var["type"].as_str().unwrap().contains("..")
        });
        let name = pressure.unwrap()["name"].as_str().unwrap();
        let keep = format!("{name} in 0..12");
        let output = specwright(&["generate", model, "--keep", &keep, "-c", "states"]);
        assert_eq!(output.status.code(), Some(0), "{model}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn mistakes_are_explained() {
    let cases: [(&[&str], &str); 9] = [
        (&["--keep", "balance in 1..2"], "starts as 0, which `balance in 1..2` leaves out; keep it, too"),
        (&["--keep", "balance in {}"], "this set is empty"),
        (&["--keep", "balance in 3..0"], "the range 3..0 is empty"),
        (&["--keep", "blance in 0..2"], "there is no variable `blance`"),
        (&["--keep", "blance in 0..2"], "did you mean `balance`?"),
        (&["--keep", "order in {deposit}"], "`balance` can be any integer; focus on some values"),
        (&["--keep", "balance > 3"], "does not say which values of a variable to keep"),
        (&["--keep", "balance = 0", "--keep", "balance = 1"], "is kept twice"),
        (&["--keep", "balance = 0", "--keep", "order = deposit"], "every step leaves it"),
    ];
    for (keeps, message) in cases {
        for command in ["focus", "generate"] {
            let output = specwright_in(&repository()).args([command, ACCOUNT]).args(keeps).output().unwrap();
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{keeps:?}: {stderr}");
            assert!(stderr.contains(message), "{keeps:?}: {stderr}");
        }
    }
}

#[test]
fn a_focus_can_be_chosen_automatically() {
    let output = specwright(&["generate", ACCOUNT, "--keep", "auto"]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert!(stderr.contains("`balance in 0..2` is kept"), "{stderr}");
    let small = specwright(&["generate", "examples/request-busy/request_busy.smv", "--keep", "auto"]);
    assert_eq!(small.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&small.stderr).contains("no variable has very many values"));
}

#[test]
fn a_suite_is_graded_in_focus() {
    let out = file("graded.json");
    let path = out.to_str().unwrap();
    specwright(&["generate", ACCOUNT, "--keep", "balance in 0..2", "--out", path]);
    let output = specwright(&["grade", ACCOUNT, path, "--keep", "balance in 0..2", "--format", "json"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    // In a wider focus it misses something, and is told what.
    let wider = ["grade", ACCOUNT, path, "--keep", "balance in 0..3", "--suggest"];
    let output = specwright(&wider);
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("balance = 3"));
}

/// Safety injection without a limit on how fast the pressure changes, with these values.
fn safety_injection(name: &str, most: u32, low: u32, permit: u32) -> PathBuf {
    let text = fs::read_to_string(repository().join("examples/safety-injection/safety_injection.scr")).unwrap();
    let lines = text.lines().filter(|line| !line.ends_with("<= 3") && *line != "assume");
    let text = lines.collect::<Vec<_>>().join("\n") + "\n";
    let text = text.replace("0..200", &format!("0..{most}"));
    let text = text.replace("= 90\n", &format!("= {low}\n")).replace("= 100\n", &format!("= {permit}\n"));
    let path = file(name);
    fs::write(&path, text).unwrap();
    path
}

/// The tests of a model, with the region of the pressure in place of its value.
fn regions(model: &std::path::Path, flags: &[&str], low: i64, permit: i64) -> Vec<Value> {
    let out = model.with_extension("json");
    let paths = [model.to_str().unwrap(), "--out", out.to_str().unwrap()];
    let output = specwright_in(&repository()).arg("generate").args(paths).args(flags).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let suite: Value = serde_json::from_str(&fs::read_to_string(&out).unwrap()).unwrap();
    let mut tests: Vec<Value> =
        suite["tests"].as_array().unwrap().iter().map(|test| test["trace"]["states"].clone()).collect();
    for state in tests.iter_mut().flat_map(|test| test.as_array_mut().unwrap()) {
        let pressure = state["WaterPres"].as_i64().unwrap();
        state["WaterPres"] = (i32::from(pressure >= low) + i32::from(pressure >= permit)).into();
    }
    tests
}

#[test]
fn a_quantized_input_gives_the_suite_of_the_small_model() {
    let (small, large) = (safety_injection("small.scr", 40, 15, 25), safety_injection("large.scr", 2000, 900, 1000));
    let (expected, found) = (regions(&small, &[], 15, 25), regions(&large, &["--quantize"], 900, 1000));
    assert!(!expected.is_empty());
    assert_eq!(found, expected);
}
