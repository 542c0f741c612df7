//! `specwright focus`, and `--keep` elsewhere: what is written, and mistakes on the command line.

use crate::{repository, specwright_in};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::Output;

const ACCOUNT: &str = "examples/finite-focus/account.smv";

fn specwright(args: &[&str]) -> Output {
    specwright_in(&repository()).args(args).output().unwrap()
}

fn file(name: &str) -> PathBuf {
    crate::scratch().join(format!("focus-{name}"))
}

#[test]
fn the_suite_is_one_of_the_whole_model() {
    let out = file("suite.json");
    let path = out.to_str().unwrap();
    let output = specwright(&["generate", ACCOUNT, "--keep", "balance in 0..2", "--out", path]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let suite: Value = serde_json::from_str(&fs::read_to_string(&out).unwrap()).unwrap();
    let names: Vec<&str> =
        suite["variables"].as_array().unwrap().iter().map(|var| var["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["order", "balance"]);
    for test in suite["tests"].as_array().unwrap() {
        for state in test["trace"]["states"].as_array().unwrap() {
            assert!((0..=2).contains(&state["balance"].as_i64().unwrap()), "{test}");
        }
    }
}

#[test]
fn a_run_in_focus_can_be_resumed() {
    let out = file("run");
    let _ = fs::remove_dir_all(&out);
    let args = ["generate", ACCOUNT, "--keep", "balance in 0..2", "--out", out.to_str().unwrap()];
    assert_eq!(specwright(&args).status.code(), Some(0));
    let read = || ["suite.json", "goals.json"].map(|name| fs::read_to_string(out.join(name)).unwrap());
    let before = read();
    let again = specwright_in(&repository()).args(args).arg("--resume").output().unwrap();
    assert_eq!(again.status.code(), Some(0), "{}", String::from_utf8_lossy(&again.stderr));
    assert_eq!(read(), before);
    let wider = ["generate", ACCOUNT, "--keep", "balance in 0..3", "--out", out.to_str().unwrap(), "--resume"];
    let wider = specwright(&wider);
    assert_eq!(wider.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&wider.stderr).contains("it was started with keep=balance in 0..2"));
}

#[test]
fn the_reduced_model_can_be_checked() {
    let out = file("account.smv");
    let path = out.to_str().unwrap();
    assert_eq!(specwright(&["focus", ACCOUNT, "--keep", "balance in 0..2", "--out", path]).status.code(), Some(0));
    assert_eq!(specwright(&["check", path]).status.code(), Some(0));
}

#[test]
fn models_of_other_languages_are_reduced_as_well() {
    for model in
        ["examples/safety-injection/safety_injection.scr", "examples/safety-injection-asm/safety_injection.asm"]
    {
        let output = specwright(&["show", model, "--format", "json"]);
        let shown: Value = serde_json::from_slice(&output.stdout).unwrap();
        let pressure = shown["variables"].as_array().unwrap().iter().find(|var| {
            var["name"].as_str().unwrap().to_lowercase().contains("pres")
                && var["type"].as_str().unwrap().contains("..")
        });
        let name = pressure.unwrap()["name"].as_str().unwrap();
        let keep = format!("{name} in 0..12");
        let output = specwright(&["generate", model, "--keep", &keep, "-c", "states"]);
        assert_eq!(output.status.code(), Some(0), "{model}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn mistakes_are_explained() {
    let cases: [(&[&str], &str); 10] = [
        (&["--keep", "balance in 1..2"], "starts as 0, which `balance in 1..2` leaves out; keep it, too"),
        (&["--keep", "balance in {}"], "this set is empty"),
        (&["--keep", "balance in {}"], "among the values must be those of an initial state"),
        (&["--keep", "balance in 3..0"], "the range 3..0 is empty"),
        (&["--keep", "blance in 0..2"], "unknown variable `blance`"),
        (&["--keep", "blance in 0..2"], "did you mean `balance`?"),
        (&["--keep", "order in {deposit}"], "`balance` can be any integer; focus on some values"),
        (&["--keep", "balance > 3"], "does not say which values of a variable to keep"),
        (&["--keep", "balance = 0", "--keep", "order = deposit", "--keep", "balance = 7"], "every step leaves it"),
        (&["--keep", "balance = 0", "--keep", "order = deposit"], "every step leaves it"),
    ];
    for (keeps, message) in cases {
        for command in ["focus", "generate"] {
            let output = specwright_in(&repository()).args([command, ACCOUNT]).args(keeps).output().unwrap();
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{keeps:?}: {stderr}");
            assert!(stderr.contains(message), "{keeps:?}: {stderr}");
        }
    }
}

#[test]
fn a_focus_can_be_chosen_automatically() {
    let output = specwright(&["generate", ACCOUNT, "--keep", "auto"]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert!(stderr.contains("`balance in 0..2` is kept"), "{stderr}");
    let small = specwright(&["generate", "examples/request-busy/request_busy.smv", "--keep", "auto"]);
    assert_eq!(small.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&small.stderr).contains("no variable has very many values"));
}

#[test]
fn a_suite_is_graded_in_focus() {
    let out = file("graded.json");
    let path = out.to_str().unwrap();
    specwright(&["generate", ACCOUNT, "--keep", "balance in 0..2", "--out", path]);
    let output = specwright(&["grade", ACCOUNT, path, "--keep", "balance in 0..2", "--format", "json"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    // In a wider focus it misses something, and is told what.
    let wider = ["grade", ACCOUNT, path, "--keep", "balance in 0..3", "--suggest"];
    let output = specwright(&wider);
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("balance = 3"));
}

/// Safety injection without a limit on how fast the pressure changes, with these values.
fn safety_injection(name: &str, most: u32, low: u32, permit: u32) -> PathBuf {
    let text = fs::read_to_string(repository().join("examples/safety-injection/safety_injection.scr")).unwrap();
    let lines = text.lines().filter(|line| !line.ends_with("<= 3") && *line != "assume");
    let text = lines.collect::<Vec<_>>().join("\n") + "\n";
    let text = text.replace("0..200", &format!("0..{most}"));
    let text = text.replace("= 90\n", &format!("= {low}\n")).replace("= 100\n", &format!("= {permit}\n"));
    let path = file(name);
    fs::write(&path, text).unwrap();
    path
}

/// The tests of a model, with the region of the pressure in place of its value.
fn regions(model: &std::path::Path, flags: &[&str], low: i64, permit: i64) -> Vec<Value> {
    let out = model.with_extension("json");
    let paths = [model.to_str().unwrap(), "--out", out.to_str().unwrap()];
    let output = specwright_in(&repository()).arg("generate").args(paths).args(flags).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let suite: Value = serde_json::from_str(&fs::read_to_string(&out).unwrap()).unwrap();
    let mut tests: Vec<Value> =
        suite["tests"].as_array().unwrap().iter().map(|test| test["trace"]["states"].clone()).collect();
    for state in tests.iter_mut().flat_map(|test| test.as_array_mut().unwrap()) {
        let pressure = state["WaterPres"].as_i64().unwrap();
        state["WaterPres"] = (i32::from(pressure >= low) + i32::from(pressure >= permit)).into();
    }
    tests
}

#[test]
fn a_quantized_input_gives_the_suite_of_the_small_model() {
    let (small, large) = (safety_injection("small.scr", 40, 15, 25), safety_injection("large.scr", 2000, 900, 1000));
    let weak = ["--kill", "weak"];
    let expected = regions(&small, &weak, 15, 25);
    let found = regions(&large, &["--quantize", weak[0], weak[1]], 900, 1000);
    assert!(!expected.is_empty());
    assert_eq!(found, expected);
}

#[test]
fn variables_that_do_not_matter_come_back_in_tests() {
    let out = file("goal.json");
    let path = out.to_str().unwrap();
    let output = specwright(&["generate", ACCOUNT, "--goal", "order = withdraw", "--out", path]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert!(stderr.contains("1 variable does not matter for these goals: `balance`"), "{stderr}");
    let suite: Value = serde_json::from_str(&fs::read_to_string(&out).unwrap()).unwrap();
    let state = &suite["tests"][0]["trace"]["states"][0];
    assert_eq!((state["balance"].as_i64(), state["order"].as_str()), (Some(0), Some("withdraw")));
    let graded = specwright(&["grade", ACCOUNT, path, "--goal", "order = withdraw", "--winnow", "consistent"]);
    assert_eq!(graded.status.code(), Some(0), "{}", String::from_utf8_lossy(&graded.stderr));
}

#[test]
fn what_keeps_an_input_from_being_quantized_is_said() {
    let model = file("summed.smv");
    let text = "MODULE main\nVAR p : 0..500; sum : 0..999;\nASSIGN init(sum) := 0; next(sum) := (sum + p) mod 1000;\n";
    fs::write(&model, format!("{text}SPEC AG (p > 100 -> AX sum > 99)\n")).unwrap();
    let output = specwright(&["generate", model.to_str().unwrap(), "--properties", "own", "--quantize"]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("`p` keeps all its values: `sum + p` is not a comparison"), "{stderr}");
}

/// Where the pressure changes by no more than 3 in a step, a test takes hundreds of steps from one region to the next; with
/// few values in place of all of them, these are found at once, and no goal fares otherwise.
#[test]
fn an_input_that_changes_slowly_is_quantized_too() {
    let text = fs::read_to_string(repository().join("examples/safety-injection/safety_injection.smv")).unwrap();
    let (model, out) = (file("slow.smv"), file("slow.json"));
    let large = text.replace("0..200;", "0..2000;").replace(":= 90;", ":= 900;").replace(":= 100;", ":= 1000;");
    fs::write(&model, large).unwrap();
    let counts = |flags: &[&str]| {
        let _ = fs::remove_file(&out);
        let paths = [model.to_str().unwrap(), "--out", out.to_str().unwrap(), "--format", "json"];
        let output = specwright_in(&repository()).arg("generate").args(paths).args(flags).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{stderr}");
        let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
        let total = &summary["total"];
        (["goals", "covered", "infeasible", "unknown"].map(|what| total[what].as_u64().unwrap()), stderr)
    };
    let (whole, advice) = counts(&["--properties", "own"]);
    assert!(
        advice.contains("its rate of change is limited: with `--quantize`, 22 of its 2001 values represent all"),
        "{advice}"
    );
    let (quantized, notes) = counts(&["--properties", "own", "--quantize"]);
    assert_eq!(quantized, whole);
    assert!(!notes.contains("among all values"), "{notes}");
    // What the user says of it comes first.
    let (_, notes) = counts(&["-c", "states", "--quantize", "--keep", "WaterPres in 0..20"]);
    assert!(notes.contains("in focus are `WaterPres in 0..20`") && !notes.contains("represent all"), "{notes}");
    counts(&["--properties", "own", "--quantize"]);
    let paths = [model.to_str().unwrap(), out.to_str().unwrap()];
    let graded = specwright(&["grade", paths[0], paths[1], "--properties", "own", "--format", "json"]);
    let graded: Value = serde_json::from_slice(&graded.stdout).unwrap();
    assert_eq!(graded["killed"].as_u64(), Some(whole[1]));
}

/// Safety injection with a pressure that may jump is quantized to the regions of the pressure, and then a pressure up to
/// 2000 has the tests of one up to 200, but for its values.
#[test]
fn a_quantized_input_has_the_tests_of_a_small_one() {
    let text = fs::read_to_string(repository().join("examples/safety-injection/safety_injection.smv")).unwrap();
    let free = text.replace(" & next(WaterPres) - WaterPres <= 3 & WaterPres - next(WaterPres) <= 3", "");
    assert_ne!(free, text);
    let large = free.replace("0..200;", "0..2000;").replace(":= 90;", ":= 900;").replace(":= 100;", ":= 1000;");
    let regions = |text: &str, name: &str, (low, permit): (i64, i64)| {
        let (model, out) = (file(&format!("{name}.smv")), file(&format!("{name}.json")));
        fs::write(&model, text).unwrap();
        let output = specwright(&["generate", model.to_str().unwrap(), "--quantize", "--out", out.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        let suite: Value = serde_json::from_str(&fs::read_to_string(&out).unwrap()).unwrap();
        let mut tests: Vec<Vec<String>> = Vec::new();
        for test in suite["tests"].as_array().unwrap() {
            let region = |state: &Value| {
                let pressure = state["WaterPres"].as_i64().unwrap();
                let mut state = state.clone();
                state["WaterPres"] = Value::from(i64::from(pressure >= low) + i64::from(pressure >= permit));
                state.to_string()
            };
            tests.push(test["trace"]["states"].as_array().unwrap().iter().map(region).collect());
        }
        tests
    };
    let (small, large) = (regions(&free, "small", (90, 100)), regions(&large, "large", (900, 1000)));
    assert!(small.len() > 10);
    assert_eq!(small, large);
}

#[test]
fn what_tells_two_goals_apart_is_shown() {
    let (model, suite) = ("examples/request-busy/request_busy.smv", "examples/request-busy/first.suite");
    let graded = specwright(&["grade", model, suite, "--winnow", "consistent", "--format", "json"]);
    let graded: Value = serde_json::from_slice(&graded.stdout).unwrap();
    let ids: Vec<&str> = graded["survivors"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let apart = |one: &str, other: &str| {
        let output = specwright(&["explain", one, model, suite, "--from", other]);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(apart(ids[0], ids[0]).starts_with("no execution distinguishes"));
    let shown = ids[1..].iter().map(|other| apart(ids[0], other)).find(|text| !text.starts_with("no execution"));
    assert!(shown.is_some_and(|text| text.contains("at a point where") && text.contains("request")));
    let wrong = specwright(&["explain", ids[0], model, suite, "--from", "nobody"]);
    assert_eq!(wrong.status.code(), Some(1));
}

/// A machine whose goals are about `t` and `late`; what `u` does, in one of many ways, does not matter to them.
fn with_something_irrelevant(seed: usize) -> String {
    let irrelevant = [
        "",
        "ASSIGN init(u) := 7;",
        "ASSIGN init(u) := 0; next(u) := u + 1;",
        "ASSIGN init(u) := 0; next(u) := u + 3000000000000;",
        "ASSIGN init(u) := 9; next(u) := case u > 20 : 0; TRUE : {u + 1, u + 2}; esac;",
        "ASSIGN next(u) := t;",
        "ASSIGN next(u) := case other : u - 1; TRUE : t + 1; esac;",
        "INVAR u >= 0;",
        "INVAR u > 3;",
        "TRANS next(u) in {u, u + 1};",
        "INIT u = 5; TRANS next(u) = u | next(u) > u + 2;",
    ];
    let drive = ["", "ASSIGN init(t) := 0;", "ASSIGN init(t) := 0; next(t) := {t, t + 1};"];
    format!(
        "MODULE main\nVAR t : integer; u : integer; late : boolean; other : boolean;\n{}\n{}\n\
         ASSIGN init(late) := FALSE; next(late) := late | t > 3; init(other) := FALSE; next(other) := u > 0;\n",
        drive[seed / irrelevant.len() % drive.len()],
        irrelevant[seed % irrelevant.len()],
    )
}

/// What `--keep auto` promises is what comes of it; and a variable that does not matter keeps no goal from its test.
#[test]
fn the_promise_of_an_automatic_focus_is_kept() {
    let (model, out) = (file("promise.smv"), file("promise.json"));
    for seed in 0..33 {
        let text = with_something_irrelevant(seed);
        fs::write(&model, &text).unwrap();
        let goals = ["--goal", "late", "--goal", "!late & t > 3", "--goal", "late & t < 0", "--out"];
        let run = |focus: &[&str]| {
            let _ = fs::remove_file(&out);
            let mut command = specwright_in(&repository());
            command.arg("generate").arg(&model).args(focus).args(goals).arg(&out);
            let output = command.output().unwrap();
            let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(matches!(output.status.code(), Some(0 | 3)), "{text}{stderr}");
            let suite: Value = serde_json::from_str(&fs::read_to_string(&out).unwrap()).unwrap();
            let counts = ["total", "covered"].map(|name| suite["goals"][name].as_u64().unwrap());
            (counts, suite["tests"].as_array().unwrap().len(), stderr)
        };
        let ([total, covered], n_tests, stderr) = run(&["--keep", "auto"]);
        let lines = || stderr.lines().filter_map(|line| line.strip_prefix("note: --keep auto: "));
        let kept = lines().find_map(|line| Some(line.split_once(" is kept, ")?.0)).expect("it says what is kept");
        let promised = lines().find_map(|line| line.strip_prefix(kept)?.strip_prefix(" covers ")).expect("and why");
        let per_mille = 1000 * covered / total;
        assert_eq!(promised, format!("{}.{} % of its goals", per_mille / 10, per_mille % 10), "{text}{stderr}");
        assert_eq!(n_tests == 0, covered == 0, "{text}{stderr}");
        // The first two goals have a test, whatever `u` does, in a focus that holds its first values.
        let ([_, covered], ..) = run(&["--keep", "t in -1..5", "--keep", "u in 0..9"]);
        assert!(covered >= 2, "{text}");
    }
}
