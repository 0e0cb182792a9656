"""Caches in the process: LruCache, CachedStore."""
