"""Clients of a store: enrich_sync, enrich_async, enrich_batched."""
