//! `specwright run` from end to end: generated tests on implementations in other languages.

use crate::{repository, specwright_in};
use ::specwright::syntax::testing::skipped;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const MODEL: &str = "examples/request-busy/request_busy.smv";

/// A folder for this test, with a suite of the example in it.
fn folder(name: &str) -> (PathBuf, PathBuf) {
    let path = crate::scratch().join(format!("run-{name}"));
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

/// Whether a program is installed. A test that needs it says that it was skipped where it is not.
pub(crate) fn has(program: &str) -> bool {
    // Go has a command for it, and no flag.
    let version = if program == "go" { "version" } else { "--version" };
    let found = Command::new(program).arg(version).output().is_ok_and(|output| output.status.success());
    if !found {
        skipped(&format!("{program} is not installed"));
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
    assert_eq!((&counts["pass"], &counts["inconclusive"], &counts["fail"]), (&3.into(), &1.into(), &0.into()));
}

#[test]
fn a_suite_alone_is_enough() {
    if !has("python3") {
        return;
    }
    let (folder, suite) = folder("alone");
    // In a folder from which the model is not found.
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
    assert!(
        stdout.contains("fail  served-against-negate-state-is-busy: step 1: `state` should be busy, but is ready"),
        "{stdout}"
    );
    assert!(stdout.contains("4 tests: 2 passed, 2 failed"), "{stdout}");
    assert!(stderr.contains("if the specification permits choices, use `--model`"), "{stderr}");
    let junit = fs::read_to_string(&junit).unwrap();
    assert!(junit.contains("tests=\"4\" skipped=\"0\" failures=\"2\" errors=\"0\""), "{junit}");
    assert!(junit.contains("<failure message=\"step 1: `state` should be busy, but is ready\""), "{junit}");
    let shrunk = fs::read_to_string(folder.join("shrunk.suite")).unwrap();
    assert_eq!(
        shrunk.matches("test served-against-").count() + shrunk.matches("test prompt-against-").count(),
        2,
        "{shrunk}"
    );
    // The shortened tests are a suite like any other, and fail too.
    let model = repository().join(MODEL);
    let again = specwright_in(&folder)
        .args(["run", "shrunk.suite", "--model"])
        .arg(&model)
        .args(["--", "python3"])
        .arg(&adapter)
        .output()
        .unwrap();
    assert!(text(&again.stdout).starts_with("2 tests: ") || again.status.code() == Some(3), "{again:?}");
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
    assert!(stdout.contains("3 of 5 variants detected"), "{stdout}");
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
    said(&[], 1, "nothing to test: give a program");
    said(&["--http", "https://x"], 1, "--http: this program was built without https");
    said(&["--", "/nowhere/at/all"], 4, "the implementation does not start");
    said(&["--model", "nowhere.smv", "--", "true"], 1, "cannot read nowhere.smv");
    said(&["--", "true"], 4, "it ended without an answer: exit code 0");
    let words = folder.join("words.suite");
    fs::write(&words, "test a\n  request = TRUE\n").unwrap();
    let output = run(&words, &["--", "true"]);
    assert!(text(&output.stderr).contains("give the model with `--model`"));
}

/// The cruise control of the example has eight versions with a planted fault each; the seventh behaves like the right one as
/// long as one thing happens at a time, which the specification says.
#[test]
fn planted_faults_are_exposed() {
    if !has("python3") {
        return;
    }
    let folder = crate::scratch().join("run-faults");
    let _ = fs::remove_dir_all(&folder);
    let variants = folder.join("variants");
    fs::create_dir_all(&variants).unwrap();
    let suite = folder.join("suite.json");
    let model = "examples/cruise-control/cruise_control.smv";
    let output = specwright_in(&repository()).args(["generate", model, "--out"]).arg(&suite).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let adapter = "examples/cruise-control/adapter.py";
    for judging in [&["--recorded"][..], &["--model", model]] {
        let output = run(&suite, &[judging, &["--", "python3", adapter]].concat());
        assert_eq!(output.status.code(), Some(0), "{judging:?}: {}", text(&output.stdout));
    }
    for fault in 1..=8 {
        fs::write(variants.join(fault.to_string()), "").unwrap();
    }
    // The folder only holds names; each stands for the number of a fault.
    let program = format!("exec python3 {adapter} --fault \"${{1##*/}}\"");
    let folder = variants.to_str().unwrap();
    let args =
        ["--recorded", "--fail-fast", "--repeat", folder, "--format", "json", "--", "sh", "-c", &program, "-", "{}"];
    let output = run(&suite, &args);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let exposed = |variant: &Value| variant["exposed"].as_bool().unwrap();
    let exposed: Vec<bool> = document["variants"].as_array().unwrap().iter().map(exposed).collect();
    assert_eq!(exposed, [true, true, true, true, true, true, false, true], "{}", text(&output.stdout));
}

#[test]
fn other_tools_see_what_survives_and_what_fails() {
    let output = specwright_in(&repository())
        .args(["grade", MODEL, "examples/request-busy/first.suite", "--properties", "own", "--operators", "ORO"])
        .args(["--format", "sarif"])
        .output()
        .unwrap();
    let sarif: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&sarif["version"], sarif["runs"][0]["results"].as_array().unwrap().len()), (&"2.1.0".into(), 3));
    let result = &sarif["runs"][0]["results"][0];
    let region = &result["locations"][0]["physicalLocation"]["region"];
    assert_eq!((&result["ruleId"], &region["startLine"]), (&"ORO".into(), &21.into()), "{result}");
    let output = specwright_in(&repository())
        .args(["grade", MODEL, "examples/request-busy/first.suite", "--properties", "own", "--operators", "ORO"])
        .args(["--format", "stryker"])
        .output()
        .unwrap();
    let stryker: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mutants = stryker["files"][MODEL]["mutants"].as_array().unwrap();
    let count = |status: &str| mutants.iter().filter(|mutant| mutant["status"] == status).count();
    assert_eq!((count("Killed"), count("Survived"), count("Ignored")), (1, 3, 1), "{stryker}");
    assert!(mutants.iter().all(|mutant| mutant["replacement"].is_string()), "{stryker}");
    let killed = mutants.iter().find(|mutant| mutant["status"] == "Killed").unwrap();
    assert!(!killed["killedBy"].as_array().unwrap().is_empty());
    let output = specwright_in(&repository())
        .args(["check", "examples/request-busy/impatient.smv", "--format", "sarif"])
        .output()
        .unwrap();
    let sarif: Value = serde_json::from_slice(&output.stdout).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    assert!(!results.is_empty() && results.iter().all(|result| result["level"] == "error"), "{sarif}");
}

/// Whether a process is there and not only waiting to be buried.
#[cfg(target_os = "linux")]
fn is_alive(pid: &str) -> bool {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    status.lines().any(|line| line.starts_with("State:") && !line.contains('Z'))
}

/// Whether this process ignores a signal, as one that `nohup` started does. Its children ignore it, too.
#[cfg(target_os = "linux")]
fn is_ignored(signal: &str) -> bool {
    let number = match signal {
        "HUP" => 1,
        "INT" => 2,
        _ => 15,
    };
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
    u64::from_str_radix(mask.trim(), 16).unwrap() >> (number - 1) & 1 == 1
}

#[cfg(target_os = "linux")]
#[test]
fn signals_that_end_programs_end_the_program_under_test_too() {
    for (signal, n_signals, code) in [("TERM", 1, 3), ("HUP", 1, 3), ("INT", 1, 3), ("TERM", 9, 143), ("HUP", 9, 129)] {
        if is_ignored(signal) {
            skipped(&format!("SIG{signal} is ignored here"));
            continue;
        }
        let (folder, suite) = folder(&format!("signal-{signal}-{n_signals}"));
        let pid = folder.join("pid");
        // It starts a child, and neither of them ends by itself.
        let program = format!("sleep 1000 & echo $$ $! > {0}.new; mv {0}.new {0}; sleep 1000", pid.display());
        let mut run = specwright_in(&repository());
        run.args(["run", suite.to_str().unwrap(), "--start-timeout", "1000", "--", "sh", "-c", &program]);
        let mut run = run.stderr(std::process::Stdio::null()).spawn().unwrap();
        while !pid.exists() {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        let pids = fs::read_to_string(&pid).unwrap();
        let kill = |n: usize| {
            let signals = format!("kill -{signal} {0}; ", run.id()).repeat(n);
            assert!(Command::new("sh").args(["-c", &signals]).status().is_ok());
        };
        kill(n_signals);
        let status = run.wait().unwrap();
        assert!(status.code() == Some(code) || (n_signals > 1 && status.code() == Some(3)), "{signal}: {status}");
        for pid in pids.split_whitespace() {
            while is_alive(pid) {
                std::thread::sleep(std::time::Duration::from_millis(10));
            }
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_signal_that_was_ignored_from_the_start_stays_ignored() {
    let (folder, suite) = folder("nohup");
    let pid = folder.join("pid");
    let program = format!("echo $$ > {0}.new; mv {0}.new {0}; sleep 0.3; exit 3", pid.display());
    let script = r#"trap '' HUP; exec "$0" run "$1" --start-timeout 1000 -- sh -c "$2""#;
    let mut command = Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_specwright"), suite.to_str().unwrap(), &program]);
    let mut run = command.current_dir(repository()).stderr(std::process::Stdio::piped()).spawn().unwrap();
    while !pid.exists() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert!(Command::new("kill").args(["-HUP", &run.id().to_string()]).status().unwrap().success());
    run.wait().unwrap();
    let mut said = String::new();
    std::io::Read::read_to_string(&mut run.stderr.take().unwrap(), &mut said).unwrap();
    assert!(said.contains("exit code 3") && !said.contains("interrupted"), "{said}");
}

#[test]
fn what_a_program_says_does_not_command_the_terminal() {
    let (_, suite) = folder("escapes");
    // Escapes for the title, the clipboard and the screen, on stderr and in names and values of answers.
    let escapes = r"\033]0;TITLE\007\033]52;c;eA==\007\033[2J\033[8m\342\200\256";
    let on_stderr = format!("printf '{escapes}' >&2; exit 3");
    let in_json = r"\u001b]0;TITLE\u0007\u001b[2J\u202e";
    let hello = r#"read line; echo '{"reset": true, "protocol": "specwright/run/1"}'; read line;"#;
    let in_key = format!(r#"{hello} echo '{{"outputs": {{"state": "ready", "{in_json}": 1}}}}'; read line"#);
    let in_value = format!(r#"{hello} echo '{{"outputs": {{"state": "{in_json}"}}}}'; read line"#);
    let in_error = format!(r#"{hello} echo '{{"error": "{in_json}"}}'; read line"#);
    for program in [&on_stderr, &in_key, &in_value, &in_error] {
        let output = run(&suite, &["--color", "always", "--", "sh", "-c", program]);
        let said = text(&output.stdout) + &text(&output.stderr);
        assert!(!said.contains("\u{1b}]") && !said.contains("\u{1b}[2J") && !said.contains("\u{1b}[8m"), "{said:?}");
        assert!(!said.contains(['\u{7}', '\u{202e}']), "{said:?}");
        assert!(said.contains(r"\u{1b}]0;TITLE\u{7}") || said.contains("]0;TITLE"), "{said:?}");
    }
}
