"""Enrichment where the cache of an account is: `enrich_partitioned`."""
