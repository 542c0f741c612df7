#!/usr/bin/env python3
"""Decides circuits with known answers, beside ABC.

    benches/aiger.py FOLDER [--limit SECONDS] [--only TEXT] [--jobs N]

FOLDER has circuits and `verdicts.tsv`: a file name and `safe` or `unsafe` to a line. One row for each circuit: the known
answer, ours and ABC's, each with its seconds of processor time. These are limited, so other work on the machine does not
matter, nor do several jobs. Ends with 1 if an answer of ours is wrong. Specwright is built by cargo unless SPECWRIGHT names it. ABC is
`berkeley-abc` unless ABC names it; without it, its column is empty. ABC first tries PDR, for two thirds of the limit, then
bounded model checking, with constraints and reset values folded in.
"""

import argparse
import concurrent.futures
import functools
import json
import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

from adequacy import build

def timed(command, limit):
    """What a command prints within a limit of processor time, and the processor time it takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)

    def limited():
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))

    text = subprocess.run(command, capture_output=True, text=True, preexec_fn=limited).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return text, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def ours(specwright, path, limit):
    command = [specwright, "check", path, "--format", "json", "--quiet"]
    text, seconds = timed(command, limit)
    try:
        verdict = json.loads(text)["properties"][0]["verdict"]
    except (ValueError, KeyError, IndexError):
        return "", seconds
    return {"holds": "safe", "fails": "unsafe"}.get(verdict, ""), seconds


def abcs(abc, path, limit):
    total = 0
    for command, part in [("pdr", limit * 2 // 3), ("bmc3 -F 0", limit - limit * 2 // 3)]:
        script = f"&r {path}; &put; zero; fold; {command}; print_status"
        text, seconds = timed([abc, "-c", script], part)
        total += seconds
        if "Property proved" in text or "Status = 1" in text:
            return "safe", total
        if "was asserted" in text or "Status = 0" in text:
            return "unsafe", total
    return "", total


def answers(specwright, abc, limit, path):
    """Our answer and ABC's, each with its seconds."""
    return [ours(specwright, path, limit)] + ([abcs(abc, path, limit)] if abc else [])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", type=int, default=30)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=1, help="circuits at a time")
    options = parser.parse_args()
    specwright = build()
    abc = shutil.which(os.environ.get("ABC", "berkeley-abc"))
    rows = [line.split("\t") for line in (options.folder / "verdicts.tsv").read_text().splitlines()[1:]]
    rows = [(name, verdict) for name, verdict in rows if options.only in name]
    answered, wrong = [0, 0], []
    print(f"| circuit | known | Specwright | s | {'ABC | s |' if abc else ''}")
    print("|---|---|---|---|" + ("---|---|" if abc else ""))
    # A process for each job: the processor time of its own programs is what it measures.
    pool = concurrent.futures.ProcessPoolExecutor(options.jobs)
    paths = [options.folder / name for name, _ in rows]
    found_in_order = pool.map(functools.partial(answers, specwright, abc, options.limit), paths)
    for (name, known), found in zip(rows, found_in_order):
        cells = "".join(f" {answer or '–'} | {seconds:.1f} |" for answer, seconds in found)
        print(f"| {name} | {known} |{cells}", flush=True)
        for column, (answer, _) in enumerate(found):
            answered[column] += answer == known
        if found[0][0] not in ("", known):
            wrong.append(name)
    names = ["Specwright", "ABC"]
    print("\n" + ", ".join(f"{names[n]} answers {answered[n]} of {len(rows)}" for n in range(len(found))))
    if wrong:
        print(f"WRONG: {', '.join(wrong)}")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
