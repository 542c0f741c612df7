#!/usr/bin/env python3
"""Proves minimum suites for real kill matrices: random walks of every model of a folder against its mutants.

    benches/minimum.py FOLDER [--mutants N] [--tests N] [--steps N] [--limit SECONDS] [--only TEXT]

For each model with enough mutants that the walks kill: the size of the matrix, what greedy choice takes, the minimum, whether it
is proved, and the time. Distinct walks are taken until there are enough of them. A model that has too few, that takes longer
than the limit, or that is no model, is passed over. Ends with 1 if no minimum, or not every one, is proved.
Specwright is built by cargo unless SPECWRIGHT names it.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from adequacy import build


def output(command, limit):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
        return json.loads(done.stdout) if done.returncode in (0, 2, 3) else None
    except (subprocess.TimeoutExpired, json.JSONDecodeError):
        return None


def walks(specwright, model, args, end):
    """Distinct random walks, as a suite; nothing if there are too few."""
    seen, tests = set(), []
    for seed in range(1, 3 * args.tests):
        command = [specwright, "simulate", str(model), "--seed", str(seed), "--steps", str(args.steps), "--format", "json", "-q"]
        trace = output(command, args.limit)
        if trace is None or time.monotonic() > end:
            return None
        trace.pop("schema", None)
        trace.pop("model", None)
        if (text := json.dumps(trace)) not in seen:
            seen.add(text)
            tests.append({"name": f"walk-{seed}", "expect": "accept", "trace": trace, "goals": []})
        if len(tests) == args.tests:
            return {"schema": "specwright/suite/1", "model": model.name, "tests": tests}
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--mutants", type=int, default=300)
    parser.add_argument("--tests", type=int, default=150)
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--limit", type=int, default=60)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    specwright = build()
    n_proved = n_open = 0
    for model in sorted(args.folder.rglob("*.smv")):
        if args.only not in str(model):
            continue
        with tempfile.TemporaryDirectory() as folder:
            suite = Path(folder) / "walks.json"
            found = walks(specwright, model, args, time.monotonic() + args.limit)
            if found is None:
                continue
            suite.write_text(json.dumps(found))
            minimize = [specwright, "minimize", str(model), str(suite), "--format", "json", "-q"]
            greedy = output([*minimize, "--greedy"], args.limit)
            start = time.monotonic()
            exact = output(minimize, args.limit)
            spent = time.monotonic() - start
        if exact is None or greedy is None or exact["reached"] < args.mutants:
            continue
        proved = exact["choice"]["optimal"]
        n_proved, n_open = n_proved + proved, n_open + (not proved)
        word = "optimal" if proved else f"gap {exact['choice']['gap']:.1%}"
        print(
            f"{exact['reached']:6} × {args.tests}  greedy {greedy['choice']['cost']:3}  minimum {exact['choice']['cost']:3}"
            f"  {word:8}  {spent:6.2f} s  {model.relative_to(args.folder)}",
            flush=True,
        )
    print(f"{n_proved} minimum suites proved, {n_open} not")
    sys.exit(0 if n_proved and not n_open else 1)


if __name__ == "__main__":
    main()
