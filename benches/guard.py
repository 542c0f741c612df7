#!/usr/bin/env python3
"""Guards the speed of Specwright: prints one table, and compares it with the committed one.

    benches/guard.py [--update] [--only TEXT] [--runs N]

The table is `benches/guard.tsv`, tab-separated: the case, instructions of Specwright in millions (`valgrind --tool=callgrind`),
and the processor time of NuSMV's best configuration over that of Specwright, a dash where NuSMV has no such command.
Instructions hardly depend on the machine and its load, so a case that takes a tenth more of them than the table says fails.
Times do, so a ratio fails only below half of the one in the table. `--update` writes the table anew; with `--only`, the other rows
stay. NuSMV is the one of `peer/build-nusmv.sh`, unless NUSMV names a binary, and Specwright a release build, unless SPECWRIGHT does.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "peer"))

from families import FAMILIES, OTHERS  # noqa: E402
from peer import ROOT, build, median, nusmv_best, ratio  # noqa: E402

TABLE = HERE / "guard.tsv"
MORE_INSTRUCTIONS = 1.1
LOWER_RATIO = 0.5
LIMIT = 5  # processor seconds for one run of one tool
QUIET = ["--quiet", "--trace-format", "none"]


def cases(folder):
    """Names, arguments of Specwright, and the file that NuSMV gets, if it has such a command."""
    families = {family.__name__: family for family in [*FAMILIES, *OTHERS]}
    sizes = [("philosophers", 8), ("ring", 12), ("cache", 4), ("elevator", 8), ("counter", 8), ("queue", 8), ("board", 4),
             ("tables", 1), ("vehicles", 2), ("controller", 1)]
    for name, size in sizes:
        path = folder / f"{name}{size}.smv"
        path.write_text(families[name](size))
        yield f"check {name} {size}", ["check", *QUIET, str(path)], path
    injection = ROOT / "examples" / "safety-injection" / "safety_injection.smv"
    boat = ROOT / "examples" / "survey-boat" / "survey_boat.scr"
    yield "check safety injection", ["check", *QUIET, str(injection)], injection
    suite = folder / "suite.json"
    weak = ["--kill", "weak", "--quiet"]
    yield "generate safety injection", ["generate", str(injection), *weak, "--out", str(suite)], None
    yield "grade safety injection", ["grade", str(injection), str(suite), *weak], None
    yield "generate survey boat", ["generate", str(boat), *weak, "--out", str(folder / "boat.json")], None


def instructions(command):
    """The instructions of a command in millions."""
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command]
    done = subprocess.run(valgrind, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    counted = re.search(r"Collected : (\d+)", done.stderr)
    if not counted or done.returncode not in (0, 2, 3):
        sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr[-1000:]}")
    return int(counted[1]) / 1e6


def measure(nusmv, specwright, arguments, file, runs):
    command = [specwright, *arguments]
    if file is None:
        return instructions(command), None
    _, best = nusmv_best(nusmv, ["-dcx"], str(file), runs, LIMIT)
    return instructions(command), ratio(best, median(command, runs, LIMIT))


def show(name, millions, share):
    return f"{name}\t{millions:.1f}\t{'-' if share is None else f'{share:.2f}'}"


def read():
    if not TABLE.exists():
        return {}
    rows = [line.split("\t") for line in TABLE.read_text().split("\n")[1:] if line]
    return {name: (float(millions), None if share == "-" else float(share)) for name, millions, share in rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--update", action="store_true", help="write the table")
    parser.add_argument("--only", default="", help="only cases with this in their name")
    parser.add_argument("--runs", type=int, default=3)
    args = parser.parse_args()
    nusmv, specwright = build()
    known, table, worse = read(), {}, []
    header = "case\tmillion instructions\tratio to NuSMV"
    print(header)
    with tempfile.TemporaryDirectory() as folder:
        for name, arguments, file in cases(Path(folder)):
            if args.only not in name:
                if name in known:
                    table[name] = known[name]
                continue
            table[name] = measure(nusmv, specwright, arguments, file, args.runs)
            print(show(name, *table[name]), flush=True)
            (millions, share), (before, before_share) = table[name], known.get(name, (None, None))
            if before is not None and millions > MORE_INSTRUCTIONS * before:
                worse.append(f"{name}: {millions:.1f} million instructions, {before:.1f} in the table")
            if before_share is not None and share is not None and share < LOWER_RATIO * before_share:
                worse.append(f"{name}: {share:.2f} times the speed of NuSMV, {before_share:.2f} in the table")
    if args.update:
        TABLE.write_text("\n".join([header, *(show(name, *row) for name, row in table.items()), ""]))
        return 0
    print("\n".join(["", *worse] if worse else ["", "no case is worse than the table"]))
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
