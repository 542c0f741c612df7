"""cachetools.FIFOCache."""

from cache import serve_cache

if __name__ == "__main__":
    serve_cache(lambda cachetools, clock: cachetools.FIFOCache(maxsize=2))
