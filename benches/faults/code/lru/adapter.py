"""cachetools.LRUCache."""

from cache import serve_cache

if __name__ == "__main__":
    serve_cache(lambda cachetools, clock: cachetools.LRUCache(maxsize=2))
