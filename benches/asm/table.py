#!/usr/bin/env python3
"""Tests for a folder of Abstract State Machines, beside what another generator made of them.

    benches/asm/table.py PROGRAM FOLDER [--timeout SECONDS] [--only TEXT] [--read]

FOLDER has `atgt.tsv`: a machine in each line, and what ATGT, the generator of ASMETA, produced for it. For each machine
the table says whether it is read, or what stops it; how many tests and steps cover its rules, how many of these are covered,
infeasible and undecided, beside the figures of ATGT; and how much processor time that took, of at most SECONDS (the program
is asked to end then, and writes what it has). Tests, which were replayed when they were made, count as valid if `grade`
accepts them when they are written as Avalla scenarios and read again, with the same rules covered; `validate.py` checks these.
With `--read`, machines are read and nothing else.
"""

import argparse
import csv
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

CRITERION = ["-c", "basic-rule"]

# Seconds of processor time after its limit in which a program may still write what it has.
PATIENCE = 10


def used(pid):
    """The processor time of a running process, in seconds."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, IndexError):
        return 0.0


def run(program, args, folder, seconds):
    """Exit code, output, errors and processor time of a command; None for the code if it did not end when it was asked to."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen([program, *args], cwd=folder, stdout=out, stderr=errors)
        time_used, asked, killed = 0.0, False, False
        while process.poll() is None:
            time.sleep(0.01 if time_used < 1 else 0.1)
            time_used = max(time_used, used(process.pid))
            if time_used > seconds and not asked:
                process.send_signal(signal.SIGTERM)
                asked = True
            if time_used > seconds + PATIENCE:
                process.kill()
                killed = True
        out.seek(0)
        errors.seek(0)
        return None if killed else process.returncode, out.read(), errors.read(), time_used


def reason(errors):
    """The first error in a line."""
    for line in errors.splitlines():
        if line.startswith("error"):
            return line.split(": ", 1)[1][:90]
    return "no reason given"


def measure(program, folder, machine, seconds):
    """What becomes of one machine."""
    with tempfile.TemporaryDirectory() as scratch:
        best, spent = None, 0.0
        # Where numbers have no end, tests come from random walks, and a finite focus may give better ones.
        ways = [["--strategy", "monitor"], ["--strategy", "extend"], ["--strategy", "monitor", "--keep", "auto"]]
        for number, way in enumerate(ways):
            if spent >= seconds or ("--keep" in way and not endless):
                break
            suite = os.path.join(scratch, f"{number}.json")
            args = ["generate", machine, *CRITERION, *way, "--format", "json", "-q", "--jobs", "1", "--out", suite]
            code, out, errors, took = run(program, args, folder, seconds - spent)
            spent += took
            if number == 0:
                endless = code == 3 and is_endless(program, folder, machine)
            try:
                summary = json.loads(out)
            except ValueError:
                if best is None and code == 1:
                    return {"read": "no", "why": reason(errors), "seconds": spent}
                if best is None:
                    best = {"read": "yes", "tests": 0, "why": f"no answer in {seconds:.0f} s"}
                continue
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
                "covered": sum(row["covered"] for row in nodes),
                "focus": "--keep" in way,
            }
            rank = lambda result: (-result.get("covered", -1), result.get("unknown", 0), result.get("steps", 0))
            if best is None or rank(result) < rank(best):
                best = result
            if not summary["finished"]:
                break
        best["seconds"] = spent
        if best["tests"] > 0:
            shorten(program, folder, machine, best, max(seconds - spent, 1))
            best["valid"] = valid(program, folder, machine, best["suite"], scratch)
        return best


def is_endless(program, folder, machine):
    """Whether a machine has numbers without end."""
    _, out, _, _ = run(program, ["show", machine, "--format", "json", "-q"], folder, 30)
    return '"integer"' in out


def shorten(program, folder, machine, best, seconds):
    """Lets `minimize` find a suite of fewer steps that covers the same, if it can in the time."""
    shorter = best["suite"] + ".short.json"
    args = ["minimize", machine, best["suite"], *CRITERION, "--objective", "steps", "--synthesize", "--format", "json"]
    code, out, _, _ = run(program, [*args, "--out", shorter, "-q"], folder, seconds)
    if code != 0:
        return
    after = json.loads(out)["after"]
    if after["steps"] < best["steps"]:
        best.update(suite=shorter, tests=after["tests"], steps=after["steps"])


def valid(program, folder, machine, suite, scratch):
    """Whether the scenarios of a suite are read and accepted as executions of the machine, and cover what it covers."""
    scenarios = os.path.join(scratch, "scenarios") + "/"
    code, _, _, _ = run(program, ["export", suite, "--model", machine, "--to", "avalla", "--out", scenarios, "-q"], folder, 120)
    if code != 0:
        return False
    grades = []
    for tests in (suite, scenarios):
        code, out, _, _ = run(program, ["grade", machine, tests, *CRITERION, "--winnow", "none", "--format", "json", "-q"], folder, 120)
        grade = json.loads(out) if code in (0, 2, 3) else {}
        if not grade or grade.get("not_graded"):
            return False
        grades.append(grade["unwinnowed"]["killed"])
    return grades[0] == grades[1]


def read_all(program, folder, only, seconds):
    """Reads the machines, and says which are not read and why."""
    counts = {0: 0, 1: 0, 3: 0}
    with open(os.path.join(folder, "atgt.tsv"), encoding="utf-8") as table:
        for row in csv.DictReader(table, delimiter="\t"):
            if only not in row["file"]:
                continue
            code, _, errors, took = run(program, ["show", row["file"], "--format", "json", "-q"], folder, seconds)
            code = 3 if code is None else code
            counts[code] = counts.get(code, 0) + 1
            if code != 0:
                print(f"{row['file']}: {reason(errors) if code == 1 else f'not read in {took:.0f} s'}", flush=True)
    print(f"{sum(counts.values())} machines: {counts[0]} read, {counts[1]} refused, {counts[3]} not read in time")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("--timeout", type=float, default=30)
    parser.add_argument("--only", default="", help="machines whose path contains this")
    parser.add_argument("--read", action="store_true", help="only read the machines")
    args = parser.parse_args()
    program = os.path.abspath(args.program)
    if args.read:
        return read_all(program, args.folder, args.only, args.timeout)
    columns = "{:70} {:4} {:>6} {:>6} {:>7} {:>10} {:>9} {:>8} {:>6}   {:>5} {:>6} {:>9} {:>8}  {}"
    print(columns.format("file", "read", "tests", "steps", "covered", "infeasible", "undecided", "seconds", "valid", "ATGT", "steps", "coverage", "seconds", "stopped by"))
    counts = {"machines": 0, "read": 0, "tests": 0, "valid": 0, "atgt": 0, "as good": 0}
    rules = {"covered": 0, "infeasible": 0, "unknown": 0, "steps": 0}
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
            counts["tests"] += got.get("tests", 0) > 0
            for key in rules:
                rules[key] += got.get(key, 0)
            counts["valid"] += good
            counts["atgt"] += theirs
            counts["as good"] += as_good
            show = lambda key, form: form.format(got[key]) if key in got else "-"
            print(columns.format(
                row["file"][-70:], got["read"], show("tests", "{}"), show("steps", "{}"),
                show("covered", "{}"), show("infeasible", "{}"), show("unknown", "{}"),
                show("seconds", "{:.2f}"), "yes" if good else "no",
                row["atgt_scenarios"] if theirs else "-", row["atgt_steps"] if theirs else "-",
                row["atgt_rule_coverage"] if theirs else "-",
                "{:.2f}".format(float(row["atgt_ms"]) / 1000) if theirs else "-",
                got.get("why", "") or ("in a focus" if got.get("focus") else "") or ("" if as_good or not theirs else "not as good as ATGT"),
            ), flush=True)
    print(f"{counts['machines']} machines: {counts['read']} read, tests for {counts['tests']}, valid for {counts['valid']}; "
          f"rules: {rules['covered']} covered, {rules['infeasible']} infeasible, {rules['unknown']} undecided, "
          f"in {rules['steps']} steps; "
          f"ATGT has tests for {counts['atgt']}, of which {counts['as good']} are matched in coverage and steps")


if __name__ == "__main__":
    sys.exit(main())
