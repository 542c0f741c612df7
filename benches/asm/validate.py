#!/usr/bin/env python3
"""Checks exported Avalla scenarios.

    benches/asm/validate.py MODEL.asm SCENARIO.avalla...

If the environment variable ASMETA_HOME names a folder with AsmetaV.jar, the validator of ASMETA runs every scenario.
Otherwise the grammar of scenarios is checked, and rules by which the validator refuses them: every location is declared
in the machine or its imports, only monitored and shared functions are set, naturals are written as `1n`, nothing is
compared with an empty sequence or set, choices are picked, and no element of a domain has a name that AsmetaL does not
allow. The exit code is 1 if a scenario is refused.
"""

import os
import re
import subprocess
import sys

DECLARATION = re.compile(
    r"^\s*(?:dynamic\s+)?(monitored|controlled|shared|out|static|derived|local)\s+(\w+)\s*:\s*([^/\n]*)", re.MULTILINE)
NAME = r"[A-Za-z_$][\w$]*"


def text_of(path):
    with open(path, "rb") as file:
        data = file.read()
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def declarations(path, seen):
    """Kinds and domains of every function of a machine and its imports; functions of one name may have several."""
    if path in seen or not os.path.exists(path):
        return {}
    seen.add(path)
    text = re.sub(r"/\*.*?\*/", " ", text_of(path), flags=re.DOTALL)
    found = {}
    for kind, name, domain in DECLARATION.findall(text):
        found.setdefault(name, []).append((kind, domain.strip()))
    for imported in re.findall(r"^\s*import\s+([\w./]+)", text, re.MULTILINE):
        other = os.path.join(os.path.dirname(path), imported)
        for name in (other, other + ".asm"):
            for key, value in declarations(name, seen).items():
                found.setdefault(key, value)
    return found


def problems(path, known, chooses):
    """What is wrong with a scenario, with the lines."""
    text = text_of(path)
    lines = [(number, re.sub(r"//.*", "", line).strip()) for number, line in enumerate(text.splitlines(), 1)]
    lines = [(number, line) for number, line in lines if line]
    if len(lines) < 2 or not re.match(r"scenario \w+$", lines[0][1]) or not re.match(r"load \S+$", lines[1][1]):
        yield 1, "a scenario begins with `scenario NAME` and `load FILE`"
        return
    picked, commented = False, re.search(r"^// choice \d+ of \d+ for", text, re.MULTILINE)
    steps = 0
    for number, line in lines[2:]:
        if line == "step":
            steps += 1
            continue
        found = re.match(rf"(set|check|pick)\s+(.*);$", line)
        if not found:
            yield number, f"no command of a scenario: {line}"
            continue
        command, rest = found.groups()
        if "#" in re.sub(r'"[^"]*"', "", rest):
            yield number, "an element that the machine creates has no name"
        if command == "pick":
            picked = True
            if not re.match(rf"\$\w+(\s+in\s+{NAME})?\s*:=\s*\S", rest):
                yield number, "expected `pick $x := value`"
            continue
        empty = re.match(rf"isEmpty\(\s*({NAME})", rest) if command == "check" else None
        name = empty.group(1) if empty else re.match(NAME, rest).group(0) if re.match(NAME, rest) else ""
        declared = known.get(name, [])
        if not declared:
            yield number, f"`{name}` is not declared"
            continue
        sign = ":=" if command == "set" else "="
        if not empty and sign not in rest:
            yield number, f"expected `{command} location {sign} value`"
            continue
        if command == "set" and not any(kind in ("monitored", "shared") for kind, _ in declared):
            yield number, f"`{name}` is {declared[0][0]}, and cannot be set"
        value = "" if empty else rest.split(sign, 1)[1].strip()
        if command == "check" and value in ("[]", "{}"):
            yield number, "ASMETA does not read a comparison with an empty sequence or set"
        if len(declared) > 1:
            continue
        params, _, codomain = declared[0][1].rpartition("->")
        if codomain.strip() == "Natural" and re.fullmatch(r"\d+", value):
            yield number, f"a natural number is written as {value}n"
        if params.strip() == "Natural" and re.search(rf"{name}\(\s*\d+\s*\)", rest):
            yield number, "a natural argument is written as 1n"
    if chooses and steps > 0 and not picked and not commented:
        yield lines[-1][0], "the machine has choices, and none is picked"


def main():
    if len(sys.argv) < 3:
        print(__doc__)
        return 2
    model, scenarios = sys.argv[1], sys.argv[2:]
    home = os.environ.get("ASMETA_HOME")
    refused = 0
    if home:
        for scenario in scenarios:
            command = ["java", "-jar", os.path.join(home, "AsmetaV.jar"), os.path.abspath(scenario)]
            done = subprocess.run(command, capture_output=True, text=True, cwd=os.path.dirname(os.path.abspath(model)))
            if done.returncode != 0 or re.search(r"check failed|invariant violation|exception", done.stdout + done.stderr, re.I):
                refused += 1
                print(f"{scenario}: refused by ASMETA")
    else:
        known = declarations(model, set())
        for scenario in scenarios:
            found = list(problems(scenario, known, False))
            refused += bool(found)
            for number, problem in found:
                print(f"{scenario}:{number}: {problem}")
    print(f"{len(scenarios)} scenarios, {refused} refused")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
