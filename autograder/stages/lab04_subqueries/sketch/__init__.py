"""Judges `distinct_count`, a mergeable sketch of the number of distinct values."""
