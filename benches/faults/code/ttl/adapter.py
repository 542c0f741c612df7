"""cachetools.TTLCache: entries live for two ticks of a simulated clock."""

from cache import serve_cache

if __name__ == "__main__":
    serve_cache(lambda cachetools, clock: cachetools.TTLCache(maxsize=2, ttl=2, timer=clock))
