#!/usr/bin/env python3
"""Decides the shards of a command by HyperQueue, and submits those that are missing until all are there.

    pip install hyperqueue
    shards_hq.py --shards 64 --answers shards -- generate model.smv --out run
    specwright merge shards/*

Without --server, a server and --workers workers are started on this machine. With --server DIR, the tasks go to the server
whose access files are in that folder, and its workers may be anywhere, as long as they see the same files.
"""

import argparse
import contextlib
import os
import pathlib
import shutil
import sys

from hyperqueue import Client, Job, LocalCluster
from hyperqueue.cluster import WorkerConfig


def is_complete(folder: pathlib.Path) -> bool:
    """Whether a shard has written its last line."""
    try:
        with open(folder / "answers.jsonl", "rb") as file:
            file.seek(-min(64, file.seek(0, os.SEEK_END)), os.SEEK_END)
            return file.read().endswith(b'{"complete":true}\n')
    except OSError:
        return False


def missing(answers: pathlib.Path, shards: int) -> list[int]:
    return [number for number in range(1, shards + 1) if not is_complete(answers / str(number))]


def submit(client: Client, program: str, answers: pathlib.Path, shards: int, command: list[str], numbers: list[int]):
    job = Job(default_workdir=os.getcwd())
    for number in numbers:
        task = [program, *command, "--shard", f"{number}/{shards}", "--answers", str(answers / str(number))]
        job.program(task, name=f"shard-{number}")
    return client.submit(job)


def decide(client: Client, program: str, answers: pathlib.Path, shards: int, command: list[str], attempts: int) -> int:
    """Submits all shards that are missing, and those that are missing then, and so on. Returns the number of submissions."""
    for attempt in range(attempts):
        numbers = missing(answers, shards)
        if not numbers:
            return attempt
        print(f"submitting {len(numbers)} of {shards} shards", file=sys.stderr)
        client.wait_for_jobs([submit(client, program, answers, shards, command, numbers)], raise_on_error=False)
    lost = missing(answers, shards)
    if lost:
        sys.exit(f"shards {', '.join(map(str, lost))} are missing after {attempts} submissions")
    return attempts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shards", type=int, required=True)
    parser.add_argument("--answers", type=pathlib.Path, default=pathlib.Path("shards"))
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--server", type=pathlib.Path)
    parser.add_argument("--attempts", type=int, default=5)
    parser.add_argument("command", nargs="+")
    args = parser.parse_args()
    program = os.environ.get("SPECWRIGHT") or shutil.which("specwright") or "specwright"
    with contextlib.ExitStack() as stack:
        if args.server:
            client = Client(args.server)
        else:
            cluster = stack.enter_context(LocalCluster())
            for _ in range(args.workers):
                cluster.start_worker(WorkerConfig())
            client = cluster.client()
        decide(client, program, args.answers, args.shards, args.command, args.attempts)


if __name__ == "__main__":
    main()
