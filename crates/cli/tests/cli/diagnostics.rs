//! Every mistake in `testdata/diagnostics/` gets the answer that is written down beside it.
//!
//! `UPDATE=1` rewrites the answers.

use crate::{repository, specwright_in};
use std::fs;
use std::path::Path;

#[test]
fn every_mistake_gets_its_answer() {
    let update = std::env::var_os("UPDATE").is_some();
    let mut folders: Vec<_> = fs::read_dir(repository().join("testdata/diagnostics"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    assert!(folders.len() >= 40, "only {} mistakes", folders.len());
    let wrong: Vec<String> = folders.iter().filter_map(|folder| check(folder, update)).collect();
    assert!(wrong.is_empty(), "{}\n`UPDATE=1` accepts these answers.", wrong.join("\n"));
}

/// Runs one; if the answer is not the expected one, returns both.
fn check(folder: &Path, update: bool) -> Option<String> {
    let extra = fs::read_to_string(folder.join("args")).unwrap_or_default();
    let inputs = ["input.smv", "input.scr", "input.csv", "input.json", "input.ts", "input.scxml"];
    let input = inputs.into_iter().find(|input| folder.join(input).exists()).unwrap();
    let output = specwright_in(folder).args(["show", input]).args(extra.split_whitespace()).output().unwrap();
    let actual = String::from_utf8(output.stderr).unwrap();
    let is_error = actual.lines().any(|line| line.starts_with("error"));
    assert_eq!(output.status.code(), Some(i32::from(is_error)), "exit code of {}\n{actual}", folder.display());
    assert!(!actual.is_empty(), "{} is not a mistake", folder.display());
    let golden = folder.join("stderr");
    let expected = fs::read_to_string(&golden).unwrap_or_default();
    if actual == expected {
        return None;
    }
    if update {
        fs::write(golden, actual).unwrap();
        return None;
    }
    Some(format!("{}:\n~~~ expected\n{expected}\n~~~ actual\n{actual}\n~~~", folder.display()))
}
