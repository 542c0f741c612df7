#!/usr/bin/env python3
"""Times grading against model checking the constrained machine of every test, and proves minimum suites.

    benches/peer/grade.py [--model FILE] [--tests N] [--steps N] [--sample N] [--flags …]

A suite of random walks is graded by `specwright grade`, which also writes the constrained machine of every test with all
mutants as its properties. NuSMV then decides these machines, without building counterexamples; with `--sample` only so
many of them, and the time for all is the mean times their number. Both verdicts are compared: a property of the machine
is false exactly if the test kills the mutant. At last `specwright minimize` finds the minimum suite, and says whether it is
proved. Times are processor time of whole processes. NUSMV and SPECWRIGHT name the programs; without them they are built.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from peer import ROOT, build, cpu


def walks(specwright, model, n_tests, n_steps):
    """A suite of random walks."""
    tests = []
    for seed in range(1, n_tests + 1):
        command = [specwright, "simulate", str(model), "--seed", str(seed), "--steps", str(n_steps), "--format", "json", "-q"]
        trace = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        trace.pop("schema", None)
        trace.pop("model", None)
        tests.append({"name": f"walk-{seed}", "expect": "accept", "trace": trace, "goals": []})
    return {"schema": "specwright/suite/1", "model": model.name, "tests": tests}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--model", type=Path, default=ROOT / "examples/safety-injection/safety_injection.smv")
    parser.add_argument("--tests", type=int, default=200)
    parser.add_argument("--steps", type=int, default=30)
    parser.add_argument("--sample", type=int, default=0, help="model-check only so many machines")
    parser.add_argument("--limit", type=int, default=600, help="processor seconds for one run of one tool")
    parser.add_argument("--flags", nargs=argparse.REMAINDER, default=["--properties", "own"], help="goals, as for grade")
    args = parser.parse_args()
    nusmv, specwright = build()
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        suite = folder / "walks.json"
        suite.write_text(json.dumps(walks(specwright, args.model, args.tests, args.steps)))
        grade = [specwright, "grade", str(args.model), str(suite), "--winnow", "none", "-q", *args.flags]
        own = cpu(grade, args.limit)
        document = json.loads(subprocess.run([*grade, "--format", "json", "--matrix"], capture_output=True, text=True).stdout)
        subprocess.run([*grade, "--emit-cfsm", str(folder / "machines")], stdout=subprocess.DEVNULL)
        machines = sorted((folder / "machines").iterdir())
        chosen = machines[:: max(1, len(machines) // args.sample)][: args.sample] if args.sample else machines
        kills = {test["name"]: test["kills"] for test in document["tests"]}
        total, wrong = 0.0, 0
        for machine in chosen:
            spent = cpu([nusmv, "-dcx", str(machine)], args.limit)
            if spent is None:
                sys.exit(f"NuSMV takes more than {args.limit} s on {machine.name}")
            total += spent[0]
            output = subprocess.run([nusmv, "-dcx", str(machine)], capture_output=True, text=True).stdout
            wrong += output.count(" is false") != kills[machine.stem.split("-", 1)[1]]
        peer = total * len(machines) / len(chosen)
        mutants = len(document["matrix"])
        print(f"{mutants} mutants, {len(machines)} tests")
        print(f"specwright grade            {own[0]:10.2f} s")
        print(f"NuSMV, {len(chosen):4} of the machines {total:10.2f} s, {peer:.0f} s for all: {peer / own[0]:.0f} times as long")
        print(f"tests on which they disagree {wrong}")
        minimize = [specwright, "minimize", str(args.model), str(suite), "--format", "json", "-q", *args.flags]
        spent = cpu(minimize, args.limit)
        choice = json.loads(subprocess.run(minimize, capture_output=True, text=True).stdout)
        proof = "optimal" if choice["choice"]["optimal"] else f"gap {choice['choice']['gap']:.1%}"
        print(f"minimum {choice['choice']['cost']} of {choice['before']['tests']} tests, {proof}, {spent[0]:.2f} s")


main()
