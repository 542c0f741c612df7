#!/usr/bin/env python3
"""How strong are the properties of models? One line for each model, as a Markdown table.

    benches/audit.py target/release/specwright examples/*/*.smv
    benches/audit.py target/release/specwright --compare FOLDER/*.smv

For each model: the mutants of its machine by verdict, the score, what missing properties close, and the time of the audit as a
multiple of the time of `check`. With `--compare`, every verdict is compared with `check` on the file of the mutant, or with
NuSMV if `--nusmv PATH` is given; a difference ends with exit code 1.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile


def run(command, limit):
    """The exit code, the output and the processor time of a command; none if it takes longer than the limit."""
    before = os.times()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return None, "", limit
    after = os.times()
    taken = after.children_user + after.children_system - before.children_user - before.children_system
    return done.returncode, done.stdout, taken


def failing(program, file, limit):
    """The numbers of the properties that fail on a file; none if it is refused."""
    code, text, _ = run([program, "check", file, "--format", "json", "--quiet"], limit)
    if code not in (0, 2, 3):
        return None
    properties = json.loads(text)["properties"]
    return {each["number"] for each in properties if each["verdict"] == "fails"}


def failing_in_nusmv(nusmv, file, limit):
    """How many properties NuSMV calls false; none if it refuses the file, or calls the relation not total."""
    code, text, _ = run([nusmv, "-dcx", file], limit)
    if code != 0 or "is false" not in text and "is true" not in text:
        return None
    return len(re.findall(r"^-- .* is false$", text, re.MULTILINE))


def compare(arguments, model, document):
    """Compares the verdicts on mutants with checks of their files. Returns how many, and the differences."""
    compared, differences = 0, []
    base = failing(arguments.program, model, arguments.limit) or set()
    if arguments.nusmv and base:
        return 0, []  # NuSMV lists properties in another order, so only their number is compared
    with tempfile.TemporaryDirectory() as folder:
        run([arguments.program, "mutate", model, "--machine", "--out", folder, "--quiet"], arguments.limit)
        for mutant in document["mutants"]:
            if mutant["verdict"] in ("invalid", "undecided"):
                continue
            file = os.path.join(folder, mutant["id"] + ".smv")
            if arguments.nusmv:
                found = failing_in_nusmv(arguments.nusmv, file, arguments.limit)
                found = None if found is None else found - len(base)
            else:
                found = failing(arguments.program, file, arguments.limit)
                found = None if found is None else len(found - base)
            if found is None:
                continue
            compared += 1
            # A property that fails on the machine may hold on a mutant.
            is_same = found == len(mutant.get("killed_by", [])) if not base else (found > 0) == (mutant["verdict"] == "killed")
            if not is_same:
                differences.append(f"{model} {mutant['id']}: {mutant['verdict']} by {mutant.get('killed_by')}, check finds {found}")
    return compared, differences


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("models", nargs="+")
    parser.add_argument("--limit", type=float, default=60, help="seconds for each run")
    parser.add_argument("--compare", action="store_true", help="compare every verdict with a check of the mutated file")
    parser.add_argument("--nusmv", help="compare with this NuSMV instead of `check`")
    parser.add_argument("--most", type=int, default=10**9, help="compare models with at most this number of mutants")
    arguments = parser.parse_args()
    print("| model | mutants | killed | survived | equivalent | invalid | undecided | score | closed by | time / check |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    n_compared, differences, ratios = 0, [], []
    for model in arguments.models:
        name = os.path.basename(model)
        code, _, check = run([arguments.program, "check", model, "--quiet", "--format", "json"], arguments.limit)
        if code not in (0, 2):
            print(f"| {name} | not decided by check | | | | | | | | |")
            continue
        limit = ["--time-limit", str(arguments.limit)]
        command = [arguments.program, "audit", model, "--format", "json", "--quiet", *limit]
        code, text, audit = run(command, arguments.limit + 60)
        if code not in (0, 2, 3) or not text:
            why = "nothing to audit" if code == 4 else f"exit code {code}"
            print(f"| {name} | {why} | | | | | | | | |")
            continue
        document = json.loads(text)
        counts = document["counts"]
        score = "–" if document["score"] is None else f"{100 * document['score']:.1f} %"
        closed = sum(1 for mutant in document["mutants"] if mutant.get("closed_by"))
        stopped = "" if document["complete"] else " (stopped)"
        ratio = audit / max(check, 0.01)
        if document["complete"]:
            ratios.append(ratio)
        cells = [counts[word] for word in ("mutants", "killed", "survived", "equivalent", "invalid", "undecided")]
        print(f"| {name}{stopped} | {' | '.join(map(str, cells))} | {score} | {len(document['fewest'])} kill {closed} | {ratio:.1f} |")
        sys.stdout.flush()
        if (arguments.compare or arguments.nusmv) and counts["mutants"] <= arguments.most:
            n, found = compare(arguments, model, document)
            n_compared += n
            differences += found
            print("\n".join(found), end="\n" if found else "", file=sys.stderr)
    if ratios:
        within = sum(1 for ratio in ratios if ratio <= 5)
        print(f"\n{within} of {len(ratios)} audits take at most five times as long as `check`.")
    if arguments.compare or arguments.nusmv:
        print(f"{n_compared} verdicts compared, {len(differences)} differences.")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
