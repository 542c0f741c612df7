//! `specwright generate`: files, resuming, exit codes, mistakes on the command line.

use crate::{repository, specwright_in};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

const MODEL: &str = "examples/request-busy/request_busy.smv";

fn generate(args: &[&str]) -> Output {
    specwright_in(&repository()).arg("generate").args(args).output().unwrap()
}

/// A folder that nothing is in.
fn folder(name: &str) -> PathBuf {
    let path = crate::scratch().join(format!("generate-{name}"));
    let _ = fs::remove_dir_all(&path);
    path
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn a_run_leaves_its_folder() {
    let out = folder("run");
    let output = generate(&[MODEL, "-c", "mcdc,states", "--out", out.to_str().unwrap(), "--format", "json"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    let (suite, goals) = (json(&out.join("suite.json")), json(&out.join("goals.json")));
    assert_eq!(suite["schema"], "specwright/suite/2");
    assert_eq!(goals["schema"], "specwright/goals/1");
    assert_eq!(goals["finished"], true);
    assert_eq!(suite["model_hash"], goals["model_hash"]);
    let goals = goals["goals"].as_array().unwrap();
    assert_eq!(summary["total"]["goals"], goals.len());
    assert_eq!(suite["goals"]["total"], goals.len());
    for goal in goals {
        assert_eq!(goal["status"] == "covered", !goal["tests"].as_array().unwrap().is_empty(), "{goal}");
    }
    for test in suite["tests"].as_array().unwrap() {
        assert_eq!(test["notes"].as_array().unwrap().len(), test["trace"]["states"].as_array().unwrap().len());
    }
    let names: Vec<_> = fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 3, "nothing is left over: {names:?}");
}

#[test]
fn a_run_can_be_resumed() {
    let (whole, part) = (folder("whole"), folder("part"));
    let args = |out: &Path| vec![MODEL.to_owned(), "--out".into(), out.to_str().unwrap().into()];
    let run = |args: Vec<String>| generate(&args.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(run(args(&whole)).status.code(), Some(0));
    assert_eq!(run(args(&part)).status.code(), Some(0));
    // As if it had been killed: the journal ends in the middle, and nothing else is there.
    let journal = fs::read(part.join("journal.jsonl")).unwrap();
    fs::write(part.join("journal.jsonl"), &journal[..journal.len() / 2]).unwrap();
    fs::remove_file(part.join("goals.json")).unwrap();
    fs::remove_file(part.join("suite.json")).unwrap();
    let mut resumed = args(&part);
    resumed.push("--resume".into());
    let output = run(resumed.clone());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    for file in ["suite.json", "goals.json"] {
        assert_eq!(fs::read(whole.join(file)).unwrap(), fs::read(part.join(file)).unwrap(), "{file}");
    }
    resumed.extend(["--strategy".into(), "each".into()]);
    let output = run(resumed);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("it was started with strategy=monitor"));
}

#[test]
fn users_have_goals_of_their_own() {
    let out = folder("goals").with_extension("json");
    let path = out.to_str().unwrap();
    let wanted = ["--goal", "state = busy & EX state = ready", "--trap", "AG !(state = busy)", "--goal", "F G request"];
    let output = generate(&[&[MODEL, "--out", path][..], &wanted].concat());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let suite = json(&out);
    assert_eq!(suite["goals"]["total"], 3);
    assert_eq!(suite["goals"]["covered"], 3);
}

#[test]
fn mistakes_are_told() {
    let expected: [(&[&str], &str); 6] = [
        (&["--criterion", "mcdx"], "--criterion: unknown criterion `mcdx`; did you mean `mcdc`?"),
        (&["--variables", "stat"], "--variables: unknown variable `stat`"),
        (&["--operators", "XYZ"], "--operators: unknown operator `XYZ`"),
        (&["--tie", "state = busy"], "is not of the form `VAR: VALUE > VALUE > …`"),
        (&["--tie", "state: lazy"], "--tie: `state` cannot be `lazy`"),
        (&["--goal", "state = lazy"], "lazy"),
    ];
    for (args, message) in expected {
        let output = generate(&[&[MODEL], args].concat());
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{args:?}: {stderr}");
        assert!(stderr.contains(message), "{args:?}: {stderr}");
    }
}

#[test]
fn large_models_have_tests_from_walks() {
    let out = folder("large");
    fs::create_dir_all(&out).unwrap();
    let model = out.join("large.smv");
    let text = "MODULE main VAR a : 0..4000; b : 0..4000; hit : boolean;
        ASSIGN init(hit) := FALSE; next(hit) := (a * b) mod 7 = 3;";
    fs::write(&model, text).unwrap();
    let suite = out.join("suite.json");
    let args = [model.to_str().unwrap(), "-c", "decision", "--max-nodes", "1000", "--out", suite.to_str().unwrap()];
    let args = [&args[..], &["--engine", "bdd"]].concat();
    let output = generate(&[&args[..], &["--format", "json"]].concat());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    assert!(errors.contains("random walks"), "{errors}");
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["total"]["covered"], summary["total"]["goals"]);
    let all = summary["total"]["goals"].as_u64().unwrap();

    // What walks do not meet is unknown, not infeasible.
    let output = generate(&[&args[..], &["--goal", "a * a = 2", "--format", "json"]].concat());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{errors}");
    assert!(errors.contains("limit of memory or nodes"), "{errors}");
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((summary["total"]["covered"].as_u64(), &summary["total"]["unknown"]), (Some(all), &Value::from(1)));
    assert!(!json(&suite)["tests"].as_array().unwrap().is_empty());
    let grade = ["grade", args[0], args[6], "-c", "decision", "--winnow", "none", "-q"];
    let output = specwright_in(&repository()).args(grade).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A suite that covers all of nothing says nothing: whatever the language and the command, that is an error with a hint.
#[test]
fn nothing_to_cover_is_an_error() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("nothing");
    fs::create_dir_all(&folder).unwrap();
    let models = [
        ("m.smv", "MODULE main VAR x : boolean; ASSIGN init(x) := FALSE; next(x) := !x;"),
        ("m.scr", "monitored\n  a : boolean\nmodes\n  M : {X, Y} initially X\nmode table M\n  X | @T(a) | Y\n"),
        (
            "m.asm",
            "asm m\nimport StandardLibrary\nsignature:\n  monitored a: Boolean\n  controlled m: Boolean\ndefinitions:\n  \
             main rule r_Main = if a then m := not m endif\ndefault init s0:\n  function m = false\n",
        ),
        ("p.smv", "MODULE main VAR v : boolean; p : process w(v); MODULE w(v) ASSIGN next(v) := !v;"),
    ];
    for (name, text) in models {
        fs::write(folder.join(name), text).unwrap();
        fs::write(folder.join("empty.suite"), "").unwrap();
        for criterion in ::specwright::testgen::criteria::CRITERIA.iter().map(|criterion| criterion.name) {
            let commands: [&[&str]; 4] = [
                &["generate", name, "--criterion", criterion, "--format", "json"],
                &["grade", name, "empty.suite", "--criterion", criterion, "--format", "json"],
                &["minimize", name, "empty.suite", "--criterion", criterion, "--format", "json"],
                &["compare", name, "--criteria", criterion, "--format", "json"],
            ];
            // Mutants of the machine are neither minimized nor compared.
            let n_commands = if criterion == "machine-mutation" { 2 } else { 4 };
            for command in &commands[..n_commands] {
                let output = specwright_in(&folder).args(*command).output().unwrap();
                let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
                let code = output.status.code();
                let nothing = err.contains("there is nothing to cover") && err.contains("note: `--");
                assert_eq!(nothing, code == Some(1), "{command:?}: {code:?}\n{out}{err}");
                assert!(nothing || matches!(code, Some(0 | 2)), "{command:?}: {code:?}\n{out}{err}");
                assert_eq!(nothing, out.is_empty(), "{command:?}: {code:?}\n{out}{err}");
            }
        }
    }
}

/// What depends on an input is restated with variables that remember; tests do not mention these.
#[test]
fn processes_have_mutants_with_shadow_variables() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("processes");
    fs::create_dir_all(&folder).unwrap();
    let text = "MODULE main VAR a : boolean; b : boolean; p : process w(a); q : process w(b); SPEC AF a\n\
                MODULE w(v) ASSIGN next(v) := case v : FALSE; TRUE : TRUE; esac; FAIRNESS running\n";
    fs::write(folder.join("p.smv"), text).unwrap();
    let run = |args: &[&str]| {
        let output = specwright_in(&folder).args(args).args(["--relate", "shadow"]).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let document = |args: &[&str]| serde_json::from_str::<serde_json::Value>(&run(args)).unwrap();
    let made = document(&["generate", "p.smv", "--out", "s.json", "--format", "json"]);
    let covered = made["total"]["covered"].as_u64().unwrap();
    assert!(covered > 20, "{made}");
    let suite = fs::read_to_string(folder.join("s.json")).unwrap();
    let suite: serde_json::Value = serde_json::from_str(&suite).unwrap();
    for state in suite["tests"].as_array().unwrap().iter().flat_map(|test| test["trace"]["states"].as_array().unwrap())
    {
        assert!(state.as_object().unwrap().keys().all(|name| !name.starts_with("prev_")), "{state}");
    }
    let graded = document(&["grade", "p.smv", "s.json", "--format", "json"]);
    assert_eq!(graded["killed"], covered, "{graded}");
    assert_eq!(document(&["minimize", "p.smv", "s.json", "--format", "json"])["reached"], covered);
    assert_eq!(document(&["compare", "p.smv", "--format", "json"])["total"]["mutants"], made["total"]["goals"]);
    // Without them the same tests are tests of the same model.
    let plain = specwright_in(&folder).args(["grade", "p.smv", "s.json", "-c", "states"]).output().unwrap();
    assert!(plain.status.success() && plain.stderr.is_empty(), "{}", String::from_utf8_lossy(&plain.stderr));
}

#[test]
fn infeasible_goals_have_a_certificate_that_others_can_check() {
    let (proof, model) = (folder("certificate"), "examples/barrier/barrier.smv");
    let path = proof.to_str().unwrap();
    let criteria = ["-c", "mutation,mcdc,transitions", "--kill", "weak"];
    let run = |more: &[&str]| {
        let output = generate(&[&[model][..], &criteria, more].concat());
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let (code, summary, errors) = run(&["--certificate", path, "--format", "json"]);
    assert_eq!(code, Some(0), "{errors}");
    let summary: Value = serde_json::from_str(&summary).unwrap();
    let n_certified = summary["certificate"]["certified"].as_u64().unwrap();
    let n_left_out = summary["certificate"]["left_out"].as_array().unwrap().len() as u64;
    assert!(n_certified > 0, "{summary}");
    assert_eq!(summary["total"]["infeasible"], n_certified + n_left_out);
    let (code, text, errors) = run(&["--check-certificate", path]);
    assert_eq!(code, Some(0), "{errors}");
    assert!(text.contains(&format!("{n_certified} of {n_certified} infeasible goals certified")), "{text}");
    // The circuits by themselves are a certificate, too.
    let [circuit, witness] = ["model.aig", "witness.aig"].map(|name| proof.join(name));
    let check = |circuit: &Path, witness: &Path| {
        let args = ["check", circuit.to_str().unwrap(), "--check-certificate", witness.to_str().unwrap()];
        specwright_in(&repository()).args(args).output().unwrap().status.code()
    };
    assert_eq!(check(&circuit, &witness), Some(0));
    // The goals of other criteria are others.
    let output = generate(&[model, "-c", "states", "--check-certificate", path]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("which is no goal"));
    // Another machine is another circuit.
    let changed = crate::scratch().join("certificate-barrier.smv");
    let text = fs::read_to_string(repository().join(model)).unwrap();
    fs::write(&changed, format!("{text}\nVAR another_variable : boolean;\n")).unwrap();
    let output = generate(&[&[changed.to_str().unwrap()][..], &criteria, &["--check-certificate", path]].concat());
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    // A file that was tampered with is refused, cannot be read, or proves the same.
    let (good_circuit, good_witness) = (fs::read(&circuit).unwrap(), fs::read(&witness).unwrap());
    for number in 0..12 {
        let (file, good) = if number % 3 == 0 { (&circuit, &good_circuit) } else { (&witness, &good_witness) };
        let mut bytes = good.clone();
        let place = bytes.len() * (number + 1) / 14;
        bytes[place] ^= 1 << (number % 7);
        fs::write(file, &bytes).unwrap();
        let (code, text, errors) = run(&["--check-certificate", path]);
        assert!(matches!(code, Some(0..=2)), "{number}: {code:?} {errors}");
        let all = format!("{n_certified} of {n_certified} infeasible goals certified");
        assert_eq!(code == Some(0), text.contains(&all), "{number}: {text}{errors}");
        assert!(number % 3 != 0 || code != Some(0), "{number}: the circuit is another one");
        fs::write(file, good).unwrap();
    }
    fs::write(&witness, "aag 0 0 0 0 0\n").unwrap();
    assert_eq!(run(&["--check-certificate", path]).0, Some(2), "it has no invariant");
}
