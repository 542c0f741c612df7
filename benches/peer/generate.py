#!/usr/bin/env python3
"""Times verdicts on many properties, and tests from many mutants, against NuSMV, in one run; prints the ratios.

    benches/peer/generate.py [--model FILE] [--mutants N,N…] [--runs N] [--plot FILE.svg]

The machine of a model is restated as properties (`reflect`), and as many of these are kept as have the wanted number of
mutants. NuSMV gets one file: the model with all mutants as its properties. Three things are measured on it:
verdicts alone (`-dcx`, and `check --trace-format none`); verdicts with a counterexample for each that fails, which is how
the papers made tests (`check` does the same on the same file); and what Specwright is for: `generate` on the model with the
kept properties, which makes the same mutants, decides all of them, and writes a suite that kills every mutant that can be
killed. Times are processor time of whole processes, start included, medians over the runs.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from peer import ROOT, build, median, ratio
from plot import growth

KEYWORDS = ("CTLSPEC", "SPEC", "LTLSPEC", "INVARSPEC", "COMPUTE", "PSLSPEC")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def split(text):
    """The machine, and the properties, one a line."""
    lines = text.split("\n")
    return [line for line in lines if not line.startswith(KEYWORDS)], [line for line in lines if line.startswith(KEYWORDS)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--model", default=str(ROOT / "examples" / "survey-boat" / "survey_boat.scr"))
    parser.add_argument("--mutants", default="1000,2000,5000,10000,20000")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--limit", type=int, default=300, help="processor seconds for one run of one tool")
    parser.add_argument("--plot", type=Path, help="draw time against mutants into this file")
    args = parser.parse_args()
    nusmv, specwright = build()
    curves = {}
    with tempfile.TemporaryDirectory() as folder:
        reflected, kept, mutated = (Path(folder) / name for name in ("reflected.smv", "kept.smv", "mutated.smv"))
        output(specwright, "reflect", args.model, "--expound", "--quiet", "--out", str(reflected))
        machine, properties = split(reflected.read_text())
        mutants = json.loads(output(specwright, "mutate", str(reflected), "--format", "json", "--quiet"))["mutants"]
        for wanted in map(int, args.mutants.split(",")):
            last = mutants[min(wanted, len(mutants)) - 1]["site"]
            end = next(index for index, line in enumerate(properties) if f" {last} :=" in line) + 1
            chosen = [mutant["text"] for mutant in mutants if any(f" {mutant['site']} :=" in line for line in properties[:end])]
            kept.write_text("\n".join([*machine, *properties[:end], ""]))
            mutated.write_text("\n".join([*machine, *(f"CTLSPEC {text};" for text in chosen), ""]))
            suite = str(Path(folder) / "suite.json")
            runs = {
                "verdicts": (["-dcx"], ["check", "--quiet", "--trace-format", "none", str(mutated)]),
                "verdicts and traces": ([], ["check", "--quiet", str(mutated)]),
                "tests": ([], ["generate", str(kept), "--properties", "own", "--out", suite, "--quiet"]),
            }
            theirs = {}
            for title, (flags, command) in runs.items():
                key = tuple(flags)
                if key not in theirs:
                    theirs[key] = median([nusmv, *flags, str(mutated)], args.runs, args.limit)
                ours = median([specwright, *command], args.runs, args.limit)
                line(f"{title}, {len(chosen)} mutants", theirs[key], ours)
                for name, result in (("NuSMV", theirs[key]), ("Specwright", ours)):
                    if result:
                        curves.setdefault(title, {}).setdefault(name, []).append((len(chosen), result.time))
    if args.plot:
        args.plot.write_text(growth(curves, "mutants"))


def line(title, theirs, ours):
    share = ratio(theirs, ours)
    shown = [f"{result.time:8.3f} s {result.memory:5.0f} MB" if result else "       –          " for result in (theirs, ours)]
    noise = max((result.noise for result in (theirs, ours) if result), default=0.0)
    print(f"{title:36} NuSMV {shown[0]}   ours {shown[1]}   {f'{share:7.1f}×' if share else '       –'} {noise:5.0%}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
