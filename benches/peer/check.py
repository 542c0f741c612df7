#!/usr/bin/env python3
"""Times `specwright check` against NuSMV on the same models, in one run, and prints the ratios.

    benches/peer/check.py [--models FOLDER] [--runs N] [--limit SECONDS] [--only TEXT] [--at-least SECONDS]

Both tools decide every property of a file; NuSMV is run as it is, with `-dynamic` and with `-df`, and the best counts.
NuSMV is told not to build counterexamples (`-dcx`), which is the largest saving it knows; specwright is told the same
(`--trace-format none`), and with `--traces` both build them. Times are processor time, user and system, of the whole process,
medians over the runs: they hardly depend on what else the machine is doing. NuSMV is built from its source package by
`build-nusmv.sh` unless NUSMV names a binary, specwright by cargo unless SPECWRIGHT does.
"""

import argparse
import sys
from pathlib import Path

from peer import HEADER, ROOT, build, columns, median, nusmv_best, summary


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--models", type=Path, default=ROOT.parent / "shared" / "models")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--limit", type=int, default=60, help="processor seconds for one run of one tool")
    parser.add_argument("--only", default="", help="only files with this in their path")
    parser.add_argument("--at-least", type=float, default=0.0, help="only show files on which a tool needs so long")
    parser.add_argument("--traces", action="store_true", help="both tools build counterexamples")
    args = parser.parse_args()
    nusmv, specwright = build()
    table = args.models / "verdicts.tsv"
    if table.exists():
        rows = [line.split("\t") for line in table.read_text().split("\n")[1:] if line]
        files = [(name, verdicts) for name, _, _, verdicts in rows]
    else:
        files = [(str(path.relative_to(args.models)), "") for path in sorted(args.models.rglob("*.smv"))]
    quiet = ([], []) if args.traces else (["-dcx"], ["--trace-format", "none"])
    print(f"{HEADER}  properties  model")
    pairs = []
    for name, verdicts in files:
        if args.only not in name:
            continue
        path = str(args.models / name)
        results, best = nusmv_best(nusmv, quiet[0], path, args.runs, args.limit)
        ours = median([specwright, "check", "--quiet", *quiet[1], path], args.runs, args.limit)
        if max((result.time for result in (best, ours) if result), default=args.limit) < args.at_least:
            continue
        pairs.append((best, ours))
        n_properties = sum(len(group.split(":")[1]) for group in verdicts.split(" ") if ":" in group)
        print(f"{columns(results, best, ours)}  {n_properties:10}  {name}", flush=True)
    print(f"\n{summary(pairs)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
