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
fn merged_shards_of_audits_mutants_safety_and_comparisons_are_the_whole() {
    for (at, model) in MODELS.iter().enumerate() {
        let model = repository().join(model);
        let model = model.to_str().unwrap();
        let name = |what: &str| format!("{at}-{what}");
        // The Abstract State Machine has its properties in a file of their own.
        let requirements = repository().join("examples/safety-injection-asm/requirements.smv");
        let with = ["--requirements", requirements.to_str().unwrap()];
        let with = if at == 3 { &with[..] } else { &[] };
        compare(&name("audit"), &[&["audit", model, "--format", "json"], with].concat(), 3, &[]);
        compare(&name("audit-list"), &[&["audit", model, "--list", "--traces", "--no-suggest"], with].concat(), 2, &[]);
        compare(&name("mutate"), &["mutate", model, "--format", "json"], 3, &[]);
        compare(&name("mutate-diff"), &["mutate", model, "--list", "--diff", "--sample", "7"], 2, &[]);
        compare(&name("mutate-count"), &["mutate", model, "--machine"], 2, &[]);
        compare(&name("compare"), &["compare", model, "--format", "json"], 3, &[]);
        compare(
            &name("machine"),
            &["generate", model, "--criterion", "machine-mutation", "--out", "run"],
            3,
            &["run/suite.json", "run/goals.json"],
        );
    }
    for model in ["examples/safety-injection/safety_injection.scr", "examples/cruise-control/cruise_control.smv"] {
        let model = repository().join(model);
        let model = model.to_str().unwrap();
        compare("safety", &["safety", model, "--property", "1", "--out", "safe.json"], 3, &["safe.json"]);
        compare("safety-list", &["safety", model, "--property", "1", "--list"], 2, &[]);
    }
}

#[test]
fn mutants_of_shards_become_files_when_they_are_merged() {
    let model = repository().join(MODELS[0]);
    let command = ["mutate", model.to_str().unwrap(), "--machine", "--out", "m"];
    compare("mutate-files", &command, 3, &[]);
    let files = |folder: &str| {
        let folder = crate::scratch().join(format!("shards-mutate-files-{folder}/m"));
        let read = |entry: std::io::Result<fs::DirEntry>| {
            let path = entry.unwrap().path();
            (path.file_name().unwrap().to_owned(), fs::read(path).unwrap())
        };
        fs::read_dir(folder).unwrap().map(read).collect::<std::collections::BTreeMap<_, _>>()
    };
    assert!(files("whole").len() > 10);
    assert_eq!(files("whole"), files("parts"));
}

#[test]
fn shards_of_other_commands_resume_and_are_named_when_they_are_lost() {
    let model = repository().join(MODELS[0]);
    let model = model.to_str().unwrap();
    for command in ["audit", "mutate", "compare"] {
        let folder = folder(&format!("other-{command}"));
        let command = [command, model, "--format", "json"];
        shards(&folder, &command, 2);
        let (code, _, said) = run(&folder, &["merge", "s/1"]);
        assert!(code == Some(1) && said.contains("shard 2/2 is missing"), "{command:?}: {said}");
        let (code, _, said) = run(&folder, &["merge", "s/1", "s/2", "s/2"]);
        assert!(code == Some(1) && said.contains("given twice"), "{command:?}: {said}");
        let foreign = [&command[..], &["--shard", "2/3", "--answers", "foreign"]].concat();
        assert_eq!(run(&folder, &foreign).0, Some(0));
        let (code, _, said) = run(&folder, &["merge", "s/1", "foreign"]);
        assert!(code == Some(1) && said.contains("does not belong to s/1"), "{command:?}: {said}");
        let path = folder.join("s/2/answers.jsonl");
        let whole = fs::read(&path).unwrap();
        for cut in [0, whole.len() / 3, whole.len() - 3] {
            fs::write(&path, &whole[..cut]).unwrap();
            let (code, _, said) = run(&folder, &["merge", "s/1", "s/2"]);
            assert!(code == Some(1) && said.contains("s/2"), "{command:?}: {said}");
            let shard = [&command[..], &["--shard", "2/2", "--answers", "s/2"]].concat();
            assert_eq!(run(&folder, &shard).0, Some(0));
            assert_eq!(fs::read(&path).unwrap(), whole, "{command:?}: cut at {cut}");
        }
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
    broken("", "it was not started");
    broken(answers.strip_suffix("{\"complete\":true}\n").unwrap(), "shard 3/3 is not complete");
    broken(&answers.replace("\"goal\":2,", "\"goal\":1,"), "shard 3/3 answers goal 1, which belongs to another shard");
    broken(&answers.replace("specwright/shard/1", "specwright/shard/9"), "its schema is specwright/shard/9");
    broken(&answers.replacen("covered", "cvrd", 1), "`cvrd` is not an answer");
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
    assert!(code == Some(1) && said.contains("cannot continue with"), "{said}");
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
