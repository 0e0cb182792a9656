"""Judges `enrich_partitioned`, which enriches transactions where the cache of their account is."""
