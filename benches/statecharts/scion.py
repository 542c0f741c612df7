#!/usr/bin/env python3
"""Replays the scripts of the npm package `@scion-scxml/test-framework` and compares configurations after each event.

    benches/statecharts/scion.py [--scratch FOLDER] [--only TEXT] [--verbose]

The package has SCXML charts, most with a script: events, and the atomic states that are active after each of them. Each
script becomes a test with the events only. `specwright export` fills in the states by the explicit interpreter. A chart is
`right` if all configurations are as expected, `refused` if a diagnostic says what is not supported, and `wrong` otherwise.
The program is the release build, or the one that the variable SPECWRIGHT names.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as tree
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SPECWRIGHT = os.environ.get("SPECWRIGHT", str(ROOT / "target/release/specwright"))
PACKAGE = "@scion-scxml/test-framework"
# A transition between children of a parallel state leaves that state by the standard, as the older scripts expect.
BY_THE_STANDARD = ("more-parallel/test10", "more-parallel/test10b")


def installed(scratch):
    """The folder of the package's tests."""
    folder = scratch / "node_modules" / PACKAGE
    if not folder.exists():
        scratch.mkdir(parents=True, exist_ok=True)
        # Without a prefix, npm installs into the nearest folder above that has packages.
        install = ["npm", "install", "--prefix", str(scratch), "--silent", "--no-audit", "--no-fund", PACKAGE]
        subprocess.run(install, check=True)
    return folder / "test"


def kind(element):
    return element.tag.rsplit("}", 1)[-1]


class Chart:
    """What the configuration of a chart needs: its states as the document nests them."""

    def __init__(self, path):
        self.parallel, self.children = set(), {}
        self.walk(tree.parse(path).getroot())

    def walk(self, element):
        own = [child for child in element if kind(child) in ("state", "parallel", "final")]
        if kind(element) == "parallel":
            self.parallel.add(element.get("id"))
        self.children[element.get("id")] = own
        for child in own:
            self.walk(child)

    def configuration(self, state):
        """The ids of the active atomic states."""
        found = set()
        for name, value in state.items():
            if (name == "state" or name.startswith("state.")) and value != "inactive":
                # The value is a path of ids, which may have dots themselves.
                ends = [id for id in self.children if id and (value == id or value.endswith("." + id))]
                self.add(max(ends, key=len), found)
        return found

    def add(self, leaf, found):
        if leaf not in self.parallel:
            found.add(leaf)
            return
        for child in self.children[leaf]:
            if kind(child) == "parallel" or not self.children.get(child.get("id")):
                self.add(child.get("id"), found)


def run(*args):
    return subprocess.run([SPECWRIGHT, *args], capture_output=True, text=True)


def refusal(result):
    """The diagnostic that says why there is no model."""
    found = re.search(r"error\[(\w+)\]: (.*)", result.stderr)
    return f"{found[1]}: {found[2]}" if found else None


def event_of(name, events):
    """The event of the model that a script's event is: itself, or the longest start of it that the chart names."""
    words = name.split(".")
    for n in range(len(words), 0, -1):
        if ".".join(words[:n]) in events:
            return ".".join(words[:n])
    return "other" if "other" in events else None


def execute(path, scratch, lines, given, free):
    """The states of a test with these events; the failed run if there are none. A free event is possible in every state."""
    suite = scratch / "script.suite"
    suite.write_text("model chart\n\ntest script\n" + "\n".join([*lines, f"  event = {free}{given}"]) + "\n")
    if lines or given:
        filled = run("export", str(suite), "--model", str(path), "--to", "json")
    else:
        filled = run("simulate", str(path), "--steps", "0", "--format", "json")
    if filled.returncode != 0:
        return filled
    found = json.loads(filled.stdout)
    return found["tests"][0]["trace"]["states"] if lines or given else found["states"]


def delays(path, scratch, lines, given, free, timers, milliseconds):
    """The events of delays that end while a script waits, in their order."""
    ended = []
    while True:
        states = execute(path, scratch, lines + [f"  event = {name}{given}" for name in ended], given, free)
        if isinstance(states, subprocess.CompletedProcess) or not all(timers[0] in state for state in states):
            # The machine has come to its end.
            return ended[:-1]
        rests = [(int(states[-1][name]), name) for name in timers if int(states[-1][name]) >= 0]
        rest, name = min(rests, default=(milliseconds + 1, None))
        if rest > milliseconds:
            return ended
        milliseconds -= rest
        ended.append(name.removeprefix("timer."))


def compare(script, scratch):
    """The verdict on one chart: `right`, `refused` or `wrong`, and why."""
    path = script.with_suffix(".scxml")
    shown = run("show", str(path), "--format", "json")
    if shown.returncode != 0:
        reason = refusal(shown)
        return ("refused", reason) if reason else ("wrong", shown.stderr.strip().split("\n")[0])
    variables = json.loads(shown.stdout)["variables"]
    event = next((v for v in variables if v["name"] == "event"), None)
    events = re.findall(r"[^{}, ]+", event["type"]) if event else []
    if "[SC065]" in shown.stderr:
        return "refused", "SC065: the tester stands for what is invoked"
    guards = [v["name"] for v in variables if v["name"].startswith(("guard.", "start.guard."))]
    verdicts = {compare_with(script, path, scratch, variables, events, guards, value) for value in ("FALSE", "TRUE")[: len(guards) + 1]}
    if len(verdicts) == 1 and (not guards or ("right", "") in verdicts):
        return verdicts.pop()
    # The tester decides what the chart does, so the script expects more than the chart says.
    return "refused", f"SC061: guards that cannot be read are inputs, such as `{guards[0]}`"


def compare_with(script, path, scratch, variables, events, guards, value):
    """The verdict if all guards that are inputs have this value."""
    steps = json.loads(script.read_text())
    if str(script).removesuffix(".json").endswith(BY_THE_STANDARD):
        steps = steps["legacySemantics"]
    chart = Chart(path)
    if any(name.startswith("delayed.any.") for name in events):
        return "refused", "SC064: a delay that is not constant may end at any time"
    timers = [v["name"] for v in variables if v["name"].startswith("timer.")]
    free = next((name for name in events if not name.startswith(("delayed.", "done.", "error."))), None)
    # Events that no transition names change nothing, and have no state of their own in the test.
    lines, expected = [], [steps["initialConfiguration"]]
    given = "".join(f", {name} = {value}" for name in guards)
    for step in steps["events"]:
        if "after" in step:
            # Events that the chart sends to itself are part of the step, so only the end of the wait is compared.
            expected[-1] = None
            ended = delays(path, scratch, lines, given, free, timers, step["after"]) if timers else []
            lines += [f"  event = {name}{given}" for name in ended]
            expected += [None] * len(ended)
        chosen = event_of(step["event"]["name"], events)
        if chosen is None:
            if expected[-1] is None:
                expected[-1] = step["nextConfiguration"]
            elif set(step["nextConfiguration"]) != set(expected[-1]):
                return "wrong", f"`{step['event']['name']}` is no event of the model"
            continue
        lines.append(f"  event = {chosen}{given}")
        expected.append(step["nextConfiguration"])
    filled = execute(path, scratch, lines, given, free)
    if isinstance(filled, subprocess.CompletedProcess):
        reason = refusal(filled)
        return ("refused", reason) if reason else ("wrong", filled.stderr.strip())
    states = filled
    for at, (state, wanted) in enumerate(zip(states, expected, strict=True)):
        seen = chart.configuration(state)
        if wanted is not None and seen != set(wanted):
            return "wrong", f"step {at}: {sorted(seen)} instead of {sorted(wanted)}"
    return "right", ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--scratch", type=Path, default=Path.home() / ".cache" / "specwright-statecharts")
    parser.add_argument("--only", default="", help="only charts with this in their path")
    parser.add_argument("--verbose", action="store_true", help="print the verdict on each chart")
    args = parser.parse_args()
    folder = installed(args.scratch)
    scripts = [path for path in sorted(folder.rglob("*.json")) if path.with_suffix(".scxml").exists()]
    verdicts, reasons = Counter(), Counter()
    for script in scripts:
        name = str(script.relative_to(folder).with_suffix(""))
        if args.only not in name:
            continue
        verdict, why = compare(script, args.scratch)
        verdicts[verdict] += 1
        if verdict == "refused":
            reasons[re.sub(r"`[^`]*`", "`…`", why)] += 1
        if args.verbose or verdict == "wrong":
            print(f"{verdict:8} {name}: {why}")
    print(f"{sum(verdicts.values())} charts with scripts: " + ", ".join(f"{n} {v}" for v, n in verdicts.most_common()))
    for reason, n in reasons.most_common():
        print(f"  {n:3} refused, {reason}")
    sys.exit(2 if verdicts["wrong"] else 0)


if __name__ == "__main__":
    main()
