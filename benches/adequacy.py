#!/usr/bin/env python3
"""Shows that generated suites are adequate: grades what `generate` wrote, for every criterion on every model of a folder.

    benches/adequacy.py [FOLDER] [--criteria NAME,…] [--limit SECONDS] [--only TEXT]

One line for each model: for each criterion the tests, the goals they cover and the feasible ones by their grade, which must
be the same, and no fewer than `generate` claims to cover. A model that takes longer than the limit, or that is no model, says so. Ends with 1 if any suite falls short.
Specwright is built by cargo unless SPECWRIGHT names it.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CRITERIA = "states,decision,condition,boundary,transitions,pairs,mcdc,mutation"


def build():
    if specwright := os.environ.get("SPECWRIGHT"):
        return specwright
    subprocess.run(["cargo", "build", "--release", "--bin", "specwright"], cwd=ROOT, check=True)
    return str(Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "specwright")


def run(command, limit):
    """What a command prints as JSON, or in a word why it prints nothing."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return None, "slow"
    if done.returncode == 1:
        return None, "invalid"
    if done.returncode not in (0, 2, 3):
        return None, f"exit code {done.returncode}"
    return json.loads(done.stdout), ""


def cell(specwright, model, dialect, criterion, limit, suite):
    options = ["--dialect", dialect, "--criterion", criterion, "--format", "json", "--timeout", str(limit), "--quiet"]
    made, why = run([specwright, "generate", model, *options, "--out", suite], limit)
    if made is None:
        return why, True
    total = made["total"]
    if total["goals"] == 0:
        return "no goals", True
    graded, why = run([specwright, "grade", model, suite, *options], limit)
    if graded is None:
        return f"grade: {why}", why == "slow"
    # A test may also refute what only holds because no fair path follows: then it reaches more than was asked for.
    agree = graded["killed"] >= total["covered"] and (total["unknown"] > 0 or graded["killed"] == graded["total"])
    unknown = f" ({total['unknown']} unknown)" if total["unknown"] else ""
    return f"{len(graded['tests'])} tests {graded['killed']}/{graded['total']}{unknown}{'' if agree else ' WRONG'}", agree


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT.parent / "shared" / "models")
    parser.add_argument("--criteria", default=CRITERIA)
    parser.add_argument("--limit", type=float, default=20, help="seconds for each run of the program")
    parser.add_argument("--only", default="", help="only files with this in their path")
    args = parser.parse_args()
    specwright = build()
    table = args.folder / "verdicts.tsv"
    if table.exists():
        rows = [line.split("\t") for line in table.read_text().split("\n")[1:] if line]
        files = [(row[0], row[1]) for row in rows]
    else:
        files = [(str(path.relative_to(args.folder)), "nusmv") for path in sorted(args.folder.rglob("*.smv"))]
    wrong = adequate = 0
    with tempfile.TemporaryDirectory() as folder:
        suite = str(Path(folder) / "suite.json")
        for name, dialect in files:
            if args.only not in name:
                continue
            shown = []
            for criterion in args.criteria.split(","):
                text, fine = cell(specwright, str(args.folder / name), dialect, criterion, args.limit, suite)
                shown.append(f"{criterion}: {text}")
                wrong += not fine
                adequate += "/" in text and fine
                if text in ("invalid", "slow"):
                    break
            print(f"{name}\n    {'; '.join(shown)}", flush=True)
    print(f"\n{adequate} suites are adequate, {wrong} are not")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
