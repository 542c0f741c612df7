#!/usr/bin/env python3
"""How strong are the properties of models? One line for each model, as a Markdown table.

    benches/audit.py target/release/specwright examples/*/*.smv
    benches/audit.py target/release/specwright --compare FOLDER/*.smv

For each model: the mutants of its machine by verdict, the score, what missing properties close, and the time of the audit as a
multiple of the time of `check`. A check of less than 10 ms counts as 10 ms: that is the time of a process. The last column says how
many times faster the audit is than a loop that checks every mutant by itself. Limits are processor time. With `--compare`, every verdict is compared with
`check` on the file of the mutant, or with NuSMV if `--nusmv PATH` is given; a difference ends with exit code 1.
"""

import argparse
import collections
import json
import math
import os
import re
import resource
import signal
import statistics
import subprocess
import sys
import tempfile


def run(command, limit):
    """The exit code, the output and the processor time of a command; none if it takes longer than the limit."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = math.ceil(limit)
    restrict = lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=restrict)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    taken = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if done.returncode == -signal.SIGXCPU:
        return None, "", taken
    return done.returncode, done.stdout, taken


def failing(arguments, file):
    """The number of properties that NuSMV calls false on a file; none if it is refused."""
    if not file.endswith(".smv"):
        smv = file + ".smv"
        run([arguments.program, "translate", file, "--out", smv, "--quiet", *requirements(arguments)], arguments.limit)
        file = smv
    elif arguments.requirements:
        with open(arguments.requirements, encoding="utf-8") as more, open(file, "a", encoding="utf-8") as text:
            text.write("\n" + more.read())
    code, text, _ = run([arguments.nusmv, "-dcx", file], arguments.limit)
    if code != 0 or "is false" not in text and "is true" not in text:
        return None  # refused, or its relation is not total
    return len(re.findall(r"^-- .* is false$", text, re.MULTILINE))


def failing_in_check(arguments, file):
    """The names, or else the texts, of the properties that fail on a file; none if it is refused."""
    command = [arguments.program, "check", file, "--format", "json", "--quiet", *requirements(arguments)]
    code, text, _ = run(command, arguments.limit)
    if code not in (0, 2, 3):
        return None
    return {each["name"] or each["text"] for each in json.loads(text)["properties"] if each["verdict"] == "fails"}


def requirements(arguments):
    return ["--requirements", arguments.requirements] if arguments.requirements else []


def files_of_mutants(arguments, model, folder):
    """Writes the mutants of a model as files of their own; the file of each by its id."""
    mutate = [arguments.program, "mutate", model, "--out", folder, "--quiet", *requirements(arguments)]
    run([*mutate, "--machine"], arguments.limit)
    if model.endswith(".asm"):
        run(mutate, arguments.limit)  # the mutants of rules: `CN-r_main.1.asm` is `CN r_main.1`
    names = {name: os.path.join(folder, name) for name in os.listdir(folder)}
    return {
        (name.removesuffix(".smv") if name.endswith(".smv") else name.removesuffix(".asm").replace("-", " ", 1)): file
        for name, file in names.items()
    }


def compare(arguments, model, document):
    """Compares the verdicts on mutants with checks of their files. Returns how many of which kind, and the differences."""
    compared, differences = collections.Counter(), []
    if arguments.nusmv and failing_in_check(arguments, model):
        return compared, []  # a property that fails on the machine may hold on a mutant, and NuSMV has another order
    held = {each["name"] for each in document["properties"]}
    kind_of_line = lines_of_fairness(model)
    with tempfile.TemporaryDirectory() as folder:
        files = files_of_mutants(arguments, model, folder)
        for mutant in document["mutants"]:
            if mutant["verdict"] in ("invalid", "undecided") or mutant["id"] not in files:
                continue
            file, by = files[mutant["id"]], set(mutant.get("killed_by", []))
            if arguments.nusmv:
                found, said = failing(arguments, file), len(mutant.get("killed_by", []))
            else:
                found, said = failing_in_check(arguments, file), by
                found = None if found is None else found & held
            if found is None:
                continue
            kind = "rules" if " " in mutant["id"] else "fairness" if mutant["line"] in kind_of_line else "expressions"
            compared[kind] += 1
            if found != said:
                word = f"{mutant['verdict']} by {mutant.get('killed_by')}"
                differences.append(f"{model} {mutant['id']}: {word}, the check of its file finds {found}")
    return compared, differences


def lines_of_fairness(model):
    """The lines of a model that declare fairness constraints."""
    with open(model, encoding="utf-8", errors="replace") as text:
        return {n for n, line in enumerate(text, 1) if re.search(r"\b(FAIRNESS|JUSTICE|COMPASSION)\b", line)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("models", nargs="+")
    parser.add_argument("--limit", type=float, default=60, help="seconds for each run")
    parser.add_argument("--multiple", type=float, help="an audit may take this multiple of `check`, at least 8 s and at most the limit")
    parser.add_argument("--keep", help="a folder for the documents of all audits")
    parser.add_argument("--compare", action="store_true", help="compare every verdict with a check of the mutated file")
    parser.add_argument("--nusmv", help="compare with this NuSMV instead of `check`")
    parser.add_argument("--most", type=int, default=10**9, help="compare models with at most this number of mutants")
    parser.add_argument("--requirements", help="a file with further properties, for every model")
    arguments = parser.parse_args()
    print("| model | mutants | killed | survived | equivalent | invalid | undecided | score | closed by | time / check | loop / time |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    compared, differences, ratios, gains, n_stopped = collections.Counter(), [], [], [], 0
    for model in arguments.models:
        name = os.path.basename(model)
        code, _, check = run([arguments.program, "check", model, "--quiet", "--format", "json", *requirements(arguments)], arguments.limit)
        if code not in (0, 2):
            print(f"| {name} | not decided by check | | | | | | | | | |")
            continue
        command = [arguments.program, "audit", model, "--format", "json", "--quiet", *requirements(arguments)]
        limit = max(arguments.limit, 6 * check)
        if arguments.multiple:
            limit = min(arguments.limit, max(8, arguments.multiple * check))
        code, text, audit = run(command, limit)
        if arguments.keep and text:
            os.makedirs(arguments.keep, exist_ok=True)
            with open(os.path.join(arguments.keep, model.strip("/").replace("/", "__") + ".json"), "w", encoding="utf-8") as file:
                file.write(text)
        if code not in (0, 2, 3) or not text:
            why = "nothing to audit" if code == 4 else "limit reached" if code is None else f"exit code {code}"
            n_stopped += code is None
            print(f"| {name} | {why} | | | | | | | | | |", flush=True)
            continue
        document = json.loads(text)
        counts = document["counts"]
        score = "–" if document["score"] is None else f"{100 * document['score']:.1f} %"
        closed = sum(1 for mutant in document["mutants"] if mutant.get("closed_by"))
        stopped = "" if document["complete"] else " (stopped)"
        ratio = audit / max(check, 0.01)
        gain = counts["mutants"] * max(check, 0.01) / max(audit, 0.01)
        if document["complete"]:
            ratios.append(ratio)
            gains.append(gain)
        cells = [counts[word] for word in ("mutants", "killed", "survived", "equivalent", "invalid", "undecided")]
        print(f"| {name}{stopped} | {' | '.join(map(str, cells))} | {score} | {len(document['fewest'])} kill {closed} | {ratio:.1f} | {gain:.0f} |")
        sys.stdout.flush()
        if (arguments.compare or arguments.nusmv) and counts["mutants"] <= arguments.most:
            n, found = compare(arguments, model, document)
            compared += n
            differences += found
            print("\n".join(found), end="\n" if found else "", file=sys.stderr)
    if ratios:
        within = sum(1 for ratio in ratios if ratio <= 5)
        print(f"\n{within} of {len(ratios)} audits take at most five times as long as `check`; {n_stopped} more reached the limit.")
        print(f"The median audit is {statistics.median(gains):.0f} times faster than a check of every mutant.")
    if arguments.compare or arguments.nusmv:
        kinds = ", ".join(f"{n} of {kind}" for kind, n in sorted(compared.items()))
        print(f"{compared.total()} verdicts on mutants compared ({kinds}), {len(differences)} differences.")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
