#!/usr/bin/env python3
"""Times both tools on families of growing models, in one run; prints the ratios and draws the growth.

    benches/peer/scale.py [--only TEXT] [--runs N] [--limit SECONDS] [--plot FILE.svg]

The families are in `families.py`. Both tools decide all properties of each model and build no counterexamples; NuSMV is
run as it is, with `-dynamic` and with `-df`, and the best counts. A tool that did not manage one size is not asked for the
next ones. Times are processor time of whole processes, medians over the runs.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from families import FAMILIES
from peer import CONFIGURATIONS, HEADER, build, columns, median, summary
from plot import growth


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", default="", help="only families with this in their name")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--limit", type=int, default=20, help="processor seconds for one run of one tool")
    parser.add_argument("--plot", type=Path, help="draw time against size into this file")
    args = parser.parse_args()
    nusmv, specwright = build()
    print(f"{HEADER}  model")
    pairs, curves = [], {}
    with tempfile.TemporaryDirectory() as folder:
        for family, sizes in FAMILIES.items():
            if args.only not in family.__name__:
                continue
            commands = [[nusmv, "-dcx", *extra] for extra in CONFIGURATIONS]
            commands.append([specwright, "check", "--quiet", "--trace-format", "none"])
            gone = [False] * len(commands)
            for size in sizes:
                path = Path(folder) / f"{family.__name__}{size}.smv"
                path.write_text(family(size))
                results = []
                for index, command in enumerate(commands):
                    result = None if gone[index] else median([*command, str(path)], args.runs, args.limit)
                    gone[index] = result is None
                    results.append(result)
                best = min((result for result in results[:-1] if result), default=None)
                pairs.append((best, results[-1]))
                print(f"{columns(results[:-1], best, results[-1])}  {family.__name__} {size}", flush=True)
                for name, result in (("NuSMV", best), ("Specwright", results[-1])):
                    if result:
                        curves.setdefault(family.__name__, {}).setdefault(name, []).append((size, result.time))
    print(f"\n{summary(pairs)}")
    if args.plot:
        args.plot.write_text(growth(curves, "size"))


if __name__ == "__main__":
    sys.exit(main())
