#!/usr/bin/env python3
"""Which criterion finds the faults of real code?

    benches/faults/code/run.py SCRATCH [--specwright PROGRAM] [--only SUBJECT,...] [--criteria NAME;...]

Seven third-party implementations are mutated by mutmut and by Stryker, which this script installs into SCRATCH. For
each criterion it generates a suite from the model of the program, runs it on every mutant with `specwright run`, and
counts the mutants that fail. Beside it stand random walks through the same model with as many steps: 20 steps a
walk, the mean of three seeds.

A mutant counts if its line is executed by some suite. Some of these behave as the original does, so 100 % cannot
always be reached; the last row says how many mutants any suite finds. The table is Markdown; SCRATCH/results.json
has the figures, with the mutants that each criterion misses.
"""

import argparse
import concurrent.futures
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
MUTMUT = "mutmut==2.5.1"
STRYKER = "@stryker-mutator/instrumenter@9.6.1"
LINE = re.compile(r"line-(\d+)")
WALK = 20
MAX_WALKS = 1000
SEEDS = [1, 2, 3]
CRITERIA = {
    "transitions": ["-c", "transitions"],
    "mcdc": ["-c", "mcdc"],
    "mutation, weak": ["-c", "mutation", "--kill", "weak"],
    "mutation, visible": ["-c", "mutation", "--kill", "visible"],
    "machine-mutation": ["-c", "machine-mutation"],
    "mutation + machine-mutation": ["-c", "mutation,machine-mutation"],
    "state-input": ["-c", "state-input"],
    "transition-tour": ["-c", "transition-tour"],
    "hsi": ["-c", "hsi"],
    "wp": ["-c", "wp"],
}


def call(*command, **options):
    """Runs a command and gives back what it prints; what went wrong is an exception that says so."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    if done.returncode not in (0, 2):
        lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise RuntimeError(next((line for line in lines if line.startswith("error")), lines[-1]))
    return done.stdout


class Subject:
    """A program under test: its model, its adapter and its mutants."""

    def __init__(self, name, settings, scratch, specwright):
        self.name, self.settings, self.specwright = name, settings, specwright
        self.source = HERE / name
        self.folder = scratch / name
        self.mutants = self.folder / "mutants"
        self.mutants.mkdir(parents=True, exist_ok=True)
        self.model = self.source / "model.smv"
        self.roles = ["--internal", settings["internal"]] if settings["internal"] else []
        self.install(scratch)

    def install(self, scratch):
        """Installs the program and its mutation tool, and makes the mutants."""
        if "npm" in self.settings:
            modules = scratch / "npm"
            modules.mkdir(exist_ok=True)
            (modules / "package.json").write_text("{}")
            call("npm", "install", "--silent", self.settings["npm"], STRYKER, cwd=modules)
            original = modules / "node_modules" / self.name / self.settings["module"]
            self.file = self.folder / "instrumented.mjs"
            lines = call("node", self.source / "instrument.mjs", original, self.file, cwd=modules)
            for line in lines.splitlines():
                (self.mutants / json.loads(line)["id"]).touch()
            self.program = ["node", self.source / "adapter.mjs", "{}", self.file]
            return
        python = scratch / "python" / "bin" / "python"
        if not python.exists():
            call(sys.executable, "-m", "venv", scratch / "python")
        call(python, "-m", "pip", "install", "--quiet", MUTMUT, self.settings["package"])
        self.file = call(python, HERE / "mutants.py", self.settings["module"], self.mutants).strip()
        self.program = [python, "-B", self.source / "adapter.py", "{}"]

    def run(self, suite, *options, target="-", environment=None):
        program = [target if part == "{}" else part for part in self.program]
        paths = {"PYTHONPATH": str(HERE), "PATH": "/usr/local/bin:/usr/bin:/bin", **(environment or {})}
        command = [self.specwright, "run", suite, "--model", self.model, "--quiet", "--format", "json", *options]
        return json.loads(call(*command, "--", *program, env=paths, cwd=self.folder))

    def executed(self, suite):
        """The mutants whose lines the suite executes on the original program, which must pass."""
        lines = self.folder / "lines"
        report = self.run(suite, environment={"SPECWRIGHT_LINES": str(lines)})
        failed = [test["name"] for test in report["tests"] if test["verdict"] != "pass"]
        if failed:
            raise RuntimeError(f"{self.name}: the original fails {failed[0]}")
        touched = set(lines.read_text().split("\n"))
        names = [mutant.name for mutant in self.mutants.iterdir()]
        if "npm" in self.settings:
            return {name for name in names if name in touched}
        return {name for name in names if f"{self.file}:{LINE.search(name)[1]}" in touched}

    def detected(self, suite, mutants):
        """For each mutant that the suite detects: how many tests it takes."""
        folder = suite.with_suffix(".mutants")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name in mutants:
            (folder / name).hardlink_to(self.mutants / name)
        report = self.run(suite, "--fail-fast", "--repeat", folder, target="{}")
        return {variant["name"]: len(variant["tests"]) for variant in report["variants"] if variant["exposed"]}

    def generate(self, criterion):
        """The suite of a criterion, with its numbers of tests and steps; or why there is none."""
        suite = self.folder / (re.sub(r"\W+", "-", criterion) + ".json")
        command = [self.specwright, "generate", self.model, *self.roles, *CRITERIA[criterion], "--quiet"]
        try:
            call(*command, "--out", suite)
        except RuntimeError as error:
            return {"error": str(error)}
        tests = json.loads(suite.read_text())["tests"]
        return {"suite": suite, "tests": len(tests), "steps": steps(tests)}

    def walks(self, seed, count, like):
        """A suite of random walks, with the head of another suite."""
        suite = self.folder / f"walks-{seed}.json"
        document = json.loads(like.read_text())
        names = [variable["name"] for variable in document["variables"]]
        document["tests"] = []
        for number in range(count):
            options = ["--steps", WALK, "--seed", seed * 100_000 + number, "--format", "json", "--quiet"]
            walk = json.loads(call(self.specwright, "simulate", self.model, *self.roles, *options))
            rows = [{**state, **defines} for state, defines in zip(walk["states"], walk["defines"])]
            states = [{name: row[name] for name in names} for row in rows]
            document["tests"].append({"name": f"walk-{number}", "expect": "accept", "trace": {"states": states}})
        suite.write_text(json.dumps(document))
        return suite


def steps(tests):
    return sum(len(test["trace"]["states"]) - 1 for test in tests)


def measure(subject, criteria, pool):
    """All figures of one subject."""
    suites = dict(zip(criteria, pool.map(subject.generate, criteria)))
    made = {name: suite for name, suite in suites.items() if "suite" in suite}
    like = next(iter(made.values()))["suite"]
    count = -(-max(suite["steps"] for suite in made.values()) // WALK)
    walks = [subject.walks(seed, min(count, MAX_WALKS), like) for seed in SEEDS]

    files = [suite["suite"] for suite in made.values()] + walks
    mutants = sorted(set().union(*(subject.executed(file) for file in files)))
    found = list(pool.map(lambda file: subject.detected(file, mutants), files))
    random = found[len(made):]
    for suite, detected in zip(made.values(), found):
        suite["suite"] = suite["suite"].name
        suite["detected"] = len(detected)
        suite["missed"] = sorted(set(mutants) - set(detected))
        walks_allowed = suite["steps"] / WALK
        suite["random"] = sum(sum(n <= walks_allowed for n in each.values()) for each in random) / len(random)
    return {
        "mutants": len(mutants),
        "found by any": len(set().union(*found)),
        "criteria": suites,
    }


def table(results):
    """The Markdown table: a row for each criterion, a column for each subject."""
    names = list(results)
    criteria = list(next(iter(results.values()))["criteria"])
    print("| criterion | " + " | ".join(names) + " |")
    print("|---" * (len(names) + 1) + "|")
    for criterion in criteria:
        cells = []
        for name in names:
            suite = results[name]["criteria"][criterion]
            if "error" in suite:
                cells.append("–")
                continue
            share = lambda n: f"{100 * n / results[name]['mutants']:.1f}"
            cells.append(f"**{share(suite['detected'])}** {share(suite['random'])} ({suite['tests']}, {suite['steps']})")
        print(f"| {criterion} | " + " | ".join(cells) + " |")
    print("| any | " + " | ".join(f"{100 * r['found by any'] / r['mutants']:.1f}" for r in results.values()) + " |")
    print("| code mutants | " + " | ".join(str(r["mutants"]) for r in results.values()) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("scratch", type=pathlib.Path)
    parser.add_argument("--specwright", default=HERE.parents[2] / "target/release/specwright", type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--criteria", default="")
    options = parser.parse_args()
    scratch = options.scratch.resolve()
    scratch.mkdir(parents=True, exist_ok=True)
    subjects = tomllib.loads((HERE / "subjects.toml").read_text())
    names = options.only.split(",") if options.only else list(subjects)
    criteria = options.criteria.split(";") if options.criteria else list(CRITERIA)
    results = {}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name in names:
            subject = Subject(name, subjects[name], scratch, options.specwright.resolve())
            results[name] = measure(subject, criteria, pool)
            print(f"{name}: {results[name]['mutants']} mutants on executed lines", file=sys.stderr)
            (scratch / "results.json").write_text(json.dumps(results, indent=1))
    table(results)
    for name, result in results.items():
        for criterion, suite in result["criteria"].items():
            if "error" in suite:
                print(f"\n{name}, {criterion}: {suite['error']}", end="")


if __name__ == "__main__":
    main()
