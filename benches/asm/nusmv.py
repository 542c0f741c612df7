#!/usr/bin/env python3
"""Abstract State Machines translated to SMV, checked by NuSMV and by Specwright.

    benches/asm/nusmv.py PROGRAM NUSMV FOLDER [--timeout SECONDS] [--only TEXT]

For every machine of FOLDER that is read, the number of reachable states and the verdicts on its properties must be the
same. Machines that one of the two cannot finish in the time are counted, not compared.
"""

import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile


def run(command, seconds):
    """Exit code and output of a command; None for the code if it took too long."""
    try:
        done = subprocess.run(command, timeout=seconds, capture_output=True, text=True, errors="replace")
        return done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        return None, "", ""


def ours(program, machine, seconds):
    """Reachable states and verdicts by kind, as Specwright has them."""
    code, out, _ = run([program, "check", machine, "--format", "json", "-q"], seconds)
    if code is None or not out:
        return None
    result = json.loads(out)
    if result.get("states") is None:
        return None
    verdicts = collections.Counter(
        ("invariant" if row["kind"] == "invar" else "formula", row["verdict"]) for row in result["properties"]
    )
    return result["states"], verdicts


def theirs(nusmv, text, seconds):
    """The same as NuSMV has them."""
    code, out, errors = run([nusmv, "-r", text], seconds)
    if code is None:
        return None
    found = re.search(r"reachable states: (\S+)", out)
    if found is None:
        return "refused: " + (errors.strip().splitlines() or ["?"])[-1][:100]
    verdicts = collections.Counter()
    for line in out.splitlines():
        verdict = re.match(r"-- (specification|invariant) (.*) is (true|false)$", line)
        if verdict:
            kind = "invariant" if verdict[1] == "invariant" else "formula"
            verdicts[kind, "holds" if verdict[3] == "true" else "fails"] += 1
    return float(found[1]), verdicts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("nusmv")
    parser.add_argument("folder")
    parser.add_argument("--timeout", type=float, default=10)
    parser.add_argument("--only", default="", help="machines whose path contains this")
    args = parser.parse_args()
    counts = collections.Counter()
    machines = sorted(os.path.join(at, name) for at, _, names in os.walk(args.folder) for name in names if name.endswith(".asm"))
    with tempfile.TemporaryDirectory() as scratch:
        text = os.path.join(scratch, "machine.smv")
        for machine in machines:
            if args.only not in machine:
                continue
            code, _, _ = run([args.program, "translate", machine, "--to", "smv", "--out", text, "-q"], args.timeout)
            if code != 0:
                counts["not read"] += 1
                continue
            mine = ours(args.program, machine, args.timeout)
            other = theirs(args.nusmv, text, args.timeout) if mine else None
            if mine is None or other is None:
                counts["not finished"] += 1
            elif isinstance(other, str):
                counts["refused by NuSMV"] += 1
                print(f"{machine}: {other}", flush=True)
            elif abs(mine[0] - other[0]) > 1e-4 * other[0] or mine[1] != other[1]:
                counts["different"] += 1
                print(f"{machine}: {mine[0]} states, {dict(mine[1])}; NuSMV: {other[0]}, {dict(other[1])}", flush=True)
            else:
                counts["same"] += 1
                counts["properties"] += sum(mine[1].values())
    print(", ".join(f"{what}: {n}" for what, n in sorted(counts.items())))
    return 1 if counts["different"] or counts["refused by NuSMV"] else 0


if __name__ == "__main__":
    sys.exit(main())
