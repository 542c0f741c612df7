"""cachetools.LRUCache with room for two entries."""

from subject import module, serve

KIND = "LRUCache"


class Cache:
    def __init__(self):
        self.cache = getattr(module("cachetools"), KIND)(maxsize=2)
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
        elif op == "evict":
            try:
                self.result, value = cache.popitem()
                assert value == 1
            except KeyError:
                self.result = "empty"

    def outputs(self):
        assert self.cache.currsize == len(self.cache)
        return {"result": self.result, "size": len(self.cache)}


if __name__ == "__main__":
    serve(Cache)
