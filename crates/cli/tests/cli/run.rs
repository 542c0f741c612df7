//! `specwright run` from end to end: generated tests on implementations in other languages.

use crate::{repository, specwright_in};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const MODEL: &str = "examples/request-busy/request_busy.smv";

/// A folder for this test, with a suite of the example in it.
fn folder(name: &str) -> (PathBuf, PathBuf) {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("run-{name}"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    let suite = path.join("suite.json");
    let output = specwright_in(&repository()).args(["generate", MODEL, "--out"]).arg(&suite).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    (path, suite)
}

fn run(suite: &Path, args: &[&str]) -> Output {
    specwright_in(&repository()).arg("run").arg(suite).args(args).output().unwrap()
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Whether a program is there. What cannot be tried on this machine is said.
pub(crate) fn has(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        #[expect(clippy::print_stderr, reason = "whoever reads the log should know what was not tried")]
        {
            eprintln!("{program} is not installed: not tried");
        }
    }
    found
}

#[test]
fn every_adapter_speaks_the_protocol() {
    let (folder, suite) = folder("adapters");
    let compiled = folder.join("adapter").to_str().unwrap().to_owned();
    let adapters: [(&str, &[&str], &[&str]); 5] = [
        ("python3", &[], &["python3", "examples/adapters/adapter.py"]),
        ("node", &[], &["node", "examples/adapters/adapter.js"]),
        ("java", &[], &["java", "examples/adapters/Adapter.java"]),
        ("cc", &["cc", "-Wall", "-Werror", "-o", &compiled, "examples/adapters/adapter.c"], &[&compiled]),
        ("rustc", &["rustc", "-Dwarnings", "-o", &compiled, "examples/adapters/adapter.rs"], &[&compiled]),
    ];
    let mut results = Vec::new();
    for (tool, build, program) in adapters {
        if !has(tool) {
            continue;
        }
        if let [compiler, args @ ..] = build {
            let output = Command::new(compiler).args(args).current_dir(repository()).output().unwrap();
            assert!(output.status.success(), "{tool}: {}", text(&output.stderr));
        }
        let file =
            repository().join(program.iter().chain(build).find(|word| word.contains("examples/adapters/")).unwrap());
        assert!(fs::read_to_string(file).unwrap().lines().count() < 60, "{tool}: the adapter is short");
        let output = run(&suite, &[&["--format", "json", "--"], program].concat());
        assert_eq!(output.status.code(), Some(3), "{tool}: {}", text(&output.stderr));
        results.push(text(&output.stdout));
    }
    // The same implementation, so the same result.
    assert!(results.windows(2).all(|pair| pair[0] == pair[1]), "{results:?}");
    let document: Value = serde_json::from_str(&results[0]).unwrap();
    assert_eq!(document["schema"], "specwright/run/1");
    assert_eq!(document["judged_by"], "specification");
    let counts = &document["counts"];
    assert_eq!((&counts["pass"], &counts["inconclusive"], &counts["fail"]), (&5.into(), &1.into(), &0.into()));
}

#[test]
fn a_suite_alone_is_enough() {
    if !has("python3") {
        return;
    }
    let (folder, suite) = folder("alone");
    // Elsewhere, where nobody finds the model.
    let adapter = repository().join("examples/adapters/adapter.py");
    let junit = folder.join("results.xml");
    let output = specwright_in(&folder)
        .arg("run")
        .arg(&suite)
        .args(["--shrink", "--shrink-out", "shrunk.suite", "--jobs", "3", "--junit"])
        .arg(&junit)
        .args(["--", "python3"])
        .arg(&adapter)
        .output()
        .unwrap();
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stdout.contains("fail  test-3: step 1: `state` should be busy, and is ready"), "{stdout}");
    assert!(stdout.contains("6 tests: 3 passed, 3 failed"), "{stdout}");
    assert!(stderr.contains("`--model` tells them from mistakes"), "{stderr}");
    let junit = fs::read_to_string(&junit).unwrap();
    assert!(junit.contains("tests=\"6\" failures=\"3\" errors=\"0\" skipped=\"0\""), "{junit}");
    assert!(junit.contains("<failure message=\"step 1: `state` should be busy, and is ready\""), "{junit}");
    let shrunk = fs::read_to_string(folder.join("shrunk.suite")).unwrap();
    assert_eq!(shrunk.matches("test test-").count(), 3, "{shrunk}");
    // The shortened tests are a suite like any other, and fail too.
    let model = repository().join(MODEL);
    let again = specwright_in(&folder)
        .args(["run", "shrunk.suite", "--model"])
        .arg(&model)
        .args(["--", "python3"])
        .arg(&adapter)
        .output()
        .unwrap();
    assert!(text(&again.stdout).starts_with("3 tests: ") || again.status.code() == Some(3), "{again:?}");
}

#[test]
fn variants_are_told_apart() {
    if !has("python3") {
        return;
    }
    let (folder, suite) = folder("variants");
    let variants = folder.join("variants");
    fs::create_dir_all(&variants).unwrap();
    let right = fs::read_to_string(repository().join("examples/adapters/adapter.py")).unwrap();
    let change = |name: &str, from: &str, to: &str| {
        assert!(right.contains(from));
        fs::write(variants.join(name), right.replace(from, to)).unwrap();
    };
    change("1-lazy.py", r#"self.state == "ready" and request"#, "False");
    change("2-crashes.py", "server.step(**", "server.stop(**");
    change("3-starts-busy.py", r#"self.state = "ready""#, r#"self.state = "busy""#);
    change("4-eager.py", r#"else "ready""#, r#"else "busy""#);
    change("5-broken.py", "import json", "import nothing_of_that_name");
    let folder = variants.to_str().unwrap();
    let output = run(&suite, &["--repeat", folder, "--", "python3", "{}"]);
    let stdout = text(&output.stdout);
    assert_eq!(output.status.code(), Some(4), "{stdout}");
    let row = |name: &str| stdout.lines().find(|line| line.contains(name)).unwrap().to_owned();
    assert!(row("1-lazy.py").contains("  exposed") && row("3-starts").contains("  exposed"), "{stdout}");
    assert!(row("2-crashes.py").contains("exit code 1"), "{stdout}");
    assert!(row("4-eager.py").contains("not exposed"), "another choice is no fault: {stdout}");
    assert!(row("5-broken.py").contains("broken"), "{stdout}");
    assert!(stdout.contains("3 of 5 variants exposed"), "{stdout}");
    fs::remove_file(variants.join("5-broken.py")).unwrap();
    let output = run(&suite, &["--repeat", folder, "--format", "json", "--", "python3", "{}"]);
    assert_eq!(output.status.code(), Some(2));
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&document["exposed"], &document["total"]), (&3.into(), &4.into()));
}

#[test]
fn mistakes_are_told() {
    let (folder, suite) = folder("mistakes");
    let said = |args: &[&str], code: i32, message: &str| {
        let output = run(&suite, args);
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {stderr}");
        assert!(stderr.contains(message), "{args:?}: {stderr}");
    };
    said(&[], 1, "what is to be tested?");
    said(&["--http", "https://x"], 1, "--http: https is not supported");
    said(&["--", "/nowhere/at/all"], 4, "the implementation does not start");
    said(&["--model", "nowhere.smv", "--", "true"], 1, "cannot read nowhere.smv");
    said(&["--", "true"], 4, "it ended without an answer: exit code 0");
    let words = folder.join("words.suite");
    fs::write(&words, "test a\n  request = TRUE\n").unwrap();
    let output = run(&words, &["--", "true"]);
    assert!(text(&output.stderr).contains("give the model with `--model`"));
}
