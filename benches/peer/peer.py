"""What the benchmarks share: both programs, and their processor time and memory."""

import os
import resource
import statistics
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def build():
    nusmv = os.environ.get("NUSMV")
    if not nusmv:
        lines = subprocess.run([HERE / "build-nusmv.sh"], check=True, capture_output=True, text=True).stdout.split("\n")
        nusmv = [line for line in lines if line][-1]
    specwright = os.environ.get("SPECWRIGHT")
    if not specwright:
        subprocess.run(["cargo", "build", "--release", "--bin", "specwright"], cwd=ROOT, check=True)
        target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
        specwright = target / "release" / "specwright"
    return str(nusmv), str(specwright)


def cpu(command, limit):
    """Processor time of a command and the most memory it had; nothing if it takes too long or rejects its input."""

    def restrict():
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))

    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=restrict)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    # Both end with 1 where they reject a file.
    if process.returncode not in (0, 2, 3):
        return None
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def median(command, runs, limit):
    times = []
    for _ in range(runs):
        result = cpu(command, limit)
        if result is None:
            return None
        times.append(result)
    return statistics.median(time for time, _ in times), max(memory for _, memory in times)


def show(result):
    return "    –   " if result is None else f"{result[0]:8.3f}"
