//! A model with the oddest names that SMV allows, and suites with names that it does not, through every command and every
//! export; compilers say whether what comes out is code.

use crate::run::{has, text};
use crate::specwright_in;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Names that end lines, comments and strings, or command terminals; no two are the same after mangling but for a number.
const ODD: [&str; 12] = [
    "x\nfunc init() { println(`PWNED`) }\n//",
    "*/ int pwned; /*",
    "\u{1b}]0;PWNED\u{7}\u{1b}[31m",
    "\u{2028}console.log('PWNED') //",
    "\u{202e}dewnP",
    "=HYPERLINK(1)",
    "\\\" + \\u0022 ??/ `${x}`",
    "#[test] fn pwned() {}",
    "class",
    "a b",
    "a-b",
    "\u{85}\u{2029}\t'''",
];

fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("odd-{name}"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

/// A model in which variables, values, defines and properties have such names, in quotes.
fn model() -> String {
    let text = "MODULE main
VAR go : boolean; <0> : boolean; <1> : {<2>, <3>, <4>}; <5> : 0..3; <6> : {<7>, <8>};
IVAR <9> : boolean;
DEFINE <10> := <0> & <5> > 1;
ASSIGN
  init(<0>) := FALSE; next(<0>) := go; init(<1>) := <2>;
  next(<1>) := case go & <1> = <2> : <3>; <10> : <4>; TRUE : <1>; esac;
  init(<5>) := 0; next(<5>) := <5> < 3 & go ? <5> + 1 : 0;
  init(<6>) := <7>; next(<6>) := <5> = 3 ? <8> : <6>;
SPEC NAME <11> := AG (<1> = <2> -> EF <1> = <3>);
INVARSPEC <5> < 3;
LTLSPEC G (<0> -> F <10>);
";
    let named = |text: String, (index, name): (usize, &&str)| {
        text.replace(&format!("<{index}>"), &format!("\"{}\"", name.replace('"', "")))
    };
    ODD.iter().enumerate().fold(text.to_owned(), named)
}

/// A suite whose tests, variables, values, goals and notes have such names, without quotes.
fn suite() -> serde_json::Value {
    let variables = serde_json::json!([
        {"name": ODD[0], "type": "boolean", "role": "input"},
        {"name": ODD[3], "type": "{ready, busy}", "role": "output"},
        {"name": "__proto__", "type": "0..3", "role": "output"},
        {"name": "a.b", "type": "{c, d}", "role": "output"},
        {"name": "a", "type": "{b_c, b_d}", "role": "output"},
    ]);
    let state = |truth: bool, state: &str| serde_json::json!({ODD[0]: truth, ODD[3]: state, "__proto__": 1, "a.b": "c", "a": "b_d"});
    let tests = ODD.iter().enumerate().map(|(index, name)| {
        let expect = if index == 1 { "reject" } else { "accept" };
        let states = [state(false, "ready"), state(true, "busy")];
        let notes = [ODD[(index + 1) % ODD.len()], ODD[(index + 2) % ODD.len()]];
        serde_json::json!({"name": name, "expect": expect, "trace": {"states": states}, "goals": [ODD[9]], "notes": notes})
    });
    let tests: Vec<_> = tests.collect();
    serde_json::json!({"schema": "specwright/suite/1", "model": "odd\n*/ model.smv", "variables": variables, "tests": tests})
}

/// Whatever a command says, it is not a crash, and nothing in it commands the terminal.
fn run(folder: &Path, args: &[&str]) -> Output {
    let output = specwright_in(folder).args(args).output().unwrap();
    let code = output.status.code();
    assert!(code.is_some_and(|code| code < 70), "{args:?}: {code:?} {}", text(&output.stderr));
    output
}

/// Whether a text has characters that act on a terminal.
fn acts(text: &str) -> bool {
    text.chars()
        .any(|c| c.is_control() && !matches!(c, '\n' | '\t') || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2028}'))
}

#[test]
fn every_command_takes_odd_names() {
    let folder = folder("commands");
    fs::write(folder.join("odd.smv"), model()).unwrap();
    let commands: [&[&str]; 17] = [
        &["show", "odd.smv"],
        &["check", "odd.smv"],
        &["check", "odd.smv", "--trace-format", "table"],
        &["check", "odd.smv", "--format", "json"],
        &["generate", "odd.smv", "-c", "states", "--out", "suite.json"],
        &["generate", "odd.smv", "-c", "mutation", "--out", "more.json"],
        &["grade", "odd.smv", "more.json"],
        &["minimize", "odd.smv", "more.json", "--out", "small.suite"],
        &["grade", "odd.smv", "small.suite"],
        &["mutate", "odd.smv", "--list"],
        &["reflect", "odd.smv"],
        &["translate", "odd.smv", "--to", "smv", "--out", "flat.smv"],
        &["simulate", "odd.smv", "--steps", "3", "--seed", "1"],
        &["compare", "odd.smv"],
        &["safety", "odd.smv"],
        &["audit", "odd.smv"],
        &["report", "odd.smv", "more.json", "--out", "page.html"],
    ];
    for args in commands {
        let output = run(&folder, args);
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        assert!(!acts(&stderr) && output.status.code() != Some(1), "{args:?}: {stderr:?}");
        // Documents are written as they are, for programs.
        let is_document = args[0] == "reflect" || args.contains(&"json");
        assert!(!acts(&stdout) || is_document, "{args:?}: {stdout:?}");
    }
    let reflected = text(&run(&folder, &["reflect", "odd.smv"]).stdout);
    fs::write(folder.join("reflected.smv"), model() + &reflected).unwrap();
    assert_eq!(run(&folder, &["show", "reflected.smv"]).status.code(), Some(0));
    // What is written as SMV says the same.
    let verdicts = |file: &str| {
        let output = text(&run(&folder, &["check", file, "--format", "json"]).stdout);
        let document: serde_json::Value = serde_json::from_str(&output).unwrap();
        document["properties"].as_array().unwrap().iter().map(|one| one["verdict"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(verdicts("odd.smv"), verdicts("flat.smv"));
}

fn export(folder: &Path, format: &str) {
    export_suite(folder, format, &suite());
}

fn export_suite(folder: &Path, format: &str, suite: &serde_json::Value) {
    fs::write(folder.join("suite.json"), suite.to_string()).unwrap();
    let output = run(folder, &["export", "suite.json", "--to", format, "--out", "out/"]);
    assert_eq!(output.status.code(), Some(0), "{format}: {}", text(&output.stderr));
}

fn succeeds(folder: &Path, program: &str, args: &[&str]) -> String {
    let output = Command::new(program).args(args).current_dir(folder.join("out")).output().unwrap();
    let said = text(&output.stdout) + &text(&output.stderr);
    assert!(output.status.success(), "{program} {args:?}: {said}");
    assert!(!said.contains("PWNED"), "{said}");
    text(&output.stdout)
}

/// The only file with an extension.
fn file(folder: &Path, extension: &str) -> String {
    let files =
        fs::read_dir(folder.join("out")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    files.into_iter().find(|name| name.ends_with(extension)).unwrap()
}

#[test]
fn python_reads_it() {
    if !has("python3") {
        return;
    }
    let folder = folder("python");
    export(&folder, "pytest");
    let count = "import ast, sys; tree = ast.parse(open(sys.argv[1], encoding='utf-8').read()); \
                 print(sum(isinstance(f, ast.FunctionDef) and f.name.startswith('test_') for f in tree.body), len(tree.body))";
    // Two imports, a docstring, four functions, and the tests.
    assert_eq!(succeeds(&folder, "python3", &["-c", count, &file(&folder, ".py")]).trim(), "12 19");
}

#[test]
fn javascript_reads_it() {
    if !has("node") {
        return;
    }
    let folder = folder("javascript");
    export(&folder, "jest");
    let main = format!(
        "import fs from 'node:fs'; let n = 0; globalThis.describe = (_, body) => body(); globalThis.test = () => n++;\n\
         fs.writeFileSync('subject.js', 'exports.Subject = class {{}};');\n\
         await import('./{}'); console.log(n);",
        file(&folder, ".js")
    );
    fs::write(folder.join("out/main.mjs"), main).unwrap();
    assert_eq!(succeeds(&folder, "node", &["main.mjs"]).trim(), "12");
}

#[test]
fn rust_compiles_it() {
    if !has("rustc") {
        return;
    }
    let folder = folder("rust");
    export(&folder, "rust");
    let subject = "use crate::{Inputs, Outputs, Subject};\npub struct Any;\npub fn subject() -> impl Subject { Any }\n\
                   impl Subject for Any {\n    fn reset(&mut self, _: Inputs) -> Outputs { loop {} }\n\
                   fn step(&mut self, _: Inputs) -> Outputs { loop {} }\n}\n";
    let code = file(&folder, ".rs");
    fs::write(folder.join("out/subject.rs"), subject).unwrap();
    succeeds(&folder, "rustc", &["--test", "-Dwarnings", "--edition", "2021", "-o", "tests", &code]);
    assert!(succeeds(&folder, "./tests", &["--list"]).contains("\n12 tests, 0 benchmarks"));
}

#[test]
fn c_compiles_it() {
    if !has("cc") {
        return;
    }
    let folder = folder("c");
    export(&folder, "c");
    for standard in ["-std=c99", "-std=gnu11"] {
        let strict = ["-Wall", "-Wextra", "-Werror", "-pedantic", "-fsyntax-only", standard];
        succeeds(&folder, "cc", &[&strict[..], &[&file(&folder, ".c")]].concat());
    }
    let code = fs::read_to_string(folder.join("out").join(file(&folder, ".c"))).unwrap();
    assert_eq!(code.matches("\nstatic bool test_").count(), 12);
}

#[test]
fn java_compiles_it() {
    if !has("javac") {
        return;
    }
    let folder = folder("java");
    export(&folder, "junit5");
    let api = folder.join("out/org/junit/jupiter/api");
    fs::create_dir_all(&api).unwrap();
    let package = "package org.junit.jupiter.api;\npublic";
    fs::write(api.join("Test.java"), format!("{package} @interface Test {{}}\n")).unwrap();
    fs::write(api.join("DisplayName.java"), format!("{package} @interface DisplayName {{ String value(); }}\n"))
        .unwrap();
    let assertions = "final class Assertions {\n  public static void assertEquals(Object a, Object b, String c) {}\n  \
                      public static void assertFalse(boolean a, String b) {}\n}\n";
    fs::write(api.join("Assertions.java"), format!("{package} {assertions}")).unwrap();
    let subject = "class SubjectUnderTest implements Subject {\n  public Outputs reset(Inputs i) { return null; }\n  \
                   public Outputs step(Inputs i) { return null; }\n}\n";
    fs::write(folder.join("out/SubjectUnderTest.java"), subject).unwrap();
    succeeds(&folder, "javac", &["-encoding", "UTF-8", "-d", "classes", &file(&folder, "ModelTest.java")]);
    let code = fs::read_to_string(folder.join("out").join(file(&folder, "ModelTest.java"))).unwrap();
    assert_eq!(code.matches("\n    @Test\n").count(), 12);
}

/// The tests that Go lists, without complaints of `go vet`; nothing if there is no Go.
fn go_lists(folder: &Path) -> Option<usize> {
    // `go` has no `--version`.
    if !Command::new("go").arg("version").output().is_ok_and(|output| output.status.success()) {
        assert!(!has("go"));
        return None;
    }
    let name = file(folder, ".go");
    let code = fs::read_to_string(folder.join("out").join(&name)).unwrap();
    let package = code.lines().find_map(|line| line.strip_prefix("package ")).unwrap();
    let subject = format!("package {package}\n\nfunc newSubject() Subject {{ return nil }}\n");
    fs::write(folder.join("out/subject.go"), subject).unwrap();
    fs::write(folder.join("out/go.mod"), "module odd\n\ngo 1.19\n").unwrap();
    let listed = succeeds(folder, "go", &["test", "-list", "."]);
    Some(listed.lines().filter(|line| line.starts_with("Test")).count())
}

#[test]
fn go_compiles_it() {
    let folder = folder("go");
    export(&folder, "go");
    assert!(go_lists(&folder).is_none_or(|n_tests| n_tests == 12));
}

/// Compilers complain of what only tests need where there are none.
#[test]
fn a_suite_without_tests_compiles_without_warnings() {
    let mut suite = suite();
    suite["tests"] = serde_json::json!([]);
    let empty = |format: &str| {
        let folder = folder(&format!("empty-{format}"));
        export_suite(&folder, format, &suite);
        folder
    };
    let (c, rust, go) = (empty("c"), empty("rust"), empty("go"));
    if has("cc") {
        succeeds(&c, "cc", &["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-fsyntax-only", &file(&c, ".c")]);
    }
    if has("rustc") {
        let code = file(&rust, ".rs");
        fs::write(rust.join("out/subject.rs"), "").unwrap();
        succeeds(&rust, "rustc", &["--test", "-Dwarnings", "--edition", "2021", "-o", "tests", &code]);
    }
    assert!(go_lists(&go).is_none_or(|n_tests| n_tests == 0));
}
