#!/usr/bin/env python3
"""Shows what a score means: mutants killed weakly, visibly and strongly, by suites with and without visible kills.

    benches/kills.py [MODEL[:INTERNAL,…] …] [--limit SECONDS]

Without models, those of `examples`. INTERNAL names variables that a tester neither sets nor sees. Each model has two rows:
a suite by violations alone (`--kill weak`), and the suite that `generate` makes without options: with visible kills, and with
`machine-mutation` where there are internal variables. *weak* are property mutants that some test violates,
*visible* those of them of which outputs tell, *strong* mutants of the machine that some test tells from the model by
outputs in every run. Each is a share of those that a test can kill.
Specwright is built by cargo unless SPECWRIGHT names it.
"""

import argparse
import json
import subprocess
import tempfile
from pathlib import Path

from adequacy import ROOT, build

EXAMPLES = [
    "examples/barrier/barrier.smv",
    "examples/cache/cache.smv:latest,earlier",
    "examples/card-stack/card_stack.smv",
    "examples/checkout/checkout.ts",
    "examples/cruise-control/cruise_control.scr",
    "examples/cruise-control/cruise_control.smv",
    "examples/door/door.smv",
    "examples/finite-focus/counter.smv",
    "examples/request-busy/request_busy.smv",
    "examples/safety-injection/safety_injection.scr",
    "examples/safety-injection/safety_injection.smv",
    "examples/safety-injection-asm/safety_injection.asm",
    "examples/survey-boat/survey_boat.scr",
]


def run(command, limit):
    """What a command prints as JSON; nothing if it takes too long or refuses."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, cwd=ROOT)
    except subprocess.TimeoutExpired:
        return None
    return json.loads(done.stdout) if done.returncode in (0, 2, 3) and done.stdout else None


def share(graded):
    return f"{graded['killed']}/{graded['total']}" if graded else "–"


def rows(specwright, model, limit, folder):
    path, _, internal = model.partition(":")
    roles = ["--internal", internal] if internal else []
    for kill in ["weak", "default"]:
        suite = str(Path(folder) / "suite.json")
        options = [*roles, "--format", "json", "--quiet"]
        wanted = ["--kill", "weak", "--criterion", "mutation"] if kill == "weak" else []
        if run([specwright, "generate", path, *options, *wanted, "--out", suite], limit) is None:
            yield model, kill, "–", "–", "–", "–"
            continue
        visible = run([specwright, "grade", path, suite, *options, "--criterion", "mutation"], limit)
        strong = run([specwright, "grade", path, suite, *options, "--criterion", "machine-mutation"], limit)
        weak = visible and (visible.get("weak") or visible)
        tests = len(visible["tests"]) if visible else "–"
        yield model, kill, tests, share(weak), share(visible), share(strong)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", default=EXAMPLES)
    parser.add_argument("--limit", type=float, default=300)
    options = parser.parse_args()
    specwright = build()
    print("| model | suite | tests | weak | visible | strong |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for model in options.models:
            for row in rows(specwright, model, options.limit, folder):
                print("| " + " | ".join(f"`{cell}`" if n == 0 else str(cell) for n, cell in enumerate(row)) + " |", flush=True)


if __name__ == "__main__":
    main()
