#!/usr/bin/env python3
"""Grades hand-written Avalla scenarios.

    benches/asm/scenarios.py PROGRAM FOLDER

For each `.avalla` file under FOLDER, the machine that it loads is read, and the scenario is graded: the rules that it
executes. The table says how many it executes, or the first error; scenarios whose machine is not there are counted apart.
"""

import os
import re
import subprocess
import sys

# Seconds for each scenario.
TIMEOUT = 120


def text_of(path):
    with open(path, "rb") as file:
        return file.read().decode("utf-8", "replace")


def grade(program, machine, scenario):
    """Whether a scenario is graded, and what it executes or what is wrong with it."""
    args = [program, "grade", machine, scenario, "-c", "basic-rule", "--winnow", "none", "-q"]
    try:
        done = subprocess.run(args, capture_output=True, text=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return False, f"no answer in {TIMEOUT} s"
    errors = [line for line in done.stderr.splitlines() if line.startswith("error")]
    if done.returncode == 1 or errors:
        return False, errors[0] if errors else "no reason given"
    return True, next((line for line in done.stdout.splitlines() if "goals covered" in line), "")


def main():
    if len(sys.argv) != 3:
        print(__doc__)
        return 2
    program, root = os.path.abspath(sys.argv[1]), sys.argv[2]
    graded = refused = without = 0
    for folder, _, names in sorted(os.walk(root)):
        for name in sorted(name for name in names if name.endswith(".avalla")):
            path = os.path.join(folder, name)
            loads = re.search(r"^\s*load\s+(\S+)", text_of(path), re.MULTILINE)
            machine = os.path.normpath(os.path.join(folder, loads.group(1))) if loads else ""
            if not os.path.isfile(machine):
                without += 1
                print(f"{path}: there is no machine {machine}")
                continue
            good, words = grade(program, machine, path)
            graded += good
            refused += not good
            print(f"{path}: {words}", flush=True)
    print(f"{graded + refused + without} scenarios: {graded} graded, {refused} refused, {without} without a machine")
    return 0


if __name__ == "__main__":
    sys.exit(main())
