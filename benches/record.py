#!/usr/bin/env python3
"""Record what every command prints and writes, and compare two recordings.

usage: record.py record BINARY FOLDER [--limit SECONDS] [--jobs N] [MODEL ...]
       record.py compare FOLDER FOLDER

Without models, those of `examples/` and `testdata/` are taken. A recording has
one file for each run: the arguments, the exit code, standard output, standard
error, and every file that the run wrote. A run that takes longer than the limit
is recorded as `timeout` and left out of comparisons, and so is its counterpart.
`compare` prints the runs that differ and exits with 1 if there are any: a change
that moves code without changing what it does leaves every byte as it is.
"""

import argparse
import concurrent.futures
import hashlib
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SMV_CRITERIA = ["mutation", "states", "transitions", "pairs", "decision", "condition", "mcdc", "boundary"]
TABLE_CRITERIA = ["table"]
ASM_CRITERIA = ["basic-rule", "rule", "rule-guard", "rule-update", "parallel", "strong-parallel", "rule-mcdc", "rule-mutation"]
FORMATS = ["pytest", "junit5", "rust", "c", "go", "jest", "vitest", "gherkin", "csv", "itf", "nusmv-xml", "nusmv-text", "vcd", "avalla", "json", "text"]
# Node limits end searches in the same place on every machine.
LIMITED = ["--max-nodes", "200000"]


def models():
    """The models of the project itself, in a fixed order."""
    found = []
    for folder in ["examples", "testdata"]:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in {".smv", ".scr", ".asm"}:
                found.append(path.relative_to(ROOT))
    return found


def commands(model):
    """The runs for one model; `{out}` is a fresh folder, and later runs find what earlier ones wrote there."""
    path = str(model)
    if "diagnostics" in model.parts:
        yield ["check", path]
        return
    yield ["show", path]
    yield ["show", path, "--flat"]
    yield ["show", path, "--format", "json"]
    yield ["check", path]
    yield ["check", path, "--format", "json", *LIMITED]
    yield ["check", path, "--trace-format", "table", "--cone", "always"]
    yield ["simulate", path, "--seed", "1"]
    yield ["reflect", path]
    yield ["reflect", path, "--expound", "--shorten", "--trans"]
    yield ["mutate", path]
    yield ["mutate", path, "--machine", "--list"]
    yield ["mutate", path, "--format", "json", "--sample", "50"]
    yield ["translate", path]
    yield ["safety", path]
    yield ["compare", path]
    criteria = SMV_CRITERIA + {".scr": TABLE_CRITERIA, ".asm": ASM_CRITERIA}.get(model.suffix, [])
    for criterion in criteria:
        yield ["generate", path, "-c", criterion, *LIMITED]
    for strategy in ["each", "monitor", "extend"]:
        yield ["generate", path, "-s", strategy, "--format", "json"]
    yield ["generate", path, "--winnow", "all"]
    yield ["generate", path, "--keep", "auto"]
    yield ["generate", path, "--style", "smv-explain"]
    yield ["generate", path, "--out", "{out}/suite.json"]
    yield ["generate", path, "--out", "{out}/folder"]
    yield ["grade", path, "{out}/suite.json"]
    yield ["grade", path, "{out}/suite.json", "--format", "json", "--winnow", "all", "-c", "mcdc,mutation"]
    yield ["minimize", path, "{out}/suite.json", "--out", "{out}/small.json"]
    yield ["report", path, "{out}/suite.json", "--out", "{out}/report.html"]
    yield ["report", path, "{out}/suite.json", "--format", "stryker", "--out", "{out}/stryker.json"]
    for target in FORMATS:
        yield ["export", "{out}/suite.json", "--to", target, "--model", path]


def written(folder):
    """Every file in a folder, with a hash of its bytes."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def record_model(binary, folder, model, limit):
    """Run all commands on one model; return the number of runs and of time-outs."""
    runs = timeouts = 0
    with tempfile.TemporaryDirectory() as scratch:
        out = pathlib.Path(scratch)
        before = {}
        for number, arguments in enumerate(commands(model)):
            argv = [argument.replace("{out}", str(out)) for argument in arguments]
            name = hashlib.sha256(str(model).encode()).hexdigest()[:10]
            target = folder / f"{model.stem}-{name}" / f"{number:02}-{arguments[0]}"
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                run = subprocess.run(
                    [binary, *argv], cwd=ROOT, capture_output=True, stdin=subprocess.DEVNULL, timeout=limit, check=False
                )
                after = written(out)
                new = [f"{path} {digest}" for path, digest in after.items() if before.get(path) != digest]
                before = after
                parts = [f"exit {run.returncode}", *new]
                body = "\n".join(parts).encode() + b"\n--- stdout\n" + run.stdout + b"\n--- stderr\n" + run.stderr
                body = body.replace(str(out).encode(), b"{out}")
            except subprocess.TimeoutExpired:
                body = b"timeout\n"
                timeouts += 1
            target.write_bytes((" ".join(arguments)).encode() + b"\n" + body)
            runs += 1
    return runs, timeouts


def record(options):
    """Record all models."""
    chosen = [pathlib.Path(model) for model in options.models] or models()
    folder = pathlib.Path(options.folder)
    binary = str(pathlib.Path(options.binary).resolve())
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda model: record_model(binary, folder, model, options.limit), chosen))
    print(f"{len(chosen)} models, {sum(r for r, _ in results)} runs, {sum(t for _, t in results)} time-outs")


def compare(options):
    """Compare two recordings run by run."""
    first, second = pathlib.Path(options.first), pathlib.Path(options.second)
    names = sorted({str(p.relative_to(f)) for f in (first, second) for p in f.rglob("*") if p.is_file()})
    same = different = skipped = 0
    for name in names:
        bodies = [(f / name).read_bytes() if (f / name).exists() else b"missing\n" for f in (first, second)]
        if any(body.split(b"\n", 1)[-1] == b"timeout\n" for body in bodies):
            skipped += 1
        elif bodies[0] == bodies[1]:
            same += 1
        else:
            different += 1
            print(f"differs: {name}: {bodies[0].split(bytes([10]), 1)[0].decode()}")
    print(f"{same} runs are the same, {different} differ, {skipped} took too long")
    return 1 if different else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(required=True)
    recording = verbs.add_parser("record")
    recording.add_argument("binary")
    recording.add_argument("folder")
    recording.add_argument("models", nargs="*")
    recording.add_argument("--limit", type=float, default=20)
    recording.add_argument("--jobs", type=int, default=1)
    recording.set_defaults(run=record)
    comparing = verbs.add_parser("compare")
    comparing.add_argument("first")
    comparing.add_argument("second")
    comparing.set_defaults(run=compare)
    options = parser.parse_args()
    sys.exit(options.run(options))


if __name__ == "__main__":
    main()
