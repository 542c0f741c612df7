//! The action, the hooks and the release: their shell steps are run as a runner would run them.
#![cfg(unix)]

use crate::repository;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder with a `specwright` that records its arguments, one in each line, and ends with the code in `CODE`.
fn bench(name: &str) -> PathBuf {
    let folder = crate::scratch().join(format!("ci-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("bin")).unwrap();
    fs::create_dir_all(folder.join("temp")).unwrap();
    program(&folder.join("bin/specwright"), "#!/bin/sh\nprintf '%s\\n' \"$@\" > called\nexit ${CODE:-0}\n");
    folder
}

fn program(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

fn script(folder: &Path, name: &str, args: &[&str], env: &[(&str, &str)]) -> Output {
    let path = format!("{}:{}", folder.join("bin").display(), std::env::var("PATH").unwrap());
    let mut command = Command::new(repository().join("ci").join(name));
    for name in ["GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT", "KNOWN", "MIN_SCORE", "SARIF", "JUNIT"] {
        command.env_remove(name);
    }
    command.current_dir(folder).args(args).env("PATH", path).envs(env.iter().copied()).output().unwrap()
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap_or_default()
}

#[test]
fn the_run_step_passes_arguments_line_by_line_and_evaluates_none() {
    let folder = bench("run");
    let arguments = "suite.json\n--model\na model $(touch evil).smv\n\n--\npython3\nadapter.py; touch evil";
    let env = [("COMMAND", "run"), ("ARGUMENTS", arguments), ("GITHUB_OUTPUT", "output"), ("KNOWN", "k.json")];
    let output = script(&folder, "run.sh", &[], &env);
    assert!(output.status.success(), "{output:?}");
    let called = "run\nsuite.json\n--model\na model $(touch evil).smv\n--annotate\n--known\nk.json\n--\npython3\nadapter.py; touch evil\n";
    assert_eq!(read(&folder, "called"), called);
    assert_eq!(read(&folder, "output"), "exit-code=0\n");
    assert!(!folder.join("evil").exists());
    let all = [
        ("COMMAND", "grade"),
        ("GITHUB_STEP_SUMMARY", "s.md"),
        ("UPDATE_KNOWN", "true"),
        ("KNOWN", "k"),
        ("MIN_SCORE", "80"),
        ("SARIF", "f"),
        ("JUNIT", "j"),
    ];
    assert!(script(&folder, "run.sh", &[], &all).status.success());
    let called = "grade --annotate --summary s.md --known k --update-known --min-score 80 --sarif f --junit j";
    assert_eq!(read(&folder, "called").split_whitespace().collect::<Vec<_>>().join(" "), called);
}

#[test]
fn the_run_step_ends_as_the_command_does() {
    let folder = bench("codes");
    for (code, allow, wanted) in [("2", "false", 2), ("3", "false", 3), ("3", "true", 0), ("2", "true", 2)] {
        let env = [("COMMAND", "check"), ("CODE", code), ("ALLOW_UNKNOWN", allow), ("GITHUB_OUTPUT", "output")];
        assert_eq!(script(&folder, "run.sh", &[], &env).status.code(), Some(wanted));
        assert!(read(&folder, "output").ends_with(&format!("exit-code={code}\n")));
    }
    let _ = fs::remove_file(folder.join("called"));
    let output = script(&folder, "run.sh", &[], &[("COMMAND", "check; evil")]);
    assert_eq!((output.status.code(), read(&folder, "called").as_str()), (Some(1), ""));
}

#[test]
fn a_release_that_was_packed_is_installed_and_a_changed_one_is_not() {
    let folder = bench("release");
    // What is packed is what is downloaded: the same names on both sides.
    let output = script(&folder, "package.sh", &["1.2.3", "x86_64-unknown-linux-musl", "bin"], &[]);
    assert!(output.status.success(), "{output:?}");
    let archive = "specwright-1.2.3-x86_64-unknown-linux-musl.tar.gz";
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), format!("dist/{archive}"));
    fs::create_dir_all(folder.join("releases/download")).unwrap();
    fs::rename(folder.join("dist"), folder.join("releases/download/v1.2.3")).unwrap();
    let releases = format!("file://{}", folder.join("releases").display());
    let temp = folder.join("temp").display().to_string();
    let env = [
        ("SPECWRIGHT_VERSION", "v1.2.3"),
        ("RELEASES", releases.as_str()),
        ("RUNNER_OS", "Linux"),
        ("RUNNER_ARCH", "X64"),
        ("RUNNER_TEMP", temp.as_str()),
        ("GITHUB_PATH", "path"),
        ("SOURCE", "."),
    ];
    if Command::new("curl").arg("--version").output().is_err() {
        specwright::syntax::testing::skipped("curl is not installed");
        return;
    }
    let output = script(&folder, "install.sh", &[], &env);
    assert!(output.status.success(), "{output:?}");
    assert!(Path::new(read(&folder, "path").trim()).join("specwright").is_file());
    for (name, value) in [("SPECWRIGHT_VERSION", "v1.2.4"), ("SPECWRIGHT_VERSION", "$(id)"), ("RUNNER_ARCH", "S390X")] {
        let mut env = env;
        env.iter_mut().filter(|(key, _)| *key == name).for_each(|entry| entry.1 = value);
        assert!(!script(&folder, "install.sh", &[], &env).status.success(), "{name}={value}");
    }
    let packed = folder.join("releases/download/v1.2.3").join(archive);
    let mut bytes = fs::read(&packed).unwrap();
    bytes.push(0);
    fs::write(packed, bytes).unwrap();
    let output = script(&folder, "install.sh", &[], &env);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && said.contains("has the sum"), "{said}");
}

#[test]
fn every_target_of_the_release_can_be_installed() {
    let workflow = fs::read_to_string(repository().join(".github/workflows/release.yml")).unwrap();
    let install = fs::read_to_string(repository().join("ci/install.sh")).unwrap();
    let targets: Vec<&str> =
        workflow.lines().filter_map(|line| line.split("target: ").nth(1)?.strip_suffix('}')).collect();
    assert_eq!(targets.len(), 5);
    for target in targets {
        assert!(install.contains(&format!("target={target} ")), "{target}");
    }
    let manifest = fs::read_to_string(repository().join("crates/cli/Cargo.toml")).unwrap();
    assert!(manifest.contains("/releases/download/v{ version }/specwright-{ version }-{ target }.tar.gz\""));
    assert!(manifest.contains("bin-dir = \"specwright-{ version }-{ target }/{ bin }{ binary-ext }\""));
    assert!(install.contains("name=specwright-${version#v}-$target\n"));
    assert!(install.contains("\"$RELEASES/download/$version/$name.$end\""));
}

#[test]
fn the_hook_passes_undecided_answers_and_reports_others() {
    let folder = bench("hook");
    program(
        &folder.join("bin/specwright"),
        "#!/bin/sh\ncase \"$*\" in *broken*) exit 1;; *bad*) exit 2;; *odd*) exit 3;; esac\n",
    );
    let hook = |models: &[&str]| script(&folder, "check-models", models, &[]).status.code();
    assert_eq!(hook(&["a.smv", "b.smv"]), Some(0));
    assert_eq!(hook(&["a.smv", "odd b.smv"]), Some(0));
    assert_eq!(hook(&["bad one.smv", "a.smv"]), Some(2));
    assert_eq!(hook(&["broken.smv"]), Some(1));
}
