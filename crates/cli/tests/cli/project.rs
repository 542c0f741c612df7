//! `init` and `specwright.toml`: commands without arguments in the folder of a project.

use crate::{repository, specwright_in};
use std::fs;
use std::path::{Path, PathBuf};

fn run(folder: &Path, args: &[&str]) -> (Option<i32>, String) {
    let output = specwright_in(folder).args(args).output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
}

#[test]
fn a_project_needs_no_arguments() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("project");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    fs::copy(repository().join("examples/request-busy/request_busy.smv"), folder.join("it's.smv")).unwrap();
    let (code, said) = run(&folder, &["generate"]);
    assert!(code == Some(1) && said.contains("<MODEL>"), "{said}");

    assert_eq!(run(&folder, &["init", "it's.smv"]).0, Some(0));
    let (code, said) = run(&folder, &["init", "it's.smv"]);
    assert!(code == Some(1) && said.contains("already"), "{said}");
    assert_eq!(run(&folder, &["generate"]).0, Some(0));
    let (code, said) = run(&folder, &["grade"]);
    assert!(code == Some(0) && said.contains("100.0 %"), "{said}");
    assert_eq!(run(&folder, &["report"]).0, Some(0));
    assert!(folder.join("suite.json").is_file() && folder.join("report.html").is_file());

    // What is typed counts, and whoever names a model is not given another one.
    let (code, said) = run(&folder, &["generate", "--criterion", "states", "--out", "other.json"]);
    assert!(code == Some(0) && folder.join("other.json").is_file(), "{said}");
    let (code, said) = run(&folder, &["grade", "it's.smv"]);
    assert!(code == Some(1) && said.contains("<SUITE>"), "{said}");

    fs::write(folder.join("specwright.toml"), "model = \"it's.smv\"\n[generate]\ncritrion = \"states\"\n").unwrap();
    let (code, said) = run(&folder, &["generate"]);
    assert!(code == Some(1) && said.contains("specwright.toml: `generate` has no flag `critrion`"), "{said}");
}
