#!/usr/bin/env python3
"""Checks what we depend on: every licence is one that we allow, and no crate needs a newer Rust than we promise."""

import json
import re
import subprocess
import sys

ALLOWED = {
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
}


def is_allowed(expression):
    """Whether a licence expression can be met by licences that we allow. `A/B` is an old way to write `A OR B`."""
    words = re.findall(r"\(|\)|[^\s()]+", expression.replace("/", " OR "))
    python = []
    while words:
        word = words.pop(0)
        if word in "()":
            python.append(word)
        elif word in ("AND", "OR"):
            python.append(word.lower())
        else:
            if words[:1] == ["WITH"]:
                word = " ".join([word, words.pop(0), words.pop(0)])
            python.append(str(word in ALLOWED))
    return eval(" ".join(python), {"__builtins__": {}})


def version(text):
    return tuple(int(part) for part in text.split("."))[:2]


def packages_of(manifest):
    command = ["cargo", "metadata", "--format-version", "1", "--all-features", "--manifest-path", manifest]
    metadata = subprocess.run(command, capture_output=True, text=True)
    if metadata.returncode != 0:
        sys.exit(f"{' '.join(command)} failed; it needs the network once:\n{metadata.stderr}")
    return json.loads(metadata.stdout)["packages"]


def main():
    # The Python package has a workspace of its own.
    found = packages_of("Cargo.toml") + packages_of("python/Cargo.toml")
    packages = list({package["id"]: package for package in found}.values())
    ours = [package for package in packages if package["source"] is None]
    promised = min(package["rust_version"] for package in ours)
    wrong = []
    for package in packages:
        name = f"{package['name']} {package['version']}"
        if not package["license"] or not is_allowed(package["license"]):
            wrong.append(f"{name}: the licence {package['license']} is not in the list of {sys.argv[0]}")
        if package["rust_version"] and version(package["rust_version"]) > version(promised):
            wrong.append(f"{name} needs Rust {package['rust_version']}, and we promise {promised}")
    print(f"{len(packages)} packages, Rust {promised}")
    sys.exit("\n".join(wrong) or None)


assert is_allowed("(MIT OR GPL-3.0) AND Unicode-3.0") and is_allowed("GPL-2.0/MIT")
assert not is_allowed("MIT AND GPL-3.0") and not is_allowed("Apache-2.0 WITH Classpath-exception-2.0")
main()
