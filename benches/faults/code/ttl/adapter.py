"""cachetools.TTLCache with room for two entries that live for two ticks of a simulated clock."""

from subject import module, serve


class Cache:
    def __init__(self):
        self.now = 0
        self.cache = module("cachetools").TTLCache(maxsize=2, ttl=2, timer=lambda: self.now)
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
        elif op == "tick":
            self.now += 1
        elif op == "evict":
            try:
                self.result, value = cache.popitem()
                assert value == 1
            except KeyError:
                self.result = "empty"

    def outputs(self):
        return {"result": self.result, "size": len(self.cache)}


if __name__ == "__main__":
    serve(Cache)
