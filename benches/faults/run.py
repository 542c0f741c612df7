#!/usr/bin/env python3
"""Plants faults in a copy of the code and finds the test that catches each.

    benches/faults/run.py SCRATCH [--only 3,10-19] [--update] [--check]

`faults.toml` beside this file lists the faults. All of them are woven into one copy of the project in the folder SCRATCH,
each behind a look at the environment variable SPECWRIGHT_FAULT, so the tests are built once. Without a fault the tests that
are named must pass; then they run once for each fault, up to the first that fails. A test that is recorded as the one that
catches a fault runs first, alone. Ends with 1 if a fault survives.

    --only    these faults only, by number
    --update  records in `faults.toml` which test catches which fault
    --check   only makes sure that every fault still fits the code

A fault has these keys:

    id         its number
    file       the file, with the name of the crate instead of its folder
    what       what is wrong
    old        the text to replace, an expression or statements; it occurs once in the file, or once in `at`
    at         text that occurs once in the file and contains `old`
    new        what stands there instead; or
    woven      what stands there, with FAULT for whether the fault is active, where `new` alone would not compile
    tests      the tests that should catch it: crate, target (`lib`, `bin` or the name of a test) and part of a name
    caught_by  the test that catches it: crate, target and name
"""

import argparse
import json
import os
import re
import resource
import signal
import subprocess
import sys
import threading
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
LIST = Path(__file__).resolve().parent / "faults.toml"
# The folder and the package of each crate.
CRATES = {
    "syntax": ("crates/syntax", "specwright-syntax"),
    "model": ("crates/model", "specwright-model"),
    "bdd": ("crates/bdd", "specwright-bdd"),
    "sat": ("crates/sat", "specwright-sat"),
    "mc": ("crates/mc", "specwright-mc"),
    "testgen": ("crates/testgen", "specwright-testgen"),
    "harness": ("crates/harness", "specwright-harness"),
    "specwright": ("crates/specwright", "specwright"),
    "cli": ("crates/cli", "specwright-cli"),
}
# A run of tests that takes longer than this, in seconds, hangs.
HANG = 900
# More memory, in bytes, than any test takes.
MEMORY = 8 << 30
SWITCH = """
/// Whether a planted fault is active.
pub(crate) fn fault(number: u32) -> bool {
    static ACTIVE: std::sync::OnceLock<u32> = std::sync::OnceLock::new();
    *ACTIVE.get_or_init(|| std::env::var("SPECWRIGHT_FAULT").ok().and_then(|text| text.parse().ok()).unwrap_or(0)) == number
}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scratch", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    faults = tomllib.loads(LIST.read_text())["fault"]
    changes = weave(faults)
    if options.check:
        return
    tree = options.scratch.resolve() / "tree"
    copy(tree, changes)
    chosen = [fault for fault in faults if is_chosen(fault["id"], options.only)]
    crates = {test.split(" ")[0] for fault in chosen for test in fault["tests"]}
    programs = build(tree, options.scratch.resolve() / "target", sorted(crates))
    unharmed(programs, chosen)
    survivors = []
    for fault in chosen:
        caught_by = find_test(programs, fault)
        if caught_by is None:
            survivors.append(fault["id"])
        elif options.update:
            record(fault["id"], caught_by)
        print(f"{fault['id']:3}  {fault['what']}\n     {caught_by or 'SURVIVED'}", flush=True)
    print(f"{len(chosen) - len(survivors)} of {len(chosen)} faults are caught; survivors: {survivors or 'none'}")
    sys.exit(1 if survivors else 0)


def is_chosen(number, only):
    """Whether a number is in a list such as `3,10-19`; an empty list has all numbers."""
    ranges = [part.split("-") for part in only.split(",") if part]
    return not ranges or any(int(ends[0]) <= number <= int(ends[-1]) for ends in ranges)


def weave(faults):
    """The files with all faults in them, by path, and the roots of crates with the switch."""
    edits, changes = {}, {}
    if len({fault["id"] for fault in faults}) != len(faults):
        sys.exit("two faults have the same number")
    for fault in faults:
        crate, rest = fault["file"].split("/", 1)
        path = f"{CRATES[crate][0]}/{rest}"
        start = place(fault, (ROOT / path).read_text())
        edits.setdefault(path, []).append((start, fault))
    for path, found in edits.items():
        text = (ROOT / path).read_text()
        found.sort(key=lambda edit: edit[0], reverse=True)
        following = len(text)
        for start, fault in found:
            end = start + len(fault["old"])
            if end > following:
                sys.exit(f"fault {fault['id']} overlaps another one")
            text, following = text[:start] + woven(fault) + text[end:], start
        changes[path] = text
    for folder, _ in CRATES.values():
        root = next(f"{folder}/src/{name}" for name in ("lib.rs", "main.rs") if (ROOT / folder / "src" / name).exists())
        changes[root] = changes.get(root, (ROOT / root).read_text()) + SWITCH
    return changes


def place(fault, text):
    """Where in a file a fault is."""
    at = fault.get("at", fault["old"])
    for part, whole, where in [(at, text, fault["file"]), (fault["old"], at, "`at`")]:
        if whole.count(part) != 1:
            sys.exit(f"fault {fault['id']}: {part!r} occurs {whole.count(part)} times in {where}")
    return text.index(at) + at.index(fault["old"])


def woven(fault):
    """The code that has the fault if it is active."""
    active = f"crate::fault({fault['id']})"
    if "woven" in fault:
        return fault["woven"].replace("FAULT", active)
    old, new = fault["old"], fault["new"]
    if old.rstrip().endswith((";", "}")):
        return f"if {active} {{ {new} }} else {{ {old} }}"
    return f"(if {active} {{ {new} }} else {{ {old} }})"


def copy(tree, changes):
    """Copies the project; files that stay the same are not touched, so that cargo knows."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, check=True
    )
    paths = {path for path in listed.stdout.decode().split("\0") if path and (ROOT / path).is_file()}
    for path in sorted(paths):
        content = changes[path].encode() if path in changes else (ROOT / path).read_bytes()
        copied = tree / path
        if not copied.exists() or copied.read_bytes() != content:
            copied.parent.mkdir(parents=True, exist_ok=True)
            copied.write_bytes(content)
            copied.chmod((ROOT / path).stat().st_mode)
    # What is gone from the project goes, folders after what is in them.
    for copied in sorted(tree.glob("crates/**/*"), reverse=True):
        if copied.is_file() and str(copied.relative_to(tree)) not in paths:
            copied.unlink()
        elif copied.is_dir() and not any(copied.iterdir()):
            copied.rmdir()


def build(tree, target, crates):
    """Builds the tests of some crates; their programs and folders by crate and target."""
    packages = [part for crate in crates for part in ("--package", CRATES[crate][1])]
    command = ["cargo", "test", *packages, "--no-run", "--quiet", "--message-format=json"]
    environment = dict(os.environ, CARGO_TARGET_DIR=str(target))
    built = subprocess.run(command, cwd=tree, env=environment, stdout=subprocess.PIPE, text=True)
    messages = [json.loads(line) for line in built.stdout.splitlines()]
    if built.returncode:
        errors = [message["message"] for message in messages if message["reason"] == "compiler-message"]
        sys.exit("".join(error["rendered"] for error in errors if error["level"] == "error"))
    programs = {}
    for message in messages:
        if message["reason"] != "compiler-artifact" or not message["executable"] or not message["profile"]["test"]:
            continue
        folder = Path(message["manifest_path"]).parent
        crate = next(name for name, (known, _) in CRATES.items() if tree / known == folder)
        kind = message["target"]["kind"][0]
        name = message["target"]["name"] if kind == "test" else kind
        programs[crate, name] = (message["executable"], folder)
    return programs


def unharmed(programs, faults):
    """Makes sure that without a fault the named tests pass."""
    exact, parts = {}, set()
    for fault in faults:
        if "caught_by" in fault:
            crate, target, name = fault["caught_by"].split(" ", 2)
            exact.setdefault((crate, target), set()).add(name)
        else:
            parts.update(fault["tests"])
    for (crate, target), names in exact.items():
        if failed := run(programs[crate, target], ["--exact", *sorted(names)], 0):
            sys.exit(f"without a fault, {crate} {target} fails: {failed}")
    for test in sorted(parts):
        crate, target, *part = test.split(" ")
        if failed := run(programs[crate, target], part, 0):
            sys.exit(f"without a fault, {test} fails: {failed}")


def find_test(programs, fault):
    """The test that catches a fault."""
    if "caught_by" in fault:
        crate, target, name = fault["caught_by"].split(" ", 2)
        if run(programs[crate, target], ["--exact", name], fault["id"]):
            return fault["caught_by"]
    for test in fault["tests"]:
        crate, target, *part = test.split(" ")
        if failed := run(programs[crate, target], part, fault["id"]):
            return f"{crate} {target} {failed}"
    return None


def prepare():
    """What the process of a test starts with: a limit of memory, and no signal ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def run(program, arguments, fault):
    """The first test that fails."""
    executable, folder = program
    environment = dict(os.environ, CARGO_MANIFEST_DIR=str(folder), SPECWRIGHT_FAULT=str(fault), INSTA_UPDATE="no")
    running = subprocess.Popen(
        [executable, *arguments],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        errors="replace",
        start_new_session=True,
        preexec_fn=prepare,
    )
    hung = threading.Event()

    def stop():
        hung.set()
        os.killpg(running.pid, signal.SIGKILL)

    clock = threading.Timer(HANG, stop)
    clock.start()
    failed, n_tests = None, 0
    try:
        for line in running.stdout:
            if found := re.match(r"test (\S+)(?: - should panic)? \.\.\. (?:.*)FAILED$", line):
                failed = found[1]
                break
            if found := re.match(r"running (\d+) tests?$", line):
                n_tests = int(found[1])
    finally:
        clock.cancel()
        if failed:
            os.killpg(running.pid, signal.SIGKILL)
        status = running.wait()
    if hung.is_set():
        return "(hangs)"
    if fault == 0 and n_tests == 0:
        return "(no such test)"
    return failed or ("(ends early)" if status else None)


def record(number, caught_by):
    """Writes down which test catches a fault."""
    blocks = re.split(r"(?m)^(?=\[\[fault\]\]$)", LIST.read_text())
    for index, block in enumerate(blocks):
        if re.search(rf"(?m)^id = {number}$", block):
            kept = re.sub(r"(?m)^caught_by = .*\n", "", block).rstrip("\n")
            blocks[index] = f"{kept}\ncaught_by = {json.dumps(caught_by)}\n\n"
    LIST.write_text("".join(blocks).rstrip("\n") + "\n")


if __name__ == "__main__":
    main()
