//! Whatever the input, the program answers clearly, ends soon, and never crashes.

use crate::{repository, specwright_in};
use std::fmt::Write as _;
use std::fs;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// A folder of its own for a test.
fn scratch(test: &str) -> PathBuf {
    let folder = crate::scratch().join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs the program on a file with the given content.
fn show(test: &str, content: impl AsRef<[u8]>) -> Output {
    let folder = scratch(test);
    fs::write(folder.join("model.smv"), content).unwrap();
    specwright_in(&folder).args(["show", "model.smv"]).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("messages are text")
}

#[track_caller]
fn assert_invalid(output: &Output, expected: &str) {
    let stderr = stderr(output);
    assert!(stderr.contains(expected), "expected {expected:?} in {:?}", &stderr[..stderr.len().min(4000)]);
    assert_eq!(output.status.code(), Some(1), "{}", &stderr[..stderr.len().min(4000)]);
    assert!(stderr.len() < 200_000, "{} bytes of messages", stderr.len());
}

#[test]
fn a_missing_file_is_named() {
    let output = specwright_in(&scratch("missing")).args(["show", "no/model.smv"]).output().unwrap();
    assert_invalid(&output, "error: cannot read no/model.smv: there is no such file\n");
}

#[test]
fn a_directory_is_not_a_model() {
    let output = specwright_in(&scratch("directory")).args(["show", "."]).output().unwrap();
    assert_invalid(&output, "error: cannot read .: it is a directory, not a model\n");
}

#[test]
fn what_is_not_utf8_is_read_as_latin_1_with_a_warning_that_says_where() {
    let output = show("invalid_utf8", b"MODULE main\nVAR x : boolean; -- caf\xe9\n");
    assert_eq!(output.status.code(), Some(0));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        stderr.contains("warning[TXT001]: model.smv is not valid UTF-8, so it is read as Latin-1\n --> model.smv:2:24")
    );
}

#[test]
fn zero_bytes_are_not_text() {
    let output = show("zero_bytes", b"\x7fELF\x02\x01\x01\0\0\0");
    assert_invalid(&output, "cannot read model.smv: it is not a text file: byte 0x00 at offset 7 (line 1)\n");
}

#[test]
fn an_empty_file_is_not_a_model() {
    assert_invalid(&show("empty", ""), "error[SMV013]");
    assert_invalid(&show("blank", " \n\t\r\n"), "error[SMV013]");
}

#[test]
fn garbage_gives_diagnostics_without_control_characters() {
    let garbage: Vec<u8> = (0..200_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8 % 127 + 1).collect();
    let output = show("garbage", garbage);
    assert_invalid(&output, "error[SMV");
    assert!(!stderr(&output).chars().any(|c| c.is_control() && c != '\n'));
}

#[test]
fn ten_megabytes_of_parentheses_are_too_deep() {
    assert_invalid(&show("parentheses", "(".repeat(10 << 20)), "error[SMV");
    let inside = format!("MODULE main\nVAR x : boolean;\nINIT {}", "(".repeat(10 << 20));
    assert_invalid(&show("open_parentheses", inside), "error[SMV");
    let balanced = format!("MODULE main\nVAR x : boolean;\nINIT {}x{};\n", "(".repeat(5 << 20), ")".repeat(5 << 20));
    assert_invalid(&show("balanced_parentheses", balanced), "error[SMV001]");
}

#[test]
fn deep_nesting_of_every_kind_ends_well() {
    let kinds = [("!", "x", ""), ("(x & ", "x", ")"), ("AX ", "x", ""), ("(x ? x : ", "x", ")"), ("x -> ", "x", "")];
    for (index, (open, inner, close)) in kinds.iter().enumerate() {
        for depth in [1_000, 9_000, 1_000_000] {
            let formula = format!("{}{inner}{}", open.repeat(depth), close.repeat(depth));
            let test = format!("deep_{index}_{depth}");
            let output = show(&test, format!("MODULE main\nVAR x : boolean;\nSPEC {formula};\n"));
            let code = output.status.code();
            assert!(code == Some(0) || code == Some(1), "{open:?} {depth}: {code:?}");
            assert!(depth > 9_000 || code == Some(0), "{open:?} {depth}: {}", stderr(&output));
        }
    }
}

#[test]
fn thousands_of_mistakes_are_cut_short_unless_all_are_wanted() {
    let text = format!("MODULE main\nVAR x : boolean;\n{}", "INIT y;\n".repeat(5_000));
    let output = show("thousands", &text);
    assert_invalid(&output, "more are not shown; `--verbose` shows all");
    let folder = scratch("thousands_verbose");
    fs::write(folder.join("model.smv"), text).unwrap();
    let output = specwright_in(&folder).args(["show", "-v", "model.smv"]).output().unwrap();
    assert!(stderr(&output).matches("error[SMV").count() > 50);
}

#[test]
fn a_file_beyond_all_measure_is_refused_unread() {
    let folder = scratch("too_large");
    fs::File::create(folder.join("model.smv")).unwrap().set_len(1 << 40).unwrap();
    let output = specwright_in(&folder).args(["show", "model.smv"]).output().unwrap();
    assert_invalid(&output, "error: cannot read model.smv: it is larger than 256 MiB\n");
}

#[cfg(unix)]
#[test]
fn an_endless_device_is_refused() {
    let output = specwright_in(&scratch("endless")).args(["show", "/dev/zero"]).output().unwrap();
    assert_invalid(&output, "error: cannot read /dev/zero: it is larger than 256 MiB\n");
}

#[test]
fn usage_errors_exit_with_1_and_help_with_0() {
    let run = |args: &[&str]| specwright_in(&repository()).args(args).output().unwrap();
    for args in
        [&["--no-such-flag"][..], &["no-such-command"], &["show"], &["show", "a", "b"], &[], &["show", "--format", "x"]]
    {
        let output = run(args);
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{args:?}");
    }
    for args in [&["--help"][..], &["--version"], &["show", "--help"], &["simulate", "-h"]] {
        let output = run(args);
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        assert!(!output.stdout.is_empty() && output.stderr.is_empty(), "{args:?}");
    }
}

#[test]
fn a_broken_pipe_is_no_error() {
    let model = "examples/safety-injection/safety_injection.smv";
    for args in
        [&["show", model][..], &["show", model, "--format", "json"], &["simulate", model, "--steps", "100000000"]]
    {
        let mut child =
            specwright_in(&repository()).args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut first = [0; 10];
        child.stdout.take().unwrap().read_exact(&mut first).unwrap(); // and the pipe is closed
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""), "{args:?}");
    }
}

#[test]
fn a_model_can_come_from_standard_input() {
    let mut child = specwright_in(&repository())
        .args(["show", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"MODULE main\nVAR x : bolean;\n").unwrap();
    assert_invalid(&child.wait_with_output().unwrap(), "--> <stdin>:2:9\n");
}

#[test]
fn colours_are_used_when_asked_for_and_only_then() {
    let folder = scratch("colours");
    fs::write(folder.join("model.smv"), "MODULE main\nVAR x : bolean;\n").unwrap();
    let run = |color: &str, no_color: bool| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_specwright"));
        command.current_dir(&folder).args(["show", "model.smv", "--color", color]).env_remove("NO_COLOR");
        if no_color {
            command.env("NO_COLOR", "1");
        }
        stderr(&command.output().unwrap()).contains('\u{1b}')
    };
    assert!(run("always", false) && run("always", true), "--color always is obeyed");
    assert!(!run("never", false) && !run("auto", false) && !run("auto", true), "a pipe is not a terminal");
}

#[test]
fn completions_and_man_pages_are_made() {
    let run = |args: &[&str]| specwright_in(&repository()).args(args).output().unwrap();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = run(&["completions", shell]);
        assert!(output.status.success() && String::from_utf8_lossy(&output.stdout).contains("simulate"), "{shell}");
    }
    assert!(String::from_utf8_lossy(&run(&["man"]).stdout).contains(".TH specwright"));
    assert!(String::from_utf8_lossy(&run(&["man", "show"]).stdout).contains("flattened"));
    assert_eq!(run(&["man", "no-such-command"]).status.code(), Some(1));
}

/// A model with `n` counters that depend on each other: large to read, with many mutants.
fn counters(n: usize) -> String {
    let mut text = "MODULE main\nVAR\n".to_owned();
    for i in 0..n {
        writeln!(text, "  v{i} : 0..9;").unwrap();
    }
    text += "ASSIGN\n";
    for i in 0..n {
        let (a, b) = ((i + 1) % n, (i + 7) % n);
        let next = format!("case v{a} < 5 & v{b} > 2 : v{a}; v{i} = {} : 0; TRUE : v{i}; esac", i % 9);
        writeln!(text, "  init(v{i}) := 0;\n  next(v{i}) := {next};").unwrap();
    }
    text
}

#[test]
fn the_memory_limit_holds_while_reading_and_while_making_mutants() {
    let folder = scratch("memory");
    fs::write(folder.join("large.smv"), counters(8000)).unwrap();
    fs::write(folder.join("mutants.smv"), counters(100)).unwrap();
    for command in [["show", "large.smv"], ["generate", "mutants.smv"]] {
        let output = specwright_in(&folder).args(command).args(["--max-memory", "16"]).output().unwrap();
        let stderr = stderr(&output);
        assert!(
            stderr.contains("the memory limit is reached before there was anything to show"),
            "{command:?}: {stderr}"
        );
        assert_eq!((output.status.code(), output.stdout), (Some(3), Vec::new()), "{command:?}");
    }
    fs::write(folder.join("small.smv"), counters(3)).unwrap();
    let small = specwright_in(&folder).args(["generate", "small.smv", "--max-memory", "32"]).output().unwrap();
    assert_eq!(small.status.code(), Some(0), "{}", stderr(&small));
}
