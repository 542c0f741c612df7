//! Outputs that an implementation need not report, in exported code: tests pass without them and with right ones, and fail
//! with wrong ones, for every tool chain that is there.

use crate::run::{has, text};
use crate::specwright_in;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const LAMP: &str = "MODULE main VAR go : boolean; on : boolean;
    ASSIGN init(on) := FALSE; next(on) := go; DEFINE lamp := on;";

/// A folder with the exported tests of a model whose define need not be reported.
fn exported(format: &str) -> PathBuf {
    let folder = crate::scratch().join(format!("optional-{format}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("lamp.smv"), LAMP).unwrap();
    let generate = ["generate", "lamp.smv", "-c", "transitions", "--out", "suite.json"];
    for args in [&generate[..], &["export", "suite.json", "--to", format, "--out", "./"]] {
        let output = specwright_in(&folder).args(args).output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    folder
}

fn run_in(folder: &Path, program: &str, args: &[&str]) -> Output {
    Command::new(program).args(args).current_dir(folder).output().unwrap()
}

/// Runs the tests on an implementation that does not report the define, one that does, and one that reports it wrongly.
fn tried(format: &str, tool: &str, file: &str, [before, after]: [&str; 2], lamps: [&str; 3], commands: &[&[&str]]) {
    if !has(tool) {
        return;
    }
    let folder = exported(format);
    if tool == "node" {
        let frame = "import assert from 'node:assert';
            const matches = (outputs, expected) => Object.entries(expected).every(([name, value]) => outputs[name] === value);
            globalThis.describe = (name, body) => body();
            globalThis.test = (name, body) => body();
            globalThis.expect = (outputs) => ({ toMatchObject: (expected) => assert(matches(outputs, expected)) });
            await import('./lamp.test.js');";
        fs::write(folder.join("main.mjs"), frame).unwrap();
    }
    fs::write(folder.join("go.mod"), "module lamp\n\ngo 1.18\n").unwrap();
    for (lamp, passes) in lamps.into_iter().zip([true, true, false]) {
        fs::write(folder.join(file), format!("{before}{lamp}{after}")).unwrap();
        let (last, build) = commands.split_last().unwrap();
        for command in build {
            let output = run_in(&folder, command[0], &command[1..]);
            assert!(output.status.success(), "{format}: {}{}", text(&output.stdout), text(&output.stderr));
        }
        let output = run_in(&folder, last[0], &last[1..]);
        let told = format!("{format}, {lamp}: {}{}", text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.success(), passes, "{told}");
    }
}

#[test]
fn outputs_that_need_not_be_reported_are_compared_where_they_are() {
    let subject = [
        "#include \"subject.h\"\nstatic bool on;\nstatic struct outputs see(void) {\n struct outputs o = {.on = on};\n ",
        "\n return o;\n}\nstruct outputs subject_reset(void) { on = false; return see(); }\n\
         struct outputs subject_step(struct inputs inputs) { on = inputs.go; return see(); }\n",
    ];
    let lamps = ["", "o.lamp.is_known = true; o.lamp.value = on;", "o.lamp.is_known = true; o.lamp.value = !on;"];
    let build = ["cc", "-std=c99", "-Wall", "-Wextra", "-Wno-missing-field-initializers", "-Werror", "-o", "tests"];
    let build = [&build[..], &["test_lamp.c", "subject.c"]].concat();
    tried("c", "cc", "subject.c", subject, lamps, &[&build, &["./tests"]]);

    let subject = [
        "use crate::{Inputs, Outputs, Subject};\npub struct Lamp(bool);\npub fn subject() -> impl Subject { Lamp(false) }\n\
         impl Lamp { fn see(&self) -> Outputs { Outputs { on: self.0, lamp: ",
        " } } }\nimpl Subject for Lamp {\n fn reset(&mut self) -> Outputs { self.0 = false; self.see() }\n \
         fn step(&mut self, inputs: Inputs) -> Outputs { self.0 = inputs.go; self.see() }\n}\n",
    ];
    let build = ["rustc", "--test", "-Dwarnings", "--edition", "2021", "-o", "tests", "lamp.rs"];
    tried("rust", "rustc", "subject.rs", subject, ["None", "Some(self.0)", "Some(!self.0)"], &[&build, &["./tests"]]);

    let subject = [
        "package lamp\n\ntype lamp struct{ on bool }\n\nfunc newSubject() Subject { return &lamp{} }\n\
         func (l *lamp) see() Outputs {\n\tright, wrong := l.on, !l.on\n\t_, _ = right, wrong\n\treturn Outputs{On: l.on, Lamp: ",
        "}\n}\nfunc (l *lamp) Reset() Outputs { l.on = false; return l.see() }\n\
         func (l *lamp) Step(inputs Inputs) Outputs { l.on = inputs.Go; return l.see() }\n",
    ];
    tried("go", "go", "subject_test.go", subject, ["nil", "&right", "&wrong"], &[&["go", "test", "./..."]]);

    let subject = [
        "exports.Subject = class {\n reset() { this.on = false; return this.see(); }\n \
         step({ go }) { this.on = go; return this.see(); }\n see() { return { on: this.on",
        " }; }\n}\n",
    ];
    tried("jest", "node", "subject.js", subject, ["", ", lamp: this.on", ", lamp: !this.on"], &[&["node", "main.mjs"]]);
}
