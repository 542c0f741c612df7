#!/usr/bin/env python3
"""Measures the time from a keystroke to its diagnostics.

    editors/latency.py PROGRAM MODEL…

Each model is opened by `PROGRAM lsp`. Then 20 keys are typed at places all over the text: a letter in a comment of its own, so
that the text stays right and is analysed as a whole. The time ends with the last diagnostics of the text. Printed are the median
and the longest time, and the processor time of the server for each key, which other work on the machine does not change.
"""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

KEYS = 20


class Server:
    def __init__(self, program: str):
        self.process = subprocess.Popen([program, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.n = 0
        self.ask("initialize", {"capabilities": {}})
        self.send("initialized", {})

    def send(self, method: str, params, **more) -> None:
        body = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def read(self) -> dict:
        length = 0
        while (line := self.process.stdout.readline()) != b"\r\n":
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        return json.loads(self.process.stdout.read(length))

    def ask(self, method: str, params) -> list[tuple[float, dict]]:
        """The notifications up to the answer, with the times of their arrival."""
        self.n += 1
        self.send(method, params, id=self.n)
        found = []
        while True:
            message = self.read()
            if message.get("id") == self.n and "method" not in message:
                return found
            found.append((time.monotonic(), message))

    def processor_time(self) -> float:
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(") ", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self) -> None:
        self.ask("shutdown", None)
        self.send("exit", None)
        self.process.wait()


def measure(program: str, path: pathlib.Path) -> None:
    text = path.read_text(errors="replace")
    lines = text.splitlines()
    comment = "//" if path.suffix == ".asm" else "--"
    uri = path.resolve().as_uri()
    document = {"textDocument": {"uri": uri}}
    server = Server(program)
    server.send("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "smv", "version": 1, "text": text}})
    # An answer that needs the meaning of the text comes behind its diagnostics.
    server.ask("textDocument/codeLens", document)
    before, times = server.processor_time(), []
    for key in range(KEYS):
        line = len(lines) * key // KEYS
        character = len(lines[line].encode("utf-16-le")) // 2
        place = {"line": line, "character": character}
        change = {"range": {"start": place, "end": place}, "text": f" {comment} x"}
        lines[line] += change["text"]
        begin = time.monotonic()
        versioned = {"textDocument": {"uri": uri, "version": key + 2}, "contentChanges": [change]}
        server.send("textDocument/didChange", versioned)
        found = server.ask("textDocument/codeLens", document)
        ends = [at for at, message in found if message.get("method") == "textDocument/publishDiagnostics"]
        if not ends:
            sys.exit(f"{path}: no diagnostics")
        times.append(1000 * (ends[-1] - begin))
    spent = 1000 * (server.processor_time() - before) / KEYS
    server.stop()
    print(
        f"{path.name}: {len(lines)} lines, median {statistics.median(times):.0f} ms, longest {max(times):.0f} ms, "
        f"{spent:.0f} ms of processor time for each key",
        flush=True,
    )


for name in sys.argv[2:]:
    measure(sys.argv[1], pathlib.Path(name))
