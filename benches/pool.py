#!/usr/bin/env python3
"""Shows what it is worth that goals share one pool of lemmas: goals per second in one run, and in a run for each goal.

    benches/pool.py [--goals N] [--alone N]

The model is a queue from `peer/families.py`; the goals are values of two cells and the size of the queue, some of which no
execution reaches. SAT-based search answers all of them in one run, and then some of them in runs of their own. Both must
agree on each of those. Specwright is built by cargo unless SPECWRIGHT names it.
"""

import argparse
import itertools
import json
import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "peer"))
from adequacy import build
from families import queue

CELLS = 8


def goals(count):
    places = itertools.combinations(range(CELLS), 2)
    values = [
        f"size = {size} & q{a} = {x} & q{b} = {y}"
        for a, b in places
        for size in range(CELLS + 1)
        for x, y in itertools.product(range(4), repeat=2)
    ]
    return random.Random(1).sample(values, count)


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def answer(specwright, model, wanted):
    """The processor seconds of a run and how many goals are covered, infeasible and unknown."""
    command = [specwright, "generate", model, "--engine", "sat", "--format", "json", "--quiet"]
    start = processor_seconds()
    done = subprocess.run([*command, *(f"--goal={goal}" for goal in wanted)], capture_output=True, text=True)
    seconds = processor_seconds() - start
    total = json.loads(done.stdout)["total"]
    return seconds, total["covered"], total["infeasible"], total["unknown"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--goals", type=int, default=1000)
    parser.add_argument("--alone", type=int, default=1000, help="how many of them have a run of their own")
    args = parser.parse_args()
    specwright = build()
    with tempfile.TemporaryDirectory() as folder:
        model = str(Path(folder) / "queue.smv")
        Path(model).write_text(queue(CELLS))
        wanted = goals(args.goals)
        seconds, *counts = answer(specwright, model, wanted)
        print(f"together: {len(wanted)} goals in {seconds:.1f} s, {len(wanted) / seconds:.0f} per second; "
              f"{counts[0]} covered, {counts[1]} infeasible, {counts[2]} unknown")
        alone = [answer(specwright, model, [goal]) for goal in wanted[: args.alone]]
        seconds = sum(run[0] for run in alone)
        counts = [sum(run[place] for run in alone) for place in (1, 2, 3)]
        print(f"alone: {len(alone)} goals in {seconds:.1f} s, {len(alone) / seconds:.0f} per second; "
              f"{counts[0]} covered, {counts[1]} infeasible, {counts[2]} unknown")


if __name__ == "__main__":
    main()
