//! Defined outputs and the timing of inputs, from end to end.

use crate::run::{has, text};
use crate::{repository, specwright_in};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

/// A safety injection system with its adapter. `SafetyInjection` is a define of the model.
const CONTROLLER: &str = include_str!("data/safety_injection.py");

fn folder(name: &str) -> PathBuf {
    let path = crate::scratch().join(format!("outputs-{name}"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn specwright(args: &[&str]) -> Output {
    specwright_in(&repository()).args(args).output().unwrap()
}

/// The suite of a model, generated into a folder.
fn suite(folder: &Path, model: &str, args: &[&str]) -> String {
    let suite = folder.join("suite.json").display().to_string();
    let output = specwright(&[&["generate", model, "--out", &suite], args].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    suite
}

#[test]
fn a_controller_that_never_injects_fails() {
    if !has("python3") {
        return;
    }
    let folder = folder("injection");
    let program = folder.join("controller.py").display().to_string();
    fs::write(&program, CONTROLLER).unwrap();
    let model = "examples/safety-injection/safety_injection.smv";
    let optional = suite(&folder, model, &[]);
    let run = |suite: &str, fault: &str| {
        let output = specwright(&["run", suite, "--format", "json", "--", "python3", &program, fault]);
        (output.status.code(), serde_json::from_slice::<Value>(&output.stdout).unwrap())
    };
    let (code, right) = run(&optional, "none");
    assert_eq!((code, &right["not_observed"]), (Some(0), &Value::Null));
    let (code, wrong) = run(&optional, "never");
    assert_eq!(code, Some(2));
    assert_eq!(wrong["tests"][0]["message"], "`SafetyInjection` should be On, but is Off");
    // Where the program does not say whether it injects, the result says so.
    let (code, silent) = run(&optional, "silent");
    assert_eq!((code, &silent["not_observed"]), (Some(0), &serde_json::json!(["SafetyInjection"])));
    // Exported tests know which outputs may be missing.
    let exported = specwright(&["export", &optional, "--to", "pytest"]);
    assert!(text(&exported.stdout).contains("OPTIONAL = [\"SafetyInjection\"]"), "{}", text(&exported.stderr));
    // An output that was asked for must be there.
    let mandatory = suite(&folder, model, &["--output", "SafetyInjection"]);
    assert_eq!(run(&mandatory, "none").0, Some(0));
    let (code, silent) = run(&mandatory, "silent");
    assert_eq!((code, &silent["tests"][0]["verdict"]), (Some(2), &"error".into()));
    // The recorded tests judge as well.
    let recorded = specwright(&["run", &mandatory, "--recorded", "--", "python3", &program, "never"]);
    assert_eq!(recorded.status.code(), Some(2));
}

/// Caches that make room in different ways. Items are internal, so going through a violation shows nothing by itself.
#[test]
fn wrong_caches_fail_if_kills_are_visible() {
    if !has("python3") {
        return;
    }
    let folder = folder("cache");
    let model = "examples/cache/cache.smv";
    let roles = ["--internal", "latest,earlier"];
    let verdict = |suite: &str, kind: &str| {
        let output = specwright(&["run", suite, "--", "python3", "examples/cache/caches.py", kind]);
        output.status.code()
    };
    let weak = suite(&folder, model, &[&roles[..], &["--kill", "weak"]].concat());
    for kind in ["lru", "fifo", "lfu", "random"] {
        assert_eq!(verdict(&weak, kind), Some(0), "violations alone show nothing of {kind}");
    }
    let grade = |suite: &str, more: &[&str]| -> Value {
        let graded = specwright(&[&["grade", model, suite, "--format", "json"], &roles[..], more].concat());
        serde_json::from_slice(&graded.stdout).unwrap()
    };
    let graded = grade(&weak, &["--criterion", "mutation"]);
    assert_eq!(graded["weak"]["killed"], graded["weak"]["total"]);
    assert!(graded["killed"].as_u64() < graded["total"].as_u64(), "{}", graded["killed"]);
    let by_default = grade(&weak, &[]);
    assert!(by_default["total"].as_u64() > graded["total"].as_u64(), "mutants of the machine count, too");
    let page = folder.join("page.html").display().to_string();
    specwright(&[&["report", model, &weak, "--out", &page], &roles[..]].concat());
    let page = fs::read_to_string(page).unwrap();
    assert!(
        page.contains(">not visible<") && page.contains("no output rules out"),
        "the report says where differences die"
    );
    let visible = suite(&folder, model, &roles);
    let smaller = folder.join("smaller.json").display().to_string();
    specwright(&[&["minimize", model, &visible, "--out", &smaller], &roles[..]].concat());
    for suite in [visible, smaller] {
        assert_eq!(verdict(&suite, "lru"), Some(0));
        for kind in ["fifo", "lfu", "random"] {
            assert_eq!(verdict(&suite, kind), Some(2), "{kind} is wrong");
        }
        let graded = grade(&suite, &[]);
        assert_eq!(graded["killed"], graded["total"]);
        assert_eq!(graded["total"], by_default["total"]);
    }
}

#[test]
fn an_adapter_that_takes_inputs_at_another_time_is_told() {
    if !has("python3") {
        return;
    }
    let folder = folder("timing");
    let suite = suite(&folder, "examples/barrier/barrier.smv", &[]);
    let program = fs::read_to_string(repository().join("examples/barrier/barrier.py")).unwrap();
    for (said, is_told) in [("\"inputs\": \"leaving\", ", false), ("", false), ("\"inputs\": \"entering\", ", true)] {
        let path = folder.join("barrier.py");
        fs::write(&path, program.replace("\"inputs\": \"leaving\", ", said)).unwrap();
        let output = specwright(&["run", &suite, "--", "python3", &path.display().to_string()]);
        let told = text(&output.stderr).contains("the suite says that `ticket`, `car` are taken on leaving");
        assert_eq!((told, output.status.success()), (is_told, !is_told), "{said}: {}", text(&output.stderr));
    }
}

/// A program with its arguments, and whether it is right.
type Program<'a> = (&'a [&'a str], bool);

/// What `run --recorded` says of a test, the exported code says, too.
#[test]
fn export_and_run_agree_on_every_example_with_an_implementation() {
    if !has("python3") {
        return;
    }
    // The fixtures of pytest, so that the tests run where it is not installed.
    let pytest = "def fixture(function):\n    return function\n";
    let runner = "import json, sys, importlib\nfrom subject import Subject\nmodule = importlib.import_module(sys.argv[1])\n\
                  verdicts = {}\nfor name in dir(module):\n    if name.startswith('test_'):\n        function = getattr(module, name)\n        \
                  try:\n            function(Subject())\n            verdicts[name[5:].replace('_', '-')] = 'pass'\n        \
                  except AssertionError:\n            verdicts[name[5:].replace('_', '-')] = 'fail'\nprint(json.dumps(verdicts))\n";
    let controller = "crates/cli/tests/cli/data/safety_injection.py";
    let flight_guidance = "examples/flight-guidance/flight_guidance.py";
    // The fault of the second barrier is one that no mutant speaks of.
    let examples: [(&str, &[&str], &[Program<'_>]); 7] = [
        (
            "examples/barrier/barrier.smv",
            &[],
            &[
                (&["python3", "examples/barrier/barrier.py"], true),
                (&["python3", "examples/barrier/first.py"], false),
                (&["python3", "examples/barrier/second.py"], true),
            ],
        ),
        ("examples/request-busy/request_busy.smv", &[], &[(&["python3", "examples/adapters/adapter.py"], true)]),
        (
            "examples/cache/cache.smv",
            &["--internal", "latest,earlier"],
            &[
                (&["python3", "examples/cache/caches.py", "lru"], true),
                (&["python3", "examples/cache/caches.py", "fifo"], false),
            ],
        ),
        (
            "examples/cruise-control/cruise_control.smv",
            &[],
            &[
                (&["python3", "examples/cruise-control/adapter.py"], true),
                (&["python3", "examples/cruise-control/adapter.py", "--fault", "1"], false),
                (&["python3", "examples/cruise-control/adapter.py", "--fault", "3"], false),
            ],
        ),
        (
            "examples/checkout/checkout.ts",
            &["--criterion", "basic-rule,rule-update"],
            &[
                (&["node", "examples/checkout/adapter.mjs", "shop.mjs"], true),
                (&["node", "examples/checkout/adapter.mjs", "shop_first.mjs"], false),
            ],
        ),
        (
            "examples/safety-injection/safety_injection.smv",
            &[],
            &[
                (&["python3", controller, "none"], true),
                (&["python3", controller, "never"], false),
                (&["python3", controller, "silent"], true),
            ],
        ),
        (
            "examples/flight-guidance/flight_guidance.smv",
            &["--internal", "left,right,chime", "--criterion", "decision"],
            &[
                (&["python3", flight_guidance], true),
                (&["python3", flight_guidance, "--fault", "4"], false),
                (&["python3", flight_guidance, "--fault", "5"], false),
            ],
        ),
    ];
    let mut n_failures = 0;
    for (number, (model, roles, programs)) in examples.into_iter().enumerate() {
        if !has(programs[0].0[0]) {
            continue;
        }
        let folder = folder(&format!("agree-{number}"));
        let suite = suite(&folder, model, roles);
        let tests = folder.join("tests");
        let out = format!("{}/", tests.display());
        let output = specwright(&["export", &suite, "--to", "pytest", "--out", &out]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let exported = fs::read_dir(&tests).unwrap().next().unwrap().unwrap().file_name().into_string().unwrap();
        fs::write(tests.join("pytest.py"), pytest).unwrap();
        fs::write(tests.join("runner.py"), runner).unwrap();
        for (program, is_right) in programs {
            let command = serde_json::to_string(program).unwrap();
            let root = serde_json::to_string(&repository().display().to_string()).unwrap();
            fs::write(tests.join("subject.py"), SUBJECT.replace("COMMAND", &command).replace("ROOT", &root)).unwrap();
            let module = exported.strip_suffix(".py").unwrap();
            let output = std::process::Command::new("python3").args(["runner.py", module]).current_dir(&tests).output();
            let output = output.unwrap();
            assert!(output.status.success(), "{}", text(&output.stderr));
            let coded: Value = serde_json::from_slice(&output.stdout).unwrap();
            let args = [&["run", &suite, "--recorded", "--format", "json", "--"][..], program].concat();
            let judged: Value = serde_json::from_slice(&specwright(&args).stdout).unwrap();
            for test in judged["tests"].as_array().unwrap() {
                // Very long names are shortened in code.
                if let Some(coded) = coded.get(test["name"].as_str().unwrap()) {
                    assert_eq!(*coded, test["verdict"], "{program:?}, {}", test["name"]);
                }
                n_failures += usize::from(test["verdict"] == "fail");
            }
            let coded = coded.as_object().unwrap();
            let n_failed = coded.values().filter(|verdict| *verdict == "fail").count();
            let counts =
                (judged["tests"].as_array().unwrap().len(), judged["counts"]["fail"].as_u64().unwrap() as usize);
            assert_eq!((coded.len(), n_failed), counts, "{program:?}");
            // Without choices in the specification both say what the specification says.
            let has_choices = model.contains("request_busy");
            if has_choices {
                continue;
            }
            assert_eq!(judged["counts"]["fail"] == 0, *is_right, "{program:?}");
            // The state estimates of the large model take long.
            if !model.contains("flight_guidance") {
                let args = [&["run", &suite, "--format", "json", "--"][..], program].concat();
                let by_model: Value = serde_json::from_slice(&specwright(&args).stdout).unwrap();
                assert_eq!(by_model["counts"], judged["counts"], "{program:?}");
            }
        }
    }
    assert!(n_failures > 4, "{n_failures}");
}

/// The subject of exported tests that talks to an adapter.
const SUBJECT: &str = r#"
import json, subprocess

PROGRAM = subprocess.Popen(COMMAND, cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

class Subject:
    def __init__(self):
        self.ask({"op": "hello"})

    def ask(self, request):
        PROGRAM.stdin.write(json.dumps(request) + "\n")
        PROGRAM.stdin.flush()
        return json.loads(PROGRAM.stdout.readline())

    def reset(self, inputs):
        return self.ask({"op": "reset", "test": "", "inputs": inputs})["outputs"]

    def step(self, inputs):
        return self.ask({"op": "step", "inputs": inputs})["outputs"]
"#;

#[test]
fn what_cannot_be_an_output_is_explained() {
    let folder = folder("cannot");
    let path = folder.join("model.smv").display().to_string();
    let model = "MODULE main VAR x : 0..3; IVAR go : boolean; ASSIGN init(x) := 0; next(x) := go ? 3 : 0;
DEFINE later := next(x); asked := go & x = 0; some := {0, x}; many := [x, x]; part := 6 / x; low := x < 2;
";
    fs::write(&path, model).unwrap();
    for (name, why) in [
        ("later", "it reads the next value of `x`, so it belongs to a step, not to a state"),
        ("asked", "declare `go` under `VAR` instead of `IVAR`"),
        ("some", "it is a choice of several values"),
        ("many", "it is an array"),
        ("part", "it has no value in some cases"),
        ("go", "it is an input of steps, declared with `IVAR`: a tester sets `go`"),
        ("lov", "unknown variable `lov`"),
        ("lov", "`low`"),
    ] {
        let output = specwright(&["show", &path, "--output", name]);
        let error = text(&output.stderr);
        assert!(output.status.code() == Some(1) && error.contains(why), "{name}: {error}");
    }
    let output = specwright(&["show", &path, "--input", "low"]);
    assert!(text(&output.stderr).contains("it is a define, which is computed from variables"));
    let shown: Value = serde_json::from_slice(&specwright(&["show", &path, "--format", "json"]).stdout).unwrap();
    let roles =
        |name: &str| shown["defines"].as_array().unwrap().iter().find(|d| d["name"] == name).unwrap()["role"].clone();
    assert_eq!((roles("low"), roles("part")), ("output".into(), "internal".into()));
}

/// Suites of one model are graded on another one of the same system, whether an output is defined there or a variable.
#[test]
fn another_model_of_the_same_system_accepts_defined_outputs() {
    let folder = folder("other");
    let [smv, scr] = ["smv", "scr"].map(|language| format!("examples/safety-injection/safety_injection.{language}"));
    for (model, other) in [(&smv, &scr), (&scr, &smv)] {
        let suite = suite(&folder, model, &["-c", "states"]);
        let output = specwright(&["grade", other, &suite, "-c", "states", "--format", "json"]);
        let graded: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        assert!(graded["killed"].as_u64().is_some_and(|n| n > 0), "{model}: {}{graded}", text(&output.stderr));
        assert!(!text(&output.stderr).contains("not an execution"), "{}", text(&output.stderr));
    }
}

/// Traces show the defines of the main module, all defines, or none.
#[test]
fn traces_show_defines() {
    let folder = folder("defines");
    let path = folder.join("model.smv").display().to_string();
    let model = "MODULE main VAR c : cell; x : 0..3; DEFINE low := x < 2; two := 2;
ASSIGN init(x) := 0; next(x) := x < 3 ? x + 1 : 0; SPEC NAME p := AG x < 2;
MODULE cell VAR b : boolean; DEFINE flip := !b; ASSIGN init(b) := FALSE; next(b) := flip;
";
    fs::write(&path, model).unwrap();
    let shown = |which: &[&str]| {
        let checked = text(&specwright(&[&["check", &path][..], which].concat()).stdout);
        let walked = text(&specwright(&[&["simulate", &path, "-n", "1"][..], which].concat()).stdout);
        ["low = TRUE", "two = 2", "c.flip = TRUE"].map(|part| (checked.contains(part), walked.contains(part)))
    };
    let (yes, no) = ((true, true), (false, false));
    assert_eq!(shown(&[]), [yes, no, no]);
    assert_eq!(shown(&["--defines", "all"]), [yes, yes, yes]);
    assert_eq!(shown(&["--defines", "none"]), [no, no, no]);
    let violation = text(&specwright(&["safety", &path]).stdout);
    assert!(violation.contains("low = FALSE") && !violation.contains("flip"), "{violation}");
    let json = specwright(&["check", &path, "--format", "json"]).stdout;
    let document: Value = serde_json::from_slice(&json).unwrap();
    let trace = &document["properties"][0]["trace"];
    assert_eq!(trace["states"][2], serde_json::json!({"c.b": false, "x": 2}));
    assert_eq!(trace["defines"], serde_json::json!([{"low": true}, {"low": true}, {"low": false}]));
}

#[test]
fn settings_name_outputs_too() {
    let folder = folder("project");
    fs::write(folder.join("model.smv"), "MODULE main VAR x : boolean; ASSIGN next(x) := !x; DEFINE y := !x;").unwrap();
    fs::write(folder.join("specwright.toml"), "model = \"model.smv\"\noutput = [\"y\"]\n").unwrap();
    let output = specwright_in(&folder).args(["generate", "-c", "states", "--out", "suite.json"]).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let suite = fs::read_to_string(folder.join("suite.json")).unwrap();
    assert!(suite.contains("{\"name\":\"y\",\"type\":\"boolean\",\"role\":\"output\"}"), "{suite}");
}

/// A derived function that no rule reads is an output if the user says so; the model stays the same.
#[test]
fn derived_functions_can_be_outputs() {
    let folder = folder("derived");
    let machine = folder.join("lamp.asm").display().to_string();
    let text = "asm lamp\nimport StandardLibrary\nsignature:\n  dynamic monitored go : Boolean\n  \
                dynamic controlled lit : Boolean\n  derived dark : Boolean\ndefinitions:\n  function dark = not(lit)\n  \
                main rule r_Main = lit := go\ndefault init s0:\n  function lit = false\n";
    fs::write(&machine, text).unwrap();
    let plain: Value =
        serde_json::from_str(&fs::read_to_string(suite(&folder, &machine, &["-c", "states"])).unwrap()).unwrap();
    let path = suite(&folder, &machine, &["-c", "states", "--output", "dark"]);
    let document: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(plain["model_hash"], document["model_hash"]);
    let names = |document: &Value| {
        document["variables"].as_array().unwrap().iter().map(|v| v["name"].clone()).collect::<Vec<_>>()
    };
    assert_eq!((names(&plain).len(), names(&document)), (2, vec!["go".into(), "lit".into(), "dark".into()]));
    assert_eq!(document["tests"][0]["trace"]["states"][0]["dark"], true);
    // The suite names it, so the model that is read again has it.
    for args in [&["--to", "csv"][..], &["--to", "csv", "--model", &machine]] {
        let table = text_of(&specwright(&[&["export", &path][..], args].concat()));
        assert!(table.contains("dark"), "{table}");
    }
    let graded = specwright(&["grade", &machine, &path, "-c", "states", "--output", "dark", "--format", "json"]);
    assert!(graded.status.success(), "{}", text_of(&graded));
}

fn text_of(output: &Output) -> String {
    text(&output.stdout) + &text(&output.stderr)
}

/// Where the environment lets the machine choose, a mutant may choose right. Then a test shows it in some runs only, and `run`
/// tries again.
#[test]
fn tests_that_kill_possibly_are_marked_and_run_again() {
    let folder = folder("possible");
    let model = folder.join("model.smv").display().to_string();
    let choosing = "MODULE main IVAR i : boolean; VAR b : boolean;
        ASSIGN init(b) := FALSE; next(b) := case i : {TRUE, FALSE}; TRUE : FALSE; esac;";
    fs::write(&model, choosing).unwrap();
    let suite = suite(&folder, &model, &["--criterion", "machine-mutation"]);
    let document: Value = serde_json::from_str(&fs::read_to_string(&suite).unwrap()).unwrap();
    let tests = document["tests"].as_array().unwrap();
    let possible: Vec<&Value> = tests.iter().filter(|test| !test["possible"].is_null()).collect();
    assert!(!possible.is_empty() && document["goals"]["possible"].as_u64() > Some(0), "{document}");
    if !has("python3") {
        return;
    }
    // An implementation that is wrong from the third test on.
    let program = "import json, sys\nruns = 0\nfor line in sys.stdin:\n    request = json.loads(line)\n    \
        if request['op'] == 'hello': answer = {'reset': True}\n    \
        elif request['op'] == 'bye': break\n    \
        else:\n        runs += request['op'] == 'reset'\n        \
        answer = {'outputs': {'b': request['op'] == 'step' and runs > 2}}\n    print(json.dumps(answer), flush=True)\n";
    let path = folder.join("program.py").display().to_string();
    fs::write(&path, program).unwrap();
    let only = folder.join("only.json").display().to_string();
    let mut document = document.clone();
    document["tests"] = serde_json::json!([possible[0]]);
    fs::write(&only, document.to_string()).unwrap();
    let run = |more: &[&str]| -> Value {
        let args = [&["run", &only, "--model", &model, "--format", "json"], more, &["--", "python3", &path]].concat();
        serde_json::from_slice::<Value>(&specwright(&args).stdout).unwrap()["tests"][0].clone()
    };
    let verdict = |test: Value| (test["verdict"].as_str().unwrap().to_owned(), test["runs"].as_u64());
    assert_eq!(verdict(run(&["--repeat", "1"])), ("pass".into(), None));
    assert_eq!(verdict(run(&["--repeat", "2"])), ("pass".into(), Some(2)));
    assert_eq!(verdict(run(&["--repeat", "9"])), ("fail".into(), Some(3)));
    assert_eq!(verdict(run(&[])), ("fail".into(), Some(3)));
}
