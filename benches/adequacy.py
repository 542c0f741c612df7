#!/usr/bin/env python3
"""Shows that generated suites are adequate: grades what `generate` wrote, for every criterion on every model of a folder.

    benches/adequacy.py [FOLDER] [--criteria NAME,…] [--limit SECONDS] [--only TEXT] [--generate-only] [--table FILE]

One line for each model: for each criterion the tests, the goals they cover and the feasible ones by their grade, which must
be the same, and no fewer than `generate` claims to cover. A run that takes longer than the limit, in processor time, or more than 8 GB,
is slow; a model that is no model says so. Ends with the number of models that have a slow criterion, and with 1 if any suite falls short.
`--generate-only` does not grade. `--table` writes a line for each run: model, criterion, outcome, processor time of `generate` and
`grade`, goals, undecided goals. Specwright is built by cargo unless SPECWRIGHT names it.
"""

import argparse
import json
import math
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CRITERIA = "states,decision,condition,boundary,transitions,pairs,mcdc,mutation"
MEMORY = 8 << 30


def build():
    if specwright := os.environ.get("SPECWRIGHT"):
        return specwright
    subprocess.run(["cargo", "build", "--release", "--bin", "specwright"], cwd=ROOT, check=True)
    return str(Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "specwright")


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(command, limit):
    """What a command prints as JSON, or in a word why it prints nothing; and its processor time."""

    def bound():
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(limit), math.ceil(limit) + 1))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    before = processor_time()
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=bound)
    seconds = processor_time() - before
    # The limit of processor time ends a program by a signal; without memory it gives up by another one.
    if done.returncode < 0 or seconds > limit:
        return None, "slow", seconds
    if done.returncode == 1:
        return None, "no goals" if "there is nothing to cover" in done.stderr else "invalid", seconds
    if done.returncode not in (0, 2, 3):
        return None, f"exit code {done.returncode}", seconds
    return json.loads(done.stdout), "", seconds


class Cell:
    """One suite: what to show, whether all is well, and what it took."""

    def __init__(self, text, fine=True, seconds=(0.0, 0.0), goals=0, unknown=0):
        self.text, self.fine, self.seconds, self.goals, self.unknown = text, fine, seconds, goals, unknown

    def is_slow(self):
        return self.text.endswith("slow")


def cell(specwright, model, dialect, criterion, args, suite):
    options = ["--dialect", dialect, "--criterion", criterion, "--format", "json", "--quiet"]
    made, why, generating = run([specwright, "generate", model, *options, "--out", suite], args.limit)
    if made is None:
        return Cell(why, why in ("slow", "invalid", "no goals"), (generating, 0.0))
    total = made["total"]
    goals, unknown = total["goals"], total["unknown"]
    undecided = f" ({unknown} unknown)" if unknown else ""
    if args.generate_only:
        return Cell(f"{total['covered']}/{goals}{undecided}", True, (generating, 0.0), goals, unknown)
    graded, why, grading = run([specwright, "grade", model, suite, *options], args.limit)
    seconds = (generating, grading)
    if graded is None:
        return Cell(f"grade: {why}", why == "slow", seconds, goals, unknown)
    # A test may also refute what only holds because no fair path follows: then it reaches more than was asked for.
    agree = graded["killed"] >= total["covered"] and (unknown > 0 or graded["killed"] == graded["total"])
    text = f"{len(graded['tests'])} tests {graded['killed']}/{graded['total']}{undecided}{'' if agree else ' WRONG'}"
    return Cell(text, agree, seconds, goals, unknown)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT.parent / "shared" / "models")
    parser.add_argument("--criteria", default=CRITERIA)
    parser.add_argument("--limit", type=float, default=10, help="seconds of processor time for each run of the program")
    parser.add_argument("--only", default="", help="only files with this in their path")
    parser.add_argument("--generate-only", action="store_true", help="do not grade the suites")
    parser.add_argument("--table", type=Path, help="where to write a line for each run")
    args = parser.parse_args()
    specwright = build()
    table = args.folder / "verdicts.tsv"
    if table.exists():
        rows = [line.split("\t") for line in table.read_text().split("\n")[1:] if line]
        files = [(row[0], row[1]) for row in rows]
    else:
        files = [(str(path.relative_to(args.folder)), "nusmv") for path in sorted(args.folder.rglob("*.smv"))]
    wrong = adequate = open_suites = n_models = n_slow = 0
    with tempfile.TemporaryDirectory() as folder:
        suite = str(Path(folder) / "suite.json")
        for name, dialect in files:
            if args.only not in name:
                continue
            cells = []
            for criterion in args.criteria.split(","):
                made = cell(specwright, str(args.folder / name), dialect, criterion, args, suite)
                cells.append((criterion, made))
                wrong += not made.fine
                adequate += "/" in made.text and made.fine
                open_suites += made.unknown > 0
                if args.table:
                    row = [name, criterion, made.text, *(f"{time:.2f}" for time in made.seconds), made.goals, made.unknown]
                    with args.table.open("a") as file:
                        print(*row, sep="\t", file=file)
                if made.text == "invalid":
                    break
            n_models += 1
            n_slow += any(made.is_slow() for _, made in cells)
            shown = "; ".join(f"{criterion}: {made.text}" for criterion, made in cells)
            print(f"{name}\n    {shown}", flush=True)
    print(f"\n{adequate} suites are adequate, {wrong} are not; {open_suites} have undecided goals")
    print(f"{n_slow} of {n_models} models have a criterion that takes longer than {args.limit:g} seconds")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
