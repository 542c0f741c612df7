//! Shards: merged, they print and write what the whole command does, byte for byte; what is lost or foreign is named.

use crate::{repository, specwright_in};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    let folder = crate::scratch().join(format!("shards-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn run(folder: &Path, args: &[&str]) -> (Option<i32>, String, String) {
    let output = specwright_in(folder).args(args).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// Decides all shards of a command.
fn shards(folder: &Path, command: &[&str], of: usize) -> Vec<String> {
    let answers: Vec<String> = (1..=of).map(|number| format!("s/{number}")).collect();
    for (at, answers) in answers.iter().enumerate() {
        let shard = format!("{}/{of}", at + 1);
        let (code, _, said) = run(folder, &[command, &["--shard", &shard, "--answers", answers]].concat());
        assert_eq!(code, Some(0), "{command:?} {shard}: {said}");
    }
    answers
}

/// Compares a command with its merged shards.
fn compare(name: &str, command: &[&str], of: usize, files: &[&str]) {
    let (whole, parts) = (folder(&format!("{name}-whole")), folder(&format!("{name}-parts")));
    for file in ["m.smv", "s.json"] {
        let from = crate::scratch().join(format!("shards-{name}-{file}"));
        if from.exists() {
            fs::copy(&from, whole.join(file)).unwrap();
            fs::copy(&from, parts.join(file)).unwrap();
        }
    }
    let (code, printed, _) = run(&whole, command);
    let answers = shards(&parts, command, of);
    assert!(files.iter().all(|file| !parts.join(file).exists()), "a shard writes no result");
    let merge: Vec<&str> = ["merge"].into_iter().chain(answers.iter().map(String::as_str)).collect();
    let (merged_code, merged, said) = run(&parts, &merge);
    assert_eq!((merged_code, merged), (code, printed), "{command:?}: {said}");
    for file in files {
        assert_eq!(fs::read(whole.join(file)).unwrap(), fs::read(parts.join(file)).unwrap(), "{command:?}: {file}");
    }
}

const MODELS: [&str; 5] = [
    "examples/request-busy/request_busy.smv",
    "examples/cruise-control/cruise_control.scr",
    "examples/card-stack/card_stack.smv",
    "examples/safety-injection-asm/safety_injection.asm",
    "examples/barrier/barrier.smv",
];

#[test]
fn merged_shards_of_five_models_are_the_whole_byte_for_byte() {
    for (at, model) in MODELS.iter().enumerate() {
        let model = repository().join(model);
        let model = model.to_str().unwrap();
        for (strategy, of) in [("monitor", 3), ("each", 2), ("extend", 4)] {
            let command = ["generate", model, "--strategy", strategy, "--out", "run"];
            compare(&format!("{at}-{strategy}"), &command, of, &["run/suite.json", "run/goals.json"]);
        }
        let whole = crate::scratch().join(format!("shards-{at}-monitor-whole/run/suite.json"));
        // A suite that reaches a part of the goals only.
        let mut suite: Value = serde_json::from_str(&fs::read_to_string(whole).unwrap()).unwrap();
        suite["tests"].as_array_mut().unwrap().truncate(1);
        fs::write(crate::scratch().join(format!("shards-{at}-grade-s.json")), suite.to_string()).unwrap();
        compare(&format!("{at}-grade"), &["grade", model, "s.json", "--suggest", "--format", "json"], 3, &[]);
    }
}

#[test]
fn a_lost_doubled_foreign_or_unfinished_shard_is_named() {
    let folder = folder("errors");
    let model = repository().join(MODELS[0]);
    let model = model.to_str().unwrap();
    let command = ["generate", model, "--out", "run"];
    shards(&folder, &command, 3);
    let refused = |folders: &[&str], part: &str| {
        let (code, printed, said) = run(&folder, &[&["merge"], folders].concat());
        assert!(code == Some(1) && printed.is_empty() && said.contains(part), "{folders:?}: {said}");
        assert!(!folder.join("run").exists());
    };
    refused(&["s/1", "s/3"], "shard 2/3 is missing");
    refused(&["s/1"], "shards 2/3, 3/3 are missing");
    refused(&["s/1", "s/2", "s/3", "s/2"], "shard 2/3 is given twice, also by s/2");
    refused(&["s/1", "s/2", "nowhere"], "cannot merge nowhere");
    let other = ["generate", model, "--criterion", "states", "--shard", "3/3", "--answers", "other"];
    assert_eq!(run(&folder, &other).0, Some(0));
    refused(&["s/1", "s/2", "other"], "cannot merge other: shard 3/3 does not belong to s/1");
    let answers = fs::read_to_string(folder.join("s/3/answers.jsonl")).unwrap();
    let broken = |text: &str, part: &str| {
        fs::create_dir_all(folder.join("broken")).unwrap();
        fs::write(folder.join("broken/answers.jsonl"), text).unwrap();
        refused(&["s/1", "s/2", "broken"], part);
    };
    broken("", "it has not even begun");
    broken(answers.strip_suffix("{\"complete\":true}\n").unwrap(), "shard 3/3 is not complete");
    broken(&answers.replace("\"goal\":2,", "\"goal\":1,"), "shard 3/3 answers goal 1, which is none of its own");
    broken(&answers.replace("specwright/shard/1", "specwright/shard/9"), "it is of the kind specwright/shard/9");
    broken(&answers.replacen("covered", "cvrd", 1), "`cvrd` is no answer");
    broken(&answers.replace("\"busy\"", "\"ready\""), "is wrong");
}

#[test]
fn a_changed_model_is_refused_and_an_interrupted_shard_goes_on() {
    let folder = folder("resume");
    let text = fs::read_to_string(repository().join(MODELS[0])).unwrap();
    fs::write(folder.join("m.smv"), &text).unwrap();
    let shard = ["generate", "m.smv", "--out", "run", "--shard", "1/1", "--answers", "s"];
    assert_eq!(run(&folder, &shard).0, Some(0));
    let path = folder.join("s/answers.jsonl");
    let whole = fs::read(&path).unwrap();
    for cut in (0..12).map(|n| n * whole.len() / 12).chain([whole.len() - 1]) {
        fs::write(&path, &whole[..cut]).unwrap();
        assert_eq!(run(&folder, &shard).0, Some(0), "cut at {cut}");
        assert_eq!(fs::read(&path).unwrap(), whole, "cut at {cut}");
    }
    let (_, said, _) = run(&folder, &shard);
    assert!(said.contains("known from an earlier run"), "{said}");
    fs::write(folder.join("m.smv"), text.replace("busy", "at_work")).unwrap();
    let (code, _, said) = run(&folder, &["merge", "s"]);
    assert!(code == Some(1) && said.contains("another model, or of another version"), "{said}");
    let (code, _, said) = run(&folder, &shard);
    assert!(code == Some(1) && said.contains("cannot go on with"), "{said}");
}

#[test]
fn a_plan_is_a_matrix_whose_commands_can_be_merged() {
    let folder = folder("plan");
    let model = repository().join(MODELS[0]);
    let model = model.to_str().unwrap();
    let (code, printed, _) = run(&folder, &["plan", "--shards", "2", "--", "generate", model, "--out", "run"]);
    assert_eq!(code, Some(0));
    let plan: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(plan.as_object().unwrap().keys().collect::<Vec<_>>(), ["include"]);
    for entry in plan["include"].as_array().unwrap() {
        let command: Vec<&str> =
            entry["command"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
        assert_eq!(run(&folder, &command).0, Some(0));
    }
    assert_eq!(run(&folder, &["merge", "shards/1", "shards/2"]).0, Some(0));
    assert!(folder.join("run/suite.json").is_file());
    assert_eq!(run(&folder, &["plan", "--shards", "2", "--", "check", model]).0, Some(1));
}
