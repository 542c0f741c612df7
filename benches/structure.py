#!/usr/bin/env python3
"""Prints the structure of the workspace: lines of code per crate, which crate uses which, and the public items of the
crates that other programs build on. Run it before and after a change of the structure.

    benches/structure.py                     everything
    benches/structure.py --public testgen    the public items of another crate
"""

import argparse
import html
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def cargo(*arguments):
    run = subprocess.run(["cargo", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        sys.exit(run.stderr)
    return run.stdout


def packages():
    """The crates in an order in which each comes after those that it uses, with those."""
    found = json.loads(cargo("metadata", "--no-deps", "--format-version", "1"))["packages"]
    names = {package["name"] for package in found}
    uses = {}
    for package in found:
        normal = (d["name"] for d in package["dependencies"] if d["kind"] is None)
        uses[package["name"]] = sorted(name for name in normal if name in names and name != package["name"])
    order = []
    while len(order) < len(uses):
        order += sorted(n for n in uses if n not in order and all(other in order for other in uses[n]))
    folders = {package["name"]: Path(package["manifest_path"]).parent for package in found}
    return [(name, folders[name], uses[name]) for name in order]


def short(name):
    return name.removeprefix("specwright-")


def lines(files):
    """Lines of code, of comments and of unit tests at the ends of files."""
    code = comments = tests = 0
    for file in files:
        is_test = file.stem == "tests" or "tests" in file.parts
        for line in file.read_text().splitlines():
            is_test = is_test or line == "#[cfg(test)]"
            if is_test:
                tests += 1
            elif line.strip().startswith("//"):
                comments += 1
            elif line.strip():
                code += 1
    return code, comments, tests


def print_lines(crates):
    print(f"{'crate':12}{'files':>7}{'lines':>9}{'code':>9}{'comments':>10}{'tests':>9}")
    total = [0] * 5
    for name, folder, _ in crates:
        sources = sorted((folder / "src").rglob("*.rs"))
        code, comments, unit = lines(sources)
        extra = sum(len(file.read_text().splitlines()) for file in (folder / "tests").rglob("*.rs"))
        row = [len(sources), sum(len(file.read_text().splitlines()) for file in sources), code, comments, unit + extra]
        total = [a + b for a, b in zip(total, row)]
        print(f"{short(name):12}{row[0]:7}{row[1]:9,}{row[2]:9,}{row[3]:10,}{row[4]:9,}")
    print(f"{'all':12}{total[0]:7}{total[1]:9,}{total[2]:9,}{total[3]:10,}{total[4]:9,}")


def print_graph(crates):
    """Each crate with those that it uses directly; those that another of them brings along anyway are in parentheses."""
    uses = {name: set(others) for name, _, others in crates}
    behind = {}
    for name, _, others in crates:
        behind[name] = set(others).union(*(behind[other] for other in others))
    for name, _, others in crates:
        implied = set().union(*(behind[other] for other in uses[name])) if others else set()
        shown = [f"({short(other)})" if other in implied else short(other) for other in others]
        print(f"{short(name):12}← {' '.join(sorted(shown, key=lambda word: word.startswith('('))) or '–'}")


def print_public(crate):
    cargo("doc", "--no-deps", "--lib", "-p", crate)
    page = ROOT / "target" / "doc" / crate.replace("-", "_") / "all.html"
    kinds = {}
    for kind, name in re.findall(r'<a href="(?:[^"]*/)?(\w+)\.[^"/]*\.html">([^<]*)</a>', page.read_text()):
        kinds.setdefault(kind, []).append(html.unescape(name))
    print(f"{crate}: {sum(map(len, kinds.values()))} public items")
    for kind, names in sorted(kinds.items()):
        print(f"  {kind} ({len(names)}): {', '.join(sorted(names))}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--public", metavar="CRATE", action="append", help="crates whose public items are listed")
    wanted = parser.parse_args().public
    crates = packages()
    known = {short(name): name for name, _, _ in crates}
    for crate in wanted or ["mc", "specwright"]:
        if crate not in known:
            parser.error(f"there is no crate `{crate}`; there are {', '.join(known)}")
    if not wanted:
        print_lines(crates)
        print()
        print_graph(crates)
        print()
    for crate in wanted or ["mc", "specwright"]:
        print_public(known[crate])


if __name__ == "__main__":
    main()
