"""Judges `enrich_from_state`: enrichment from state that a query keeps."""
