"""Judges the clients of a store: `enrich_sync`, `enrich_async` and `enrich_batched`."""
