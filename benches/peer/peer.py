"""What the benchmarks share: both programs, and their processor time and memory."""

import os
import statistics
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

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


# A process begins with the memory of the one that starts it, and that counts as its own: so a small one does.
START = """
import os, resource, subprocess, sys
limit, *command = sys.argv[1:]
resource.setrlimit(resource.RLIMIT_CPU, (int(limit), int(limit) + 1))
process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)
"""


def cpu(command, limit):
    """Processor time of a command and the most memory it had; nothing if it takes too long or rejects its input."""
    start = [sys.executable, "-S", "-c", START, str(limit), *map(str, command)]
    code, time, memory = subprocess.run(start, check=True, capture_output=True, text=True).stdout.split()
    # Both end with 1 where they reject a file.
    if int(code) not in (0, 2, 3):
        return None
    return float(time), float(memory)


class Measured(NamedTuple):
    """The median time of some runs, the most memory, and how far the times lie apart, as a share of the median."""

    time: float
    memory: float
    noise: float


def median(command, runs, limit):
    results = []
    for _ in range(runs):
        result = cpu(command, limit)
        if result is None:
            return None
        results.append(result)
    times = [time for time, _ in results]
    middle = statistics.median(times)
    return Measured(middle, max(memory for _, memory in results), (max(times) - min(times)) / max(middle, 1e-9))


# How NuSMV can be told to search: as it is, with dynamic reordering, and without exploring the reachable states first.
CONFIGURATIONS = ([], ["-dynamic"], ["-df"])


def nusmv_best(nusmv, flags, path, runs, limit):
    """NuSMV's times in all its configurations, and the best of them."""
    results = [median([nusmv, *extra, *flags, path], runs, limit) for extra in CONFIGURATIONS]
    return results, min((result for result in results if result), default=None)


def ratio(theirs, ours):
    return theirs.time / ours.time if theirs and ours else None


def show(result):
    return "    –   " if result is None else f"{result.time:8.3f}"


def columns(results, best, ours):
    """NuSMV's configurations, ours, the ratio, the noise of the two that are compared, and their memory."""
    share = ratio(best, ours)
    noise = max((result.noise for result in (best, ours) if result), default=0.0)
    memory = " ".join(f"{result.memory:5.0f}" if result else "    –" for result in (best, ours))
    shown = f"{share:7.2f}×" if share else "       –"
    return f"{' '.join(show(result) for result in (*results, ours))} {shown} {noise:5.0%} {memory}"


HEADER = f"{'NuSMV':>8} {'-dynamic':>8} {'-df':>8} {'ours':>8} {'ratio':>8} noise {'MB':>5} {'MB':>5}"


def summary(pairs):
    """The ratios of all that both have decided."""
    ratios = [ratio(theirs, ours) for theirs, ours in pairs if theirs and ours]
    if not ratios:
        return "nothing was decided by both"
    only = sum(1 for theirs, ours in pairs if ours and not theirs), sum(1 for theirs, ours in pairs if theirs and not ours)
    slower = sum(1 for it in ratios if it < 1 / 1.2)
    heavier = sum(1 for theirs, ours in pairs if theirs and ours and ours.memory > theirs.memory)
    return (f"{len(ratios)} decided by both, {only[0]} by us alone, {only[1]} by NuSMV alone; ratio (NuSMV's best time over ours): "
            f"median {statistics.median(ratios):.2f}, least {min(ratios):.2f}, most {max(ratios):.2f}; "
            f"more than 1.2 times slower on {slower}, more memory on {heavier}")
