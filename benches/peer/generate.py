#!/usr/bin/env python3
"""Times test generation from mutants against NuSMV, in one run, and prints the ratios.

    benches/peer/generate.py [--model FILE] [--mutants N,N…] [--runs N]

NuSMV gets one file: the model, with the mutants of its properties as its only properties; it prints a counterexample for
each that fails, which is how the papers made tests. Specwright does the same on the same file (`check`), and then what it
is for: `generate` on the model itself, which makes the same mutants, asks about each, and writes a suite. Times are
processor time of the whole process, start included, medians over the runs. Mutants come from `specwright mutate`; if there
are too few, the list is taken again, each time with the formulas negated twice once more, so that no two are the same text.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from peer import ROOT, build, median


def mutants(specwright, model):
    command = [specwright, "mutate", model, "--format", "json"]
    return [mutant["text"] for mutant in json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["mutants"]]


def without_properties(specwright, model):
    """The model as SMV, without its properties."""
    text = subprocess.run([specwright, "translate", model, "--to", "smv"], check=True, capture_output=True, text=True).stdout
    keywords = ("CTLSPEC", "SPEC", "LTLSPEC", "INVARSPEC", "COMPUTE", "PSLSPEC")
    kept, keep = [], True
    for line in text.split("\n"):
        if line and not line[0].isspace():
            keep = not line.startswith(keywords)
        if keep:
            kept.append(line)
    return "\n".join(kept)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--model", default=str(ROOT / "examples" / "safety-injection" / "safety_injection.smv"))
    parser.add_argument("--mutants", default="1000,10000")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--limit", type=int, default=600, help="processor seconds for one run of one tool")
    args = parser.parse_args()
    nusmv, specwright = build()
    machine = without_properties(specwright, args.model)
    formulas = mutants(specwright, args.model)
    print(f"{args.model}: {len(formulas)} mutants of its properties")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mutants.smv"
        for wanted in [len(formulas), *map(int, args.mutants.split(","))]:
            specs = [f"CTLSPEC {'!!' * (index // len(formulas))}({formulas[index % len(formulas)]});" for index in range(wanted)]
            path.write_text(machine + "\n" + "\n".join(specs) + "\n")
            theirs = median([nusmv, str(path)], args.runs, args.limit)
            if wanted == len(formulas):
                suite = str(Path(folder) / "suite.json")
                command = [specwright, "generate", args.model, "--properties", "own", "--out", suite, "--quiet"]
                line(f"generate, its {wanted} mutants", theirs, median(command, args.runs, args.limit))
            checked = median([specwright, "check", "--quiet", str(path)], args.runs, args.limit)
            line(f"check, {wanted} mutants with traces", theirs, checked)


def line(title, theirs, ours):
    ratio = f"{theirs[0] / ours[0]:7.1f}×" if theirs and ours else "      –"
    shown = [f"{result[0]:8.3f} s {result[1]:5.0f} MB" if result else "       –          " for result in (theirs, ours)]
    print(f"{title:40} NuSMV {shown[0]}   ours {shown[1]}   {ratio}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
