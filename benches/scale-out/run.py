#!/usr/bin/env python3
"""Runs 64 shards of a command on Slurm and on HyperQueue, loses tasks on the way, merges, and compares the bytes.

    benches/scale-out/run.py PROGRAM MODEL [slurm|hyperqueue|plain]…

Slurm is a cluster of its own on this machine: `munged`, `slurmctld` and `slurmd` of Debian's package `slurm-wlm`, started as
root in a temporary folder, without touching the system's configuration. While the array runs, tasks are requeued by
`scontrol requeue`, and the node daemon and its tasks are killed and come back. On HyperQueue (Python package `hyperqueue`)
a running worker is killed, and the driver submits what is missing. `plain` runs the shards one after the other.
"""

import os
import pathlib
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
SHARDS = 64


def command(model: str) -> list[str]:
    return ["generate", model, "--strategy", "monitor", "--out", "run"]


def spent(work) -> tuple[float, float]:
    """Seconds of wall and of processor time of children."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    work()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.monotonic() - begin, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


class Run:
    """The command as a whole, and folders of the same run in shards."""

    def __init__(self, program: str, model: str, base: pathlib.Path):
        self.program, self.model, self.base = program, model, base
        self.whole = self.folder("whole")
        wall, cpu = spent(lambda: self.call(self.whole, command(model), "printed"))
        print(f"whole: {wall:.1f} s, {cpu:.1f} s of processor time")

    def folder(self, name: str) -> pathlib.Path:
        folder = self.base / name
        folder.mkdir()
        return folder

    def call(self, folder: pathlib.Path, args: list[str], to: str) -> None:
        with open(folder / to, "wb") as out:
            subprocess.run([self.program, *args], cwd=folder, stdout=out, stderr=subprocess.DEVNULL, check=True)

    def merge(self, folder: pathlib.Path, name: str) -> None:
        folders = [f"shards/{number}" for number in range(1, SHARDS + 1)]
        wall, cpu = spent(lambda: self.call(folder, ["merge", *folders], "printed"))
        for file in ["printed", "run/suite.json", "run/goals.json"]:
            if (self.whole / file).read_bytes() != (folder / file).read_bytes():
                sys.exit(f"{name}: {file} differs from that of the whole run")
        print(f"{name}: merged in {wall:.1f} s ({cpu:.1f} s of processor time): the bytes of the whole run")


def plain(run: Run) -> None:
    folder = run.folder("plain")

    def all_shards() -> None:
        for number in range(1, SHARDS + 1):
            shard = ["--shard", f"{number}/{SHARDS}", "--answers", f"shards/{number}"]
            run.call(folder, command(run.model) + shard, "said")

    wall, cpu = spent(all_shards)
    print(f"plain: {SHARDS} shards in {wall:.1f} s, {cpu:.1f} s of processor time")
    run.merge(folder, "plain")


class Slurm:
    """A cluster of one node."""

    def __init__(self, base: pathlib.Path):
        self.base, self.daemons = base, {}
        for name in ["state", "spool", "munge"]:
            (base / name).mkdir()
        (base / "munge").chmod(0o755)
        base.chmod(0o755)
        key = base / "munge" / "key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        host, cpus = socket.gethostname(), os.cpu_count() or 1
        ports = [free_port(), free_port()]
        self.conf = base / "slurm.conf"
        self.conf.write_text(f"""\
ClusterName=scale-out
SlurmctldHost={host}(127.0.0.1)
AuthType=auth/munge
AuthInfo=socket={base}/munge/socket
CryptoType=crypto/munge
SlurmUser=root
SlurmdUser=root
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
StateSaveLocation={base}/state
SlurmdSpoolDir={base}/spool
SlurmctldPidFile={base}/slurmctld.pid
SlurmdPidFile={base}/slurmd.pid
SlurmctldLogFile={base}/slurmctld.log
SlurmdLogFile={base}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
JobRequeue=1
SlurmdTimeout=10
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
MailProg=/bin/true
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
""")
        self.env = {**os.environ, "SLURM_CONF": str(self.conf)}
        munge = base / "munge"
        options = ["--foreground", "--force", f"--key-file={key}", f"--socket={munge}/socket", f"--pid-file={munge}/pid"]
        options += [f"--log-file={munge}/log", f"--seed-file={munge}/seed"]
        self.start("munged", [*options])
        wait_for(lambda: (munge / "socket").exists(), "munged")
        self.start("slurmctld", ["-D", "-f", str(self.conf)])
        self.start("slurmd", ["-D", "-f", str(self.conf)])
        wait_for(lambda: "idle" in self.ask("sinfo", "-h", "-o", "%T"), "the node")

    def start(self, name: str, args: list[str]) -> None:
        log = open(self.base / f"{name}.out", "ab")
        self.daemons[name] = subprocess.Popen([f"/usr/sbin/{name}", *args], env=self.env, stdout=log, stderr=log)

    def ask(self, *args: str) -> str:
        return subprocess.run(args, env=self.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True).stdout

    def running(self) -> list[str]:
        return self.ask("squeue", "-h", "-r", "-t", "R", "-o", "%i").split()

    def left(self) -> int:
        return len(self.ask("squeue", "-h", "-r", "-o", "%i").split())

    def crash(self) -> int:
        """Kills the node daemon and all that it has started; returns the number of tasks."""
        tasks = [int(line.split()[0]) for line in self.ask("scontrol", "listpids").splitlines()[1:]]
        daemon = self.daemons.pop("slurmd")
        daemon.kill()
        daemon.wait()
        parents = {parent(pid) for pid in tasks} - {0, 1, os.getpid()}
        stepd = {pid for pid in parents if b"slurmstepd" in read(f"/proc/{pid}/cmdline")}
        for pid in [*stepd, *tasks]:
            if pid > 1:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
        return len(stepd)

    def stop(self) -> None:
        for daemon in reversed(list(self.daemons.values())):
            daemon.terminate()
        for daemon in self.daemons.values():
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()


def read(path: str) -> bytes:
    try:
        return pathlib.Path(path).read_bytes()
    except OSError:
        return b""


def parent(pid: int) -> int:
    fields = read(f"/proc/{pid}/stat").rsplit(b") ", 1)
    return int(fields[1].split()[1]) if len(fields) == 2 else 0


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return sock.getsockname()[1]


def wait_for(condition, what: str, seconds: float = 300.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            sys.exit(f"{what}: nothing after {seconds:.0f} s")
        time.sleep(0.2)


def slurm(run: Run) -> None:
    folder = run.folder("slurm")
    cluster = Slurm(run.folder("cluster"))
    try:
        begin = time.monotonic()
        env = {**cluster.env, "SPECWRIGHT": run.program}
        args = ["sbatch", "--parsable", f"--array=1-{SHARDS}", "--output=said-%a", str(HERE / "shards.sbatch")]
        args += [str(SHARDS), "shards", *command(run.model)]
        job = subprocess.run(args, env=env, cwd=folder, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
        print(f"slurm: job {job}, {SHARDS} tasks")
        wait_for(lambda: cluster.left() < SHARDS - 4 and cluster.running(), "running tasks")
        requeued = cluster.running()
        for task in requeued:
            cluster.ask("scontrol", "requeue", task)
        print(f"slurm: {len(requeued)} running tasks requeued: {' '.join(requeued)}")
        wait_for(lambda: cluster.left() < SHARDS // 2 and cluster.running(), "running tasks")
        lost, left = cluster.crash(), cluster.left()
        print(f"slurm: slurmd and {lost} tasks killed, {left} tasks left")
        wait_for(lambda: "down" in cluster.ask("sinfo", "-h", "-o", "%T"), "the node to be down")
        cluster.start("slurmd", ["-D", "-f", str(cluster.conf)])
        print("slurm: slurmd is back")
        wait_for(lambda: cluster.left() == 0, "the end of the array", 1800)
        print(f"slurm: all tasks have ended after {time.monotonic() - begin:.1f} s")
    finally:
        cluster.stop()
    run.merge(folder, "slurm")


def hyperqueue(run: Run) -> None:
    from hyperqueue import LocalCluster
    from hyperqueue.cluster import WorkerConfig

    import shards_hq

    folder = run.folder("hyperqueue")
    os.chdir(folder)
    answers = pathlib.Path("shards")
    begin = time.monotonic()
    with LocalCluster() as cluster:
        for _ in range(2):
            cluster.start_worker(WorkerConfig(cores=1))
        client = cluster.client()
        job = shards_hq.submit(client, run.program, answers, SHARDS, command(run.model), list(range(1, SHARDS + 1)))
        wait_for(lambda: len(shards_hq.missing(answers, SHARDS)) < SHARDS - 4, "shards")
        # The tasks themselves are killed: HyperQueue starts them once, and the driver finds that they are missing.
        killed = [pid for pid in tasks_of(run.program) if kill(pid)]
        print(f"hyperqueue: {len(killed)} running tasks killed")
        client.wait_for_jobs([job], raise_on_error=False)
        lost = shards_hq.missing(answers, SHARDS)
        print(f"hyperqueue: {len(lost)} shards are missing")
        n = shards_hq.decide(client, run.program, answers, SHARDS, command(run.model), 5)
        print(f"hyperqueue: all shards after {n} more submissions and {time.monotonic() - begin:.1f} s")
    run.merge(folder, "hyperqueue")


def tasks_of(program: str) -> list[int]:
    """Descendants of this process that run the program."""
    numbers = [int(path.name) for path in pathlib.Path("/proc").iterdir() if path.name.isdigit()]

    def is_ours(pid: int) -> bool:
        while pid > 1 and pid != os.getpid():
            pid = parent(pid)
        return pid == os.getpid()

    return [pid for pid in numbers if read(f"/proc/{pid}/cmdline").startswith(program.encode() + b"\0") and is_ours(pid)]


def kill(pid: int) -> bool:
    try:
        os.kill(pid, signal.SIGKILL)
        return True
    except ProcessLookupError:
        return False


def main() -> None:
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    program, model, *wanted = sys.argv[1:]
    sys.path.insert(0, str(HERE))
    base = pathlib.Path(tempfile.mkdtemp(prefix="scale-out-"))
    try:
        run = Run(os.path.realpath(program), os.path.realpath(model), base)
        for way in wanted or ["plain", "slurm", "hyperqueue"]:
            {"plain": plain, "slurm": slurm, "hyperqueue": hyperqueue}[way](run)
    finally:
        if os.environ.get("KEEP"):
            print(f"kept in {base}")
        else:
            shutil.rmtree(base, ignore_errors=True)


if __name__ == "__main__":
    main()
