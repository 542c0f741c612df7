"""The barrier of a car park, and its adapter for `specwright run`.

    specwright run examples/barrier/suite.json -- python3 examples/barrier/barrier.py
"""

import json
import sys


class Barrier:
    def __init__(self):
        self.position = "down"

    def step(self, ticket, car):
        if ticket:
            self.position = "up"
        elif not car:
            self.position = "down"


barrier = Barrier()
for line in sys.stdin:
    request = json.loads(line)
    answer = {}
    if request["op"] == "hello":
        # A step acts on what was there before it, and one process does for many tests.
        answer = {"inputs": "leaving", "reset": True}
    elif request["op"] == "reset":
        barrier = Barrier()
        answer = {"outputs": {"barrier": barrier.position}}
    elif request["op"] == "step":
        barrier.step(**request["inputs"])
        answer = {"outputs": {"barrier": barrier.position}}
    print(json.dumps(answer), flush=True)
