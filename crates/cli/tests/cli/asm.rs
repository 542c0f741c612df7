//! Abstract State Machines from end to end: numbers without end, scenarios, mutants of rules, SMV for NuSMV.

use crate::{repository, specwright_in};
use ::specwright::syntax::testing::skipped;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const EXAMPLE: &str = "examples/safety-injection-asm/safety_injection.asm";

/// Tuples, sets, sequences, values of several kinds, values that are not there, texts, numbers without end.
const MACHINE: &str = r#"asm parts
import StandardLibrary
signature:
	enum domain Color = {RED | GREEN | BLUE}
	domain Small subsetof Integer
	monitored pair: Prod(Small, Color)
	monitored wanted: Powerset(Color)
	controlled last: Prod(Small, Color)
	controlled have: Powerset(Color)
	controlled level: Small
	controlled text: String
	controlled queue: Seq(Color)
	controlled note: Any
	derived next: Small -> Boolean
definitions:
	domain Small = {0 : 3}
	function next($x in Small) = first(pair) = $x
	main rule r_Main =
		par
			last := pair
			have := wanted
			if contains(wanted, RED) then level := first(pair) endif
			if next(2) then text := "two" else text := "another" endif
			if length(queue) < 3 then queue := append(queue, second(pair)) else queue := tail(queue) endif
			if contains(queue, BLUE) then note := length(queue) else note := first(queue) endif
		endpar
default init s0:
	function have = {}
	function queue = []
"#;

#[test]
fn libraries_are_found_however_they_are_spelt() {
    let folder = folder("spelling");
    let machine = "asm lamp\nimport ./STDL/standardLibrary\nimport ../CTLlibrary\nsignature:\n\tcontrolled on: Boolean\n\
                   definitions:\n\tCTLSPEC ag(on implies ef(not on))\n\tmain rule r_Main = on := not on\n\
                   default init s0:\n\tfunction on = false\n";
    fs::write(folder.join("lamp.asm"), machine).unwrap();
    let output = specwright_in(&folder).args(["check", "lamp.asm"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("holds"));
}

fn folder(name: &str) -> PathBuf {
    let path = crate::scratch().join(format!("asm-{name}"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn specwright(args: &[&str]) -> Output {
    specwright_in(&repository()).args(args).output().unwrap()
}

fn good(args: &[&str]) -> String {
    let output = specwright(args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Where a machine is, its suite will be, and the folder of its scenarios.
fn files(name: &str, machine: &str) -> [String; 3] {
    let folder = folder(name);
    fs::write(folder.join("machine.asm"), machine).unwrap();
    ["machine.asm", "suite.json", "scenarios/"].map(|file| folder.join(file).display().to_string())
}

/// How many goals of some criteria tests reach, all of which can be read.
fn killed(machine: &str, tests: &str, criteria: &[&str]) -> Value {
    let output = specwright(&[&["grade", machine, tests, "--winnow", "none", "--format", "json"], criteria].concat());
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["not_graded"], Value::Array(Vec::new()), "{output:?}");
    json["unwinnowed"]["killed"].clone()
}

#[test]
fn scenarios_say_all_that_a_test_says() {
    let [machine, suite, into] = files("scenarios", MACHINE);
    let [machine, suite] = [&machine, &suite].map(String::as_str);
    let criteria = ["-c", "basic-rule,rule-update,rule-guard"];
    good(&[&["generate", machine, "--out", suite, "-s", "extend"], &criteria[..]].concat());
    good(&["export", suite, "--model", machine, "--to", "avalla", "--out", &into]);
    let texts: String =
        fs::read_dir(&into).unwrap().map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap()).collect();
    for part in [
        "set pair := (",
        "set wanted := {",
        "check last = undef;",
        "check level = undef;",
        "check text = \"two\";",
        "check isEmpty(queue);",
        "check queue = [RED",
        "check note = undef;",
        "check note = RED;",
    ] {
        assert!(texts.contains(part), "{part} in\n{texts}");
    }
    let grade = |tests: &str| killed(machine, tests, &criteria);
    assert_eq!(grade(suite), grade(&into));
}

/// New elements, loops, rules in locations, functions for several domains, texts from outside.
const GROWING: &str = r#"asm growing
import StandardLibrary
signature:
	dynamic abstract domain Ticket
	enum domain Desk = {LEFT | RIGHT}
	domain Num subsetof Integer
	monitored call: String
	controlled name: Ticket -> String
	controlled name: Desk -> String
	controlled served: Powerset(Ticket)
	controlled n: Num
	controlled mode: Rule
definitions:
	domain Num = {0 : 4}
	rule r_open =
		par
			extend Ticket with $t do name($t) := call
			if size(Ticket) = 2 then mode := <<r_close>> endif
		endpar
	rule r_close = choose $t in Ticket with not contains(served, $t) do served := including(served, $t)
	invariant inv over served: size(served) <= size(Ticket)
	main rule r_Main =
		par
			if call = "next" then mode else name(LEFT) := call endif
			seq
				n := 0
				while n < size(Ticket) do n := n + 1
			endseq
		endpar
default init s0:
	function served = {}
	function n = 0
	function mode = <<r_open>>
"#;

#[test]
fn machines_that_grow_have_tests_as_well() {
    let [machine, suite, into] = files("growing", GROWING);
    let [machine, suite] = [&machine, &suite].map(String::as_str);
    let output = specwright(&["check", machine]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("holds") && text.contains("reachable states"), "{text}");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("warning[ASM063]") && !errors.contains("error"), "{errors}");
    let criteria = ["-c", "basic-rule,rule-update"];
    let made = good(&[&["generate", machine, "--out", suite, "--format", "json"], &criteria[..]].concat());
    let made: Value = serde_json::from_str(&made).unwrap();
    assert_eq!(made["total"]["unknown"], 0, "{made}");
    good(&["export", suite, "--model", machine, "--to", "avalla", "--out", &into]);
    let grade = |tests: &str| killed(machine, tests, &criteria);
    assert_eq!(grade(suite), grade(&into));
    good(&["mutate", machine]);
}

#[test]
fn numbers_without_end_need_random_walks_or_a_focus() {
    let folder = folder("endless");
    let machine = folder.join("counter.asm");
    let text = "asm counter import StandardLibrary signature: monitored amount: Natural controlled sum: Integer \
        controlled up: Integer definitions: main rule r_Main = par \
        if amount > 2 and sum < 100000 then sum := sum + amount endif \
        if up < 100 then up := up + 1 else up := 0 endif endpar \
        default init s0: function sum = 0 function up = 0";
    fs::write(&machine, text).unwrap();
    let machine = machine.to_str().unwrap();
    let output = specwright(&["generate", machine, "-c", "basic-rule"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "random walks execute every rule: {errors}");
    assert!(errors.contains("can be any integer") && errors.contains("--keep"), "{errors}");
    let bdd = specwright(&["generate", machine, "-c", "basic-rule", "--engine", "bdd"]);
    assert_eq!(bdd.status.code(), Some(1));
    let shown: Value = serde_json::from_str(&good(&["show", machine, "--format", "json"])).unwrap();
    let shown = shown.to_string();
    assert!(shown.contains("0..100"), "the end of `up` is found: {shown}");
    let keep = ["--keep", "amount in 0..4", "--keep", "sum in 0..8"];
    let summary = good(&[&["generate", machine, "-c", "basic-rule", "--format", "json"], &keep[..]].concat());
    let summary: Value = serde_json::from_str(&summary).unwrap();
    assert_eq!(summary["total"]["covered"], summary["total"]["goals"]);
}

#[test]
fn rules_are_mutated_as_text() {
    let folder = folder("mutants");
    let json: Value = serde_json::from_str(&good(&["mutate", EXAMPLE, "--format", "json"])).unwrap();
    let total = json["total"].as_u64().unwrap();
    assert_eq!(json["mutants"].as_array().unwrap().len() as u64, total);
    // The same mutants as the criterion asks tests for, less what the rules cannot tell apart from each other.
    let goals: Value =
        serde_json::from_str(&good(&["generate", EXAMPLE, "-c", "rule-mutation", "--format", "json", "-q"])).unwrap();
    assert!(goals["total"]["goals"].as_u64().unwrap() <= total && total > 50, "{total}");
    let out = folder.to_str().unwrap();
    good(&["mutate", EXAMPLE, "--out", out, "--sample", "12"]);
    let paths: Vec<PathBuf> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(paths.len(), 12);
    let original = fs::read_to_string(repository().join(EXAMPLE)).unwrap();
    for path in paths {
        assert_ne!(fs::read_to_string(&path).unwrap(), original, "{}", path.display());
        good(&["show", path.to_str().unwrap()]);
    }
    let diff = good(&["mutate", EXAMPLE, "--diff", "--operators", "CN"]);
    assert!(diff.contains("+\t\tif not (waterPressure >= low and pressure = TooLow) then"), "{diff}");
    let output = specwright(&["mutate", EXAMPLE, "--operators", "XYZ"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("RR, CN, CR"));
}

fn json(args: &[&str], code: i32) -> Value {
    let output = specwright(&[args, &["--format", "json", "-q"]].concat());
    assert_eq!(output.status.code(), Some(code), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn without_a_criterion_all_commands_mean_the_rules_of_a_machine() {
    let [machine, suite, _] = files("default", MACHINE);
    let rules = "basic-rule,rule,rule-guard,rule-update,rule-mcdc,rule-mutation";
    // The example has functions that a tester does not see.
    for (machine, criteria) in [(EXAMPLE, &*format!("{rules},machine-mutation")), (&*machine, rules)] {
        let named = json(&["generate", machine, "-c", criteria], 0);
        let made = json(&["generate", machine, "--out", &suite], 0);
        assert_eq!(made["rows"], named["rows"]);
        let total = &made["total"];
        assert!(total["covered"].as_u64() > Some(20) && total["steps"].as_u64() > Some(3), "{total}");
        let graded = json(&["grade", machine, &suite], 0);
        assert_eq!((&graded["killed"], &graded["unwinnowed"]["total"]), (&total["covered"], &total["goals"]));
        let smaller = json(&["minimize", machine, &suite], 0);
        assert_eq!((&smaller["goals"], &smaller["reached"]), (&total["goals"], &total["covered"]), "{smaller}");
    }
    let compared = json(&["compare", &machine], 0);
    let rows: Vec<&str> =
        compared["rows"].as_array().unwrap().iter().filter_map(|row| row["operator"].as_str()).collect();
    assert_eq!(rows, ["basic-rule", "rule", "rule-guard", "rule-update", "rule-mcdc", "rule-mutation"], "{compared}");
    // Who asks for mutants of properties gets them.
    let mutants = json(&["generate", EXAMPLE, "--properties", "reflected"], 0);
    assert_eq!(mutants["rows"][0]["criterion"], "mutation", "{mutants}");
}

#[test]
fn rules_that_contradict_each_other_are_found_by_the_criteria() {
    let text = "asm clash import StandardLibrary signature: monitored a: Boolean monitored b: Boolean controlled x: Boolean \
        controlled on: Boolean definitions: rule r_a = if a and on then x := true endif rule r_b = if b then x := false endif \
        main rule r_Main = par r_a[] r_b[] on := not b endpar default init s0: function x = false function on = false";
    let [machine, suite, _] = files("clash", text);
    let machine = machine.as_str();
    let made = json(&["generate", machine, "-c", "parallel", "--out", &suite], 2);
    assert_eq!((&made["total"]["inconsistent"], &made["total"]["infeasible"]), (&1.into(), &0.into()), "{made}");
    let found = &made["inconsistent"][0];
    assert_eq!(found["id"], "parallel:r_a|r_b");
    let states = found["trace"]["states"].as_array().unwrap();
    assert_eq!(states.len(), 2, "a step leads to where both rules fire: {found}");
    let output = specwright(&["generate", machine, "-c", "parallel"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(2));
    assert!(text.contains("1 goal calls for a step whose updates contradict each other"), "{text}");
    let graded = json(&["grade", machine, &suite, "-c", "parallel"], 2);
    assert_eq!(graded["inconsistent"][0]["id"], "parallel:r_a|r_b", "{graded}");
    assert_eq!(graded["winnowed"]["consistent"], 0, "{graded}");
}

/// Choices that are too many to be looked at one by one leave it open whether updates contradict each other.
#[test]
fn what_depends_on_too_many_choices_is_not_called_good() {
    let text = "asm many import StandardLibrary signature: controlled x: Integer definitions: main rule r_Main = \
        choose $a in {1 : 40} with true do choose $b in {1 : 40} with true do par x := $a x := $b endpar \
        default init s0: function x = 1";
    let [machine, ..] = files("choices", text);
    let output = specwright(&["check", &machine]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("undecided") && text.contains("it depends on too many choices"), "{text}");
    assert_eq!(output.status.code(), Some(3), "{text}");
}

#[test]
fn the_environment_may_change_what_is_shared_between_steps() {
    let text = "asm lift import StandardLibrary signature: enum domain Floor = {LOW | HIGH} dynamic shared call: Floor -> Boolean \
        controlled at: Floor definitions: main rule r_Main = forall $f in Floor with call($f) and at != $f do \
        par at := $f call($f) := false endpar default init s0: function call($f in Floor) = false function at = LOW";
    let [machine, suite, into] = files("shared", text);
    let machine = machine.as_str();
    let made = json(&["generate", machine, "--out", &suite], 0);
    let of =
        |criterion: &str| made["rows"].as_array().unwrap().iter().find(|row| row["criterion"] == criterion).unwrap();
    assert_eq!(of("rule-update")["infeasible"], 0, "{made}");
    assert_eq!(of("rule")["infeasible"], 0, "{made}");
    good(&["export", &suite, "--model", machine, "--to", "avalla", "--out", &into]);
    let killed = |tests: &str| json(&["grade", machine, tests], 0)["killed"].clone();
    assert_eq!((&killed(&suite), &killed(&into)), (&made["total"]["covered"], &made["total"]["covered"]));
    let scenario = Path::new(&into).join("../by_hand.avalla");
    let grade = |steps: &str| {
        fs::write(&scenario, format!("scenario by_hand\nload machine.asm\n{steps}")).unwrap();
        specwright(&["grade", machine, scenario.to_str().unwrap(), "-c", "basic-rule"])
    };
    let reached = "set call(HIGH) := true;\nstep\ncheck at = HIGH;\ncheck call(HIGH) = false;\n\
                   set call(LOW) := true;\nstep\ncheck at = LOW;";
    assert_eq!(grade(reached).status.code(), Some(0));
    // What nothing sets stays as it is, and what a rule updates is checked.
    for wrong in ["step\ncheck at = HIGH;", "set call(HIGH) := true;\nstep\ncheck call(HIGH) = true;"] {
        let output = grade(wrong);
        assert!(String::from_utf8_lossy(&output.stderr).contains("error[SUI"), "{wrong}");
    }
}

#[test]
fn scenarios_step_until_a_condition_holds_and_check_any_condition() {
    let text = "asm timer import StandardLibrary signature: domain Time subsetof Integer monitored go: Boolean \
        monitored unused: Boolean controlled time: Time controlled limit: Time derived isLate: Boolean definitions: \
        domain Time = {0 : 9} function isLate = time > 4 \
        main rule r_Main = if go and time < limit then time := time + 1 endif \
        default init s0: function time = 0 function limit = 7";
    let [machine, _, into] = files("until", text);
    let folder = Path::new(&into).parent().unwrap().join("scenarios");
    fs::create_dir_all(&folder).unwrap();
    let first = "scenario first\nload machine.asm\nbegin start\nset go := true;\nset unused := true;\nstep\nend\n";
    fs::write(folder.join("first.avalla"), first).unwrap();
    let grade = |commands: &str| {
        let path = folder.join("second.avalla");
        fs::write(&path, format!("scenario second\nload machine.asm\n{commands}")).unwrap();
        let output = specwright(&["grade", &machine, path.to_str().unwrap(), "-c", "basic-rule", "--format", "json"]);
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    // `limit` is a constant of the machine and `isLate` a function that no rule reads.
    let right = "execblock first:start;\nstep until time = 5;\ncheck isLate and limit = 7;\ncheck time + 2 = limit;\n\
                 step until time = 5;\ncheck not(exists $t in Time with $t > 9) or time < 3;\nset go := false;\nstep\ncheck time = 5;\n";
    let (code, errors) = grade(right);
    assert!(matches!(code, Some(0 | 2)), "{errors}");
    assert!(!errors.contains("not compared"), "{errors}");
    for (wrong, message) in [
        ("set go := true;\nstep until time = 8;\n", "does not hold after"),
        ("set go := true;\nstep\ncheck time > 1 or limit = 6;\n", "does not hold in the machine here"),
        ("set go := true;\ncheck limit = 6;\n", "does not hold in the machine here"),
        ("execblock third:start;\n", "no scenario `third`"),
        ("execblock first:end;\n", "no block `end`"),
        ("exec time = 3;\n", "expected"),
        ("exec go := true;\n", "is monitored"),
    ] {
        let (code, errors) = grade(wrong);
        assert_eq!(code, Some(1), "{wrong}: {errors}");
        assert!(errors.contains(message), "{wrong}: {errors}");
    }
    let (_, errors) = grade("step\ncheck time = 0;\n");
    assert!(errors.contains("not set in the first state: `go`"), "{errors}");
}

/// `exec` executes a rule before a step, and what a scenario sets at first overrides the initial value of what is monitored.
#[test]
fn scenarios_execute_rules_and_set_what_is_monitored() {
    let text = "asm clock import StandardLibrary signature: domain Time subsetof Integer enum domain Mode = {SLOW|FAST} \
        monitored mode: Mode controlled time: Time controlled late: Boolean definitions: domain Time = {0 : 9} \
        macro rule r_Back($t in Time) = time := $t \
        main rule r_Main = par if mode = FAST then time := time + 2 else time := time + 1 endif \
        if time > 5 then late := true endif endpar \
        default init s0: function time = 0 function late = false function mode = SLOW";
    let [machine, suite, into] = files("exec", text);
    let scenario = Path::new(&into).with_file_name("exec.avalla");
    let grade = |commands: &str| {
        fs::write(&scenario, format!("scenario exec\nload machine.asm\n{commands}")).unwrap();
        let args = ["grade", &machine, scenario.to_str().unwrap(), "-c", "basic-rule", "--format", "json"];
        let output = specwright(&args);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        let document: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        (output.status.code(), errors, document["operators"].clone())
    };
    // The rule is executed first, and the machine goes on from there in the same step.
    let right = "check mode = SLOW;\nstep\ncheck time = 1;\nexec par time := 6 // late\n late := false endpar;\nstep\n\
                 check time = 7 and late;\nexec r_Back[2];\nexec late := false;\nstep\ncheck time = 3 and not(late);\n\
                 step until time = 5;\ncheck max(time, 3) = 5 and not(late);\n";
    let (code, errors, groups) = grade(right);
    assert!(matches!(code, Some(0 | 2)) && !errors.contains("not compared"), "{errors}");
    // The rules of scenarios are no goals.
    good(&["generate", &machine, "-c", "basic-rule", "--out", &suite]);
    let generated: Value =
        serde_json::from_str(&good(&["grade", &machine, &suite, "-c", "basic-rule", "--format", "json"])).unwrap();
    let names = |operators: &Value| operators.as_object().unwrap().keys().cloned().collect::<Vec<String>>();
    assert_eq!(names(&groups), names(&generated["operators"]));
    let (code, errors, _) =
        grade("set mode := FAST;\nstep\ncheck time = 2;\nset mode := SLOW;\nstep\ncheck time = 3;\n");
    assert!(matches!(code, Some(0 | 2)), "{errors}");
    for wrong in
        ["exec time := 6;\nstep\ncheck time = 1;\n", "step\ncheck time = 2;\n", "exec skip;\nstep\ncheck time = 0;\n"]
    {
        let (code, errors, _) = grade(wrong);
        assert_eq!(code, Some(2), "{wrong}: {errors}");
        assert!(errors.contains("is not an execution"), "{wrong}: {errors}");
    }
}

/// A machine with numbers without an end has no engine, and its tests are graded all the same.
#[test]
fn tests_of_unbounded_machines_are_graded() {
    let text = "asm tank import StandardLibrary signature: monitored amount: Integer monitored factor: Real \
        controlled sum: Integer definitions: \
        main rule r_Main = par if amount > 2 then sum := sum + amount endif if amount < -5 then sum := 0 endif \
        if factor > 1.5 then skip endif endpar default init s0: function sum = 0";
    let [machine, _, into] = files("unbounded", text);
    let scenario = Path::new(&into).with_file_name("tank.avalla");
    fs::write(&scenario, "scenario tank\nload machine.asm\nset amount := 7;\nstep\ncheck sum = 7;\n").unwrap();
    let args = ["grade", &machine, scenario.to_str().unwrap(), "-c", "basic-rule", "--format", "json"];
    let output = specwright(&args);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{errors}");
    assert!(errors.contains("can be any integer: goals that no test covers stay undecided"), "{errors}");
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["killed"], 2);
    let details = document["details"].as_array().unwrap();
    assert_eq!(details.len(), 2, "{details:?}");
    assert!(details.iter().all(|detail| detail["status"] == "unknown"), "{details:?}");
}

/// Runs where `SPECWRIGHT_NUSMV` names the program NuSMV.
#[test]
fn nusmv_agrees_on_translated_machines() {
    let Some(nusmv) = std::env::var_os("SPECWRIGHT_NUSMV") else {
        skipped("SPECWRIGHT_NUSMV names no program");
        return;
    };
    let folder = folder("nusmv");
    fs::write(folder.join("parts.asm"), MACHINE).unwrap();
    fs::write(folder.join("growing.asm"), GROWING).unwrap();
    for machine in [repository().join(EXAMPLE), folder.join("parts.asm"), folder.join("growing.asm")] {
        let (machine, smv) = (machine.to_str().unwrap(), folder.join("machine.smv"));
        good(&["translate", machine, "--to", "smv", "--out", smv.to_str().unwrap()]);
        let output = specwright(&["check", machine, "--format", "json", "-q"]);
        let ours: Value = serde_json::from_slice(&output.stdout).unwrap();
        let theirs = Command::new(Path::new(&nusmv)).arg("-r").arg(&smv).output().unwrap();
        let text = String::from_utf8_lossy(&theirs.stdout);
        let states = text.split("reachable states: ").nth(1).and_then(|rest| rest.split(' ').next());
        let states: f64 = states.and_then(|states| states.parse().ok()).unwrap_or_else(|| panic!("{theirs:?}"));
        let mine = ours["states"].as_f64().unwrap();
        assert!((states - mine).abs() <= 1e-4 * mine, "{states} states for NuSMV, {mine} here, of {machine}");
        let n_true = text.lines().filter(|line| line.starts_with("-- ") && line.ends_with("is true")).count();
        let holds = ours["properties"].as_array().unwrap().iter().filter(|property| property["verdict"] == "holds");
        assert_eq!(n_true, holds.count(), "{machine}");
    }
}

/// Numbers with a fraction, also in a location with the name of its variable.
const FRACTIONS: &str = "asm fractions
import StandardLibrary
signature:
	monitored temp: Real
	controlled heater: Boolean
	controlled setpoint: Real
definitions:
	main rule r_Main =
		if temp < setpoint - 0.5 then heater := true
		else if temp > setpoint + 0.5 then heater := false endif endif
default init s0:
	function heater = false
	function setpoint = 21.25
";

/// A real input, and a real location of few values.
const DECIMALS: &str = "asm decimals
import StandardLibrary
signature:
	monitored temp: Real
	controlled level: Real
definitions:
	main rule r_Main = if temp > 20.75 then level := 21.25 else level := 0.5 endif
default init s0:
	function level = 2.5
";

#[test]
fn scenarios_have_decimal_numbers() {
    let [machine, suite, into] = files("fractions", FRACTIONS);
    let criteria = ["-c", "basic-rule"];
    good(&[&["generate", &machine, "--out", &suite], &criteria[..]].concat());
    good(&["export", &suite, "--model", &machine, "--to", "avalla", "--out", &into]);
    let grade = |tests: &str| killed(&machine, tests, &criteria);
    assert_eq!(grade(&suite), grade(&into));
    // 19.5 is below the band, 23 above it.
    let scenario = format!("{into}/cold.avalla");
    let text = "scenario cold\nload machine.asm\nset temp := 19.5;\nstep\ncheck heater = true;\nset temp := 23;\nstep\n\
        check heater = false;\n";
    fs::write(&scenario, text).unwrap();
    assert_eq!(grade(&scenario), serde_json::json!(4));
}

#[test]
fn tests_show_real_numbers_as_decimal_numbers() {
    let [machine, suite, _] = files("decimals", DECIMALS);
    let folder = Path::new(&machine).parent().unwrap();
    let criteria = ["-c", "basic-rule"];
    good(&[&["generate", &machine, "--out", &suite], &criteria[..]].concat());
    let json: Value = serde_json::from_str(&fs::read_to_string(&suite).unwrap()).unwrap();
    assert_eq!(json["variables"][0]["type"], "real by 0.125", "{json}");
    assert_eq!(json["tests"][0]["trace"]["states"][0]["level"], 2.5, "{json}");
    let export = |format: &str| -> String {
        let out = folder.join(format!("{format}/"));
        good(&["export", &suite, "--model", &machine, "--to", format, "--out", out.to_str().unwrap()]);
        fs::read_dir(&out).unwrap().map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap()).collect()
    };
    assert!(export("csv").contains("21.25"));
    let code = export("rust");
    assert!(code.contains("temp: f64") && code.contains("outputs.level, 2.5"), "{code}");
    assert!(code.contains("PartialEq)]\npub struct Outputs"), "{code}");
    let expected = killed(&machine, &suite, &criteria);
    for format in ["csv", "nusmv-xml", "itf", "vcd"] {
        export(format);
        let tests = folder.join(format!("{format}/"));
        assert_eq!(killed(&machine, tests.to_str().unwrap(), &criteria), expected, "{format}");
    }
    let kept = ["--keep", "temp in 15.5..25.0", "--format", "json"];
    let kept: Value = serde_json::from_str(&good(&[&["generate", &machine], &criteria[..], &kept].concat())).unwrap();
    assert_eq!(kept["total"]["unknown"], 0, "{kept}");
    let output = specwright(&["generate", &machine, "-c", "basic-rule", "--keep", "temp in {21.1}"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("--keep"), "{output:?}");
}

/// Several agents choose in one step, by the same rule.
const CHOOSERS: &str = "asm machine
import StandardLibrary
signature:
	domain Player subsetof Agent
	static ann: Player
	static ben: Player
	monitored plays: Player -> Boolean
	controlled card: Player -> Integer
	controlled odd: Integer
definitions:
	rule r_draw = if plays(self) then choose $c in {1 : 4} with true do par card(self) := $c if $c = 3 then odd := 1 endif endpar endif
	main rule r_Main = forall $p in Player with true do program($p)
default init s0:
	function card($p in Player) = 0
	function odd = 0
	agent Player: r_draw[]
";

#[test]
fn scenarios_pick_what_all_agents_that_choose_agree_on() {
    let [machine, suite, into] = files("choosers", CHOOSERS);
    let criteria = ["-c", "rule,rule-update"];
    good(&[&["generate", &machine, "--out", &suite], &criteria[..]].concat());
    good(&["export", &suite, "--model", &machine, "--to", "avalla", "--out", &into]);
    let texts: String =
        fs::read_dir(&into).unwrap().map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap()).collect();
    assert!(texts.contains("pick $c in r_draw := "), "one player chooses: {texts}");
    assert!(texts.contains("// choice 2 of 2 for $c in r_draw: "), "{texts}");
    assert_eq!(killed(&machine, &suite, &criteria), killed(&machine, &into, &criteria));
    // Where the choices differ, the comments say which is which.
    let scenario = format!("{into}/two.avalla");
    let text = "scenario two\nload machine.asm\nset plays(ann) := true;\nset plays(ben) := true;\n\
        // choice 1 of 2 for $c in r_draw: 2\n// choice 2 of 2 for $c in r_draw: 4\nstep\n\
        check card(ann) = 2;\ncheck card(ben) = 4;\n";
    fs::write(&scenario, text).unwrap();
    killed(&machine, &scenario, &[]);
}
