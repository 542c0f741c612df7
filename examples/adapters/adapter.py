"""A server that takes one job at a time, and its adapter: the Python side of `specwright run`.

    specwright run suite.json -- python3 examples/adapters/adapter.py

The model is examples/request-busy/request_busy.smv. To test something else, replace `Server`.
"""

import json
import sys


class Server:
    """The implementation under test."""

    def __init__(self):
        self.state = "ready"

    def step(self, request):
        self.state = "busy" if self.state == "ready" and request else "ready"


def answers():
    server = Server()
    for line in sys.stdin:
        message = json.loads(line)
        if message["op"] == "hello":
            # One process does for many tests, and a step acts on the inputs of the state that it leaves.
            yield {"protocol": "specwright/run/1", "reset": True, "inputs": "leaving"}
        elif message["op"] == "reset":
            server = Server()
            yield {"outputs": {"state": server.state}}
        elif message["op"] == "step":
            server.step(**message["inputs"])
            yield {"outputs": {"state": server.state}}
        elif message["op"] == "bye":
            return


for answer in answers():
    print(json.dumps(answer), flush=True)
