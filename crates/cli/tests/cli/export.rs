//! `specwright export`: the code that comes out compiles, is formatted, passes on a right implementation and fails on a wrong
//! one, for every tool chain that is there.

use crate::run::{has, text};
use crate::tools;
use crate::{repository, specwright_in};
use ::specwright::export::FORMATS;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const MODEL: &str = "testdata/export/meter.smv";

/// A folder for a test, with a suite in it; one of its tests is to be rejected.
fn folder(name: &str) -> (PathBuf, PathBuf) {
    let path = crate::scratch().join(format!("export-{name}"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    let suite = path.join("suite.json");
    let args = ["generate", MODEL, "-c", "transitions", "--strategy", "each", "--out"];
    let output = specwright_in(&repository()).args(args).arg(&suite).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let mut document: serde_json::Value = serde_json::from_str(&fs::read_to_string(&suite).unwrap()).unwrap();
    let tests = document["tests"].as_array_mut().unwrap();
    let mut rejected = tests.iter().find(|test| test["trace"]["states"].as_array().unwrap().len() > 1).unwrap().clone();
    rejected["name"] = "never \"this\" */ way".into();
    rejected["expect"] = "reject".into();
    let states = rejected["trace"]["states"].as_array_mut().unwrap();
    let last = states.last_mut().unwrap();
    last["level"] = (if last["level"] == 2 { 1 } else { 2 }).into();
    tests.push(rejected);
    fs::write(&suite, document.to_string()).unwrap();
    (path, suite)
}

fn export(suite: &Path, format: &str, out: &Path) {
    let output = specwright_in(&repository())
        .arg("export")
        .arg(suite)
        .args(["--to", format, "--out"])
        .arg(format!("{}/", out.display()))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{format}: {}", text(&output.stderr));
}

fn run_in(folder: &Path, program: &str, args: &[&str]) -> Output {
    Command::new(program).args(args).current_dir(folder).output().unwrap()
}

fn succeeds(folder: &Path, program: &str, args: &[&str]) -> String {
    let output = run_in(folder, program, args);
    assert!(output.status.success(), "{program} {args:?}: {}\n{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout) + &text(&output.stderr)
}

/// Runs something with the right implementation, which must pass, and with a wrong one, which must not.
fn right_and_wrong(folder: &Path, file: &str, subject: &str, check: &dyn Fn() -> Output) {
    fs::write(folder.join(file), subject).unwrap();
    let output = check();
    assert!(output.status.success(), "{file}: {}\n{}", text(&output.stdout), text(&output.stderr));
    let wrong = subject.replace("< 2", "< 1");
    assert_ne!(wrong, subject);
    fs::write(folder.join(file), wrong).unwrap();
    assert!(!check().status.success(), "{file}: the wrong one passes");
}

#[test]
fn python() {
    if !has("python3") {
        return;
    }
    let (folder, suite) = folder("pytest");
    export(&suite, "pytest", &folder);
    let subject = r#"
class Subject:
    def reset(self, inputs):
        self.old, self.match, self.level, self.bits, self.turn, self.mixed = inputs["class"], "off", -1, 250, 1, "none"
        return self.outputs()

    def step(self, inputs):
        go = inputs["go"]
        self.match = ("on" if self.old else "in_between") if go else "off"
        self.level = self.level + 1 if go and self.level < 2 else -1
        self.bits = (self.bits + 5 * go) % 256
        self.turn = -self.turn if go else self.turn
        self.mixed = (2 if inputs["class"] else 1) if go else "none"
        self.old = inputs["class"]
        return self.outputs()

    def outputs(self):
        sign = "-" if self.turn < 0 else ""
        words = {"bits": f"0ud8_{self.bits}", "turn": f"{sign}0sd8_{abs(self.turn)}"}
        return {"match": self.match, "level": self.level, "mixed": self.mixed, **words}
"#;
    // Where there is no pytest, as much of it as the tests need.
    let real = tools::python("pytest");
    let run = "import sys; sys.dont_write_bytecode = True; import test_meter as t; \
               [f(t.Subject()) for n, f in vars(t).items() if n.startswith('test_')]";
    if real.is_none() {
        fs::write(folder.join("pytest.py"), "def fixture(f):\n    return f\n").unwrap();
    }
    let with_pytest: &[&str] = &["-B", "-m", "pytest", "-q", "-p", "no:cacheprovider"];
    let args = if real.is_some() { with_pytest } else { &["-c", run] };
    let program = real.unwrap_or_else(|| "python3".into());
    let check = || run_in(&folder, program.to_str().unwrap(), args);
    right_and_wrong(&folder, "subject.py", subject, &check);
    let code = fs::read_to_string(folder.join("test_meter.py")).unwrap();
    assert!(code.lines().skip(1).all(|line| line.chars().count() <= 88), "{code}");
}

#[test]
fn javascript() {
    if !has("node") {
        return;
    }
    let subject = r#"
export class Subject {
  reset(inputs) {
    Object.assign(this, { old: inputs.class, match: "off", level: -1, bits: 250, turn: 1, mixed: "none" });
    return this.outputs();
  }

  step({ go, class: now }) {
    this.match = go ? (this.old ? "on" : "in_between") : "off";
    this.level = go && this.level < 2 ? this.level + 1 : -1;
    this.bits = (this.bits + (go ? 5 : 0)) % 256;
    this.turn = go ? -this.turn : this.turn;
    this.mixed = go ? (now ? 2 : 1) : "none";
    this.old = now;
    return this.outputs();
  }

  outputs() {
    const { match, level, mixed } = this;
    const turn = `${this.turn < 0 ? "-" : ""}0sd8_${Math.abs(this.turn)}`;
    return { match, level, mixed, bits: `0ud8_${this.bits}`, turn };
  }
}
"#;
    // As much of the two test frameworks as the tests need.
    let frame = r#"
import assert from "node:assert";
const matches = (outputs, expected) => Object.entries(expected).every(([name, value]) => outputs[name] === value);
export const describe = (name, body) => body();
export const test = (name, body) => body();
export const expect = (outputs) => ({
  toMatchObject: (expected) => assert(matches(outputs, expected), JSON.stringify({ outputs, expected })),
  not: { toMatchObject: (expected) => assert(!matches(outputs, expected)) },
});
"#;
    for format in ["jest", "vitest"] {
        let (folder, suite) = folder(format);
        export(&suite, format, &folder);
        // Jest takes CommonJS without any settings, Vitest takes modules.
        let (kind, subject) = if format == "jest" {
            ("commonjs", subject.replace("export class", "exports.Subject = class"))
        } else {
            ("module", subject.to_owned())
        };
        fs::write(folder.join("package.json"), format!(r#"{{"type": "{kind}"}}"#)).unwrap();
        if let Some(modules) = tools::npm(format) {
            tools::link(&modules, &folder.join("node_modules"));
            fs::write(folder.join("vitest.config.js"), "export default {};\n").unwrap();
            let (script, args): (_, &[&str]) = match format {
                "jest" => ("node_modules/jest/bin/jest.js", &["--rootDir=.", "--watchman=false"]),
                _ => ("node_modules/vitest/vitest.mjs", &["run", "--root=."]),
            };
            if format == "jest" {
                fs::remove_file(folder.join("vitest.config.js")).unwrap();
            }
            right_and_wrong(&folder, "subject.js", &subject, &|| run_in(&folder, "node", &[&[script], args].concat()));
            continue;
        }
        let module = folder.join("node_modules/vitest");
        fs::create_dir_all(&module).unwrap();
        fs::write(module.join("package.json"), r#"{"name": "vitest", "type": "module", "main": "index.js"}"#).unwrap();
        fs::write(module.join("index.js"), frame).unwrap();
        let globals =
            r#"import * as vitest from "vitest"; Object.assign(globalThis, vitest); await import("./meter.test.js");"#;
        fs::write(folder.join("main.mjs"), globals).unwrap();
        right_and_wrong(&folder, "subject.js", &subject, &|| run_in(&folder, "node", &["main.mjs"]));
    }
}

#[test]
fn rust() {
    if !has("rustc") {
        return;
    }
    let (folder, suite) = folder("rust");
    export(&suite, "rust", &folder);
    let subject = r#"
use crate::{First, Inputs, Match, Outputs, Subject};

pub struct Meter(bool, Outputs);

const START: Outputs = Outputs { match_: Match::Off, level: -1, bits: 250, turn: 1, mixed: "none" };

pub fn subject() -> impl Subject {
    Meter(false, START)
}

impl Subject for Meter {
    fn reset(&mut self, first: First) -> Outputs {
        *self = Meter(first.class, START);
        self.1
    }

    fn step(&mut self, Inputs { go, class }: Inputs) -> Outputs {
        let Outputs { level, bits, turn, .. } = self.1;
        self.1 = Outputs {
            match_: if !go { Match::Off } else if self.0 { Match::On } else { Match::InBetween },
            level: if go && level < 2 { level + 1 } else { -1 },
            bits: (bits + if go { 5 } else { 0 }) % 256,
            turn: if go { -turn } else { turn },
            mixed: if !go { "none" } else if class { "2" } else { "1" },
        };
        self.0 = class;
        self.1
    }
}
"#;
    let check = || {
        succeeds(&folder, "rustc", &["--test", "-Dwarnings", "--edition", "2021", "-o", "tests", "meter.rs"]);
        run_in(&folder, "./tests", &[])
    };
    fs::create_dir_all(folder.join("subject")).unwrap();
    right_and_wrong(&folder, "subject/mod.rs", subject, &check);
    // As an integration test of a package, by the tool that people use.
    if has("cargo") {
        let package = folder.join("package");
        fs::create_dir_all(package.join("tests/subject")).unwrap();
        fs::create_dir_all(package.join("src")).unwrap();
        fs::write(package.join("src/lib.rs"), "").unwrap();
        let manifest = "[package]\nname = \"meter\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n";
        fs::write(package.join("Cargo.toml"), manifest).unwrap();
        fs::copy(folder.join("meter.rs"), package.join("tests/meter.rs")).unwrap();
        let cargo = || run_in(&package, "cargo", &["test", "--quiet", "--offline", "--target-dir", "target"]);
        right_and_wrong(&package, "tests/subject/mod.rs", subject, &cargo);
    }
    if has("rustfmt") {
        fs::write(folder.join("subject/mod.rs"), "// Whatever.\n").unwrap();
        // The style of others, not that of the project which the folder may lie in.
        fs::write(folder.join("rustfmt.toml"), "").unwrap();
        succeeds(&folder, "rustfmt", &["--edition", "2021", "--check", "meter.rs"]);
    }
}

#[test]
fn c() {
    if !has("cc") {
        return;
    }
    let (folder, suite) = folder("c");
    export(&suite, "c", &folder);
    let subject = r#"
#include "subject.h"

static bool old;
static struct outputs now;

struct outputs subject_reset(struct first first) {
    old = first.class;
    now = (struct outputs){.match = MATCH_OFF, .level = -1, .bits = 250, .turn = 1, .mixed = "none"};
    return now;
}

struct outputs subject_step(struct inputs inputs) {
    now.match = !inputs.go ? MATCH_OFF : old ? MATCH_ON : MATCH_IN_BETWEEN;
    now.level = inputs.go && now.level < 2 ? now.level + 1 : -1;
    now.bits = (now.bits + (inputs.go ? 5 : 0)) % 256;
    now.turn = inputs.go ? -now.turn : now.turn;
    now.mixed = !inputs.go ? "none" : inputs.class ? "2" : "1";
    old = inputs.class;
    return now;
}
"#;
    let check = || {
        let strict = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-o", "tests"];
        succeeds(&folder, "cc", &[&strict[..], &["test_meter.c", "subject.c"]].concat());
        run_in(&folder, "./tests", &[])
    };
    right_and_wrong(&folder, "subject.c", subject, &check);
}

#[test]
fn java() {
    if !has("javac") {
        return;
    }
    let (folder, suite) = folder("java");
    export(&suite, "junit5", &folder);
    let subject = r#"
public final class SubjectUnderTest implements Subject {
    private boolean old;
    private Outputs now;

    public Outputs reset(First first) {
        old = first.class_();
        now = new Outputs(Match.OFF, -1, 250, 1, "none");
        return now;
    }

    public Outputs step(Inputs inputs) {
        boolean go = inputs.go();
        now = new Outputs(
                !go ? Match.OFF : old ? Match.ON : Match.IN_BETWEEN,
                go && now.level() < 2 ? now.level() + 1 : -1,
                (now.bits() + (go ? 5 : 0)) % 256,
                go ? -now.turn() : now.turn(),
                !go ? "none" : inputs.class_() ? "2" : "1");
        old = inputs.class_();
        return now;
    }
}
"#;
    if let Some(jars) = tools::junit() {
        let check = || {
            let classes = [
                "-Xlint:all,-path",
                "-Werror",
                "-cp",
                &jars,
                "-d",
                "out",
                "MeterTest.java",
                "Subject.java",
                "SubjectUnderTest.java",
            ];
            succeeds(&folder, "javac", &classes);
            let launcher = "org.junit.platform.console.ConsoleLauncher";
            let path = format!("{jars}:out");
            let args = ["-cp", &path, launcher, "--scan-classpath", "out", "--disable-banner", "--fail-if-no-tests"];
            run_in(&folder, "java", &args)
        };
        return right_and_wrong(&folder, "SubjectUnderTest.java", subject, &check);
    }
    // As much of JUnit as the tests need.
    let api = folder.join("org/junit/jupiter/api");
    fs::create_dir_all(&api).unwrap();
    let kept = "@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)\npublic @interface";
    let package = "package org.junit.jupiter.api;\n";
    fs::write(api.join("Test.java"), format!("{package}{kept} Test {{}}\n")).unwrap();
    fs::write(api.join("DisplayName.java"), format!("{package}{kept} DisplayName {{ String value(); }}\n")).unwrap();
    let assertions = r"public final class Assertions {
    public static void assertEquals(long expected, long got, String message) {
        if (expected != got) throw new AssertionError(message);
    }
    public static void assertEquals(Object expected, Object got, String message) {
        if (!expected.equals(got)) throw new AssertionError(message);
    }
    public static void assertFalse(boolean wrong, String message) {
        if (wrong) throw new AssertionError(message);
    }
}
";
    fs::write(api.join("Assertions.java"), format!("{package}{assertions}")).unwrap();
    let main = r"public final class Main {
    public static void main(String[] args) throws Exception {
        for (var method : MeterTest.class.getDeclaredMethods()) {
            if (method.isAnnotationPresent(org.junit.jupiter.api.Test.class)) {
                method.invoke(new MeterTest());
            }
        }
    }
}
";
    fs::write(folder.join("Main.java"), main).unwrap();
    let check = || {
        succeeds(&folder, "javac", &["-Xlint:all", "-Werror", "-d", "out", "Main.java", "SubjectUnderTest.java"]);
        run_in(&folder, "java", &["-cp", "out", "Main"])
    };
    right_and_wrong(&folder, "SubjectUnderTest.java", subject, &check);
}

#[test]
fn go() {
    let (folder, suite) = folder("go");
    export(&suite, "go", &folder);
    let code = fs::read_to_string(folder.join("meter_test.go")).unwrap();
    assert!(code.contains("outputs = subject.Step(Inputs{Go: true, Class: false})"), "{code}");
    assert!(!code.contains("\n\n\n"), "{code}");
    if !has("go") {
        return;
    }
    let subject = r#"package meter

type meter struct {
	old bool
	now Outputs
}

func newSubject() Subject { return &meter{} }

func (m *meter) Reset(first First) Outputs {
	m.old = first.Class
	m.now = Outputs{Match: MatchOff, Level: -1, Bits: 250, Turn: 1, Mixed: "none"}
	return m.now
}

func (m *meter) Step(inputs Inputs) Outputs {
	if !inputs.Go {
		m.now.Match, m.now.Level, m.now.Mixed = MatchOff, -1, "none"
	} else {
		m.now.Match, m.now.Mixed = MatchInBetween, "1"
		if m.old {
			m.now.Match = MatchOn
		}
		if inputs.Class {
			m.now.Mixed = "2"
		}
		if m.now.Level < 2 {
			m.now.Level++
		} else {
			m.now.Level = -1
		}
		m.now.Bits = (m.now.Bits + 5) % 256
		m.now.Turn = -m.now.Turn
	}
	m.old = inputs.Class
	return m.now
}
"#;
    fs::write(folder.join("go.mod"), "module meter\n\ngo 1.18\n").unwrap();
    right_and_wrong(&folder, "subject_test.go", subject, &|| run_in(&folder, "go", &["test", "./..."]));
}

/// Scenarios are run by behave, with steps that call the subject.
#[test]
fn gherkin() {
    let (folder, suite) = folder("gherkin");
    export(&suite, "gherkin", &folder.join("features"));
    let Some(python) = tools::python("behave") else { return };
    let steps = r#"from behave import given, then, when


class Subject:
    def reset(self, inputs):
        self.old = inputs["class"]
        self.now = {"match": "off", "level": -1, "bits": 250, "turn": 1, "mixed": "none"}

    def step(self, inputs):
        go, now = inputs["go"] == "TRUE", self.now
        now["match"] = ("on" if self.old == "TRUE" else "in_between") if go else "off"
        now["level"] = now["level"] + 1 if go and now["level"] < 2 else -1
        now["bits"] = (now["bits"] + 5 * go) % 256
        now["turn"] = -now["turn"] if go else now["turn"]
        now["mixed"] = ("2" if inputs["class"] == "TRUE" else "1") if go else "none"
        self.old = inputs["class"]

    def outputs(self):
        sign = "-" if self.now["turn"] < 0 else ""
        words = {"bits": f"0ud8_{self.now['bits']}", "turn": f"{sign}0sd8_{abs(self.now['turn'])}"}
        return {name: str(value) for name, value in {**self.now, **words}.items()}


def table(context):
    return {name: value for name, value in [context.table.headings, *(row.cells for row in context.table)]}


@given("the system is reset with")
def reset(context):
    context.subject = Subject()
    context.subject.reset(table(context))


@when("it takes a step with")
def step(context):
    context.subject.step(table(context))


@then("it shows")
def shows(context):
    outputs = context.subject.outputs()
    assert all(outputs[name] == value for name, value in table(context).items()), outputs


@then("it does not show")
def does_not_show(context):
    outputs = context.subject.outputs()
    assert any(outputs[name] != value for name, value in table(context).items()), outputs
"#;
    let check = || run_in(&folder, python.to_str().unwrap(), &["-B", "-m", "behave", "--no-color"]);
    fs::create_dir_all(folder.join("features/steps")).unwrap();
    right_and_wrong(&folder, "features/steps/steps.py", steps, &check);
}

#[test]
fn templates_and_mistakes() {
    let (folder, suite) = folder("template");
    let export = |args: &[&str]| specwright_in(&folder).arg("export").arg(&suite).args(args).output().unwrap();
    let template = "{{ name }}:{% for v in inputs %} {{ v.name | screaming }}{% endfor %}\n\n{% for t in tests if t.expect == \"reject\" %}{{ t.name | json }} {{ t.steps | length }}\n{% endfor %}";
    fs::write(folder.join("good.j2"), template).unwrap();
    let output = export(&["--template", "good.j2"]);
    assert_eq!(text(&output.stdout), "meter: GO CLASS\n\"never \\\"this\\\" */ way\" 3\n", "{}", text(&output.stderr));
    fs::write(folder.join("bad.j2"), "{{ nothing.here }}").unwrap();
    let output = export(&["--template", "bad.j2"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stderr).contains("the template cannot be used: line 1: undefined value"),
        "{}",
        text(&output.stderr)
    );
    let output = export(&["--to", "vcd"]);
    assert!(text(&output.stderr).contains("say where with `--out DIR`"), "{}", text(&output.stderr));
    // What a format cannot do without is said.
    fs::write(folder.join("open.suite"), "test a\n  match = off\n  match = on\n").unwrap();
    let model = repository().join(MODEL);
    let args = ["export", "open.suite", "--to", "rust", "--model", model.to_str().unwrap()];
    let output = specwright_in(&folder).args(args).output().unwrap();
    assert!(text(&output.stderr).contains("has no value, and this format needs one"), "{}", text(&output.stderr));
}

#[test]
fn exported_traces_are_suites_again() {
    let (folder, suite) = folder("again");
    let model = repository().join(MODEL);
    let grade = |suite: &Path| {
        let args = ["--criterion", "transitions", "--format", "json"];
        let output = specwright_in(&folder).arg("grade").arg(&model).arg(suite).args(args).output().unwrap();
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        (document["killed"].clone(), document["total"].clone())
    };
    let expected = grade(&suite);
    for format in FORMATS.iter().filter(|format| !format.is_code()).map(|format| format.name) {
        let out = folder.join(format);
        export(&suite, format, &out);
        assert_eq!(grade(&out), expected, "{format}");
    }
}

#[test]
fn the_book_lists_every_format() {
    let page = fs::read_to_string(repository().join("book/src/commands/export.md")).unwrap();
    let tables = page.split("\n## Templates").next().unwrap();
    let cells = tables.lines().filter_map(|line| line.strip_prefix("| `")?.split(" |").next());
    let listed: Vec<&str> = cells.flat_map(|cell| cell.split(", ")).map(|name| name.trim_matches('`')).collect();
    let listed: Vec<&str> = listed.into_iter().filter(|name| *name != "--to").collect();
    assert_eq!(listed, FORMATS.each_ref().map(|format| format.name));
}
