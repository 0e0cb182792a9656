"""Judges the geometry: `contains` and `read_record`."""
