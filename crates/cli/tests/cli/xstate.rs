//! Tests of statecharts on the package `xstate`: generated tests pass on live actors and fail on machines with a fault.
//!
//! The packages are those of `target/node_modules`, where `.ci/run` installs them.

use crate::run::{has, text};
use crate::{repository, specwright_in};
use ::specwright::syntax::testing::skipped;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Whether Node and these packages are there.
fn has_packages(packages: &[&str]) -> bool {
    if !has("node") {
        return false;
    }
    let modules = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../node_modules");
    let missing: Vec<&str> = packages.iter().copied().filter(|name| !modules.join(name).exists()).collect();
    if !missing.is_empty() {
        skipped(&format!("no npm packages {} in target/node_modules", missing.join(", ")));
    }
    missing.is_empty()
}

/// The machines that are test data: XState as JSON, JavaScript and TypeScript.
fn machines() -> Vec<PathBuf> {
    let listed = fs::read_dir(repository().join("testdata/statecharts")).unwrap();
    let mut files: Vec<PathBuf> = listed.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension != "scxml" && extension != "md"));
    files.sort();
    files
}

/// A folder with the tests of machines in an export format, and the number of machines that have tests. A machine without
/// tests has a diagnostic.
fn exported(name: &str, machines: &[PathBuf], format: &str) -> (PathBuf, usize) {
    let folder = crate::scratch().join(format!("xstate-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("package.json"), r#"{"type": "module"}"#).unwrap();
    let mut n_tested = 0;
    for machine in machines {
        let file = machine.file_name().unwrap();
        let copy = folder.join(file);
        fs::copy(machine, &copy).unwrap();
        let suite = folder.join("suite.json");
        let generate = ["generate", file.to_str().unwrap(), "-c", "basic-rule", "--quiet", "--out", "suite.json"];
        let output = specwright_in(&folder).args(generate).output().unwrap();
        if output.status.code() == Some(1) {
            assert!(text(&output.stderr).contains("error["), "{}: {}", machine.display(), text(&output.stderr));
            continue;
        }
        n_tested += 1;
        let export = ["export", "suite.json", "--to", format, "--out", "./"];
        let output = specwright_in(&folder).args(export).output().unwrap();
        assert!(output.status.success(), "{}: {}", machine.display(), text(&output.stderr));
        fs::remove_file(suite).unwrap();
    }
    (folder, n_tested)
}

fn node(folder: &Path, args: &[&str]) -> Output {
    Command::new("node").args(args).current_dir(folder).env("NO_COLOR", "1").env("CI", "1").output().unwrap()
}

/// The path of a program of a package.
fn tool(path: &str) -> String {
    let modules = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../node_modules").canonicalize().unwrap();
    modules.join(path).to_str().unwrap().to_owned()
}

#[test]
fn generated_tests_pass_on_live_actors_in_vitest() {
    if !has_packages(&["xstate", "vitest"]) {
        return;
    }
    let machines = machines();
    assert!(machines.len() >= 30);
    let (folder, n_tested) = exported("vitest", &machines, "xstate-vitest");
    assert!(n_tested >= 96, "{n_tested} machines have tests");
    let vitest = tool("vitest/vitest.mjs");
    let output = node(&folder, &[&vitest, "run", "--root", "."]);
    assert!(output.status.success(), "{}\n{}", text(&output.stdout), text(&output.stderr));
    // A machine with a fault fails.
    let toggle = folder.join("toggle.json");
    let wrong = fs::read_to_string(&toggle).unwrap().replace("\"TOGGLE\": \"inactive\"", "\"TOGGLE\": \"active\"");
    fs::write(&toggle, wrong).unwrap();
    let output = node(&folder, &[&vitest, "run", "--root", ".", "toggle"]);
    assert!(!output.status.success(), "{}", text(&output.stdout));
}

#[test]
fn generated_tests_pass_on_live_actors_in_jest() {
    if !has_packages(&["xstate", "jest"]) {
        return;
    }
    // Jest reads JavaScript without further packages.
    let mut machines = machines();
    machines.retain(|file| file.extension().is_some_and(|extension| extension == "js"));
    let (folder, _) = exported("jest", &machines, "xstate-jest");
    fs::write(folder.join("package.json"), r#"{"type": "module", "jest": {"transform": {}}}"#).unwrap();
    let jest = tool("jest/bin/jest.js");
    let args = ["--experimental-vm-modules", &jest, "--rootDir", "."];
    let output = node(&folder, &args);
    assert!(output.status.success(), "{}\n{}", text(&output.stdout), text(&output.stderr));
    let file = folder.join("stopwatch.js");
    let wrong = fs::read_to_string(&file).unwrap().replace("STOP: 'stopped'", "STOP: 'running'");
    fs::write(&file, wrong).unwrap();
    assert!(!node(&folder, &args).status.success());
}

/// A page with a button, driven as the exported tests ask for.
const DRIVER: &str = r#"import { expect } from "@playwright/test";

export async function start(page) {
  const toggle = "this.textContent = this.textContent === 'inactive' ? 'active' : 'inactive'";
  await page.setContent(`<button onclick="${toggle}">inactive</button>`);
}
export const events = { TOGGLE: (page) => page.click("button") };
const shows = (text) => (page) => expect(page.locator("button")).toHaveText(text, { timeout: 2000 });
export const states = { active: shows("active"), inactive: shows("inactive") };
export async function sees() {}
"#;

#[test]
fn generated_tests_drive_a_page_in_playwright() {
    let browser = Path::new("/usr/bin/chromium");
    if !browser.exists() {
        skipped("no /usr/bin/chromium");
        return;
    }
    if !has_packages(&["@playwright/test"]) {
        return;
    }
    let toggle = repository().join("testdata/statecharts/toggle.json");
    let (folder, _) = exported("playwright", &[toggle], "playwright");
    let config = r#"export default {
  workers: 1,
  timeout: 0,
  reporter: "line",
  use: { launchOptions: { executablePath: "/usr/bin/chromium", args: ["--no-sandbox"], timeout: 0 } },
};
"#;
    fs::write(folder.join("playwright.config.js"), config).unwrap();
    fs::write(folder.join("driver.js"), DRIVER).unwrap();
    let playwright = tool("@playwright/test/cli.js");
    let output = node(&folder, &[&playwright, "test"]);
    assert!(output.status.success(), "{}\n{}", text(&output.stdout), text(&output.stderr));
    // A page that never leaves `active` fails.
    let wrong = DRIVER.replace("=== 'inactive' ? 'active' : 'inactive'", "&& 'active'");
    fs::write(folder.join("driver.js"), wrong).unwrap();
    assert!(!node(&folder, &[&playwright, "test"]).status.success());
}

#[test]
fn the_adapter_drives_a_live_actor() {
    if !has_packages(&["xstate"]) {
        return;
    }
    let folder = crate::scratch().join("xstate-adapter");
    fs::create_dir_all(&folder).unwrap();
    for file in
        ["examples/adapters/xstate.mjs", "examples/adapters/statechart.mjs", "testdata/statecharts/elevator.json"]
    {
        let path = repository().join(file);
        fs::copy(&path, folder.join(path.file_name().unwrap())).unwrap();
    }
    let generate = ["generate", "elevator.json", "-c", "basic-rule", "--out", "suite.json"];
    assert!(specwright_in(&folder).args(generate).output().unwrap().status.success());
    let run = |machine| {
        specwright_in(&folder).args(["run", "suite.json", "--", "node", "xstate.mjs", machine]).output().unwrap()
    };
    let output = run("elevator.json");
    assert_eq!(output.status.code(), Some(0), "{}\n{}", text(&output.stdout), text(&output.stderr));
    let wrong = fs::read_to_string(folder.join("elevator.json")).unwrap().replace("\"RESET\"", "\"RESTART\"");
    fs::write(folder.join("wrong.json"), wrong).unwrap();
    let output = run("wrong.json");
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stdout));
    assert!(text(&output.stdout).contains("state.alarm"), "{}", text(&output.stdout));
}

#[test]
fn generated_tests_find_the_fault_of_the_first_shop() {
    if !has("node") {
        return;
    }
    let folder = crate::scratch().join("xstate-checkout");
    fs::create_dir_all(&folder).unwrap();
    let suite = folder.join("suite.json").to_str().unwrap().to_owned();
    let generate = ["generate", "examples/checkout/checkout.ts", "-c", "basic-rule,rule-update", "--out", &suite];
    let output = specwright_in(&repository()).args(generate).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    for (shop, code) in [("shop.mjs", 0), ("shop_first.mjs", 2)] {
        let run = ["run", &suite, "--", "node", "examples/checkout/adapter.mjs", shop];
        let output = specwright_in(&repository()).args(run).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{shop}: {}", text(&output.stdout));
    }
}

#[test]
fn exported_tests_come_with_the_driver_of_the_adapter() {
    let template = repository().join("crates/harness/src/export/templates/statechart.js.j2");
    let template = fs::read_to_string(template).unwrap();
    let driver = fs::read_to_string(repository().join("examples/adapters/statechart.mjs")).unwrap();
    assert_eq!(template, format!("{{% raw %}}\n{driver}{{% endraw %}}\n"));
}
