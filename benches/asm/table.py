#!/usr/bin/env python3
"""Tests for a folder of Abstract State Machines, beside what another generator made of them.

    benches/asm/table.py PROGRAM FOLDER [--timeout SECONDS] [--tsv]

FOLDER has `atgt.tsv`: a machine in each line, and what ATGT, the generator of ASMETA, produced for it. For each machine
the table says whether it is read, or what stops it; how many tests and steps cover its rules, and which share of them,
beside the same figures of ATGT; and how long that took. Tests, which were replayed when they were made, count as valid if
`grade` accepts them when they are written as Avalla scenarios and read again, with the same rules covered; the scenarios
are not run by ASMETA.
"""

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
import time

CRITERION = ["-c", "basic-rule"]

# Seconds after its time limit in which a program may still write what it has.
PATIENCE = 30


def run(program, args, folder, seconds):
    """Exit code, output and errors of a command; None for the code if it took too long."""
    try:
        done = subprocess.run([program, *args], cwd=folder, timeout=seconds, capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        return None, "", ""


def reason(errors):
    """The first error in a line."""
    for line in errors.splitlines():
        if line.startswith("error"):
            return line.split(": ", 1)[1][:90]
    return "no reason given"


def measure(program, folder, machine, seconds):
    """What becomes of one machine."""
    started = time.monotonic()
    left = lambda: max(seconds - (time.monotonic() - started), 1)
    with tempfile.TemporaryDirectory() as scratch:
        best, focus = None, []

        def generate(strategy):
            args = ["generate", machine, *CRITERION, "--strategy", strategy, *focus, "--format", "json", "-q"]
            out = ["--out", os.path.join(scratch, f"{strategy}.json")]
            return run(program, [*args, *out, "--time-limit", f"{left():.1f}"], folder, left() + PATIENCE)

        for strategy in ("monitor", "extend"):
            suite = os.path.join(scratch, f"{strategy}.json")
            code, out, errors = generate(strategy)
            if code is None:
                if best is None:
                    return {"read": "yes", "why": f"no answer in {seconds} s", "seconds": time.monotonic() - started}
                break
            if code == 1 and "any integer" in errors and not focus:
                # Numbers without end: a finite focus is chosen.
                focus = ["--keep", "auto"]
                code, out, errors = generate(strategy)
            if code == 1:
                return {"read": "no", "why": reason(errors), "seconds": time.monotonic() - started}
            try:
                summary = json.loads(out)
            except ValueError:
                return {"read": "yes", "why": reason(errors), "seconds": time.monotonic() - started}
            nodes = [row for row in summary["rows"] if row.get("group")]
            total = summary["total"]
            result = {
                "read": "yes",
                "tests": total["tests"],
                "steps": total["steps"],
                "rules": len(nodes),
                "coverage": sum(row["covered"] for row in nodes) / max(len(nodes), 1),
                "infeasible": sum(row["infeasible"] for row in nodes),
                "unknown": sum(row["unknown"] for row in nodes),
                "suite": suite,
                "focus": bool(focus),
            }
            if best is None or (result["unknown"], result["steps"]) < (best["unknown"], best["steps"]):
                best = result
            if not summary["finished"]:
                break
        best["seconds"] = time.monotonic() - started
        if best["tests"] > 0:
            shorten(program, folder, machine, best, left())
            best["seconds"] = time.monotonic() - started
            best["valid"] = valid(program, folder, machine, best["suite"], scratch)
        return best


def shorten(program, folder, machine, best, seconds):
    """Lets `minimize` find a suite of fewer steps that covers the same, if it can in the time."""
    shorter = best["suite"] + ".short.json"
    args = ["minimize", machine, best["suite"], *CRITERION, "--objective", "steps", "--synthesize", "--format", "json"]
    code, out, _ = run(program, [*args, "--out", shorter, "-q"], folder, seconds)
    if code != 0:
        return
    after = json.loads(out)["after"]
    if after["steps"] < best["steps"]:
        best.update(suite=shorter, tests=after["tests"], steps=after["steps"])


def valid(program, folder, machine, suite, scratch):
    """Whether the scenarios of a suite are read and accepted as executions of the machine, and cover what it covers."""
    scenarios = os.path.join(scratch, "scenarios") + "/"
    code, _, _ = run(program, ["export", suite, "--model", machine, "--to", "avalla", "--out", scenarios, "-q"], folder, 120)
    if code != 0:
        return False
    grades = []
    for tests in (suite, scenarios):
        code, out, _ = run(program, ["grade", machine, tests, *CRITERION, "--winnow", "none", "--format", "json", "-q"], folder, 120)
        grade = json.loads(out) if code in (0, 2, 3) else {}
        if not grade or grade.get("not_graded"):
            return False
        grades.append(grade["unwinnowed"]["killed"])
    return grades[0] == grades[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--only", default="", help="machines whose path contains this")
    args = parser.parse_args()
    program = os.path.abspath(args.program)
    columns = "{:70} {:4} {:>6} {:>6} {:>9} {:>8} {:>6}   {:>5} {:>6} {:>9} {:>8}  {}"
    print(columns.format("file", "read", "tests", "steps", "coverage", "seconds", "valid", "ATGT", "steps", "coverage", "seconds", "stopped by"))
    counts = {"machines": 0, "read": 0, "valid": 0, "atgt": 0, "as good": 0}
    with open(os.path.join(args.folder, "atgt.tsv"), encoding="utf-8") as table:
        for row in csv.DictReader(table, delimiter="\t"):
            if args.only not in row["file"]:
                continue
            got = measure(program, args.folder, row["file"], args.timeout)
            theirs = row["atgt_status"] == "OK"
            good = got.get("valid", False) and got["tests"] > 0
            as_good = (
                good and theirs
                and got["coverage"] >= float(row["atgt_rule_coverage"]) - 1e-6
                and got["steps"] <= int(row["atgt_steps"])
            )
            counts["machines"] += 1
            counts["read"] += got["read"] == "yes"
            counts["valid"] += good
            counts["atgt"] += theirs
            counts["as good"] += as_good
            show = lambda key, form: form.format(got[key]) if key in got else "-"
            print(columns.format(
                row["file"][-70:], got["read"], show("tests", "{}"), show("steps", "{}"), show("coverage", "{:.3f}"),
                show("seconds", "{:.2f}"), "yes" if good else "no",
                row["atgt_scenarios"] if theirs else "-", row["atgt_steps"] if theirs else "-",
                row["atgt_rule_coverage"] if theirs else "-",
                "{:.2f}".format(float(row["atgt_ms"]) / 1000) if theirs else "-",
                got.get("why", "") or ("in a focus" if got.get("focus") else "") or ("" if as_good or not theirs else "not as good as ATGT"),
            ), flush=True)
    print(f"{counts['machines']} machines: {counts['read']} read, valid tests for {counts['valid']}; "
          f"ATGT has tests for {counts['atgt']}, of which {counts['as good']} are matched in coverage and steps")


if __name__ == "__main__":
    sys.exit(main())
