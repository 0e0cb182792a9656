"""Rows as state: `enrich_from_state`, by itself and as the step of a query on Spark."""
