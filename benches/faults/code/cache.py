"""The caches of cachetools, each with room for two entries, behind one adapter."""

from subject import module, serve


class Cache:
    def __init__(self, make):
        self.now = 0
        self.cache = make(module("cachetools"), lambda: self.now)
        self.result = "none"

    def step(self, op, key):
        cache = self.cache
        self.result = "none"
        if op == "put":
            cache[key] = 1
        elif op == "get":
            self.result = "hit" if cache.get(key) == 1 else "miss"
        elif op == "has":
            self.result = "hit" if key in cache else "miss"
        elif op == "remove":
            self.result = "hit" if cache.pop(key, None) == 1 else "miss"
        elif op == "clear":
            cache.clear()
        elif op == "tick":
            self.now += 1
        elif op == "evict":
            try:
                self.result, value = cache.popitem()
                assert value == 1
            except KeyError:
                self.result = "empty"

    def outputs(self):
        assert self.cache.currsize == len(self.cache)
        return {"result": self.result, "size": len(self.cache)}


def serve_cache(make):
    """Serves the cache that a function makes of the module and a clock."""
    serve(lambda: Cache(make))
