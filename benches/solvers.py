#!/usr/bin/env python3
"""Compares the SAT solvers, batsat and CaDiCaL, on goals of models.

    benches/solvers.py FOLDER… [--steps N] [--limit SECONDS] [--only TEXT]

Every model and circuit of the folders becomes a circuit. Its goals are its bad states and both values of its first latches;
for each, executions of up to N steps are looked for. One row for each model: the goals, and for each solver how many it
decides, its conflicts and its seconds. A model that is no finite one, or takes longer than the limit, is left out.
The example `solvers` of the crate `specwright-sat` does the search. It is built with the feature `cadical`, which takes a C++
compiler. Specwright is built by cargo unless SPECWRIGHT names it.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from adequacy import ROOT, build

EXTENSIONS = (".smv", ".asm", ".scr", ".aag", ".aig")


def build_example():
    command = ["cargo", "build", "--release", "-p", "specwright-sat", "--features", "cadical", "--example", "solvers"]
    subprocess.run(command, cwd=ROOT, check=True)
    return Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "examples" / "solvers"


def rows(example, specwright, path, scratch, options):
    """What each solver did with a model: name, reached, not reached, undecided, conflicts, seconds."""
    circuit = path
    try:
        if path.suffix not in (".aag", ".aig"):
            circuit = Path(scratch) / "model.aig"
            command = [specwright, "translate", path, "--to", "aiger", "--out", circuit, "--quiet"]
            if subprocess.run(command, capture_output=True, timeout=options.limit).returncode != 0:
                return []
        command = [example, str(options.steps), circuit]
        done = subprocess.run(command, capture_output=True, text=True, timeout=options.limit)
    except subprocess.TimeoutExpired:
        return []
    if done.returncode != 0:
        sys.exit(f"{path}: {done.stderr}")
    return [line.split("\t")[1:] for line in done.stdout.splitlines()]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, nargs="+")
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--limit", type=int, default=60)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    specwright, example = build(), build_example()
    paths = sorted(path for folder in options.folder for path in folder.rglob("*") if path.suffix in EXTENSIONS)
    totals = {}
    print("| model | goals | solver | decided | conflicts | s |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as scratch:
        for path in paths:
            if options.only not in str(path):
                continue
            for name, reached, missed, unknown, conflicts, seconds in rows(example, specwright, path, scratch, options):
                decided, goals = int(reached) + int(missed), int(reached) + int(missed) + int(unknown)
                print(f"| {path.name} | {goals} | {name} | {decided} | {conflicts} | {seconds} |", flush=True)
                before = totals.get(name, (0, 0, 0, 0, 0.0))
                new = (1, goals, decided, int(conflicts), float(seconds))
                totals[name] = tuple(one + other for one, other in zip(before, new))
    for name, (models, goals, decided, conflicts, seconds) in totals.items():
        print(f"\n{name}: {models} models, {goals} goals, {decided} decided, {conflicts} conflicts, {seconds:.1f} s")


if __name__ == "__main__":
    main()
