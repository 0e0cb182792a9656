"""Judges `SharedCache`, the cache in Redis that workers share."""
