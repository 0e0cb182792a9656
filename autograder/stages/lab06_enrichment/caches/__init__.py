"""Judges the caches within a process: `LruCache` and `CachedStore`."""
