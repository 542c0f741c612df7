"""Caches with room for two items that make room in different ways, and their adapter for `specwright run`.

    specwright run examples/cache/suite.json -- python3 examples/cache/caches.py lru

`lru` is right: it drops the item that was used least recently. `fifo` drops the item that was stored first, `lfu` the one
that was used least often, and `random` any.
"""

import json
import random
import sys
from collections import OrderedDict

ROOM = 2


class Cache:
    """Items in the order in which they were stored, each with the number of its uses."""

    def __init__(self):
        self.uses = OrderedDict()

    def store(self, item):
        if item not in self.uses and len(self.uses) == ROOM:
            del self.uses[self.victim()]
        self.uses[item] = self.uses.get(item, 0)
        self.use(item)
        return "silent"

    def fetch(self, item):
        if item not in self.uses:
            return "absent"
        self.use(item)
        return "found"

    def drop(self, item):
        return "absent" if self.uses.pop(item, None) is None else "found"

    def use(self, item):
        self.uses[item] += 1


class Fifo(Cache):
    def victim(self):
        return next(iter(self.uses))


class Lru(Fifo):
    def use(self, item):
        self.uses.move_to_end(item)


class Lfu(Cache):
    def victim(self):
        return min(self.uses, key=self.uses.get)


class Random(Cache):
    choices = random.Random(1)

    def victim(self):
        return self.choices.choice(list(self.uses))


KINDS = {"lru": Lru, "fifo": Fifo, "lfu": Lfu, "random": Random}

kind = KINDS[sys.argv[1]]
cache = kind()
for line in sys.stdin:
    request = json.loads(line)
    answer = {}
    if request["op"] == "hello":
        # A step acts on what was there before it, and one process does for many tests.
        answer = {"inputs": "leaving", "reset": True}
    elif request["op"] == "reset":
        cache = kind()
        answer = {"outputs": {"answer": "silent"}}
    elif request["op"] == "step":
        inputs = request["inputs"]
        answer = {"outputs": {"answer": getattr(cache, inputs["command"])(inputs["item"])}}
    print(json.dumps(answer), flush=True)
